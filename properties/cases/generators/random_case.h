#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/core.h>
#include <tl/expected.hpp>

#include "corpus/case.h"
#include "properties/cases/generators/frame.h"
#include "properties/cases/generators/joint/joint_cases.h"
#include "properties/cases/generators/operator_case.h"
#include "properties/cases/generators/selection.h"
#include "properties/cases/generators/tiling_case.h"
#include "properties/cases/generators/violations/invalid_case.h"
#include "properties/cases/generators/violations/operator_breakers.h"

namespace gradproof::cases {

/// A case, and what it cost to find.
struct GeneratedCase {
  corpus::Case test_case;
  /// Cases that were drawn and discarded before this one, because the wanted rule could not be
  /// broken in them.
  std::uint64_t discarded = 0;
  std::uint64_t seed = 0;  ///< with which `index` draws it again, whatever it is drawn for
};

/// The cases of a selection, numbered. Immutable, so that any number of workers may share it.
class CaseSource {
 public:
  /// Errors: the selection admits no case; the text says why.
  static tl::expected<CaseSource, std::string> of(const Selection& selection);

  const Selection& selection() const { return selection_; }

  /// Case `index` of `seed`: a pure function, the same on every platform. Its id is
  /// "<seed>-<index>", its source "generated", or "generated, breaks RULE"; a valid case whose
  /// source says that the generator gave up stands where no call lent itself to being broken. Where
  /// draws were thrown away, the source ends with their number. Data are left open. For a function
  /// of tensors, which is asked little of what is drawn for libraries, what is outside is drawn
  /// again, with another seed.
  GeneratedCase generate(std::uint64_t seed, std::uint64_t index) const;
  corpus::Case operator()(std::uint64_t seed, std::uint64_t index) const {
    return generate(seed, index).test_case;
  }

 private:
  explicit CaseSource(Selection selection) : selection_(std::move(selection)) {}

  /// Families of calls: aclnnConvolutionBackward, a graph operator or a tiling class.
  enum class Family : unsigned char { Convolution, Operator, Tiling };
  Family family_of(std::uint64_t seed, std::uint64_t index) const;
  GeneratedCase draw_once(std::uint64_t seed, std::uint64_t index) const;
  corpus::Case typed_case(std::uint64_t index) const;
  std::optional<corpus::Case> joint_case(std::uint64_t seed, std::uint64_t index,
                                         corpus::RandomSource& random) const;
  GeneratedCase drawn(Family family, corpus::RandomSource& random) const;
  GeneratedCase convolution_case(corpus::RandomSource& random) const;
  GeneratedCase operator_case(corpus::RandomSource& random) const;
  GeneratedCase tiling_case(corpus::RandomSource& random) const;
  /// Drops the breakers whose calls the selection leaves out.
  void keep_breakers_inside();
  /// A call inside the selection with the breaker's rule broken; nullopt where no try lent itself.
  std::optional<corpus::Case> broken_inside(const OperatorBreaker& breaker,
                                            corpus::RandomSource& random, int& discarded) const;
  std::optional<corpus::Case> broken_inside(const TilingBreaker& breaker,
                                            corpus::RandomSource& random, int& discarded) const;
  bool is_broken(
      corpus::RandomSource& random) const;  ///< whether an operator's or a tiling's case is

  Selection selection_;
  std::vector<Frame> frames_;  ///< of aclnnConvolutionBackward; empty: it is not called
  JointCases joint_{std::vector<Frame>{}};  ///< of the same
  std::vector<RuleBreaker> breakers_;
  std::vector<OperatorFrame> operator_frames_;  ///< empty: no graph operator is called
  std::vector<OperatorBreaker> operator_breakers_;
  std::vector<TilingFrame> tiling_frames_;  ///< empty: no tiling class is asked
  std::vector<TilingBreaker> tiling_breakers_;
};

/// "<seed>-<index>".
std::string generated_id(std::uint64_t seed, std::uint64_t index);

/// The source of a valid case where a rule was to be broken and no try lent itself.
inline constexpr std::string_view gave_up = "generated, gave up breaking a rule";

/// The source says for a person to read what the count says.
inline GeneratedCase after_discarding(int discarded, corpus::Case test_case) {
  if (discarded > 0) test_case.source += fmt::format(", {} draws discarded", discarded);
  return {std::move(test_case), static_cast<std::uint64_t>(discarded)};
}

}  // namespace gradproof::cases
