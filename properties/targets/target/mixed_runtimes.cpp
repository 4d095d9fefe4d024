#include "properties/targets/target/library_architecture.h"

#include <fmt/core.h>

namespace gradproof::targets {
namespace {

/// Functions that share objects.
enum class Family : unsigned char { Runtime, Descriptors, Operator };

Family family_of(std::string_view name) {
  const bool is_executor = name.find("OpExecutor") != std::string_view::npos ||
                           name.find("TensorAddr") != std::string_view::npos;
  if (name.starts_with("aclnn") || is_executor) return Family::Operator;
  if (name.starts_with("aclCreate") || name.starts_with("aclDestroy")) return Family::Descriptors;
  return Family::Runtime;
}

/// Number of a family's first required function that is there.
std::optional<std::size_t> first_of(Family family, std::span<const std::string> origins) {
  const auto rows = entry_points();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const bool counts = rows[i].need == Need::Required && !origins[i].empty();
    if (counts && family_of(rows[i].name) == family) return i;
  }
  return std::nullopt;
}

}  // namespace

std::vector<std::string> mixed_runtimes(std::span<const std::string> origins) {
  std::vector<std::string> sentences;
  const auto rows = entry_points();
  for (const Family family : {Family::Runtime, Family::Descriptors}) {
    const auto first = first_of(family, origins);
    for (std::size_t i = first.value_or(rows.size()); i < rows.size(); ++i) {
      const bool counts = rows[i].need == Need::Required && family_of(rows[i].name) == family;
      if (!counts || origins[i].empty() || origins[i] == origins[*first]) continue;
      sentences.push_back(fmt::format(
          "{} comes from {}, but {} from {}: unless one passes calls on to the other, objects of "
          "two runtimes meet",
          rows[*first].name, origins[*first], rows[i].name, origins[i]));
      break;
    }
  }
  return sentences;
}

void drop_strangers(CannApi& api, std::span<const std::string> origins, std::string_view stand_in) {
  const auto rows = entry_points();
  const auto runtime = first_of(Family::Runtime, origins);
  const auto phases = first_of(Family::Operator, origins);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].need != Need::Optional) continue;
    const Family family = family_of(rows[i].name);
    const bool is_other_runtimes =
        family == Family::Runtime && runtime && origins[i] != origins[*runtime];
    const bool is_other_executors = family == Family::Operator && phases &&
                                    origins[i] == stand_in && origins[*phases] != stand_in;
    if (is_other_runtimes || is_other_executors) rows[i].assign(api, nullptr);
  }
}

}  // namespace gradproof::targets
