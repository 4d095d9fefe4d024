#include "tests/properties/shrink/rapidcheck_cases.h"

#include <ostream>
#include <utility>

#include "corpus/case_json.h"
#include "properties/cases/shrink/simpler_cases.h"

namespace gradproof::cases {
namespace {

/// SimplerCases as RapidCheck's sequence.
class Sequence {
 public:
  explicit Sequence(const corpus::Case& test_case) : simpler_(test_case) {}

  rc::Maybe<corpus::Case> operator()() {
    auto simpler = simpler_.next();
    if (!simpler) return rc::Nothing;
    return std::move(*simpler);
  }

 private:
  SimplerCases simpler_;
};

rc::Seq<corpus::Case> shrinks_of(const corpus::Case& test_case) {
  return rc::makeSeq<Sequence>(test_case);
}

}  // namespace

rc::Gen<corpus::Case> cases_of(CaseSource source) {
  return [source = std::move(source)](const rc::Random& random, int) {
    rc::Random drawn = random;
    return rc::shrinkable::shrinkRecur(source(drawn.next(), 0), [](const corpus::Case& test_case) {
      return shrinks_of(test_case);
    });
  };
}

}  // namespace gradproof::cases

namespace rc {

void showValue(const gradproof::corpus::Case& test_case, std::ostream& out) {
  out << gradproof::corpus::to_json_line(test_case);
}

}  // namespace rc
