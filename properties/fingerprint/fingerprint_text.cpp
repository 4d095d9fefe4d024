#include "properties/fingerprint/fingerprint_text.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "properties/machines/family_fit.h"

namespace gradproof::properties {
namespace {

using corpus::GradientMachine;
using corpus::MachineProduct;
using corpus::MachineRounding;
using corpus::SubnormalHandling;
using corpus::TreeFamily;

std::string_view plain_words(MachineRounding rounding) {
  switch (rounding) {
    case MachineRounding::NearestEven:
      return "to nearest, ties to even";
    case MachineRounding::NearestAway:
      return "to nearest, ties away from zero";
    case MachineRounding::TowardZero:
      return "toward zero";
    case MachineRounding::Odd:
      return "to odd";
  }
  return "";
}

std::string_view plain_words(MachineProduct product) {
  switch (product) {
    case MachineProduct::Exact:
      return "enter sums exactly";
    case MachineProduct::Fused:
      return "enter sums exactly but for the first of each sum, which is rounded";
    case MachineProduct::Rounded:
      return "are rounded before they are added";
  }
  return "";
}

std::string_view plain_words(corpus::TreeCombine combine) {
  switch (combine) {
    case corpus::TreeCombine::Sequential:
      return "then one after the other";
    case corpus::TreeCombine::Pairwise:
      return "then neighbours, level by level";
    case corpus::TreeCombine::Halves:
      return "then halves folded onto each other";
  }
  return "";
}

std::string words_of(const corpus::LeafOrder& order) {
  std::string words;
  for (const auto& loop : order.loops) words += (words.empty() ? "" : ", ") + text_of(loop);
  if (words.empty()) words = "of their numbers";
  return "in the order " + words + (order.counts_absent ? ", padding counted as zeros" : "");
}

std::string words_of(const corpus::NodeArithmetic& node) {
  std::string words = fmt::format("{} bits {}", node.accumulator_bits, plain_words(node.rounding));
  if (node.extra_bits) {
    words += fmt::format(", addends first cut {} bits below", *node.extra_bits);
  }
  return words;
}

std::string words_of(const corpus::SubnormalHandlings& handling) {
  std::string flushed, unknown;
  for (const auto& [what, how] : {std::pair("operands", handling.operands),
                                  {"products", handling.products},
                                  {"sums", handling.sums},
                                  {"results", handling.results}}) {
    std::string& list = how == SubnormalHandling::Flushed ? flushed : unknown;
    if (how != SubnormalHandling::Kept) list += (list.empty() ? "" : ", ") + std::string(what);
  }
  if (flushed.empty() && unknown.empty()) return "subnormals kept";
  std::string words = flushed.empty() ? "" : "subnormal " + flushed + " flushed to zero";
  if (!unknown.empty())
    words += (words.empty() ? "" : "; ") + ("subnormal " + unknown) + " not known";
  return words;
}

std::string words_of(const corpus::OperandConversion& operands) {
  return fmt::format("{} with {} bits, rounded {}", operands.format, operands.significand_bits,
                     plain_words(operands.rounding));
}

std::string outputs_of(const GradientMachine& machine) {
  return fmt::format("{}, rounded {}", fmt::join(machine.output_formats, ", then "),
                     plain_words(machine.output_rounding));
}

std::string sentence(const GradientFingerprint& found) {
  const std::string name(corpus::name_of(found.gradient));
  if (!found.machine) {
    return fmt::format("{}: {} products, no model: {}.\n", name, found.products,
                       found.reason.empty() ? "the questions were not ended" : found.reason);
  }
  const GradientMachine& machine = *found.machine;
  std::string text = fmt::format(
      "{}: {} products of operands in {} {}; added {} {}; sums have {}; {}; overflow: {}; results "
      "are {}.\n",
      name, found.products, words_of(machine.operands), plain_words(machine.product),
      properties::words_of(machine.tree), words_of(machine.order), words_of(machine.node),
      words_of(machine.subnormals), corpus::name_of(machine.overflow), outputs_of(machine));
  text += fmt::format(
      "  tree {} (depth {}, up to {} addends a node); {} of {} random results predicted bit for "
      "bit; {} calls\n",
      machine.evidence.tree_hash, found.depth, found.widest,
      machine.evidence.predicted - machine.evidence.missed, machine.evidence.predicted,
      machine.evidence.calls);
  for (const std::string& unexplained : machine.evidence.unexplained) {
    text += "  - " + unexplained + "\n";
  }
  return text;
}

/// The tree of the machine's richest element; nullopt where the file does not say the call.
std::optional<AdditionTree> tree_in(const corpus::Machine& machine, const GradientMachine& of) {
  if (!machine.call) return std::nullopt;
  const auto geometry = oracle::geometry_of(*machine.call);
  if (!geometry) return std::nullopt;
  const SitePlan plan(*geometry, of.gradient);
  const auto numbers = plan.richest_site().numbers();
  const bool is_explicit = of.tree.family == TreeFamily::Explicit;
  if (is_explicit && of.tree.leaves != static_cast<std::int64_t>(numbers.size())) {
    return std::nullopt;
  }
  return tree_of(of.tree, of.order, of.gradient, plan.lengths(), numbers);
}

/// Products below the smallest node that holds each product and the next one.
std::vector<std::size_t> meetings(const AdditionTree& tree) {
  std::vector<std::int64_t> parents(tree.leaves.size() + tree.nodes.size(), -1);
  std::vector<std::size_t> sizes(parents.size(), 1), sizes_met;
  for (std::size_t node = 0; node < tree.nodes.size(); ++node) {
    const std::size_t own = tree.leaves.size() + node;
    sizes[own] = 0;
    for (const std::int64_t child : tree.nodes[node]) {
      parents[static_cast<std::size_t>(child)] = static_cast<std::int64_t>(own);
      sizes[own] += sizes[static_cast<std::size_t>(child)];
    }
  }
  for (std::size_t leaf = 0; leaf + 1 < tree.leaves.size(); ++leaf) {
    auto one = static_cast<std::int64_t>(leaf), other = one + 1;
    while (one != other) {  // parents have larger numbers
      auto& lower = one < other ? one : other;
      lower = parents[static_cast<std::size_t>(lower)];
    }
    sizes_met.push_back(sizes[static_cast<std::size_t>(one)]);
  }
  return sizes_met;
}

std::string edge_words(const corpus::Machine& earlier, const GradientMachine& old,
                       const corpus::Machine& now, const GradientMachine& young) {
  const auto before = tree_in(earlier, old), after = tree_in(now, young);
  if (!before || !after) return "";
  if (before->leaves != after->leaves) return "; the products are others";
  const auto met = meetings(*before), meet = meetings(*after);
  for (std::size_t i = 0; i < met.size(); ++i) {
    if (met[i] == meet[i]) continue;
    return fmt::format("; products {} and {} met in a node of {}, now in one of {}",
                       before->leaves[i], before->leaves[i + 1], met[i], meet[i]);
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
         fmt::format("{} {} ({})", properties::words_of(old.tree), words_of(old.order),
                     old.evidence.tree_hash),
         fmt::format("{} {} ({}){}", properties::words_of(young.tree), words_of(young.order),
                     young.evidence.tree_hash, edge_words(earlier, old, now, young)));
  }
  tell("sums", words_of(old.node), words_of(young.node));
  tell("subnormals", words_of(old.subnormals), words_of(young.subnormals));
  tell("overflows", name(old.overflow), name(young.overflow));
  tell("results", outputs_of(old), outputs_of(young));
}

}  // namespace

std::string words_of(const corpus::SummationTree& tree) {
  switch (tree.family) {
    case TreeFamily::Sequential:
      return "one after the other";
    case TreeFamily::Pairwise:
      return "in pairs, level by level,";
    case TreeFamily::Lanes:
      return fmt::format("in {} lanes, {},", tree.size, plain_words(tree.combine));
    case TreeFamily::Split:
      return fmt::format("in parts of {}, {},", tree.size, plain_words(tree.combine));
    case TreeFamily::Blocks:
      return fmt::format("in blocks of {} and the sum so far", tree.size);
    case TreeFamily::Explicit:
      return fmt::format("in a tree of {} additions of no known family", tree.nodes.size());
  }
  return "";
}

std::string fingerprint_text(const Fingerprint& fingerprint) {
  std::string text;
  for (const GradientFingerprint& found : fingerprint.gradients) text += sentence(found);
  if (fingerprint.ended_by) text += "ended early: " + fingerprint.ended_by->words + "\n";
  return text;
}

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

}  // namespace gradproof::properties
