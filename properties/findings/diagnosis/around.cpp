#include "properties/findings/diagnosis/around.h"

#include <numeric>

#include "properties/cases/calls/case_convolution.h"

namespace gradproof::findings::diagnosis {
namespace {

using corpus::Case;

/// Seeds that no other stage uses.
constexpr std::uint64_t first_seed_around = 0xD1A6'0515;

void add_runs(Case test_case, std::uint64_t seed, const cases::CheckSettings& settings,
              std::vector<Case>& into) {
  test_case.data.reset();
  test_case.expect.reset();
  for (Case& run : cases::runs_of({test_case, settings.judge.profile}, {}, seed)) {
    if (run.data) into.push_back(std::move(run));
  }
}

using Growth = void (*)(cases::Convolution&);

void grow_counts(cases::Convolution& sizes) {
  ++sizes.batch;
  ++sizes.small_channels_per_group;
  ++sizes.big_channels_per_group;
}
void grow_maps(cases::Convolution& sizes) {
  for (cases::SpatialAxis& axis : sizes.axes) axis.big += 2 * axis.stride + 1;
}
void grow_kernel(cases::Convolution& sizes) {
  for (cases::SpatialAxis& axis : sizes.axes) {
    ++axis.kernel;
    axis.big += axis.dilation;
  }
}
void grow_all(cases::Convolution& sizes) {
  grow_counts(sizes);
  grow_kernel(sizes);
  grow_maps(sizes);
}
void grow_stride(cases::Convolution& sizes) {
  grow_all(sizes);
  std::int64_t more = 1;  // another number on each axis
  for (cases::SpatialAxis& axis : sizes.axes) {
    axis.stride += more++;
    axis.big += 2 * axis.stride;
  }
}
void grow_dilation(cases::Convolution& sizes) {
  grow_all(sizes);
  std::int64_t more = 1;
  for (cases::SpatialAxis& axis : sizes.axes) {
    axis.big += (axis.kernel - 1) * more;
    axis.dilation += more++;
  }
}
void grow_padding(cases::Convolution& sizes) {
  grow_all(sizes);
  for (cases::SpatialAxis& axis : sizes.axes) {
    ++axis.padding_begin;
    ++axis.padding_end;
  }
}

constexpr Growth growths[] = {grow_counts, grow_maps,     grow_kernel, grow_all,
                              grow_stride, grow_dilation, grow_padding};

void add_grown(const Case& test_case, Growth grow, std::uint64_t seed,
               const cases::CheckSettings& settings, std::vector<Case>& into) {
  const auto sizes = cases::convolution_of(test_case);
  if (!sizes) return;
  std::vector<std::size_t> axes(sizes->axes.size());
  std::iota(axes.begin(), axes.end(), std::size_t{0});
  cases::Convolution next = *sizes;
  grow(next);
  add_runs(cases::with_convolution(test_case, *sizes, next, axes), seed, settings, into);
}

}  // namespace

std::optional<Case> with_one_axis_more(Case test_case) {
  if (test_case.api != corpus::Api::ConvolutionBackward || !test_case.weight) return std::nullopt;
  const std::size_t rank = test_case.weight->shape.size();
  if (rank != 3 && rank != 4) return std::nullopt;
  const auto lift = [rank](std::optional<corpus::TensorCase>& tensor) {
    if (!tensor || tensor->shape.size() != rank) return;
    corpus::TensorCase lifted;
    lifted.dtype = tensor->dtype;
    lifted.format = rank == 3 ? corpus::Format::Nchw : corpus::Format::Ncdhw;
    lifted.shape = tensor->shape;
    lifted.shape.insert(lifted.shape.begin() + 2, 1);
    tensor = std::move(lifted);
  };
  for (const auto role : corpus::input_roles) lift(corpus::tensor(test_case, role));
  for (const auto role : corpus::output_roles) lift(corpus::tensor(test_case, role));
  const auto lengthen = [rank](std::optional<std::vector<std::int64_t>>& array,
                               std::int64_t value) {
    if (array && array->size() == rank - 2) array->insert(array->begin(), value);
  };
  lengthen(test_case.stride, 1);
  lengthen(test_case.dilation, 1);
  lengthen(test_case.padding, 0);
  lengthen(test_case.output_padding, 0);
  return test_case;
}

std::optional<Case> also_requesting(Case test_case, corpus::OutputRole role) {
  const bool has_mask = test_case.output_mask && test_case.output_mask->size() == 3;
  if (!has_mask || corpus::is_requested(test_case, role)) return std::nullopt;
  auto& output = corpus::tensor(test_case, role);
  const auto& like = role == corpus::OutputRole::GradInput ? test_case.input : test_case.weight;
  if (!output && (role == corpus::OutputRole::GradBias || !like)) return std::nullopt;
  if (!output) {
    output = corpus::TensorCase{};
    output->dtype = like->dtype;
    output->format = like->format;
    output->shape = like->shape;
  }
  (*test_case.output_mask)[to_size(role)] = true;
  return test_case;
}

std::vector<Case> with_fresh_data(const Case& test_case, const cases::CheckSettings& settings) {
  std::vector<Case> cases;
  add_runs(test_case, first_seed_around, settings, cases);
  return cases;
}

std::vector<Case> cases_around(const Case& test_case, const cases::CheckSettings& settings) {
  std::vector<Case> cases = with_fresh_data(test_case, settings);
  std::uint64_t seed = first_seed_around;
  for (const Growth grow : growths) add_grown(test_case, grow, ++seed, settings, cases);
  const bool is_line = test_case.api == corpus::Api::ConvolutionBackward && test_case.weight &&
                       test_case.weight->shape.size() == 3;
  if (const auto lifted = is_line ? with_one_axis_more(test_case) : std::nullopt) {
    add_grown(*lifted, grow_all, ++seed, settings, cases);
  }
  return cases;
}

}  // namespace gradproof::findings::diagnosis
