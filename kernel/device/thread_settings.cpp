#include "kernel/device/thread_settings.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <vector>

namespace gradproof::kernel::device {
namespace {

ThreadSettings& own() {
  thread_local ThreadSettings settings;
  return settings;
}

/// A setting that a thread may change: how it gets from a machine to the thread, and is forgotten.
struct Row {
  std::string_view key;
  void (*take)(const Machine& machine, ThreadSettings& settings);
  void (*forget)(ThreadSettings& settings);
};

template <auto of_machine, auto of_thread>
constexpr Row row(std::string_view key) {
  return {key,
          [](const Machine& machine, ThreadSettings& settings) {
            settings.*of_thread = machine.*of_machine;
          },
          [](ThreadSettings& settings) { (settings.*of_thread).reset(); }};
}

constexpr Row rows[] = {
    row<&Machine::schedule_seed, &ThreadSettings::schedule_seed>("schedule_seed"),
    row<&Machine::host_threads, &ThreadSettings::host_threads>("host_threads"),
    row<&Machine::cores, &ThreadSettings::cores>("cores"),
    row<&Machine::path, &ThreadSettings::path>("path"),
    row<&Machine::profile, &ThreadSettings::profile>("profile"),
};

std::string allowed_keys() {
  std::vector<std::string_view> keys;
  std::ranges::transform(rows, std::back_inserter(keys), &Row::key);
  return fmt::format("{}", fmt::join(keys, ", "));
}

}  // namespace

const ThreadSettings& thread_settings() { return own(); }

std::optional<std::string> set_for_thread(std::string_view key,
                                          std::optional<std::string_view> value) {
  const auto* found = std::ranges::find(rows, key, &Row::key);
  if (found == std::end(rows)) {
    return fmt::format("setting is \"{}\"; allowed: {}", key, allowed_keys());
  }
  if (!value) {
    found->forget(own());
    return std::nullopt;
  }
  Machine machine;
  if (auto problem = set_by_key(machine, key, *value)) return problem;
  found->take(machine, own());
  return std::nullopt;
}

}  // namespace gradproof::kernel::device
