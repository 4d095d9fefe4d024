// What a thread has thrown and not caught yet, and what it handles: one record for all C++
// libraries of a process (Itanium C++ ABI: Exception Handling, 2.2.2). A library that has a C++
// library linked in would keep a separate record, and std::uncaught_exceptions() of a program
// whose exception ends in ours would stay too high. So these two functions are exported, and the
// loader binds every C++ library to the first.

namespace {

struct ExceptionGlobals {
  void* caught;
  unsigned int uncaught;
};

constinit thread_local ExceptionGlobals globals{};

}  // namespace

// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming): the ABI names them
extern "C" __attribute__((visibility("default"))) void* __cxa_get_globals() noexcept {
  return &globals;
}
extern "C" __attribute__((visibility("default"))) void* __cxa_get_globals_fast() noexcept {
  return &globals;
}
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)
