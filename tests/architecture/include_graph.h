#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace gradproof::architecture {

/// The project's sources and what each includes, as written, in the order of the lines.
struct IncludeGraph {
  std::map<std::string, std::vector<std::string>> includes;  ///< by path below the root

  std::size_t edge_count() const;
};

/// Reads every .h, .hpp and .cpp below the folders that the layers name. `root`: a checkout.
IncludeGraph include_graph(const std::filesystem::path& root);

/// What the layers forbid: a sentence each.
std::vector<std::string> violations(const IncludeGraph& graph);

/// Modules (x.h together with x.cpp) that reach each other in a circle of more than two: a sentence
/// each, with the members.
std::vector<std::string> circles(const IncludeGraph& graph);

}  // namespace gradproof::architecture
