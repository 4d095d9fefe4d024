#include "corpus/element_lanes.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <utility>

#include "corpus/data_recipe.h"
#include "corpus/element_encoder.h"
#include "corpus/element_hash.h"
#include "corpus/lane_steps.h"

namespace gradproof::corpus {
namespace {

/// Returns a plan to draw the tensor, or nullopt where lanes cannot.
std::optional<LanePlan> plan_of(const Case& test_case, InputRole role) {
  LanePlan plan{
      tensor(test_case, role)->dtype, test_case.data->distribution, {*test_case.data, role}};
  if (!is_wide_float(plan.dtype) && !is_8_bit_float(plan.dtype)) return std::nullopt;
  const DistributionRow& row = row_of(plan.distribution);
  if (row.is_dense) plan.limits.density = 65536;  // every element
  const bool is_too_large =
      plan.distribution == Distribution::ExactGrid && plan.limits.magnitude >= grid_magnitude_end;
  if (!row.has_lanes || is_too_large) return std::nullopt;
  return plan;
}

template <std::size_t length>
void put_short_rows(const std::uint64_t* hashes, std::size_t count, std::uint64_t* to) {
  for (std::size_t row = 0; row < count; ++row, to += length) {
    for (std::size_t i = 0; i < length; ++i) to[i] = hashes[row] + golden * (i + 1);
  }
}

/// Puts, for each hash, the row of this length that follows from it; it is still to be mixed.
void put_rows(const std::uint64_t* hashes, std::size_t count, std::size_t length,
              std::uint64_t* to) {
  switch (length) {
    case 1:
      return put_short_rows<1>(hashes, count, to);
    case 2:
      return put_short_rows<2>(hashes, count, to);
    case 3:
      return put_short_rows<3>(hashes, count, to);
    case 4:
      return put_short_rows<4>(hashes, count, to);
    case 5:
      return put_short_rows<5>(hashes, count, to);
    default:
      break;
  }
  for (std::size_t row = 0; row < count; ++row, to += length) {
    for (std::size_t i = 0; i < length; ++i) to[i] = hashes[row] + golden * (i + 1);
  }
}

/// Draws a tensor axis by axis: the hashes of its first coordinates become those of one coordinate
/// more, in chunks, so that short rows fill vectors too. Each axis hands on what it has when its
/// chunk is full; the last one draws.
class Drawing {
 public:
  static constexpr std::size_t most_axes = 5;

  Drawing(const LanePlan& plan, const LaneSteps& steps, const std::vector<std::int64_t>& shape,
          Entries entries, std::byte* to)
      : plan_(plan), steps_(steps), axis_count_(shape.size()), to_(to) {
    for (std::size_t i = 0; i < axis_count_; ++i) {
      axes_[i].length = static_cast<std::uint64_t>(shape[i]);
    }
    axes_[0].first = static_cast<std::uint64_t>(entries.first);
    axes_[0].length = static_cast<std::uint64_t>(entries.count);
  }

  void draw(std::uint64_t seed) {
    add_row(0, mixed(seed));
    for (std::size_t axis = 0; axis < axis_count_; ++axis) hand_on(axis);
  }

 private:
  struct Axis {
    std::uint64_t first = 0;  ///< not 0 on the first axis alone, of which there is one row
    std::uint64_t length = 1;
    std::size_t count = 0;  ///< of the hashes, which are to be mixed yet
    alignas(64) std::array<std::uint64_t, chunk_length> hashes;
  };

  /// Adds all coordinates along one axis of those that each of the hashes stands for.
  void add_rows(std::size_t number, const std::uint64_t* hashes, std::size_t count) {
    Axis& axis = axes_[number];
    while (count > 0) {
      const std::uint64_t fitting = (chunk_length - axis.count) / axis.length;
      const auto rows = to_size(std::min<std::uint64_t>(fitting, count));
      if (rows < 2) {
        add_row(number, *hashes++);
        --count;
        continue;
      }
      put_rows(hashes, rows, axis.length, axis.hashes.data() + axis.count);
      axis.count += rows * axis.length;
      if (axis.count == chunk_length) hand_on(number);
      hashes += rows;
      count -= rows;
    }
  }

  void add_row(std::size_t number, std::uint64_t hash) {
    Axis& axis = axes_[number];
    for (std::uint64_t begin = 0; begin < axis.length;) {
      const std::size_t room = chunk_length - axis.count;
      const std::uint64_t some = std::min<std::uint64_t>(axis.length - begin, room);
      std::uint64_t* const to = axis.hashes.data() + axis.count;
      const std::uint64_t coordinate = axis.first + begin;
      for (std::uint64_t i = 0; i < some; ++i) to[i] = hash + golden * (coordinate + i + 1);
      begin += some;
      axis.count += some;
      if (axis.count == chunk_length) hand_on(number);
    }
  }

  void hand_on(std::size_t number) {
    Axis& axis = axes_[number];
    const std::size_t count = std::exchange(axis.count, 0);
    const std::size_t whole = (count + lane_step - 1) / lane_step * lane_step;
    std::fill(axis.hashes.begin() + count, axis.hashes.begin() + whole, 0);
    steps_.mix(axis.hashes.data(), whole);
    if (number + 1 == axis_count_) return store(axis.hashes.data(), count, whole);
    add_rows(number + 1, axis.hashes.data(), count);
  }

  void store(const std::uint64_t* hashes, std::size_t count, std::size_t whole) {
    steps_.draw(plan_, hashes, chunk_, whole);
    const std::size_t size = count * size_bytes(plan_.dtype);
    std::memcpy(to_, chunk_.elements, size);
    to_ += size;
  }

  const LanePlan& plan_;
  LaneSteps steps_;
  std::size_t axis_count_;
  std::byte* to_;
  std::array<Axis, most_axes> axes_;
  LaneChunk chunk_;
};

/// All that Highway lets the compiler use for a target.
Lanes measured() {
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (__builtin_cpu_supports("sse4.2") == 0 || __builtin_cpu_supports("avx2") == 0 ||
      __builtin_cpu_supports("fma") == 0 || __builtin_cpu_supports("bmi") == 0 ||
      __builtin_cpu_supports("bmi2") == 0) {
    return Lanes::Baseline;
  }
  if (__builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512bw") != 0 &&
      __builtin_cpu_supports("avx512dq") != 0 && __builtin_cpu_supports("avx512vl") != 0) {
    return Lanes::Avx512;
  }
  return Lanes::Avx2;
#else
  return Lanes::Baseline;
#endif
}

}  // namespace

void encode_bytes(const std::uint64_t* hashes, LaneChunk& chunk, std::size_t count,
                  std::uint64_t density, DataType dtype) {
  const EightBitEncoder& encode_one = EightBitEncoder::of(dtype);
  for (std::size_t i = 0; i < count; ++i) {
    const bool is_drawn = (hashes[i] & 0xFFFF) < density;
    const std::uint64_t bits = is_drawn ? encode_one(std::bit_cast<double>(chunk.values[i])) : 0;
    chunk.elements[i] = static_cast<std::byte>(bits);
  }
}

Lanes widest_lanes() {
  static const Lanes widest = measured();
  return widest;
}

bool draw_in_lanes(std::span<std::byte> bytes, const Case& test_case, InputRole role,
                   std::uint64_t seed, Lanes lanes, std::optional<Entries> entries) {
  const LaneSteps* const steps = lane_steps(lanes);
  const std::optional<LanePlan> plan = plan_of(test_case, role);
  if (steps == nullptr || !plan) return false;
  const auto shape = hashed_shape(tensor(test_case, role)->shape);
  if (shape.size() > Drawing::most_axes) return false;
  if (bytes.empty()) return true;
  Drawing(*plan, *steps, shape, entries.value_or(Entries{0, shape[0]}), bytes.data()).draw(seed);
  return true;
}

}  // namespace gradproof::corpus
