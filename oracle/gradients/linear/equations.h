#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "oracle/gradients/linear/linear_check.h"

namespace gradproof::oracle {

/// Channels [begin, end) of a tensor's second axis, all groups counted.
struct ChannelRange {
  std::int64_t begin, end;
};

/// Calls use(channel, position, numbers) for each channel that a piece has elements of.
void for_each_channel(const Piece& piece, std::int64_t positions,
                      const std::function<void(std::int64_t channel, std::int64_t position,
                                               const BoundedIntegers& numbers)>& use);

/// The two sides of gradInput's equations (linear_check.h), of some of its channels; those of the
/// other have the coefficient 0.
class MapEquation {
 public:
  /// Reads the weight.
  MapEquation(const LinearProblem& problem, const ModularDot& modular_dot, ChannelRange channels,
              IntegersSeen& weight_seen);

  /// Contribution of a piece of gradInput to the left side, of one of gradOutput to the right.
  Residue left(const Piece& piece) const { return dot(piece, left_); }
  Residue right(const Piece& piece) const { return dot(piece, right_); }

 private:
  Residue dot(const Piece& piece, const SplitResidues& table) const {
    return modular_dot_.dot(piece.numbers, table, to_size(piece.first));
  }

  const ModularDot& modular_dot_;
  SplitResidues left_, right_;
};

/// The two sides of gradWeight's equations.
class WeightEquation {
 public:
  WeightEquation(const LinearProblem& problem, const ModularDot& modular_dot);

  /// Begins the big map's entries [begin, end).
  void begin_entries(std::int64_t begin, std::int64_t end);
  void add_big(const Piece& piece);
  /// Ends the big map: call it after all of the big map's pieces, before the small map's.
  void end_big();
  void add_small(const Piece& piece);

  /// Contribution of a piece of gradWeight to the left side of its entry.
  Residue left(const Piece& piece) const {
    return modular_dot_.dot(piece.numbers, left_, to_size(piece.first));
  }
  /// Right sides by gradWeight's first axis.
  const std::vector<Residue>& right() const { return right_; }

 private:
  const Geometry& geometry_;
  const ModularDot& modular_dot_;
  std::vector<Residue> channels_, taps_;
  std::int64_t big_positions_, small_positions_;
  std::int64_t begin_ = 0;
  std::vector<ModularDot::Columns> folded_;  ///< by entry: groups x positions of the big map
  std::vector<SplitResidues> gathered_;      ///< by entry: groups x positions of the small map
  SplitResidues left_;
  std::vector<Residue> right_;
};

}  // namespace gradproof::oracle
