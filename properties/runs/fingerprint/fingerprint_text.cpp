#include "properties/runs/fingerprint/fingerprint_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <vector>

#include "properties/cases/machines/machine_words.h"
#include "properties/findings/report/markup.h"

namespace gradproof::runs {
namespace {

constexpr double width = 900, tallest = 400, margin = 12;
/// Beyond so many products lines are closer than pixels.
constexpr std::size_t most_drawn = 2'000;

/// Products in the order in which the tree is drawn: those of a sum before the products that join
/// it.
std::vector<std::size_t> drawn_order(const cases::AdditionTree& tree) {
  std::vector<std::size_t> order;
  std::vector<std::int64_t> open{static_cast<std::int64_t>(tree.leaves.size() + tree.nodes.size()) -
                                 1};
  while (!open.empty()) {
    const auto part = to_size(open.back());
    open.pop_back();
    if (part < tree.leaves.size()) {
      order.push_back(part);
      continue;
    }
    corpus::TreeNode children = tree.nodes[part - tree.leaves.size()];
    std::ranges::sort(children);  // sums have the larger numbers and are taken first
    open.insert(open.end(), children.begin(), children.end());
  }
  return order;
}

struct Point {
  double x = 0;
  std::size_t height = 0;
};

std::string line(double x1, double y1, double x2, double y2) {
  return fmt::format("<path d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}\"/>", x1, y1, x2, y2);
}

std::string picture_of_tree(const cases::AdditionTree& tree) {
  if (tree.nodes.empty() || tree.leaves.size() > most_drawn) return "";
  std::vector<Point> points(tree.leaves.size() + tree.nodes.size());
  const auto order = drawn_order(tree);
  for (std::size_t i = 0; i < order.size(); ++i) {
    points[order[i]].x = margin + (width - 2 * margin) * (static_cast<double>(i) + 0.5) /
                                      static_cast<double>(order.size());
  }
  const double step = std::min(24.0, tallest / static_cast<double>(cases::depth_of(tree)));
  const double bottom = margin + step * static_cast<double>(cases::depth_of(tree));
  const auto y = [&](const Point& point) {
    return bottom - step * static_cast<double>(point.height);
  };
  std::string lines;
  for (std::size_t node = 0; node < tree.nodes.size(); ++node) {
    Point& own = points[tree.leaves.size() + node];
    double left = width, right = 0;
    for (const std::int64_t child : tree.nodes[node]) {
      const Point& point = points[to_size(child)];
      own.height = std::max(own.height, point.height + 1);
      left = std::min(left, point.x);
      right = std::max(right, point.x);
    }
    own.x = (left + right) / 2;
    lines += line(left, y(own), right, y(own));
    for (const std::int64_t child : tree.nodes[node]) {
      const Point& point = points[to_size(child)];
      lines += line(point.x, y(point), point.x, y(own));
    }
  }
  return fmt::format(
      "<svg viewBox=\"0 0 {} {:.0f}\" role=\"img\" aria-label=\"tree of {} additions\" "
      "stroke=\"currentColor\" fill=\"none\">{}</svg>\n",
      width, bottom + margin, tree.nodes.size(), lines);
}

}  // namespace

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

std::string fingerprint_page(const Fingerprint& fingerprint) {
  std::string body;
  for (const GradientFingerprint& found : fingerprint.gradients) {
    body += fmt::format("<h2>{}</h2>\n<pre>{}</pre>\n{}", corpus::name_of(found.gradient),
                        findings::escaped(sentence_of(found)), picture_of_tree(found.tree));
  }
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>How {0} "
      "adds</title>\n"
      "<style>body{{font:16px/1.5 sans-serif;max-width:60em;margin:2em auto;padding:0 1em}}"
      "pre{{white-space:pre-wrap}}svg{{width:100%}}</style></head><body>\n<h1>How {0} adds</h1>\n"
      "{1}</body></html>\n",
      findings::escaped(fingerprint.machine.library), body);
}

}  // namespace gradproof::runs
