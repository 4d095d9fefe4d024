#pragma once

#include <exception>
#include <new>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

namespace gradproof::targets {

/// Returns what an exception says, for a sentence.
inline std::string words_of(const std::exception& error) {
  const bool is_for_memory = dynamic_cast<const std::bad_alloc*>(&error) != nullptr;
  return is_for_memory ? "the host has no more memory" : error.what();
}

/// Calls work(i) for i from 0 up to `count`, each on a thread of its own but the first, which runs
/// here, and waits for all. Where the host gives fewer threads, those that there are do it all: how
/// many that were, 1 at least. An exception of theirs is given to `failed`, in words.
template <typename Work, typename Failed>
unsigned on_threads(unsigned count, const Work& work, const Failed& failed) {
  const auto work_safely = [&](unsigned i) {
    try {
      work(i);
    } catch (const std::exception& error) {
      failed(words_of(error));
    }
  };
  std::vector<std::jthread> others;
  try {
    for (unsigned i = 1; i < count; ++i) others.emplace_back([&work_safely, i] { work_safely(i); });
  } catch (const std::system_error&) {
    // The host gives no more.
  }
  work_safely(0);
  return static_cast<unsigned>(others.size()) + 1;
}

}  // namespace gradproof::targets
