#include "fuzz/engine/features.h"

#include <optional>

#include "fuzz/engine/fuzzed_library.h"

namespace gradproof::fuzz {

const oracle::Ruling& ruling_of_call(const corpus::Case& test_case) {
  static const oracle::Profile profile = judge_settings().profile;
  static std::optional<corpus::Case> asked;
  static oracle::Ruling answer;
  if (asked) {
    asked->data = test_case.data;
    if (*asked == test_case) return answer;
  }
  asked.reset();  // nothing is known should the rules throw
  answer = oracle::ruling_on(test_case, profile);
  asked = test_case;
  return answer;
}

}  // namespace gradproof::fuzz
