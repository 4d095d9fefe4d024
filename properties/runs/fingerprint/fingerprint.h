#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "corpus/machine/machine.h"
#include "properties/runs/probes/prober.h"

namespace gradproof::runs {

/// Limits of a fingerprint: calls and predictions.
struct FingerprintSettings {
  std::uint64_t calls = 20'000;       ///< of the target, for all gradients together
  std::uint64_t predictions = 2'000;  ///< random results of each gradient
  std::uint64_t seed = 1;
};

/// Findings about one gradient.
struct GradientFingerprint {
  corpus::OutputRole gradient = corpus::OutputRole::GradInput;
  /// nullopt: there is no model, and `reason` says why.
  std::optional<corpus::GradientMachine> machine;
  std::string reason;
  cases::AdditionTree tree;  ///< as measured; without nodes where none was found
  std::size_t products = 0;
  std::uint64_t pairs = 0;       ///< of products that the tree was found by
  std::uint64_t tree_calls = 0;  ///< that asked about them

  bool is_explained() const {
    return machine && machine->evidence.missed == 0 && machine->evidence.unexplained.empty() &&
           machine->evidence.predicted > 0;
  }
};

/// Findings about one call's gradients.
struct Fingerprint {
  corpus::Machine machine;                     ///< the gradients that have a model
  std::vector<GradientFingerprint> gradients;  ///< those that the call asks for
  std::optional<ProbeProblem> ended_by;        ///< why the rest is missing

  bool is_explained() const;
};

/// Describes why a call cannot be asked about, in a sentence: 8-bit types, formats with channels
/// last, no geometry.
std::optional<std::string> cannot_be_asked(const corpus::Case& call);

/// Asks the target how it computes each gradient of the call. First whether two equal calls have
/// equal bits and whether data twice as large have results twice as large; then the tree, then
/// single roundings on products that are added first; then the model that follows predicts random
/// results. A wrong prediction leads to neighbours of the model, and to a sentence with the
/// smallest sum that shows it. Precondition: !cannot_be_asked(call).
Fingerprint fingerprint_of(targets::Target& target, const corpus::Case& call,
                           const FingerprintSettings& settings, const std::atomic<bool>& stop);

}  // namespace gradproof::runs
