#include "properties/runs/gate/gate_calls.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <span>
#include <utility>

#include "corpus/random_source.h"
#include "properties/cases/calls/case_convolution.h"
#include "properties/cases/generators/beaten_paths/beaten_path.h"
#include "properties/cases/generators/beaten_paths/network_layer.h"
#include "properties/cases/generators/valid_case.h"

namespace gradproof::runs {
namespace {

using corpus::Case;
using corpus::DataType;

constexpr std::int64_t steps_of_macs[] = {3'000, 60'000, 2'000'000};
constexpr int most_draws = 400;

cases::Selection selection_of(DataType dtype, std::int64_t macs) {
  cases::Selection selection;
  selection.dtypes = {dtype};
  selection.products = {corpus::Product::Ascend910B};
  selection.kind = cases::Kind::Valid;
  selection.max_macs = macs;
  selection.max_macs_binds = true;
  selection.cube_math_type = 0;
  selection.mixed = selection.empty = selection.views = selection.specials = false;
  selection.of_tensors = true;
  return selection;
}

/// Everything is asked for and there: a call that says what it means.
void complete(Case& test_case) {
  test_case.id.clear();
  test_case.source.clear();
  test_case.data.reset();
  test_case.deterministic = false;
  test_case.cube_math_type = 0;  // FLOAT stays FLOAT
  for (const auto role : corpus::output_roles) {
    if (auto& tensor = corpus::tensor(test_case, role)) tensor->dtype = test_case.input->dtype;
  }
}

bool has_products(const Case& test_case) {
  for (const auto role : corpus::input_roles) {
    const auto& tensor = corpus::tensor(test_case, role);
    if (!tensor || corpus::element_count(tensor->shape).value_or(0) == 0) return false;
  }
  return std::ranges::any_of(corpus::output_roles, [&](corpus::OutputRole role) {
    return corpus::is_requested(test_case, role);
  });
}

bool any_above(const std::optional<std::vector<std::int64_t>>& values, std::int64_t least) {
  return values && std::ranges::any_of(*values, [&](std::int64_t one) { return one > least; });
}

/// A layer as it was published, of one sample.
struct Published {
  std::int64_t in, out, length, kernel, stride, padding, groups;
};
/// VGG, ResNet, MobileNet, ResNeXt, ConvNeXt, U-Net; the last ones of small images.
constexpr Published published[] = {
    {3, 64, 224, 3, 1, 1, 1},     {64, 64, 224, 3, 1, 1, 1},   {128, 128, 112, 3, 1, 1, 1},
    {256, 512, 28, 3, 1, 1, 1},   {512, 512, 14, 3, 1, 1, 1},  {3, 64, 224, 7, 2, 3, 1},
    {64, 64, 56, 3, 1, 1, 1},     {64, 256, 56, 1, 1, 0, 1},   {256, 64, 56, 1, 1, 0, 1},
    {128, 128, 28, 3, 1, 1, 1},   {256, 256, 14, 3, 1, 1, 1},  {512, 512, 7, 3, 1, 1, 1},
    {64, 128, 56, 3, 2, 1, 1},    {512, 2048, 7, 1, 1, 0, 1},  {1024, 512, 14, 1, 2, 0, 1},
    {32, 32, 112, 3, 1, 1, 32},   {96, 96, 112, 3, 2, 1, 96},  {576, 576, 14, 3, 1, 1, 576},
    {128, 128, 56, 3, 1, 1, 32},  {256, 256, 28, 3, 1, 1, 32}, {96, 96, 56, 7, 1, 3, 96},
    {384, 384, 14, 7, 1, 3, 384}, {64, 128, 128, 3, 1, 1, 1},  {128, 64, 128, 3, 1, 1, 1},
    {512, 512, 4, 3, 1, 1, 1},    {512, 512, 3, 3, 1, 1, 1},   {768, 3072, 4, 1, 1, 0, 1},
    {3072, 768, 3, 1, 1, 0, 1},   {1024, 2048, 4, 1, 1, 0, 1}, {2048, 1024, 3, 1, 1, 0, 1}};

cases::Convolution convolution_of(const Published& row) {
  cases::Convolution made;
  made.groups = row.groups;
  made.big_channels_per_group = row.in / row.groups;
  made.small_channels_per_group = row.out / row.groups;
  cases::SpatialAxis axis;
  axis.big = row.length;
  axis.kernel = row.kernel;
  axis.stride = row.stride;
  axis.padding_begin = axis.padding_end = row.padding;
  made.axes = {axis, axis};
  return made;
}

/// True for sizes that networks have: where a row can be no larger otherwise, its channels are
/// drawn without end.
bool is_usual(const cases::Convolution& convolution) {
  constexpr std::int64_t most_channels = 2'048, most_length = 65'536, most_batch = 256;
  static constexpr std::int64_t most_elements =
      1'000'000;  // few products of each: all time is data
  const auto shape = convolution.big_shape(), weight = convolution.weight_shape();
  const auto is_large = [](const std::vector<std::int64_t>& lengths) {
    return corpus::element_count(lengths).value_or(most_elements) >= most_elements;
  };
  if (is_large(shape) || is_large(convolution.small_shape()) || is_large(weight)) return false;
  return shape[0] <= most_batch && shape[1] <= most_channels && weight[0] <= most_channels &&
         *std::ranges::max_element(shape) <= most_length;
}

/// Classes of which every call is in one at least, as `classes_of_gate` names them.
constexpr std::span<const std::string_view> every_call_has_one_of[] = {
    std::span(gate_classes).subspan(0, 3), std::span(gate_classes).subspan(3, 3),
    std::span(gate_classes).subspan(6, 7)};

}  // namespace

std::vector<std::string_view> classes_of_gate(const Case& test_case) {
  std::vector<std::string_view> names;
  const auto& weight = test_case.weight->shape;
  const std::size_t axes = weight.size() - 2;
  names.push_back(gate_classes.at(axes - 1));
  const auto all_are = [&](std::int64_t length) {
    return std::all_of(weight.begin() + 2, weight.end(), [&](auto one) { return one == length; });
  };
  names.push_back(all_are(1) ? "1x1" : all_are(3) ? "3x3" : "other-kernel");
  const bool is_strided = any_above(test_case.stride, 1),
             is_padded = any_above(test_case.padding, 0);
  const bool is_dilated = any_above(test_case.dilation, 1);
  if (is_strided) names.emplace_back("strided");
  if (is_padded) names.emplace_back("padded");
  if (is_dilated) names.emplace_back("dilated");
  if (test_case.groups > 1) names.emplace_back(weight[1] == 1 ? "depthwise" : "grouped");
  if (test_case.transposed) names.emplace_back("transposed");
  if (!is_strided && !is_padded && !is_dilated && test_case.groups == 1 && !test_case.transposed) {
    names.emplace_back("plain");
  }
  return names;
}

tl::expected<GateCalls, std::string> GateCalls::of(std::vector<DataType> dtypes,
                                                   std::vector<std::string> without) {
  GateCalls calls;
  for (const std::string& name : without) {
    if (std::ranges::find(gate_classes, name) == gate_classes.end()) {
      return tl::unexpected(
          fmt::format("--without: \"{}\" is none of {}", name, fmt::join(gate_classes, ", ")));
    }
  }
  calls.without_ = std::move(without);
  for (const std::span<const std::string_view> one_of : every_call_has_one_of) {
    if (std::ranges::none_of(one_of, [&](auto name) { return calls.is_asked(name); })) {
      return tl::unexpected(
          fmt::format("--without: every call is one of {}", fmt::join(one_of, ", ")));
    }
  }
  for (const DataType dtype : dtypes) {
    for (const std::int64_t macs : steps_of_macs) {
      auto source = cases::CaseSource::of(selection_of(dtype, macs));
      if (!source) return tl::unexpected(source.error());
      calls.sources_.push_back({dtype, macs, std::move(*source)});
    }
  }
  calls.dtypes_ = std::move(dtypes);
  return calls;
}

bool GateCalls::is_asked(std::string_view name) const {
  return std::ranges::find(without_, name) == without_.end();
}

bool GateCalls::admits(const Case& test_case) const {
  const auto names = classes_of_gate(test_case);
  return std::ranges::all_of(names, [&](std::string_view name) { return is_asked(name); });
}

Case GateCalls::draw(DataType dtype, std::string_view wanted, std::int64_t macs,
                     Secret& secret) const {
  const Source* source = nullptr;
  for (const Source& one : sources_) {
    if (one.dtype == dtype && (source == nullptr || one.macs <= macs)) source = &one;
  }
  Case found;
  for (int i = 0; i < most_draws; ++i) {
    const std::uint64_t seed = secret.next();
    Case test_case = source->cases(seed, secret.next());
    const bool fits = test_case.grad_output && test_case.input && test_case.weight &&
                      has_products(test_case) && test_case.shape_consistent &&
                      cases::convolution_of(test_case) && admits(test_case);
    if (!fits) continue;
    const std::size_t axes = test_case.input->shape.size() - 2;
    if (!test_case.padding || test_case.padding->size() != axes) continue;
    complete(test_case);
    found = std::move(test_case);
    const auto names = classes_of_gate(found);
    if (wanted.empty() || std::ranges::find(names, wanted) != names.end()) break;
  }
  return found;
}

Case GateCalls::published_layer(DataType dtype, std::int64_t macs, Secret& secret,
                                std::int64_t least_weight) const {
  for (int i = 0; i < most_draws; ++i) {
    const auto last = static_cast<std::int64_t>(std::size(published)) - 1;
    auto convolution = convolution_of(published[secret.between(0, last)]);
    const auto weight = corpus::element_count(convolution.weight_shape()).value_or(0);
    if (cases::mac_count(convolution) > macs || weight < least_weight) continue;
    if (secret.chance(50)) convolution.batch = macs / cases::mac_count(convolution);
    if (convolution.batch > 1 && !is_usual(convolution)) continue;
    cases::Frame frame;
    frame.dtype = dtype;
    Case test_case = cases::plain_case(convolution, frame);
    if (!admits(test_case)) continue;
    complete(test_case);
    return test_case;
  }
  return {};
}

Case GateCalls::largest(DataType dtype, std::int64_t macs, Secret& secret) const {
  constexpr std::int64_t most_elements = 6'000'000, least_elements = 1'000'000;
  for (int i = 0; i < most_draws; ++i) {
    const auto last = static_cast<std::int64_t>(std::size(published)) - 1;
    auto convolution = convolution_of(published[secret.between(0, last)]);
    const auto elements = std::max(corpus::element_count(convolution.big_shape()).value_or(0),
                                   corpus::element_count(convolution.small_shape()).value_or(0));
    const auto most = std::min(macs / cases::mac_count(convolution),
                               most_elements / std::max<std::int64_t>(elements, 1));
    if (most < 1) continue;
    convolution.batch = std::max<std::int64_t>(most - secret.between(0, most / 4), 1);
    const bool is_larger = convolution.batch * elements >= least_elements ||
                           cases::mac_count(convolution) > most_layer_macs;
    cases::Frame frame;
    frame.dtype = dtype;
    Case test_case = cases::plain_case(convolution, frame);
    if (!is_larger || !admits(test_case)) continue;
    complete(test_case);
    return test_case;
  }
  return {};
}

Case GateCalls::layer(DataType dtype, std::string_view wanted, std::int64_t macs,
                      Secret& secret) const {
  const auto most = std::min(2 * macs, most_layer_macs);
  std::int64_t products = wanted.empty() ? macs - 1 : macs / 8;  // few of a class have so many
  Case found;
  for (int i = 0; i < most_draws && (!found.input || products < macs); ++i) {
    const std::uint64_t seed = secret.next();
    corpus::RandomSource random(seed, secret.next());
    const auto rows = cases::network_layers(
        static_cast<std::size_t>(wanted.empty() && secret.chance(70) ? 2 : secret.between(1, 3)));
    const cases::NetworkLayer& row = random.one_of(rows);
    cases::Frame frame;
    frame.rank = static_cast<int>(row.axes) + 2;
    frame.transposed = row.transposed;
    frame.dtype = dtype;
    frame.domain = cases::Domain::PyTorch;
    const auto convolution = cases::draw_layer(row, macs + macs / 2, random);
    const auto these = cases::mac_count(convolution);
    if (these <= products || these > most || !is_usual(convolution)) continue;
    Case test_case = cases::plain_case(convolution, frame);
    const bool has_one_padding = test_case.padding && test_case.padding->size() == row.axes;
    if (!has_one_padding || !admits(test_case)) continue;
    const auto names = classes_of_gate(test_case);
    if (!wanted.empty() && std::ranges::find(names, wanted) == names.end()) continue;
    complete(test_case);
    found = std::move(test_case);
    products = these;
  }
  return found.input ? found : published_layer(dtype, most, secret);
}

}  // namespace gradproof::runs
