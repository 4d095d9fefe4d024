#include "properties/findings/diagnosis/around.h"

#include <algorithm>
#include <numeric>

#include "properties/cases/calls/case_convolution.h"

namespace gradproof::properties::diagnosis {
namespace {

using corpus::Case;

/// Seeds that no other stage uses.
constexpr std::uint64_t first_seed_around = 0xD1A6'0515;

void add_runs(Case problem, std::uint64_t seed, const CheckSettings& settings,
              std::vector<Case>& into) {
  problem.data.reset();
  problem.expect.reset();
  for (Case& run : runs_of({problem, settings.judge.profile}, {}, seed)) {
    if (run.data) into.push_back(std::move(run));
  }
}

using Growth = void (*)(Convolution&);

void grow_counts(Convolution& sizes) {
  ++sizes.batch;
  ++sizes.small_channels_per_group;
  ++sizes.big_channels_per_group;
}
void grow_maps(Convolution& sizes) {
  for (SpatialAxis& axis : sizes.axes) axis.big += 2 * axis.stride + 1;
}
void grow_kernel(Convolution& sizes) {
  for (SpatialAxis& axis : sizes.axes) {
    ++axis.kernel;
    axis.big += axis.dilation;
  }
}
void grow_all(Convolution& sizes) {
  grow_counts(sizes);
  grow_kernel(sizes);
  grow_maps(sizes);
}
void grow_stride(Convolution& sizes) {
  grow_all(sizes);
  std::int64_t more = 1;  // another number on each axis
  for (SpatialAxis& axis : sizes.axes) {
    axis.stride += more++;
    axis.big += 2 * axis.stride;
  }
}
void grow_dilation(Convolution& sizes) {
  grow_all(sizes);
  std::int64_t more = 1;
  for (SpatialAxis& axis : sizes.axes) {
    axis.big += (axis.kernel - 1) * more;
    axis.dilation += more++;
  }
}
void grow_padding(Convolution& sizes) {
  grow_all(sizes);
  for (SpatialAxis& axis : sizes.axes) {
    ++axis.padding_begin;
    ++axis.padding_end;
  }
}

constexpr Growth growths[] = {grow_counts, grow_maps,     grow_kernel, grow_all,
                              grow_stride, grow_dilation, grow_padding};

void add_grown(const Case& problem, Growth grow, std::uint64_t seed, const CheckSettings& settings,
               std::vector<Case>& into) {
  const auto sizes = convolution_of(problem);
  if (!sizes) return;
  std::vector<std::size_t> axes(sizes->axes.size());
  std::iota(axes.begin(), axes.end(), std::size_t{0});
  Convolution next = *sizes;
  grow(next);
  add_runs(with_convolution(problem, *sizes, next, axes), seed, settings, into);
}

}  // namespace

std::optional<Case> with_one_axis_more(Case problem) {
  if (problem.api != corpus::Api::ConvolutionBackward || !problem.weight) return std::nullopt;
  const std::size_t rank = problem.weight->shape.size();
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
  for (const auto role : corpus::input_roles) lift(corpus::tensor(problem, role));
  for (const auto role : corpus::output_roles) lift(corpus::tensor(problem, role));
  const auto lengthen = [rank](std::optional<std::vector<std::int64_t>>& array,
                               std::int64_t value) {
    if (array && array->size() == rank - 2) array->insert(array->begin(), value);
  };
  lengthen(problem.stride, 1);
  lengthen(problem.dilation, 1);
  lengthen(problem.padding, 0);
  lengthen(problem.output_padding, 0);
  return problem;
}

std::optional<Case> also_requesting(Case problem, corpus::OutputRole role) {
  const bool has_mask = problem.output_mask && problem.output_mask->size() == 3;
  if (!has_mask || corpus::is_requested(problem, role)) return std::nullopt;
  auto& output = corpus::tensor(problem, role);
  const auto& like = role == corpus::OutputRole::GradInput ? problem.input : problem.weight;
  if (!output && (role == corpus::OutputRole::GradBias || !like)) return std::nullopt;
  if (!output) {
    output = corpus::TensorCase{};
    output->dtype = like->dtype;
    output->format = like->format;
    output->shape = like->shape;
  }
  (*problem.output_mask)[static_cast<std::size_t>(role)] = true;
  return problem;
}

std::vector<Case> with_fresh_data(const Case& problem, const CheckSettings& settings) {
  std::vector<Case> cases;
  add_runs(problem, first_seed_around, settings, cases);
  return cases;
}

std::vector<Case> cases_around(const Case& problem, const CheckSettings& settings) {
  std::vector<Case> cases = with_fresh_data(problem, settings);
  std::uint64_t seed = first_seed_around;
  for (const Growth grow : growths) add_grown(problem, grow, ++seed, settings, cases);
  const bool is_line = problem.api == corpus::Api::ConvolutionBackward && problem.weight &&
                       problem.weight->shape.size() == 3;
  if (const auto lifted = is_line ? with_one_axis_more(problem) : std::nullopt) {
    add_grown(*lifted, grow_all, ++seed, settings, cases);
  }
  return cases;
}

}  // namespace gradproof::properties::diagnosis
