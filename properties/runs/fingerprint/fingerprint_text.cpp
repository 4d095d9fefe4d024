#include "properties/runs/fingerprint/fingerprint_text.h"

#include <fmt/format.h>

#include "properties/cases/machines/machine_words.h"

namespace gradproof::runs {
std::string sentence_of(const GradientFingerprint& found) {
  const std::string name(corpus::name_of(found.gradient));
  if (!found.machine) {
    return fmt::format("{}: {} products, no model: {}.\n", name, found.products,
                       found.reason.empty() ? "the questions were not ended" : found.reason);
  }
  const corpus::GradientMachine& machine = *found.machine;
  std::string elsewhere = cases::words_of(machine.elsewhere);
  if (!elsewhere.empty()) elsewhere = ", " + elsewhere;
  std::string text = fmt::format(
      "{}: {} products; operands: {}; products {}; added {} {}{}; sums have {}; {}; overflow: {}; "
      "{}; "
      "results "
      "are {}.\n",
      name, found.products, cases::words_of(machine.operands), cases::words_of(machine.product),
      cases::words_of(machine.tree), cases::words_of(machine.order), elsewhere,
      cases::words_of(machine.node), cases::words_of(machine.subnormals),
      corpus::name_of(machine.overflow), cases::words_of(machine.specials),
      cases::result_words(machine));
  text += fmt::format(
      "  tree {} (depth {}, up to {} addends a node; {} pairs asked in {} calls); {} of {} random "
      "results predicted bit for bit; {} calls\n",
      machine.evidence.tree_hash, cases::depth_of(found.tree), cases::widest_node(found.tree),
      found.pairs, found.tree_calls, machine.evidence.predicted - machine.evidence.missed,
      machine.evidence.predicted, machine.evidence.calls);
  for (const std::string& unexplained : machine.evidence.unexplained) {
    text += "  - " + unexplained + "\n";
  }
  return text;
}

std::string fingerprint_text(const Fingerprint& fingerprint) {
  std::string text;
  for (const GradientFingerprint& found : fingerprint.gradients) text += sentence_of(found);
  if (fingerprint.ended_by) text += "ended early: " + fingerprint.ended_by->words + "\n";
  return text;
}

}  // namespace gradproof::runs
