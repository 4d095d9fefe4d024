#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>

#include "corpus/case.h"
#include "corpus/verdict.h"

namespace gradproof::cases {

/// check() with everything but the case bound.
using CheckCase = std::function<corpus::Verdict(const corpus::Case&)>;

/// Limits of the search for a smaller case.
struct ShrinkSettings {
  std::chrono::milliseconds time{60'000};
  const std::atomic<bool>* stop = nullptr;  ///< set from outside: end with the best so far
};

/// The smallest case that was found.
struct Shrunk {
  corpus::Case test_case;   ///< the simplest found; the given one where nothing simpler fails alike
  corpus::Verdict verdict;  ///< its verdict, with the signature of the given one's
  std::uint64_t tried = 0;  ///< cases run
  bool finished = false;    ///< no single step is simpler and fails alike; false: time was up
};

/// Greedy descent along `SimplerCases`, keeping the verdict's signature. The only shrinker. A case
/// that does not disagree, or no longer does, is returned unchanged.
Shrunk shrink(const corpus::Case& test_case, const CheckCase& check,
              const ShrinkSettings& settings = {});

}  // namespace gradproof::cases
