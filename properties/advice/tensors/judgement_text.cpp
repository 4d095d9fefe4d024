#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "properties/advice/explain/change.h"
#include "properties/advice/explain/typical_error.h"
#include "properties/advice/tensors/judgement.h"

namespace gradproof::advice {
namespace {

using corpus::OutputEvidence;
using corpus::OutputRole;

/// "0: 91.2%, to 1: 8.8%": by ULP of the exact value rounded; distances that none has left out.
std::string histogram_words(const OutputEvidence& evidence) {
  std::string text;
  for (std::size_t i = 0; i < evidence.ulp_histogram.size(); ++i) {
    const std::uint64_t count = evidence.ulp_histogram.at(i);
    if (count == 0) continue;
    const double share =
        100.0 * static_cast<double>(count) / static_cast<double>(evidence.compared_elements);
    const std::uint64_t end = i == 0 ? 0 : std::uint64_t{1} << (i - 1);
    const bool is_open = i + 1 == evidence.ulp_histogram.size();
    const std::string bucket = i == 0    ? "0"
                               : is_open ? fmt::format("above {}", end / 2)
                                         : fmt::format("to {}", end);
    text += fmt::format("{}{}: {:.3g}%", text.empty() ? "" : ", ", bucket, share);
  }
  return text;
}

/// Describes where along each axis elements are wrong: "h 55 of 56", "w all 56", "n 0 to 3 of 8".
std::string axis_words(const findings::WrongMap& map, std::size_t axis) {
  const auto& counts = map.per_axis[axis];
  const std::int64_t length = map.shape[axis];
  const auto is_wrong = [](std::uint64_t count) { return count > 0; };
  const auto first = std::ranges::find_if(counts, is_wrong) - counts.begin();
  const auto behind = std::ranges::find_if(counts.rbegin(), counts.rend(), is_wrong).base();
  const auto last = behind - counts.begin() - 1;
  const auto bins = static_cast<std::int64_t>(counts.size());
  // The first position whose bin is this one.
  const auto begin_of = [&](std::int64_t bin) { return (bin * length + bins - 1) / bins; };
  const std::int64_t low = begin_of(first), high = begin_of(last + 1) - 1;
  if (low == 0 && high == length - 1) return fmt::format("{} all {}", map.axes[axis], length);
  if (low == high) return fmt::format("{} {} of {}", map.axes[axis], low, length);
  return fmt::format("{} {} to {} of {}", map.axes[axis], low, high, length);
}

/// The two longest axes, a character for each bin.
std::string map_text(const findings::WrongMap& map) {
  std::string text = "  wrong at    ";
  for (std::size_t axis = 0; axis < map.axes.size(); ++axis) {
    text += (axis == 0 ? "" : "; ") + axis_words(map, axis);
  }
  const std::size_t columns = map.per_axis[map.column_axis].size();
  const std::uint64_t most = *std::ranges::max_element(map.counts);
  text += fmt::format("\n  map         down {}, across {}; . none wrong, + some, # most\n",
                      map.axes[map.row_axis], map.axes[map.column_axis]);
  for (std::size_t i = 0; i < map.counts.size(); ++i) {
    if (i % columns == 0) text += "    ";
    const bool is_many = map.counts[i] * 2 > most;
    text += map.counts[i] == 0 ? '.' : is_many ? '#' : '+';
    if (i % columns + 1 == columns) text += '\n';
  }
  return text;
}

std::string worst_text(const std::vector<WrongElement>& worst) {
  std::string text;
  for (const WrongElement& element : worst) {
    const std::string expected =
        element.expected.empty() ? "" : fmt::format(" expected {},", element.expected);
    text += fmt::format("  {:<12}{} computed {},{} exact {}, error {:.3g}, bound {:.3g}\n",
                        text.empty() ? "worst" : "", list_in_words(element.at), element.computed,
                        expected, element.exact, element.error, element.bound);
  }
  return text;
}

std::string output_text(const Judgement& judgement, OutputRole role) {
  const OutputEvidence& evidence = judgement.verdict.outputs[role];
  const auto& tensor = *corpus::tensor(judgement.test_case, role);
  std::string text = fmt::format("{} {} {}: ", corpus::name_of(judgement.test_case, role),
                                 corpus::name_of(tensor.dtype), list_in_words(tensor.shape));
  if (!evidence.compared) return text + "not compared: no arithmetic is defined for its types\n";
  text += fmt::format("{} of {} elements wrong", evidence.breaches, evidence.compared_elements);
  if (evidence.compared_elements < evidence.elements) {
    text += fmt::format(" (of {} in all)", evidence.elements);
  }
  text += fmt::format("; largest error {:.3g} of its bound, operands multiplied as {}\n",
                      evidence.bound_ratio, evidence.compute_format);
  text += fmt::format("  ULP         {}\n", histogram_words(evidence));
  const OutputJudgement& output = judgement.outputs[role];
  if (output.typical) {
    text += fmt::format(
        "  typical     largest error {:.3g} of what a right library exceeds {} on such data ({} "
        "looked at)\n",
        output.typical->share, typical_rate_words, output.typical->elements);
  }
  text += worst_text(output.worst);
  for (const std::string& sentence : output.explanations) {
    text += fmt::format("  explained   {}\n", sentence);
  }
  if (evidence.breaches > 0 && output.explanations.empty()) {
    text += "  explained   by none of the single faults that were tried\n";
  }
  if (output.picture && output.picture->map) text += map_text(*output.picture->map);
  if (!output.why_no_picture.empty()) {
    text += fmt::format("  no map      {}\n", output.why_no_picture);
  }
  return text;
}

}  // namespace

std::string judgement_text(const Judgement& judgement) {
  const corpus::Verdict& verdict = judgement.verdict;
  std::string text, notes;
  std::vector<const Judgement*> calls{&judgement};
  for (const Judgement& forward : judgement.forward) calls.push_back(&forward);
  for (const Judgement* call : calls) {
    for (const OutputRole role : corpus::output_roles) {
      if (corpus::is_requested(call->test_case, role)) text += output_text(*call, role);
    }
    for (const std::string& note : call->notes) notes += fmt::format("note: {}\n", note);
  }
  return text + notes + fmt::format("{}: {}\n", corpus::name_of(verdict.outcome), verdict.reason);
}

}  // namespace gradproof::advice
