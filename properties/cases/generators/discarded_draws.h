#pragma once

#include <fmt/core.h>

#include <string_view>
#include <utility>

#include "properties/cases/generators/random_case.h"

namespace gradproof::cases {

/// The source of a valid case where a rule was to be broken and no try lent itself.
inline constexpr std::string_view gave_up = "generated, gave up breaking a rule";

/// The source says for a person to read what the count says.
inline GeneratedCase after_discarding(int discarded, corpus::Case test_case) {
  if (discarded > 0) test_case.source += fmt::format(", {} draws discarded", discarded);
  return {std::move(test_case), static_cast<std::uint64_t>(discarded)};
}

}  // namespace gradproof::cases
