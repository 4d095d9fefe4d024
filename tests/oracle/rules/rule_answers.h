#pragma once

// What the status rules answer for a case, in the terms of the tests of their examples.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "corpus/case.h"
#include "oracle/status/status_oracle.h"
#include "tests/spec/examples.h"

namespace gradproof::oracle {

using spec::Codes;
using spec::Names;

Codes codes_of(const std::vector<corpus::Status>& statuses);

/// The codes that a profile admits.
Codes admitted(const corpus::Case& test_case, Profile profile);

/// Ids of the rules that are broken or made use of, sorted.
Names rules_in_play(const AdmissibleStatuses& answer);

/// The three profiles admit what is stated.
void expect_admitted(const corpus::Case& test_case, const spec::StatedCodes& stated);

/// The case breaks (or makes use of) these rules and no others.
void expect_in_play(const corpus::Case& test_case, Names rules, const Names& others);

/// The case breaks (or makes use of) these rules, and of those that refuse it breaks
/// no others but some of `may`.
void expect_broken_or_used(const corpus::Case& test_case, const Names& rules, const Names& may);

/// The code to which the rule, which the case breaks or makes use of, would lead by itself.
std::int32_t documented_alone(const corpus::Case& test_case, const std::string& rule);

/// The case is legal, and the rule has no part in that.
void expect_legal_without(const corpus::Case& test_case, const std::string& rule);

/// What is said about the rule, which the case breaks or makes use of, has more than `least`
/// letters and the rule's source.
void expect_words_about(const corpus::Case& test_case, const std::string& rule, std::size_t least);

}  // namespace gradproof::oracle
