#include "fuzz/engine/features.h"

#ifdef GRADPROOF_EXTRA_COUNTERS

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "properties/cases/calls/case_convolution.h"
#include "properties/cases/classes/call_classes.h"
#include "properties/cases/coverage/footprint.h"

namespace gradproof::fuzz {
namespace {

using cases::SpatialAxis;

constexpr std::size_t class_count = cases::call_classes.size();
constexpr std::size_t rule_places = 256, corner_places = 128, tap_places = 256;
constexpr std::size_t pairs_begin = 0, rules_begin = class_count * class_count,
                      pairs_of_rules_begin = rules_begin + 2 * rule_places,
                      corners_begin = pairs_of_rules_begin + rule_places * 8,
                      taps_begin = corners_begin + corner_places,
                      place_count = taps_begin + tap_places;

/// libFuzzer reads this section after every input, and clears it before.
__attribute__((section("__libfuzzer_extra_counters"))) std::array<std::uint8_t, place_count>
    counters;

void mark(std::size_t place) { counters.at(place % place_count) = 1; }

/// Classifies an axis by its kernel, stride, dilation and padding: where taps meet, miss and fall
/// off the edge.
std::size_t tap_class(const SpatialAxis& axis) {
  const std::int64_t reach = axis.dilation * (axis.kernel - 1) + 1;
  const bool is_dilated = axis.dilation > 1 && axis.kernel > 1;
  const std::size_t overlap = reach < axis.stride ? 0 : reach == axis.stride ? 1 : 2;
  const std::int64_t padding = std::max(axis.padding_begin, axis.padding_end);
  const std::size_t edge = padding == 0 ? 0 : padding < reach ? 1 : padding == reach ? 2 : 3;
  const bool drops = cases::unread_length(axis) > 0;
  const bool is_uneven = axis.padding_begin != axis.padding_end;
  const bool is_common = is_dilated && axis.dilation % axis.stride == 0;
  std::size_t number = overlap;
  number = number * 4 + edge;
  for (const bool bit : {is_dilated, drops, is_uneven, is_common})
    number = number * 2 + (bit ? 1 : 0);
  return number;
}

void mark_pairs(const cases::Classes& classes) {
  for (const std::uint8_t left : classes) {
    for (const std::uint8_t right : classes) mark(pairs_begin + left * class_count + right);
  }
}

void mark_rules(const std::vector<std::uint16_t>& decided) {
  for (const std::uint16_t rule : decided) {
    mark(rules_begin + rule % rule_places);
    const std::size_t company = std::min<std::size_t>(decided.size() - 1, 7);
    mark(pairs_of_rules_begin + (rule % rule_places) * 8 + company);
  }
}

}  // namespace

void mark_features(const corpus::Case& test_case) {
  const auto footprint = cases::footprint_of({test_case, ruling_of_call(test_case)});
  mark_rules(footprint.decided);
  for (const std::uint16_t corner : footprint.corners) {
    mark(corners_begin + corner % corner_places);
  }
  if (!footprint.classes) return;
  mark_pairs(*footprint.classes);
  const auto sizes = cases::convolution_of(test_case);
  if (!sizes) return;
  for (const SpatialAxis& axis : sizes->axes) mark(taps_begin + tap_class(axis));
}

}  // namespace gradproof::fuzz

#else

namespace gradproof::fuzz {
void mark_features(const corpus::Case&) {}
}  // namespace gradproof::fuzz

#endif
