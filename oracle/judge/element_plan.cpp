#include "oracle/judge/element_plan.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "corpus/element_hash.h"

namespace gradproof::oracle {
namespace {

/// SplitMix64 (Steele, Lea, Flood, OOPSLA 2014): the same draws on every platform.
class Draws {
 public:
  explicit Draws(std::uint64_t seed) : state_(seed) {}

  /// In [0, bound), bound >= 1. The modulo prefers small values by a factor of at most 1 + bound /
  /// 2^64, which is no matter for a sample.
  std::uint64_t below(std::uint64_t bound) {
    state_ += corpus::golden;
    return corpus::mixed(state_) % bound;
  }

 private:
  std::uint64_t state_;
};

constexpr std::int64_t cube_edge = 16;

/// Both ends of an axis and their neighbours, and those of the cube's tiles.
/// About 64 places at most: of a long axis only the first tiles.
std::vector<std::int64_t> borders(std::int64_t length) {
  std::vector<std::int64_t> result{0, 1, length - 2, length - 1};
  for (std::int64_t tile = cube_edge; tile < length && result.size() < 64; tile += cube_edge) {
    result.push_back(tile - 1);
    result.push_back(tile);
  }
  std::erase_if(result, [&](std::int64_t place) { return place < 0 || place >= length; });
  std::sort(result.begin(), result.end());
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

/// The 2^5 corners of N C D H W; axes of length 1 make some of them equal.
void add_corners(const Shape& shape, std::vector<std::uint64_t>& indices) {
  for (unsigned corner = 0; corner < 32; ++corner) {
    Shape at{};
    for (std::size_t axis = 0; axis < at.size(); ++axis) {
      at[axis] = (corner >> axis & 1U) != 0 ? shape[axis] - 1 : 0;
    }
    indices.push_back(offset_of(shape, at));
  }
}

/// One axis on a border, the others anywhere.
void add_borders(const Shape& shape, std::size_t count, Draws& draws,
                 std::vector<std::uint64_t>& indices) {
  std::array<std::vector<std::int64_t>, 5> places;
  for (std::size_t axis = 0; axis < shape.size(); ++axis) places.at(axis) = borders(shape[axis]);
  for (std::size_t i = 0; i < count; ++i) {
    Shape at{};
    for (std::size_t axis = 0; axis < at.size(); ++axis) {
      at[axis] = static_cast<std::int64_t>(draws.below(static_cast<std::uint64_t>(shape[axis])));
    }
    const std::size_t axis = i % at.size();
    at[axis] = places.at(axis)[i / at.size() % places.at(axis).size()];
    indices.push_back(offset_of(shape, at));
  }
}

}  // namespace

ElementPlan sampled_elements(const Geometry& geometry, corpus::OutputRole role,
                             std::uint64_t products, std::uint64_t seed) {
  ElementPlan plan;
  const Shape shape = geometry.shape(role);
  const auto elements = static_cast<std::uint64_t>(element_count(shape));
  if (elements == 0) return plan;
  const auto longest = static_cast<std::uint64_t>(geometry.longest_reduction(role));
  const std::uint64_t wanted =
      std::clamp<std::uint64_t>(products / std::max<std::uint64_t>(longest, 1), 32, elements + 32);
  Draws draws(seed);
  add_corners(shape, plan.indices);
  const std::uint64_t others = wanted - 32;
  add_borders(shape, others / 2, draws, plan.indices);
  for (std::uint64_t i = others / 2; i < others; ++i) plan.indices.push_back(draws.below(elements));
  std::sort(plan.indices.begin(), plan.indices.end());
  plan.indices.erase(std::unique(plan.indices.begin(), plan.indices.end()), plan.indices.end());
  plan.words = fmt::format("{} of {} elements: corners, borders, tile edges and a sample",
                           plan.indices.size(), elements);
  return plan;
}

}  // namespace gradproof::oracle
