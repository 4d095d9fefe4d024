#pragma once

#include <span>
#include <string_view>
#include <vector>

namespace gradproof::architecture {

/// A folder at the top, and which of the others it may include. "cann": the public headers in
/// kernel/include.
struct Folder {
  std::string_view name;
  std::vector<std::string_view> may_include;
};

/// Rooms of a folder, lowest first: one may include itself and those before it.
struct Rooms {
  std::string_view folder;
  std::vector<std::string_view> lowest_first;
};

inline const std::vector<Folder>& folders() {
  static const std::vector<std::string_view> all{"corpus",   "kernel",     "cann",    "oracle",
                                                 "adapters", "properties", "bindings"};
  const auto all_and = [](std::vector<std::string_view> more) {
    more.insert(more.end(), all.begin(), all.end());
    return more;
  };
  static const std::vector<Folder> table{
      {"corpus", {"corpus"}},
      {"oracle", {"oracle", "corpus"}},
      {"kernel", {"kernel", "cann"}},
      {"cann", {"cann"}},
      {"properties", {"properties", "oracle", "corpus", "cann"}},
      {"bindings", {"bindings", "properties", "oracle", "corpus", "cann"}},
      {"adapters", {"adapters", "cann"}},
      {"fuzz", all_and({"fuzz"})},
      {"bench", all_and({"bench"})},
      {"tests", all_and({"tests", "fuzz"})},
      {"docs", all_and({})},
      {"tools", {}},
  };
  return table;
}

inline const std::vector<Rooms>& rooms() {
  static const std::vector<Rooms> table{
      {"kernel", {"numeric", "device", "cube", "ascendc", "operators", "api", "with_faults"}},
      {"oracle",
       {"numbers", "facts", "geometry", "sums", "operands", "gradients", "tiling", "rules",
        "status", "arithmetic", "judge", "recipes"}},
      {"fuzz", {"records", "engine", "ascendc", "runtime", "targets"}},
      {"properties", {"targets", "cases", "findings", "runs", "advice", "cli"}},
  };
  return table;
}

}  // namespace gradproof::architecture
