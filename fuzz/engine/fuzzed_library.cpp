#include "fuzz/engine/fuzzed_library.h"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <vector>

#include "properties/targets/target/simulated_backend.h"

namespace gradproof::fuzz {
namespace {

using targets::LoadedLibrary;

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

std::string foreign_libraries() { return variable("GRADPROOF_FUZZ_TARGET"); }

std::vector<std::filesystem::path> split(const std::string& names) {
  std::vector<std::filesystem::path> paths;
  for (std::size_t begin = 0; begin < names.size();) {
    const std::size_t end = std::min(names.find(',', begin), names.size());
    if (end > begin) paths.emplace_back(names.substr(begin, end - begin));
    begin = end + 1;
  }
  return paths;
}

targets::LoadedLibrary::Pointer open_library() {
  targets::furnish_simulated_machine();
  const auto foreign = split(foreign_libraries());
  auto library = foreign.empty()
                     ? LoadedLibrary::of(linked_api(), std::string(targets::simulated_name))
                     : LoadedLibrary::load(foreign);
  if (library) return *library;
  std::fprintf(stderr, "fuzz: %s\n", library.error().c_str());
  std::exit(3);  // as gradproof does where a target cannot be used
}

}  // namespace

targets::CannApi linked_api() {
  using namespace targets;  // where tiling classes are asked
#define GRADPROOF_LINKED(need, member, function) .member = (function),
  return {GRADPROOF_CANN_FUNCTIONS(GRADPROOF_LINKED)};
#undef GRADPROOF_LINKED
}

targets::LoadedTarget& fuzzed_target() {
  static const auto target = open_library()->new_loaded_target();
  return *target;
}

oracle::JudgeSettings judge_settings() {
  oracle::JudgeSettings settings;
  if (!foreign_libraries().empty()) {
    settings.profile = oracle::Profile::Tolerant;
    settings.adder = oracle::Adder::Block;
    settings.hf32_rounding = oracle::Hf32Rounding::Unknown;
    return settings;
  }
  // What the linked kernel reads itself when it starts.
  if (variable("GRADPROOF_PROFILE") == "released") settings.profile = oracle::Profile::Released;
  if (variable("GRADPROOF_HF32_ROUNDING") == "away") {
    settings.hf32_rounding = oracle::Hf32Rounding::NearestAway;
  }
  return settings;
}

std::string replay_options() {
  const std::string foreign = foreign_libraries();
  if (!foreign.empty()) return " --target " + foreign;
  const bool released = judge_settings().profile == oracle::Profile::Released;
  return released ? " --profile released" : "";
}

}  // namespace gradproof::fuzz
