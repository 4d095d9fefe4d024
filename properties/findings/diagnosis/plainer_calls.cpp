#include "properties/findings/diagnosis/conditions.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <string_view>
#include <utility>

#include "oracle/arithmetic/arithmetic_model.h"
#include "properties/cases/calls/case_convolution.h"
#include "properties/cases/calls/operator_convolution.h"
#include "properties/findings/diagnosis/around.h"
#include "properties/findings/diagnosis/quantities.h"

namespace gradproof::findings::diagnosis {
namespace {

using corpus::Case;
using corpus::DataType;
using corpus::TensorCase;

std::string_view axis_letter(std::size_t axis, std::size_t axes) {
  constexpr std::array<std::string_view, 3> letters{"d", "h", "w"};
  return axes == 1 ? "l" : letters.at(3 - axes + axis);
}

// ---- sizes and attributes

class SizePlainers {
 public:
  SizePlainers(const Case& test_case, const cases::Convolution& sizes,
               std::vector<PlainerCall>& into)
      : problem_(test_case), sizes_(sizes), into_(into) {}

  void operator()() {
    make_non_empty();
    make_plain("batch", &cases::Convolution::batch);
    make_plain("groups", &cases::Convolution::groups);
    const auto [small, big] = map_names(problem_, sizes_);
    make_plain(fmt::format("channels of {}", small),
               &cases::Convolution::small_channels_per_group);  // of one group
    make_plain(fmt::format("channels of {}", big), &cases::Convolution::big_channels_per_group);
    for (std::size_t axis = 0; axis < sizes_.axes.size(); ++axis) {
      make_plain("kernel", axis, &cases::SpatialAxis::kernel, 1);
      make_plain("stride", axis, &cases::SpatialAxis::stride, 1);
      make_plain("dilation", axis, &cases::SpatialAxis::dilation, 1);
      make_without_padding(axis);
      make_without_unread(axis);
    }
  }

 private:
  void add(std::string words, const cases::Convolution& next) {
    std::vector<std::size_t> axes(sizes_.axes.size());
    std::iota(axes.begin(), axes.end(), std::size_t{0});
    into_.push_back({std::move(words), cases::with_convolution(problem_, sizes_, next, axes)});
  }

  void make_non_empty() {
    cases::Convolution next = sizes_;
    for (auto* length :
         {&next.batch, &next.small_channels_per_group, &next.big_channels_per_group}) {
      *length = std::max<std::int64_t>(*length, 1);
    }
    for (cases::SpatialAxis& axis : next.axes) {
      axis.kernel = std::max<std::int64_t>(axis.kernel, 1);
      axis.big = std::max(axis.big, axis.dilation * (axis.kernel - 1) + 1);
    }
    if (next != sizes_) add("an empty tensor (1 for each 0 agrees)", next);
  }

  void make_plain(std::string_view name, std::int64_t cases::Convolution::*count) {
    const std::int64_t now = sizes_.*count;
    if (now < 2) return;
    cases::Convolution next = sizes_;
    next.*count = 1;
    add(fmt::format("{} {} (1 agrees)", name, now), next);
  }

  void make_plain(std::string_view name, std::size_t axis, std::int64_t cases::SpatialAxis::*member,
                  std::int64_t plain) {
    const std::int64_t now = sizes_.axes[axis].*member;
    if (now == plain) return;
    cases::Convolution next = sizes_;
    next.axes[axis].*member = plain;
    add(fmt::format("{}_{} {} ({} agrees)", name, letter(axis), now, plain), next);
  }

  /// The map grows by what the padding was, so that as many positions are left.
  void make_without_padding(std::size_t axis) {
    cases::Convolution next = sizes_;
    cases::SpatialAxis& changed = next.axes[axis];
    const std::int64_t begin = changed.padding_begin;
    const std::int64_t end = changed.padding_end;
    if (begin == 0 && end == 0) return;
    changed.big += begin + end;
    changed.padding_begin = changed.padding_end = 0;
    const std::string now =
        begin == end ? std::to_string(begin) : fmt::format("{} and {}", begin, end);
    add(fmt::format("padding_{} {} (0 agrees)", letter(axis), now), next);
  }

  void make_without_unread(std::size_t axis) {
    const std::int64_t unread = cases::unread_length(sizes_.axes[axis]);
    if (unread == 0 || unread >= sizes_.axes[axis].big) return;
    cases::Convolution next = sizes_;
    next.axes[axis].big -= unread;
    next.axes[axis].left_out = 0;
    add(fmt::format("elements along {} that no position reads: {} (0 agrees)", letter(axis),
                    unread),
        next);
  }

  std::string_view letter(std::size_t axis) const { return axis_letter(axis, sizes_.axes.size()); }

  const Case& problem_;
  const cases::Convolution& sizes_;
  std::vector<PlainerCall>& into_;
};

// ---- tensors and modes

struct Named {
  std::string_view name;
  std::optional<TensorCase>* tensor;
};

std::vector<Named> tensors_of(Case& test_case) {
  std::vector<Named> tensors;
  tensors.reserve(corpus::input_roles.size() + corpus::output_roles.size());
  for (const auto role : corpus::input_roles) {
    tensors.push_back({corpus::name_of(test_case, role), &corpus::tensor(test_case, role)});
  }
  for (const auto role : corpus::output_roles) {
    tensors.push_back({corpus::name_of(test_case, role), &corpus::tensor(test_case, role)});
  }
  std::erase_if(
      tensors, [](const Named& named) { return named.name.empty() || !named.tensor->has_value(); });
  return tensors;
}

void add_layouts(const Case& test_case, std::vector<PlainerCall>& into) {
  Case plain = test_case;
  for (const Named& named : tensors_of(plain)) {
    TensorCase& tensor = **named.tensor;
    const TensorCase before = tensor;
    if (before.strides) {
      tensor.strides.reset();
      tensor.storage_shape = {before.offset + corpus::element_count(before.shape).value_or(0)};
      into.push_back(
          {fmt::format("strides {} of {} (contiguous agrees)", *before.strides, named.name),
           plain});
      tensor = before;
    }
    if (before.offset != 0) {
      tensor.offset = 0;
      into.push_back({fmt::format("offset {} of {} (0 agrees)", before.offset, named.name), plain});
      tensor = before;
    }
  }
}

void add_types(const Case& test_case, std::vector<PlainerCall>& into) {
  Case plain = test_case;
  std::vector<std::string_view> others;
  for (const Named& named : tensors_of(plain)) {
    DataType& type = (*named.tensor)->dtype;
    const std::string_view name = corpus::name_of(type);
    const bool is_new = std::ranges::find(others, name) == others.end();
    if (type != DataType::Float && is_new) others.push_back(name);
    type = DataType::Float;
  }
  if (others.empty()) return;
  into.push_back({fmt::format("dtype {} (FLOAT agrees)", fmt::join(others, " and ")), plain});
}

/// ", which computes in FLOAT16": of the call's matrix products.
std::string format_it_computes_in(const Case& test_case) {
  for (const auto role : {corpus::OutputRole::GradInput, corpus::OutputRole::GradWeight}) {
    if (!corpus::tensor(test_case, role)) continue;
    const auto ways = oracle::arithmetics(test_case, role, {});
    if (ways.empty()) continue;
    return fmt::format(", which computes in {}", oracle::name_of(ways.front().operands));
  }
  return {};
}

void add_modes(const Case& test_case, const std::optional<corpus::OutputRole>& culprit,
               std::vector<PlainerCall>& into) {
  Case plain = test_case;
  if (test_case.cube_math_type != 0) {
    plain.cube_math_type = 0;
    into.push_back({fmt::format("cubeMathType {}{} (0 agrees)", test_case.cube_math_type,
                                format_it_computes_in(test_case)),
                    plain});
  }
  for (const auto role : corpus::output_roles) {
    plain = test_case;
    const bool is_asked_for = test_case.output_mask && corpus::is_requested(test_case, role);
    if (!is_asked_for || role == culprit) continue;
    (*plain.output_mask)[to_size(role)] = false;
    into.push_back(
        {fmt::format("{} requested as well (without it agrees)", corpus::name_of(role)), plain});
  }
  for (const auto role : corpus::output_roles) {
    if (auto more = also_requesting(test_case, role)) {
      into.push_back({fmt::format("{} not requested (with it agrees)", corpus::name_of(role)),
                      std::move(*more)});
    }
  }
  if (test_case.deterministic) {
    plain = test_case;
    plain.deterministic = false;
    into.push_back({"deterministic mode (without it it agrees)", plain});
  }
}

/// Adds plainer calls without the options that only graph operators have.
void add_operator_options(const Case& test_case, std::vector<PlainerCall>& into) {
  if (!corpus::is_graph_operator(test_case.api) || !test_case.attributes) return;
  if (const auto plain = cases::in_plain_layout(test_case); plain && *plain != test_case) {
    into.push_back({"a format other than NCDHW (with NCDHW throughout it agrees)", *plain});
  }
  if (test_case.attributes->enable_hf32.value_or(false)) {
    Case plain = test_case;
    plain.attributes->enable_hf32 = false;
    into.push_back({"enableHf32 (without it it agrees)", std::move(plain)});
  }
}

void add_rank(const Case& test_case, std::vector<PlainerCall>& into) {
  auto lifted = with_one_axis_more(test_case);
  if (!lifted) return;
  const std::size_t rank = test_case.weight->shape.size();
  into.push_back({fmt::format("rank {} (rank {} with an axis of length 1 agrees)", rank, rank + 1),
                  std::move(*lifted)});
}

}  // namespace

std::vector<PlainerCall> plainer_calls(const Case& failing,
                                       const std::optional<corpus::OutputRole>& culprit) {
  std::vector<PlainerCall> calls;
  if (const auto sizes = cases::convolution_of(failing)) SizePlainers(failing, *sizes, calls)();
  add_rank(failing, calls);
  add_layouts(failing, calls);
  add_types(failing, calls);
  add_modes(failing, culprit, calls);
  add_operator_options(failing, calls);
  return calls;
}

}  // namespace gradproof::findings::diagnosis
