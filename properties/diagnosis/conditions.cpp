#include "properties/diagnosis/conditions.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <string_view>
#include <vector>

#include "oracle/arithmetic_model.h"
#include "properties/convolution.h"
#include "properties/laws/law.h"

namespace gradproof::properties::diagnosis {
namespace {

using corpus::Case;
using corpus::DataType;
using corpus::TensorCase;

/// The call with one thing made plain.
struct Plainer {
  std::string words;  ///< "stride_w 3 (1 agrees)"
  Case problem;
};
using Plainers = std::vector<Plainer>;

/// Seeds of nobody's else.
constexpr std::uint64_t first_seed = 0xC0'0D17'0155;

std::string_view axis_letter(std::size_t axis, std::size_t axes) {
  constexpr std::array<std::string_view, 3> letters{"d", "h", "w"};
  return axes == 1 ? "l" : letters.at(3 - axes + axis);
}

// ---- sizes and attributes

class SizePlainers {
 public:
  SizePlainers(const Case& problem, const Convolution& sizes, Plainers& into)
      : problem_(problem), sizes_(sizes), into_(into) {}

  void operator()() {
    make_non_empty();
    make_plain("batch", &Convolution::batch);
    make_plain("groups", &Convolution::groups);
    // Channels of one group; the small map is gradOutput, or input where transposed.
    make_plain(sizes_.transposed ? "channels of input" : "channels of gradOutput",
               &Convolution::small_channels_per_group);
    make_plain(sizes_.transposed ? "channels of gradOutput" : "channels of input",
               &Convolution::big_channels_per_group);
    for (std::size_t axis = 0; axis < sizes_.axes.size(); ++axis) {
      make_plain("kernel", axis, &SpatialAxis::kernel, 1);
      make_plain("stride", axis, &SpatialAxis::stride, 1);
      make_plain("dilation", axis, &SpatialAxis::dilation, 1);
      make_without_padding(axis);
      make_without_unread(axis);
    }
  }

 private:
  void add(std::string words, const Convolution& next) {
    std::vector<std::size_t> axes(sizes_.axes.size());
    std::iota(axes.begin(), axes.end(), std::size_t{0});
    into_.push_back({std::move(words), with_convolution(problem_, sizes_, next, axes)});
  }

  void make_non_empty() {
    Convolution next = sizes_;
    for (auto* length :
         {&next.batch, &next.small_channels_per_group, &next.big_channels_per_group}) {
      *length = std::max<std::int64_t>(*length, 1);
    }
    for (SpatialAxis& axis : next.axes) {
      axis.kernel = std::max<std::int64_t>(axis.kernel, 1);
      axis.big = std::max(axis.big, axis.dilation * (axis.kernel - 1) + 1);
    }
    if (next != sizes_) add("an empty tensor (1 for each 0 agrees)", next);
  }

  void make_plain(std::string_view name, std::int64_t Convolution::*count) {
    const std::int64_t now = sizes_.*count;
    if (now < 2) return;
    Convolution next = sizes_;
    next.*count = 1;
    add(fmt::format("{} {} (1 agrees)", name, now), next);
  }

  void make_plain(std::string_view name, std::size_t axis, std::int64_t SpatialAxis::*member,
                  std::int64_t plain) {
    const std::int64_t now = sizes_.axes[axis].*member;
    if (now == plain) return;
    Convolution next = sizes_;
    next.axes[axis].*member = plain;
    add(fmt::format("{}_{} {} ({} agrees)", name, letter(axis), now, plain), next);
  }

  /// The map grows by what the padding was, so that as many positions are left.
  void make_without_padding(std::size_t axis) {
    Convolution next = sizes_;
    SpatialAxis& changed = next.axes[axis];
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
    const std::int64_t unread = unread_length(sizes_.axes[axis]);
    if (unread == 0 || unread >= sizes_.axes[axis].big) return;
    Convolution next = sizes_;
    next.axes[axis].big -= unread;
    add(fmt::format("elements along {} that no position reads: {} (0 agrees)", letter(axis),
                    unread),
        next);
  }

  std::string_view letter(std::size_t axis) const { return axis_letter(axis, sizes_.axes.size()); }

  const Case& problem_;
  const Convolution& sizes_;
  Plainers& into_;
};

// ---- tensors and modes

struct Named {
  std::string_view name;
  std::optional<TensorCase>* tensor;
};

std::vector<Named> tensors_of(Case& problem) {
  std::vector<Named> tensors;
  tensors.reserve(corpus::input_roles.size() + corpus::output_roles.size());
  for (const auto role : corpus::input_roles) {
    tensors.push_back({corpus::name_of(role), &corpus::tensor(problem, role)});
  }
  for (const auto role : corpus::output_roles) {
    tensors.push_back({corpus::name_of(role), &corpus::tensor(problem, role)});
  }
  std::erase_if(tensors, [](const Named& named) { return !named.tensor->has_value(); });
  return tensors;
}

void add_layouts(const Case& problem, Plainers& into) {
  Case plain = problem;
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

void add_types(const Case& problem, Plainers& into) {
  Case plain = problem;
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
std::string format_it_computes_in(const Case& problem) {
  for (const auto role : {corpus::OutputRole::GradInput, corpus::OutputRole::GradWeight}) {
    if (!corpus::tensor(problem, role)) continue;
    const auto ways = oracle::arithmetics(problem, role, {});
    if (ways.empty()) continue;
    return fmt::format(", which computes in {}", oracle::name_of(ways.front().operands));
  }
  return {};
}

void add_modes(const Case& problem, const std::optional<corpus::OutputRole>& culprit,
               Plainers& into) {
  Case plain = problem;
  if (problem.cube_math_type != 0) {
    plain.cube_math_type = 0;
    into.push_back({fmt::format("cubeMathType {}{} (0 agrees)", problem.cube_math_type,
                                format_it_computes_in(problem)),
                    plain});
  }
  for (const auto role : corpus::output_roles) {
    plain = problem;
    if (!corpus::is_requested(problem, role) || role == culprit) continue;
    (*plain.output_mask)[static_cast<std::size_t>(role)] = false;
    into.push_back(
        {fmt::format("{} requested as well (without it agrees)", corpus::name_of(role)), plain});
  }
  if (problem.deterministic) {
    plain = problem;
    plain.deterministic = false;
    into.push_back({"deterministic mode (without it it agrees)", plain});
  }
}

// ---- asking

/// Of a recipe that shows a fault now and then only.
constexpr std::uint64_t most_seeds = 16;

/// The call under the data that it is given here.
std::vector<Case> runs_with_fresh_data(Case problem,
                                       const std::optional<corpus::Distribution>& recipe,
                                       const CheckSettings& settings) {
  problem.data.reset();
  problem.expect.reset();
  std::vector<Case> runs = runs_of(problem, {}, settings.judge.profile, first_seed);
  if (recipe) {
    for (std::uint64_t i = 1; i <= most_seeds; ++i) {
      auto more = runs_of(problem, {*recipe}, settings.judge.profile, first_seed + i);
      runs.insert(runs.end(), more.begin(), more.end());
    }
  }
  return runs;
}

bool agrees(Target& target, const std::vector<Case>& runs, const CheckSettings& settings) {
  return std::ranges::all_of(runs, [&](const Case& run) {
    return run.data && check(target, run, settings).outcome == corpus::Outcome::Agree;
  });
}

/// Else that a plainer call agrees under such data would say nothing.
bool disagrees_somewhere(Target& target, const std::vector<Case>& runs,
                         const CheckSettings& settings) {
  return std::ranges::any_of(runs, [&](const Case& run) {
    return run.data && check(target, run, settings).outcome == corpus::Outcome::Disagree;
  });
}

std::optional<corpus::Distribution> planned_recipe(const Case& original) {
  if (!original.data || !corpus::has_fills(original.data->distribution)) return std::nullopt;
  return original.data->distribution;
}

std::optional<std::string> why_broken(const Law& law, Target& target, const Case& problem,
                                      const CheckSettings& settings) {
  if (laws_that_apply(std::array{&law}, problem).empty()) return std::nullopt;
  Case bare = problem;
  bare.data.reset();
  const auto run = law_run(law, bare, first_seed);
  if (!run) return std::nullopt;
  const corpus::Verdict verdict = check_law(law, target, *run, settings);
  const bool by_law =
      verdict.outcome == corpus::Outcome::Disagree && verdict.kind == corpus::DisagreementKind::Law;
  return by_law ? std::optional(verdict.reason) : std::nullopt;
}

constexpr std::array laws_about_the_call{"workspace_independence", "executor_reuse", "determinism",
                                         "many_streams", "input_purity"};

}  // namespace

std::optional<std::string> what_it_needs(Target& target, const Case& failing, const Case& original,
                                         const std::optional<corpus::OutputRole>& culprit,
                                         const CheckSettings& settings) {
  const auto recipe = planned_recipe(original);
  if (!disagrees_somewhere(target, runs_with_fresh_data(failing, recipe, settings), settings)) {
    return std::nullopt;
  }
  Plainers plainers;
  if (const auto sizes = convolution_of(failing)) SizePlainers(failing, *sizes, plainers)();
  add_layouts(failing, plainers);
  add_types(failing, plainers);
  add_modes(failing, culprit, plainers);
  std::vector<std::string> needed;
  for (Plainer& plainer : plainers) {
    const auto runs = runs_with_fresh_data(std::move(plainer.problem), recipe, settings);
    if (agrees(target, runs, settings)) {
      needed.push_back(std::move(plainer.words));
    }
  }
  if (needed.empty()) return std::nullopt;
  return fmt::format("needs {}", fmt::join(needed, ", "));
}

std::optional<std::string> laws_broken_besides(Target& target, const Case& failing,
                                               const std::optional<corpus::OutputRole>& culprit,
                                               const CheckSettings& settings) {
  Case alone = failing;
  if (culprit && alone.output_mask) {
    alone.output_mask = std::vector<bool>(3, false);
    (*alone.output_mask)[static_cast<std::size_t>(*culprit)] = true;
  }
  std::vector<std::string> broken;
  for (const std::string_view name : laws_about_the_call) {
    const Law& law = *law_named(name);
    auto reason = why_broken(law, target, failing, settings);
    if (!reason && alone != failing) reason = why_broken(law, target, alone, settings);
    if (reason) broken.push_back(fmt::format("{} ({})", name, *reason));
  }
  if (broken.empty()) return std::nullopt;
  return fmt::format("breaks besides the law {}", fmt::join(broken, ", and the law "));
}

}  // namespace gradproof::properties::diagnosis
