#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "corpus/case.h"
#include "properties/cases/calls/convolution.h"

namespace gradproof::findings::diagnosis {

/// A size or attribute that a call can have otherwise with all else as it is.
struct Quantity {
  std::string words;  ///< "batch", "rows of input", "dilation_h"
  std::int64_t value = 1, least = 1;
  /// The convolution with this value; the map grows where the kernel would not fit otherwise.
  std::function<cases::Convolution(cases::Convolution, std::int64_t)> set;
  /// Name of the family: sizes that are factors of one product; empty for others.
  std::string_view family = {};
};

/// The positions of all samples, over which gradWeight and gradBias are summed; and the channels
/// and taps over which gradInput is.
inline constexpr std::array<std::string_view, 2> families{"positions", "taps"};

/// The feature maps by their names in the call: a forward operator's output lies where a gradient's
/// sizes have input.
struct MapNames {
  std::string_view small, big;
};
MapNames map_names(const corpus::Case& test_case, const cases::Convolution& sizes);

/// All of a call.
std::vector<Quantity> quantities_of(const corpus::Case& test_case, const cases::Convolution& sizes);

}  // namespace gradproof::findings::diagnosis
