#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

#include "corpus/case.h"
#include "corpus/status.h"
#include "corpus/words/language.h"
#include "oracle/facts/case_facts.h"
#include "oracle/rules/status_set.h"

namespace gradproof::oracle {

/// Result of one rule for a case. Broken and Permitted rules decide the status, the others do not.
enum class Standing : std::uint8_t {
  Undefined,  ///< a term of the rule does not exist here (a null argument, unlike ranks, ...)
  Met,
  Broken,
  Permitted,  ///< the rule says "this is legal", and this is what the case does
};

/// Codes that a call may return when the case breaks (or makes use of) this rule alone.
/// `documented` is one code, since one implementation has to return it; the others are sets, since
/// libraries check in different orders, or not at all.
struct Consequence {
  corpus::Status
      documented;      ///< what the simulated kernel must return; Success: the rule is not enforced
  StatusSet released;  ///< what the released library is known to return
  StatusSet accepted;  ///< what a verifier of a foreign library takes as conforming
};

using corpus::Clause;

/// A set of ProductClass or of Path.
template <typename Member>
class SetOf {
 public:
  constexpr SetOf(std::initializer_list<Member> members) {
    for (const Member member : members) bits_ |= bit(member);
  }
  constexpr bool contains(Member member) const { return (bits_ & bit(member)) != 0; }

 private:
  static constexpr std::uint16_t bit(Member member) {
    return static_cast<std::uint16_t>(1U << static_cast<unsigned>(member));
  }
  std::uint16_t bits_ = 0;
};
using Products = SetOf<ProductClass>;
using Paths = SetOf<Path>;
using Calls = SetOf<corpus::Api>;

inline constexpr Products on_a1{ProductClass::A1};
inline constexpr Products on_a23{ProductClass::A23};
inline constexpr Products on_a5{ProductClass::A5};
inline constexpr Products on_a1_a23{ProductClass::A1, ProductClass::A23};
inline constexpr Products on_a23_a5{ProductClass::A23, ProductClass::A5};
inline constexpr Products on_supported{ProductClass::A1, ProductClass::A23, ProductClass::A5};
inline constexpr Products on_every_chip{ProductClass::A1, ProductClass::A23, ProductClass::A5,
                                        ProductClass::Unsupported};

inline constexpr Paths any_path{Path::Ordinary, Path::EmptyInput, Path::EmptyGradOutput,
                                Path::EmptyOnA1};

/// One row: a rule of the specification as a check, a message, a line of a report and a link to its
/// source.
/// All three functions are pure: of the facts alone. `consequence` is what the rule would lead to
/// if it were the only one in play; status_oracle.cpp combines several.
struct StatusRule {
  std::string_view id;  ///< the specification's, e.g. "STRIDE-01"
  Clause demand;  ///< what must hold, or what is permitted; the Chinese has CANN's parameter names
  std::string_view source;           ///< document and parameter
  Products products = on_supported;  ///< where the rule applies ...
  Paths paths = any_path;            ///< ... and under which chapter
  Standing (*standing)(const Facts&);
  Consequence (*consequence)(const Facts&);  ///< asked only where Broken or Permitted
  std::string (*words)(
      const Facts&);  ///< for a person: parameter, value found, what is allowed here
  /// Empty for a rule that decides statuses. Else why it never does: it restates others, or no case
  /// can express it.
  std::string_view never_decides = {};
  /// Whose rule it is; that of no other call.
  Calls calls = {corpus::Api::ConvolutionBackward};
};

/// All rules in the specification's order; ids are unique.
std::span<const StatusRule> all_status_rules();

/// The rule of that id, or nullptr.
const StatusRule* status_rule_named(std::string_view id);

/// The standing of these facts, products and paths respected.
Standing standing_of(const StatusRule& rule, const Facts& facts);

/// Standing of a rule that demands something of this case.
constexpr Standing met_if(bool holds) { return holds ? Standing::Met : Standing::Broken; }
/// Standing of a rule that says "this is legal": it matters only where the case does it.
constexpr Standing permitted_if(bool occurs) {
  return occurs ? Standing::Permitted : Standing::Met;
}

/// The codes that most rows have.
namespace codes {

inline constexpr corpus::Status success = corpus::Status::Success;
inline constexpr corpus::Status nullptr_refused = corpus::Status::ParamNullptr;
inline constexpr corpus::Status invalid = corpus::Status::ParamInvalid;
inline constexpr corpus::Status inner = corpus::Status::InnerNullptr;
/// Statuses of a forward operator where the device refuses.
inline constexpr StatusSet device_refuses{inner, corpus::Status::RuntimeError};
inline constexpr StatusSet success_without_values = StatusSet::success_without_values();

/// Consequence with the same answer in every profile.
constexpr Consequence always_nullptr(const Facts&) {
  return {nullptr_refused, nullptr_refused, nullptr_refused};
}
constexpr Consequence always_invalid(const Facts&) { return {invalid, invalid, invalid}; }
/// Consequence of a refusal by a graph operator.
constexpr Consequence always_inner(const Facts&) { return {inner, inner, inner}; }
/// A permission that every library grants.
constexpr Consequence always_legal(const Facts&) { return {success, success, success}; }
/// A permission that a library which follows an older text may refuse with 161002.
constexpr Consequence legal_or_invalid(const Facts&) {
  return {success, success, {success, invalid}};
}

}  // namespace codes
}  // namespace gradproof::oracle
