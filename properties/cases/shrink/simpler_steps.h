#pragma once

#include <cstddef>
#include <optional>

#include "corpus/case.h"
#include "properties/cases/calls/convolution.h"

namespace gradproof::cases {

/// True if the case names its elements.
inline bool is_listed(const corpus::Case& test_case) {
  return test_case.data && test_case.data->distribution == corpus::Distribution::Listed;
}

/// Elements that the case names, of all tensors together; it must have data.
inline std::size_t listed_count(const corpus::Case& test_case) {
  std::size_t count = 0;
  for (const auto& listed : test_case.data->listed) count += listed.size();
  return count;
}

/// One kind of simplification: how many candidates it has for a case, and how each is made. The
/// candidates are pure functions of the case; nullopt: not possible, or no change.
struct SimplerStep {
  std::size_t (*count)(const corpus::Case&);
  std::optional<corpus::Case> (*make)(const corpus::Case&, std::size_t index);
};

extern const SimplerStep
    simpler_settings;  ///< product, determinism, mask, formats, precision, layouts, types
extern const SimplerStep simpler_sizes;  ///< samples, groups, channels, axes and their attributes
extern const SimplerStep listed_data;    ///< the same data, element by element
extern const SimplerStep
    cropped_data;  ///< listed: only the sample, channel, group or region that matters
extern const SimplerStep
    fewer_elements;  ///< listed: halves, quarters, ..., single elements left out
extern const SimplerStep plainer_elements;  ///< listed: small integers for the values

}  // namespace gradproof::cases
