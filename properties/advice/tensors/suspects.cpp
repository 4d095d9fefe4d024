#include "properties/advice/tensors/suspects.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <optional>
#include <utility>

#include "oracle/geometry/workload.h"
#include "oracle/operands/operands.h"
#include "properties/advice/tensors/distance.h"
#include "properties/findings/hypotheses/hypothesis.h"
#include "properties/findings/hypotheses/world.h"

namespace gradproof::advice {
namespace {

using findings::diagnosis::Hypothesis;
using findings::diagnosis::Witness;
using Clock = std::chrono::steady_clock;

/// Products that are looked at for one hypothesis.
constexpr std::uint64_t products_for_each = 100'000;
/// Up to so many products a hypothesis is held against every element.
constexpr std::uint64_t most_for_all = 20'000'000;
/// So many times nearer than the right result, or more, is no accident: roundings of a right sum
/// spread by a factor of about two.
constexpr double least_gain = 4;
/// A world whose products have up to so many times the magnitude of the right ones is looked at
/// until it cannot be near enough any more. Products of larger ones are no single fault's.
constexpr double most_growth = 16;
/// Distances this near to each other do not tell hypotheses apart.
constexpr double same = 1.25;
constexpr std::size_t most_suspects_named = 3;
/// A few elements show of most worlds that they are not near: so many, or this part of all.
constexpr std::size_t least_first = 4, first_part = 8;
/// A world that is not so many times nearer to them than the right one accounts for nothing.
constexpr double least_first_gain = 2;

struct Suspect {
  Hypothesis hypothesis;
  double distance = 0;
};

std::vector<Hypothesis> thoughts(const Witness& witness, bool is_wrong) {
  std::vector<Hypothesis> all = findings::diagnosis::rounding_hypotheses(witness);
  if (!is_wrong) return all;
  for (const auto think :
       {findings::diagnosis::attribute_hypotheses, findings::diagnosis::group_hypotheses,
        findings::diagnosis::loss_hypotheses, findings::diagnosis::sign_hypotheses}) {
    std::ranges::move(think(witness), std::back_inserter(all));
  }
  return all;
}

class SuspectSearch {
 public:
  SuspectSearch(const Witness& witness, const std::vector<std::size_t>& wrong,
                std::chrono::milliseconds time)
      : witness_(witness),
        is_wrong_(!wrong.empty()),
        deadline_(Clock::now() + time),
        elements_(telling_elements(witness, wrong, products_for_each)),
        first_(first_elements(elements_, wrong)),
        computed_(oracle::decoded(witness.arithmetics.front().output, witness.observed.bits,
                                  witness.geometry.shape(witness.role))) {}

  std::vector<std::string> operator()() {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const findings::diagnosis::World right_world = findings::diagnosis::right_world(witness_);
    const auto right = distance_to(right_world, infinity);
    if (right && right->error == 0) return {};
    const double ceiling = right ? right->share() / least_gain : infinity;
    const double most_error = right ? right->error / least_gain * most_growth : infinity;
    const auto right_first = distance(right_world, witness_, computed_, first_, infinity);
    for (Hypothesis& hypothesis : thoughts(witness_, is_wrong_)) {
      if (Clock::now() >= deadline_) break;
      const auto world = hypothesis.world(witness_);
      if (!world || (right_first && is_far(*world, *right_first))) continue;
      const auto found = distance_to(*world, most_error);
      if (!found || found->share() > ceiling) continue;
      suspects_.push_back({std::move(hypothesis), found->share()});
    }
    if (suspects_.empty()) return {};
    keep_the_nearest();
    return words(right ? std::optional(right->share()) : std::nullopt);
  }

 private:
  std::optional<Distance> distance_to(const findings::diagnosis::World& world,
                                      double most_error) const {
    return distance(world, witness_, computed_, elements_, most_error);
  }

  /// Spread evenly, of those that are wrong where any is: there a world that accounts for them is
  /// near and the right one is not.
  static std::vector<std::size_t> first_elements(const std::vector<std::size_t>& elements,
                                                 const std::vector<std::size_t>& wrong) {
    return spread(wrong.empty() ? elements : wrong,
                  std::max(least_first, elements.size() / first_part));
  }

  /// True if the world is far from the result, judged by the first elements alone.
  bool is_far(const findings::diagnosis::World& world, const Distance& right) const {
    const auto found =
        distance(world, witness_, computed_, first_, std::numeric_limits<double>::infinity());
    return found && found->share() * least_first_gain > right.share();
  }

  void keep_the_nearest() {
    const double least = std::ranges::min_element(suspects_, {}, &Suspect::distance)->distance;
    std::erase_if(suspects_, [&](const Suspect& one) { return one.distance > least * same; });
  }

  /// True if the hypothesis gives every element, within the rigorous bound.
  bool holds_everywhere(const Suspect& suspect) const {
    const auto macs = oracle::mac_count(witness_.test_case);
    if (!macs || *macs > most_for_all || Clock::now() >= deadline_) return false;
    const auto world = suspect.hypothesis.world(witness_);
    return world && agrees(*world, witness_);
  }

  std::vector<std::string> words(std::optional<double> right) const {
    std::vector<std::string> certain, likely;
    for (const Suspect& suspect : suspects_) {
      if (certain.size() == most_suspects_named) break;
      if (holds_everywhere(suspect)) {
        certain.push_back(fmt::format("{} equals the exact result {}: all {} elements",
                                      corpus::name_of(witness_.test_case, witness_.role),
                                      suspect.hypothesis.words, computed_.size()));
      } else if (likely.size() < most_suspects_named) {
        likely.push_back(likely_words(suspect, right));
      }
    }
    return certain.empty() ? likely : certain;
  }

  std::string likely_words(const Suspect& suspect, std::optional<double> right) const {
    std::string how = "nearer";
    if (suspect.distance == 0) {
      how = "equal to it in all of them";
    } else if (right) {
      how = fmt::format("{:.3g} times nearer to it than to the right result",
                        *right / suspect.distance);
    }
    return fmt::format("{} is like the exact result {}: {} elements looked at, {}",
                       corpus::name_of(witness_.test_case, witness_.role), suspect.hypothesis.words,
                       elements_.size(), how);
  }

  const Witness& witness_;
  bool is_wrong_;
  Clock::time_point deadline_;
  std::vector<std::size_t> elements_, first_;
  findings::diagnosis::Numbers computed_;
  std::vector<Suspect> suspects_;
};

}  // namespace

std::vector<std::string> suspects(const Witness& witness, const std::vector<std::size_t>& wrong,
                                  std::chrono::milliseconds time) {
  return SuspectSearch(witness, wrong, time)();
}

}  // namespace gradproof::advice
