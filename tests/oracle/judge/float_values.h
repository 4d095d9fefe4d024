#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "corpus/element_values.h"
#include "oracle/numbers/number_format.h"
#include "oracle/sums/dyadic.h"

namespace gradproof::oracle {

/// The elements that a case's recipe gives a FLOAT operand.
inline std::vector<float> values(const corpus::Case& test_case, corpus::InputRole role) {
  const auto bytes = corpus::element_values(test_case, role);
  std::vector<float> result(bytes.size() / sizeof(float));
  std::ranges::copy(bytes, std::as_writable_bytes(std::span(result)).begin());
  return result;
}

/// The value as a kernel has it that is careless enough to keep it in this format.
inline float rounded(float value, NumberFormat format) {
  const Dyadic exact = Dyadic::from_double(double{value});
  return static_cast<float>(
      to_double(round_to(format, exact.truncated(), default_rounding(format))));
}

}  // namespace gradproof::oracle
