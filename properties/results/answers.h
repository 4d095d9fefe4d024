#pragma once

#include <array>
#include <cstdint>

#include "corpus/verdict.h"
#include "properties/coverage/footprint.h"

namespace gradproof::properties {

/// What a target answered to legal calls that have something to compute.
struct AnswerCount {
  std::uint64_t calls = 0;
  std::uint64_t computed = 0;  ///< accepted, and what came out was judged
  std::uint64_t refused = 0;   ///< for resources (rule HW-01)

  friend bool operator==(const AnswerCount&, const AnswerCount&) = default;
};

/// The same of all calls and of each class; the first run of a case alone counts.
struct Answers {
  AnswerCount all;
  std::array<AnswerCount, call_classes.size()> classes{};  ///< of aclnnConvolutionBackward

  void add(const Footprint& footprint, const corpus::Verdict& verdict);
  void merge(const Answers& other);

  friend bool operator==(const Answers&, const Answers&) = default;
};

}  // namespace gradproof::properties
