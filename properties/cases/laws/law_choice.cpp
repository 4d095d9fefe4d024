#include "properties/cases/laws/law_choice.h"

#include <algorithm>
#include <iterator>

#include "corpus/random_source.h"
#include "properties/cases/laws/claims.h"
#include "properties/cases/laws/observed.h"

namespace gradproof::cases {
namespace {

/// Percentage of generated cases that are also held to a law. A law costs two or three calls, and
/// lists of their data; with this share the laws take about a fifth of a campaign.
constexpr std::uint64_t percent_with_law = 30;

/// A law that makes a dozen calls or more costs as much as many others: it is held to in one of so
/// many cases that draw it.
struct CostlyLaw {
  std::string_view name;
  std::uint64_t turns;
};
constexpr CostlyLaw costly_laws[] = {{"schedule_determinism", 4},
                                     {"schedule_bound", 4},
                                     {"foreign_call_before", 4},
                                     {"alternating_calls", 2},
                                     {"many_calls_before", 48},
                                     {"other_process", 2},
                                     {"core_count", 2}};

bool waits(const Law& law, std::uint64_t hash) {
  const auto* costly = std::ranges::find(costly_laws, law.name, &CostlyLaw::name);
  return costly != std::end(costly_laws) && hash % costly->turns != 0;
}

std::uint64_t hash_of(const corpus::Case& test_case) {
  std::uint64_t hash = 0x1A35;  // other choices follow from the id too
  for (const char letter : test_case.id)
    hash = corpus::mixed(hash ^ static_cast<unsigned char>(letter));
  return hash;
}

/// One of the laws that apply, or, where its turn has not come, none.
std::vector<const Law*> one_of(std::span<const Law* const> laws, const corpus::Case& test_case,
                               std::uint64_t hash) {
  const auto applying = laws_that_apply(laws, test_case);
  if (applying.empty()) return {};
  const Law* law = applying[hash % applying.size()];
  if (waits(*law, hash / applying.size())) return {};
  return {law};
}

}  // namespace

bool is_law_name(std::string_view name) {
  return name == exactness_law || name == status_law || law_named(name) != nullptr;
}

LawChoice law_choice(const std::vector<std::string>& names,
                     const std::vector<std::string>& claims) {
  LawChoice choice;
  choice.claimed = laws_of_claims(claims);
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

std::vector<const Law*> laws_for(const LawChoice& choice, const corpus::Case& test_case,
                                 bool is_generated, oracle::Profile profile) {
  const std::uint64_t hash = hash_of(test_case);
  if (!test_case.shape_consistent) return {};
  std::vector<const Law*> laws;
  if (!choice.drawn) laws = laws_that_apply(choice.laws, test_case);
  if (choice.drawn && is_generated && hash % 100 < percent_with_law) {
    laws = one_of(choice.laws, test_case, hash / 100);
  }
  if (is_generated) {
    const auto claimed = one_of(choice.claimed, test_case, corpus::mixed(hash));
    laws.insert(laws.end(), claimed.begin(), claimed.end());
  }
  if (laws.empty() || !is_legal(test_case, profile)) return {};
  return laws;
}

}  // namespace gradproof::cases
