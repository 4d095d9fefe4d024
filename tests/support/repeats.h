#pragma once

#include <cstdlib>

namespace gradproof::tests {

/// Built with a sanitizer, whose checks make a test take five to ten times as long.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool is_sanitized = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
inline constexpr bool is_sanitized = true;
#else
inline constexpr bool is_sanitized = false;
#endif
#else
inline constexpr bool is_sanitized = false;
#endif

/// How many random problems of `all` a test tries: a sixth under a sanitizer, which looks at memory
/// and threads and has seen every line by then. Plain builds try all, and so does .ci/nightly under
/// sanitizers (GRADPROOF_ALL_REPEATS).
inline int repeats(int all) {
  return is_sanitized && std::getenv("GRADPROOF_ALL_REPEATS") == nullptr ? all / 6 : all;
}

}  // namespace gradproof::tests
