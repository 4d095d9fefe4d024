#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "kernel/operators/call/checked.h"
#include "kernel/operators/call/problem.h"

namespace gradproof::kernel::operators {

/// A tap as some neighbouring results see it: result i reads element i + shift of a plane.
struct TapRead {
  std::int64_t tap = 0, shift = 0, plane = 0;
};

/// Reads of a map by `count` results of one axis, `first`, first + 1, ..., through the taps of a
/// kernel. With a `step` above 1 the map is dealt into planes, in which what neighbouring results
/// read are neighbours: element i of a plane is element i * step + residue of the map.
struct AxisReads {
  std::int64_t length = 1;  ///< of the map
  std::int64_t step = 1;
  std::int64_t first = 0, count = 0;
  std::vector<TapRead> taps;           ///< in the order in which their products are added
  std::vector<std::int64_t> residues;  ///< of the planes that any tap reads
  std::int64_t least_shift = 0, greatest_shift = 0;

  /// Elements of a plane that are read, from number `first_read` on; some may lie outside the map.
  std::int64_t first_read() const { return first + least_shift; }
  std::int64_t reads() const { return count + greatest_shift - least_shift; }

  std::int64_t planes() const { return static_cast<std::int64_t>(residues.size()); }

  /// The plane of a residue, a new one if need be.
  std::int64_t plane_of(std::int64_t residue) {
    const auto found = std::ranges::find(residues, residue);
    const auto plane = found - residues.begin();
    if (found == residues.end()) residues.push_back(residue);
    return plane;
  }

  void set_shifts() {
    least_shift = greatest_shift = taps.empty() ? 0 : taps.front().shift;
    for (const TapRead& tap : taps) {
      least_shift = std::min(least_shift, tap.shift);
      greatest_shift = std::max(greatest_shift, tap.shift);
    }
  }
};

/// Results that lie `stride` apart in an ordinary convolution's gradInput, from `phase` on: only
/// the taps that meet elements of gradOutput, and no holes between them. Taps backwards.
inline void read_spread(const Axis& axis, std::int64_t phase, AxisReads& reads) {
  reads.length = axis.output;
  reads.step = 1;
  reads.taps.clear();
  reads.residues.assign(1, 0);
  for (std::int64_t tap = axis.kernel - 1; tap >= 0; --tap) {
    const std::int64_t distance = phase - axis.feature_position(0, tap);
    if (distance % axis.stride != 0) continue;
    reads.taps.push_back({.tap = tap, .shift = distance / axis.stride, .plane = 0});
  }
  reads.set_shifts();
}

/// Results of a forward convolution: a transposed call's gradInput.
inline void read_forwards(const Axis& axis, AxisReads& reads) {
  reads.length = axis.feature;
  reads.step = axis.stride;
  reads.taps.clear();
  reads.residues.clear();
  for (std::int64_t tap = 0; tap < axis.kernel; ++tap) {
    const std::int64_t position = axis.feature_position(0, tap);
    const std::int64_t shift = floor_divided(position, axis.stride);
    const std::int64_t plane = reads.plane_of(position - shift * axis.stride);
    reads.taps.push_back({.tap = tap, .shift = shift, .plane = plane});
  }
  reads.set_shifts();
}

/// The zeros around the rows of a copied plane. The zeros after a row are those before the next.
struct RowLayout {
  std::int64_t before = 0;  ///< zeros before the first row's first element
  std::int64_t first = 0;   ///< number of the first element copied
  std::int64_t elements = 0;
  std::int64_t pitch = 1;  ///< from row to row; at least as long as a row of results

  explicit RowLayout(const AxisReads& axis) {
    before = std::clamp<std::int64_t>(-axis.first_read(), 0, axis.reads());
    first = axis.first_read() + before;
    const std::int64_t last =
        std::min(axis.first_read() + axis.reads() - 1, (axis.length - 1) / axis.step);
    elements = std::max<std::int64_t>(0, last - first + 1);
    const std::int64_t after = axis.reads() - before - elements;
    pitch = std::max(axis.count, elements + std::max(before, after));
  }
};

}  // namespace gradproof::kernel::operators
