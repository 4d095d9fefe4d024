#include "properties/cases/machines/machine_words.h"

#include <fmt/format.h>

#include <string_view>
#include <utility>

namespace gradproof::cases {
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

}  // namespace

std::string words_of(MachineProduct product) {
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

std::string words_of(const corpus::LeafOrder& order) {
  std::string words;
  for (const auto& loop : order.loops) words += (words.empty() ? "" : ", ") + text_of(loop);
  if (words.empty()) words = "of their numbers";
  return "in the order " + words + (order.counts_absent ? ", padding counted as zeros" : "");
}

std::string words_of(const std::vector<corpus::OtherTree>& elsewhere) {
  if (elsewhere.empty()) return "";
  std::size_t positions = 0;
  for (const corpus::OtherTree& other : elsewhere) positions += other.positions.size();
  return fmt::format("{} other tree{} at {} position{}", elsewhere.size(),
                     elsewhere.size() == 1 ? "" : "s", positions, positions == 1 ? "" : "s");
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

std::string words_of(const corpus::SpecialHandlings& specials) {
  struct Row {
    corpus::SpecialHandling how;
    const char *kept, *lost;
  };
  const Row rows[] = {
      {specials.nan, "NaN stays NaN", "NaN becomes a number"},
      {specials.times_zero, "infinity times zero is NaN", "products with zero are left out"},
      {specials.negative_zero, "sums of -0 are -0", "sums of -0 are +0"}};
  std::string words;
  for (const Row& row : rows) {
    if (row.how == corpus::SpecialHandling::Unknown) continue;
    words += words.empty() ? "" : ", ";
    words += row.how == corpus::SpecialHandling::Kept ? row.kept : row.lost;
  }
  return words.empty() ? "NaN and -0 not known" : words;
}

std::string words_of(const corpus::OperandConversion& operands) {
  return fmt::format("{} with {} bits, rounded {}", operands.format, operands.significand_bits,
                     plain_words(operands.rounding));
}

std::string result_words(const GradientMachine& machine) {
  return fmt::format("{}, rounded {}", fmt::join(machine.output_formats, ", then "),
                     plain_words(machine.output_rounding));
}

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

}  // namespace gradproof::cases
