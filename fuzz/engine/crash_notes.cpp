// Names the case that was running when the process dies: hooks of the sanitizers, and the command
// line of every target.

#include <cstdlib>
#include <string_view>

#include "fuzz/engine/case_target.h"
#include "fuzz/engine/engine.h"
#include "fuzz/engine/finding.h"

extern "C" {

/// The sanitizers call these, where they are linked in, before they end the process.
// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming): the sanitizers chose the
// names.
void __asan_on_error();
void __asan_on_error() { gradproof::fuzz::blame_case_in_flight(); }
void __ubsan_on_report();
void __ubsan_on_report() { gradproof::fuzz::blame_case_in_flight(); }
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)

/// `PROGRAM --shrink FILE`, whatever the engine.
int LLVMFuzzerInitialize(int* argc, char*** argv) {
  const bool wants_shrinking = *argc == 3 && std::string_view((*argv)[1]) == "--shrink";
  if (wants_shrinking) {
    std::exit(gradproof::fuzz::shrink_file(gradproof::fuzz::case_target, (*argv)[2]));
  }
  return 0;
}

}  // extern "C"
