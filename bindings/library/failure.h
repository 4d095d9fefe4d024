#pragma once

#include <exception>
#include <string>
#include <utility>

namespace gradproof::library {

/// Message that gradproof_error returns to the calling thread.
inline std::string& last_error() {
  thread_local std::string words;
  return words;
}

/// GRADPROOF_ERROR, and why in words.
inline int failed(std::string words) {
  last_error() = std::move(words);
  return -1;
}

/// Returns the result of `body`; `otherwise`, and the error in words, where it throws.
template <typename Result, typename Body>
Result guarded(Result otherwise, const Body& body) noexcept {
  try {
    return body();
  } catch (const std::exception& error) {
    failed(error.what());
  } catch (...) {
    failed("an unknown exception");
  }
  return otherwise;
}

}  // namespace gradproof::library
