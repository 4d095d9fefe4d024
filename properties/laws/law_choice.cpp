#include "properties/laws/law_choice.h"

#include <algorithm>

#include "properties/generators/random_source.h"
#include "properties/laws/observed.h"

namespace gradproof::properties {
namespace {

/// Of 100 generated cases: so many are held to a law as well. A law costs two calls or three, and
/// lists of their data; with this share the laws take about a fifth of a campaign.
constexpr std::uint64_t percent_with_law = 30;

std::uint64_t hash_of(const corpus::Case& problem) {
  std::uint64_t hash = 0x1A35;  // other choices follow from the id too
  for (const char letter : problem.id) hash = mixed(hash ^ static_cast<unsigned char>(letter));
  return hash;
}

}  // namespace

bool is_law_name(std::string_view name) {
  return name == exactness_law || name == status_law || law_named(name) != nullptr;
}

LawChoice law_choice(const std::vector<std::string>& names) {
  LawChoice choice;
  if (names.empty()) {
    for (const Law& law : laws()) choice.laws.push_back(&law);
    return choice;
  }
  choice.drawn = false;
  choice.exactness = std::ranges::find(names, exactness_law) != names.end();
  choice.status = std::ranges::find(names, status_law) != names.end();
  for (const std::string& name : names) {
    if (const Law* law = law_named(name)) choice.laws.push_back(law);
  }
  return choice;
}

std::vector<const Law*> laws_for(const LawChoice& choice, const corpus::Case& problem,
                                 bool is_generated, oracle::Profile profile) {
  const std::uint64_t hash = hash_of(problem);
  if (choice.laws.empty() || !problem.shape_consistent) return {};
  if (choice.drawn && (!is_generated || hash % 100 >= percent_with_law)) return {};
  auto applying = laws_that_apply(choice.laws, problem);
  if (applying.empty() || !is_legal(problem, profile)) return {};
  if (!choice.drawn) return applying;
  return {applying[hash / 100 % applying.size()]};
}

}  // namespace gradproof::properties
