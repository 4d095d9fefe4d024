#pragma once

namespace gradproof::tests {

/// Whether malloc notices that bytes next to a block were overwritten. ThreadSanitizer's does not.
#if defined(__SANITIZE_THREAD__)
inline constexpr bool has_checked_heap = false;
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
inline constexpr bool has_checked_heap = false;
#else
inline constexpr bool has_checked_heap = true;
#endif
#else
inline constexpr bool has_checked_heap = true;
#endif

}  // namespace gradproof::tests
