#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "oracle/facts/case_facts.h"

namespace gradproof::oracle::rules {

// Pieces of the sentences in which rules tell what they found.

/// "[2, 16, 8, 8]".
std::string list_of(std::span<const std::int64_t> values);

/// "Ascend910B".
std::string_view chip(const Facts& facts);

/// "the call is not transposed" or its opposite, as a subordinate clause's end.
std::string_view direction(const Facts& facts);

/// "D", "H", "W" or "L": the name of spatial axis `i` of a tensor with this rank.
std::string_view axis_name(std::size_t rank, std::size_t i);

/// "gradInput is requested" ("... is not requested").
std::string requested_or_not(const Facts& facts, corpus::OutputRole role);

/// "gradOutput" where the case is transposed and "input" where not; `small_name` the other way
/// round.
std::string_view big_name(const Facts& facts);
std::string_view small_name(const Facts& facts);

}  // namespace gradproof::oracle::rules
