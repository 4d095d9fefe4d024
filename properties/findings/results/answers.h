#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "corpus/verdict.h"
#include "properties/cases/coverage/footprint.h"

namespace gradproof::findings {

/// Answers of a target to legal calls that have something to compute.
struct AnswerCount {
  std::uint64_t calls = 0;
  std::uint64_t computed = 0;  ///< accepted, and what came out was judged
  std::uint64_t refused = 0;   ///< for resources (rule HW-01)

  friend bool operator==(const AnswerCount&, const AnswerCount&) = default;
};

/// Legal calls that ended with a status other than success: as many as there are calls where the
/// target's environment is broken.
using FailedCalls = std::map<corpus::Status, std::uint64_t>;

/// Answers of all calls and of each class; the first run of a case alone counts.
struct Answers {
  AnswerCount all;
  FailedCalls failed;
  std::array<AnswerCount, cases::call_classes.size()> classes{};  ///< of aclnnConvolutionBackward

  void add(const cases::Footprint& footprint, const corpus::Verdict& verdict);
  void merge(const Answers& other);

  friend bool operator==(const Answers&, const Answers&) = default;
};

/// Describes the failure of a target whose first 200 legal calls all end with one status that the
/// rules do not admit: which, and what to look at. Such a target is not wrong here and there, it
/// does not work.
std::optional<std::string> broken_environment(const Answers& answers);

}  // namespace gradproof::findings
