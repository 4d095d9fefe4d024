#pragma once

// What the status rules answer for a case, in the terms of the tests of their examples.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "corpus/case.h"
#include "oracle/status/status_oracle.h"

namespace gradproof::oracle {

using Codes = std::vector<std::int32_t>;
using Names = std::vector<std::string>;

/// What the three profiles admit.
struct Expected {
  std::int32_t documented;
  Codes released, tolerant;
  bool ill_defined = false;  ///< in profile Tolerant
};

Codes codes_of(const std::vector<corpus::Status>& statuses);

/// The codes that a profile admits.
Codes admitted(const corpus::Case& problem, Profile profile);

/// Ids of the rules that are broken or made use of, sorted.
Names rules_in_play(const AdmissibleStatuses& answer);

/// The case breaks (or makes use of) these rules and no others, and that leads to this.
void expect_in_play(const corpus::Case& problem, Names rules, const Expected& expected);

/// The case is legal, and the rule has no part in that.
void expect_legal_without(const corpus::Case& problem, const std::string& rule);

/// What is said about the rule, which the case breaks or makes use of, has more than `least`
/// letters and the rule's source.
void expect_words_about(const corpus::Case& problem, const std::string& rule, std::size_t least);

}  // namespace gradproof::oracle
