#include "fuzz/engine/ruling_of_call.h"

#include <optional>

#include "fuzz/engine/fuzzed_library.h"

namespace gradproof::fuzz {

const oracle::Ruling& ruling_of_call(const corpus::Case& problem) {
  static const oracle::Profile profile = judge_settings().profile;
  static std::optional<corpus::Case> asked;
  static oracle::Ruling answer;
  if (asked) {
    asked->data = problem.data;
    if (*asked == problem) return answer;
  }
  asked.reset();  // nothing is known should the rules throw
  answer = oracle::ruling_on(problem, profile);
  asked = problem;
  return answer;
}

}  // namespace gradproof::fuzz
