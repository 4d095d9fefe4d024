#include "properties/cases/machines/machine_words.h"

#include <fmt/format.h>

#include <optional>
#include <string_view>

#include "properties/cases/machines/site.h"

namespace gradproof::cases {
namespace {

using corpus::GradientMachine;

/// The tree of the machine's richest element; nullopt where the file does not say the call.
std::optional<AdditionTree> tree_in(const corpus::Machine& machine, const GradientMachine& of) {
  if (!machine.call) return std::nullopt;
  const auto geometry = oracle::geometry_of(*machine.call);
  if (!geometry) return std::nullopt;
  const SitePlan plan(*geometry, of.gradient);
  const auto numbers = plan.richest_site().numbers();
  const bool is_explicit = of.tree.family == corpus::TreeFamily::Explicit;
  if (is_explicit && of.tree.leaves != static_cast<std::int64_t>(numbers.size())) {
    return std::nullopt;
  }
  return tree_of(of.tree, of.order, of.gradient, plan.lengths(), numbers);
}

/// Answers in which node two products meet.
class Meetings {
 public:
  explicit Meetings(const AdditionTree& tree)
      : parents_(tree.leaves.size() + tree.nodes.size(), -1), sizes_(parents_.size(), 1) {
    for (std::size_t node = 0; node < tree.nodes.size(); ++node) {
      const std::size_t own = tree.leaves.size() + node;
      sizes_[own] = 0;
      for (const std::int64_t child : tree.nodes[node]) {
        parents_[to_size(child)] = static_cast<std::int64_t>(own);
        sizes_[own] += sizes_[to_size(child)];
      }
    }
  }

  /// Products below the smallest node that holds both leaves.
  std::size_t size_of(std::size_t leaf, std::size_t other_leaf) const {
    auto one = static_cast<std::int64_t>(leaf), other = static_cast<std::int64_t>(other_leaf);
    while (one != other) {  // parents have larger numbers
      auto& lower = one < other ? one : other;
      lower = parents_[to_size(lower)];
    }
    return sizes_[to_size(one)];
  }

 private:
  std::vector<std::int64_t> parents_;
  std::vector<std::size_t> sizes_;
};

/// Two products that meet elsewhere; there are some where trees differ, mostly near each other.
std::string edge_words(const corpus::Machine& earlier, const GradientMachine& old,
                       const corpus::Machine& now, const GradientMachine& young) {
  const auto before = tree_in(earlier, old), after = tree_in(now, young);
  if (!before || !after) return "";
  if (before->leaves != after->leaves) return "; the products are others";
  const Meetings met(*before), meet(*after);
  for (std::size_t apart = 1; apart < before->leaves.size(); ++apart) {
    for (std::size_t i = 0; i + apart < before->leaves.size(); ++i) {
      const std::size_t earlier_size = met.size_of(i, i + apart), size = meet.size_of(i, i + apart);
      if (earlier_size == size) continue;
      return fmt::format("; products {} and {} met in a node of {}, now in one of {}",
                         before->leaves[i], before->leaves[i + apart], earlier_size, size);
    }
  }
  return "";
}

void compare(const corpus::Machine& earlier, const GradientMachine& old, const corpus::Machine& now,
             const GradientMachine& young, std::vector<std::string>& sentences) {
  const auto tell = [&](std::string_view field, const std::string& before,
                        const std::string& after) {
    if (before == after) return;
    sentences.push_back(fmt::format("{}: {} were {}, now {}", corpus::name_of(young.gradient),
                                    field, before, after));
  };
  const auto name = [](auto value) { return std::string(corpus::name_of(value)); };
  tell("operands", words_of(old.operands), words_of(young.operands));
  tell("products", name(old.product), name(young.product));
  if (old.evidence.tree_hash != young.evidence.tree_hash || !(old.tree == young.tree) ||
      !(old.order == young.order)) {
    tell("trees",
         fmt::format("{} {} ({})", words_of(old.tree), words_of(old.order), old.evidence.tree_hash),
         fmt::format("{} {} ({}){}", words_of(young.tree), words_of(young.order),
                     young.evidence.tree_hash, edge_words(earlier, old, now, young)));
  }
  if (!(old.elsewhere == young.elsewhere)) {
    const auto words = [](const auto& elsewhere) {
      return elsewhere.empty() ? std::string("none") : words_of(elsewhere);
    };
    const std::string before = words(old.elsewhere), after = words(young.elsewhere);
    tell("trees of other positions", before, before == after ? "others" : after);
  }
  tell("sums", words_of(old.node), words_of(young.node));
  tell("subnormals", words_of(old.subnormals), words_of(young.subnormals));
  tell("overflows", name(old.overflow), name(young.overflow));
  tell("special values", words_of(old.specials), words_of(young.specials));
  tell("results", result_words(old), result_words(young));
}

}  // namespace

std::vector<std::string> changes(const corpus::Machine& earlier, const corpus::Machine& now) {
  std::vector<std::string> sentences;
  for (const auto role : corpus::output_roles) {
    const GradientMachine* old = machine_of(earlier, role);
    const GradientMachine* young = machine_of(now, role);
    if (old != nullptr && young != nullptr) compare(earlier, *old, now, *young, sentences);
    if ((old == nullptr) != (young == nullptr)) {
      sentences.push_back(fmt::format("{}: there is {} model", corpus::name_of(role),
                                      young == nullptr ? "no longer a" : "now a"));
    }
  }
  return sentences;
}

}  // namespace gradproof::cases
