#pragma once

#include <variant>

#include "corpus/case.h"
#include "oracle/status/status_oracle.h"

namespace gradproof::oracle {

/// A case with what the rules say of it under one profile. It refers to the case, which must
/// outlive it.
class RuledCase {
 public:
  /// Asks the rules.
  RuledCase(const corpus::Case& test_case, Profile profile)
      : problem_(test_case), ruling_(ruling_on(test_case, profile)) {}

  /// `ruling` is known already: that of a case that differs from this one in its data alone. It
  /// must outlive this object.
  RuledCase(const corpus::Case& test_case, const Ruling& ruling)
      : problem_(test_case), ruling_(&ruling) {}

  const corpus::Case& test_case() const { return problem_; }

  const Ruling& ruling() const {
    const auto* known = std::get_if<const Ruling*>(&ruling_);
    return known ? **known : std::get<Ruling>(ruling_);
  }

  const AdmissibleStatuses& admissible() const { return ruling().admissible; }

 private:
  const corpus::Case& problem_;
  std::variant<Ruling, const Ruling*> ruling_;
};

}  // namespace gradproof::oracle
