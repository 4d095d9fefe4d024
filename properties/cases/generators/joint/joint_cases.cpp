#include "properties/cases/generators/joint/joint_cases.h"

#include "properties/cases/generators/shares.h"
#include "properties/cases/generators/valid_case.h"

namespace gradproof::cases {
namespace {

constexpr std::size_t place_of_class(Dimension dimension, std::size_t place) {
  return first_class(dimension) + place;
}

std::size_t place_of_product(corpus::Product product) {
  std::size_t place = 0;
  while (supported_products.at(place) != product) ++place;
  return place;
}

// Dtypes in the order of their classes, the mix behind them.

std::size_t place_of_type(std::optional<corpus::DataType> type) {
  std::size_t place = 0;
  while (place < corpus::convolution_types.size() && corpus::convolution_types.at(place) != type) {
    ++place;
  }
  return place;
}

std::optional<corpus::DataType> type_at(std::size_t place) {
  if (place == corpus::convolution_types.size()) return std::nullopt;
  return corpus::convolution_types.at(place);
}

/// The classes that some frame has; all of the other dimensions.
ClassSet admitted_by(const std::vector<Frame>& frames) {
  ClassSet admitted;
  for (std::size_t i = 0; i < call_classes.size(); ++i) {
    const Dimension dimension = call_classes.at(i).dimension;
    admitted.set(i, dimension != Dimension::DataType && dimension != Dimension::Rank &&
                        dimension != Dimension::Direction && dimension != Dimension::Product);
  }
  for (const Frame& frame : frames) {
    admitted.set(place_of_class(Dimension::DataType, place_of_type(frame.dtype)));
    admitted.set(place_of_class(Dimension::Rank, to_size(frame.rank - 3)));
    admitted.set(place_of_class(Dimension::Direction, frame.transposed ? 1 : 0));
    admitted.set(place_of_class(Dimension::Product, place_of_product(frame.product)));
  }
  return admitted;
}

std::size_t place_in(const Classes& row, Dimension dimension) {
  return place_in_dimension(row.at(to_size(dimension)));
}

Frame frame_of(const Classes& row) {
  return {.product = supported_products.at(place_in(row, Dimension::Product)),
          .rank = static_cast<int>(place_in(row, Dimension::Rank)) + 3,
          .transposed = place_in(row, Dimension::Direction) == 1,
          .dtype = type_at(place_in(row, Dimension::DataType))};
}

CallWishes wishes_of(const Classes& row) {
  const std::size_t mask = place_in(row, Dimension::Mask);
  return {.cube_math_type = static_cast<std::int8_t>(place_in(row, Dimension::CubeMathType)),
          .output_mask = {(mask & 4) != 0, (mask & 2) != 0, (mask & 1) != 0},
          .has_views = place_in(row, Dimension::Layout) == 1};
}

}  // namespace

JointCases::JointCases(const std::vector<Frame>& frames) {
  if (!frames.empty()) rows_ = covering_array(admitted_by(frames));
}

std::optional<std::size_t> JointCases::row_at(std::uint64_t seed, std::uint64_t index) const {
  if (rows_.empty()) return std::nullopt;
  constexpr std::uint64_t salt = 0x701E7CA5;  // other choices follow from the seed and index too
  const std::uint64_t start = corpus::mixed(seed ^ salt), part = index / shares::joint_period;
  const std::uint64_t chosen = corpus::mixed(start + part) % shares::joint_period;
  if (index % shares::joint_period != chosen) return std::nullopt;
  return to_size((start % rows_.size() + part) % rows_.size());
}

std::optional<corpus::Case> JointCases::draw(std::size_t row, const Selection& selection,
                                             corpus::RandomSource& random) const {
  const Classes& classes = rows_.at(row);
  const Frame frame = frame_of(classes);
  const CallWishes wishes = wishes_of(classes);
  const Convolution sizes = draw_joint_sizes(frame, classes, random);
  if (mac_count(sizes) > selection.max_macs) return std::nullopt;
  return draw_wished_case(frame, selection, sizes, wishes, random);
}

}  // namespace gradproof::cases
