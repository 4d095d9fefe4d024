#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "corpus/case.h"
#include "corpus/verdict.h"
#include "fuzz/records/case_limits.h"

namespace gradproof::fuzz {

/// A fuzz target whose inputs are cases.
struct CaseTarget {
  std::string_view name;
  /// The case that a string of bytes stands for; nullopt: none.
  std::optional<corpus::Case> (*case_of)(std::span<const std::uint8_t> bytes);
  /// Right or wrong; a crash is wrong too.
  corpus::Verdict (*check)(const corpus::Case&);
  /// True if `gradproof replay` shows what is wrong; else this program does.
  bool replays_with_gradproof = true;
};

/// The target of this program; defined in the file of its LLVMFuzzerTestOneInput.
extern const CaseTarget case_target;

}  // namespace gradproof::fuzz
