#include "tests/architecture/include_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <optional>
#include <set>
#include <string_view>

#include "tests/architecture/layers.h"

namespace gradproof::architecture {
namespace {

namespace fs = std::filesystem;

std::string_view first_part(std::string_view path) { return path.substr(0, path.find('/')); }

bool is_public_header(std::string_view path) {
  static constexpr std::string_view tops[] = {
      "acl", "aclnn",  "aclnnop",           "error_codes",      "gradproof",
      "lib", "tiling", "kernel_operator.h", "kernel_launcher.h"};
  return path.starts_with("kernel/include/") || std::ranges::count(tops, first_part(path)) > 0;
}

/// The row of `folders()` that a path belongs to, or null if it is none of ours.
const Folder* folder_of(std::string_view path) {
  const std::string_view name = is_public_header(path) ? "cann" : first_part(path);
  const auto row = std::ranges::find(folders(), name, &Folder::name);
  return row == folders().end() ? nullptr : &*row;
}

/// Where the path's room stands in its folder's order, or nullopt outside of any.
std::optional<std::ptrdiff_t> rank_of(const Rooms& row, std::string_view path) {
  if (first_part(path) != row.folder || is_public_header(path)) return std::nullopt;
  const std::string_view room = first_part(path.substr(row.folder.size() + 1));
  const auto found = std::ranges::find(row.lowest_first, room);
  if (found == row.lowest_first.end()) return std::nullopt;
  return found - row.lowest_first.begin();
}

std::optional<std::string> room_violation(std::string_view file, std::string_view included) {
  for (const Rooms& row : rooms()) {
    const auto from = rank_of(row, file), to = rank_of(row, included);
    if (from && to && *to > *from) {
      return fmt::format("{} includes {}: the rooms of {}/ are, lowest first, {}", file, included,
                         row.folder, fmt::join(row.lowest_first, ", "));
    }
  }
  return std::nullopt;
}

std::optional<std::string> violation(std::string_view file, std::string_view included) {
  if (included.starts_with("./") || included.starts_with("../")) {
    return fmt::format("{} includes {}: paths are written from the root", file, included);
  }
  const Folder* const from = folder_of(file);
  const Folder* const to = folder_of(included);
  if (from == nullptr || to == nullptr) return std::nullopt;
  if (std::ranges::count(from->may_include, to->name) == 0) {
    return fmt::format("{} includes {}: {} may include only {}", file, included, from->name,
                       fmt::join(from->may_include, ", "));
  }
  return room_violation(file, included);
}

/// A room that the table does not know has no place in the order.
std::optional<std::string> unknown_room(std::string_view file) {
  for (const Rooms& row : rooms()) {
    if (first_part(file) == row.folder && !is_public_header(file) && !rank_of(row, file)) {
      return fmt::format("{} is in no room that tests/architecture/layers.h knows", file);
    }
  }
  return std::nullopt;
}

std::vector<std::string> included_by(const fs::path& file) {
  std::vector<std::string> result;
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line);) {
    const std::size_t hash = line.find_first_not_of(" \t");
    if (hash == std::string::npos || line[hash] != '#') continue;
    const std::size_t word = line.find_first_not_of(" \t", hash + 1);
    if (word == std::string::npos || line.compare(word, 7, "include") != 0) continue;
    const std::size_t begin = line.find_first_of("<\"", word);
    const std::size_t end = line.find_first_of(">\"", begin + 1);
    if (begin == std::string::npos || end == std::string::npos) continue;
    result.push_back(line.substr(begin + 1, end - begin - 1));
  }
  return result;
}

using Modules = std::map<std::string, std::set<std::string>>;

std::string module_of(const std::string& path) { return path.substr(0, path.rfind('.')); }

Modules modules_of(const IncludeGraph& graph) {
  Modules modules;
  for (const auto& [file, includes] : graph.includes) {
    std::set<std::string>& reached = modules[module_of(file)];
    for (const std::string& included : includes) {
      const std::string target =
          graph.includes.contains(included) ? included : "kernel/include/" + included;
      if (graph.includes.contains(target) && module_of(target) != module_of(file)) {
        reached.insert(module_of(target));
      }
    }
  }
  return modules;
}

/// Tarjan's strongly connected components (SIAM J. Comput. 1, 1972).
class Components {
 public:
  explicit Components(const Modules& modules) : modules_(modules) {
    for (const auto& [module, reached] : modules) {
      if (!index_.contains(module)) visit(module);
    }
  }
  std::vector<std::vector<std::string>> found;

 private:
  void visit(const std::string& module) {
    const std::size_t own = index_[module] = lowest_[module] = index_.size();
    open_.push_back(module);
    for (const std::string& next : modules_.at(module)) {
      if (!index_.contains(next)) visit(next);
      if (std::ranges::count(open_, next) > 0) {
        lowest_[module] = std::min(lowest_[module], lowest_[next]);
      }
    }
    if (lowest_[module] != own) return;
    const auto begin = std::ranges::find(open_, module);
    found.emplace_back(begin, open_.end());
    open_.erase(begin, open_.end());
  }

  const Modules& modules_;
  std::map<std::string, std::size_t> index_, lowest_;
  std::vector<std::string> open_;
};

}  // namespace

std::size_t IncludeGraph::edge_count() const {
  std::size_t count = 0;
  for (const auto& [file, included] : includes) count += included.size();
  return count;
}

IncludeGraph include_graph(const fs::path& root) {
  IncludeGraph graph;
  for (const Folder& folder : folders()) {
    const fs::path place = root / folder.name;
    if (!fs::exists(place)) continue;
    for (const auto& entry : fs::recursive_directory_iterator(place)) {
      const std::string extension = entry.path().extension();
      if (extension != ".h" && extension != ".hpp" && extension != ".cpp") continue;
      graph.includes[fs::relative(entry.path(), root)] = included_by(entry.path());
    }
  }
  return graph;
}

std::vector<std::string> violations(const IncludeGraph& graph) {
  std::vector<std::string> result;
  for (const auto& [file, includes] : graph.includes) {
    if (auto sentence = unknown_room(file)) result.push_back(*std::move(sentence));
    for (const std::string& included : includes) {
      if (auto sentence = violation(file, included)) result.push_back(*std::move(sentence));
    }
  }
  return result;
}

std::vector<std::string> circles(const IncludeGraph& graph) {
  std::vector<std::string> result;
  for (const auto& component : Components(modules_of(graph)).found) {
    if (component.size() > 2) {
      result.push_back(fmt::format("reach each other: {}", fmt::join(component, ", ")));
    }
  }
  return result;
}

}  // namespace gradproof::architecture
