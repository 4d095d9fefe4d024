#pragma once

#include <optional>
#include <string>
#include <vector>

#include "corpus/case.h"

namespace gradproof::findings::diagnosis {

/// A call with one thing made plain.
struct PlainerCall {
  std::string words;  ///< "stride_w 3 (1 agrees)": what it was, and what is claimed if this agrees
  corpus::Case test_case;
};

/// The failing call with each of its sizes, attributes, layouts, types and modes made plain in
/// turn, and with one axis more. Other outputs than the culprit's are dropped in turn, those that
/// are not requested are added.
std::vector<PlainerCall> plainer_calls(const corpus::Case& failing,
                                       const std::optional<corpus::OutputRole>& culprit);

}  // namespace gradproof::findings::diagnosis
