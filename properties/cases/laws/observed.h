#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "corpus/case.h"
#include "corpus/observation.h"
#include "corpus/verdict.h"
#include "properties/cases/check/check.h"
#include "properties/targets/target/target.h"

namespace gradproof::cases {

/// A law's verdict that ends it: not applicable after all, or broken.
corpus::Verdict law_skipped(std::string reason);
corpus::Verdict law_broken(corpus::OutputRole culprit, std::string reason);

/// One call of a law: what it showed, or the verdict that ends the law because the call itself was
/// refused or went wrong.
struct Observed {
  corpus::Observation seen;
  std::optional<corpus::Verdict> ended;
};

/// Runs a call of a law and judges all but its values. `which` names it in the reason.
Observed observe(targets::Target& target, const corpus::Case& test_case,
                 const CheckSettings& settings, const std::string& which);

/// Judges an observation made elsewhere.
std::optional<corpus::Verdict> why_ended(const corpus::Case& test_case,
                                         const corpus::Observation& seen,
                                         const CheckSettings& settings, const std::string& which);

/// True if the rules of the profile let the call succeed with values that mean something.
bool is_legal(const corpus::Case& test_case, oracle::Profile profile);

/// Compares one requested output of two observations of one case bit for bit; a verdict where they
/// differ.
std::optional<corpus::Verdict> difference_of(corpus::OutputRole role, const corpus::Case& test_case,
                                             const corpus::Observation& first,
                                             const corpus::Observation& second,
                                             const std::string& difference);

/// Compares requested outputs of two observations of one case bit for bit: Disagree, or Agree.
corpus::Verdict compare_bits(const corpus::Case& test_case, const corpus::Observation& first,
                             const corpus::Observation& second, const std::string& difference);

corpus::Verdict agreed(std::string reason);

/// The verdict on a law's calls, with the time of one of them; what agrees is vacuous where that
/// one wrote zeros alone.
corpus::Verdict settled(const corpus::Case& test_case, const corpus::Observation& seen,
                        corpus::Verdict verdict);

/// The coordinate of a row-major index.
std::vector<std::int64_t> coordinate_of(std::size_t index, const std::vector<std::int64_t>& shape);
/// The row-major index of a coordinate; nullopt outside the shape.
std::optional<std::size_t> index_of(const std::vector<std::int64_t>& at,
                                    const std::vector<std::int64_t>& shape);

/// "gradInput[0,1,2]".
std::string words_of(corpus::OutputRole role, const std::vector<std::int64_t>& at);

/// The little-endian bits of one element.
std::uint64_t bits_at(const std::vector<std::byte>& bytes, std::size_t index,
                      corpus::DataType type);

}  // namespace gradproof::cases
