#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "corpus/case.h"
#include "properties/generators/frame.h"
#include "properties/generators/invalid_case.h"
#include "properties/generators/selection.h"

namespace gradproof::properties {

/// The cases of a selection, numbered. Immutable, so that any number of workers may share it.
class CaseSource {
 public:
  /// Errors: the selection admits no case; the text says why.
  static tl::expected<CaseSource, std::string> of(const Selection& selection);

  const Selection& selection() const { return selection_; }

  /// Case `index` of `seed`: a pure function, the same on every platform. Its id is
  /// "<seed>-<index>", its source "generated", or "generated, breaks RULE"; a valid case whose
  /// source says that the generator gave up stands where no call lent itself to being broken. Data
  /// are left open.
  corpus::Case operator()(std::uint64_t seed, std::uint64_t index) const;

 private:
  CaseSource(Selection selection, std::vector<Frame> frames, std::vector<RuleBreaker> breakers);

  Selection selection_;
  std::vector<Frame> frames_;
  std::vector<RuleBreaker> breakers_;
};

/// Whether the case stands in for a broken one that the generator did not find: a discarded draw.
bool is_given_up(const corpus::Case& problem);

}  // namespace gradproof::properties
