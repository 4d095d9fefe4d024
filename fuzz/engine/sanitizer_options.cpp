// AddressSanitizer's options for every target, whatever starts it; ASAN_OPTIONS overrides each.

extern "C" {

// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming): the sanitizer chose the
// name.
const char* __asan_default_options();
/// Stacks of allocations are taken for every block and read for none, a twentieth of the time: a
/// finding replays, and then ASAN_OPTIONS=malloc_context_size=30 tells them. Freed blocks stay
/// poisoned for longer than the call that freed them lasts.
const char* __asan_default_options() { return "malloc_context_size=0:quarantine_size_mb=16"; }
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)

}  // extern "C"
