// Lines of case files: the parser survives any text, and what it accepts it writes and reads again.

#include "fuzz/engine/checks.h"
#include "fuzz/engine/run_one.h"

namespace gradproof::fuzz {

const CaseTarget case_target{.name = "fuzz_case_json",
                             .case_of = parsed_case,
                             .check = check_round_trip,
                             .replays_with_gradproof = false};

}  // namespace gradproof::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  gradproof::fuzz::run_one(gradproof::fuzz::case_target, {data, size});
  return 0;
}
