#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "corpus/verdict.h"

namespace gradproof::runs {

enum class GateOutcome : std::uint8_t {
  Accepted,
  Refused,     ///< it is wrong, or does what it must not
  Incomplete,  ///< too little was computed to say
  Ungated,     ///< this host cannot isolate it
  Damaged,     ///< the judge failed its test of itself: nothing it said counts
};
std::string_view name_of(GateOutcome outcome);

/// Calls of one class.
struct GateCount {
  std::uint64_t asked = 0, compared = 0, refused = 0;
};

/// All that a gate says of a candidate.
struct GateVerdict {
  GateOutcome outcome = GateOutcome::Incomplete;
  std::string why_class, why_sentence;  ///< of what was refused or is missing
  std::string call, data;               ///< of the finding, in words; the smallest that was found
  std::optional<corpus::WorstElement> element;
  std::string gradient;                ///< whose element that is
  std::vector<std::string> diagnosis;  ///< what explains it, the most telling first
  std::map<std::string, GateCount, std::less<>> asked;  ///< by class
  /// By axis of what it claims: pairs of calls of which the bits were compared.
  std::map<std::string, std::uint64_t, std::less<>> claims;
  std::vector<std::string> without;  ///< classes and dtypes that it does not have to take
  std::uint64_t elements = 0, compared_elements = 0;
  std::uint64_t canaries = 0;  ///< answers spoiled by the judge, and found
  std::string isolation = "none";
  std::map<std::string, std::string> libraries;  ///< by name: how each is told from others
  std::uint64_t calls = 0, of_one_shape = 0;
  std::uint64_t largest = 0;  ///< multiply-accumulates of a call that was compared
  double seconds = 0;
  std::string nonce;
};

/// One line of JSON, of at most 2,048 bytes whatever the words in it.
std::string gate_json(const GateVerdict& verdict);

/// A line for a person.
std::string gate_line(const GateVerdict& verdict);

}  // namespace gradproof::runs
