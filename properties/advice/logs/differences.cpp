#include "properties/advice/logs/differences.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "properties/advice/logs/measures.h"
#include "properties/advice/logs/scan.h"

namespace gradproof::advice {
namespace {

constexpr std::string_view absolute_difference = "largest absolute difference";
constexpr std::string_view relative_difference = "largest relative difference";
constexpr std::string_view finite_differences = "check by finite differences";

// A number behind one of these is a limit.
constexpr std::string_view limit_words =
    "<|>|≤|≥|tol|tolerance|atol|rtol|limit|threshold|thr|trh|allowed|up to|exceeds|gate|bound|"
    "below|above|less than|at most|门限|阈值|容差|超过|小于|大于|低于|高于";

double number_in(std::string_view text) { return std::strtod(std::string(text).c_str(), nullptr); }

bool is_limit(std::string_view before, std::string_view listed = limit_words) {
  before = before.substr(0, before.find_last_not_of(" =:('\"|*") + 1);
  return std::ranges::any_of(parts_between(listed, "|"),
                             [&](auto word) { return before.ends_with(word); });
}

/// The limit that stands in a part of the line from a place on; empty: none.
std::string limit_from(std::string_view line, std::size_t place, std::string_view words) {
  static const Patterns numbers = [] {
    Patterns all;
    all.add("#");
    return all;
  }();
  constexpr std::size_t reach = 80;
  const std::size_t end = std::min(line.size(), place + reach);
  for (std::size_t at = line.find_first_of("0123456789", place); at < end;
       at = line.find_first_of("0123456789", at + 1)) {
    if (is_word_letter(line[at - 1]) || line[at - 1] == '.' || !is_limit(line.substr(0, at), words))
      continue;
    const auto found = numbers.in(std::string(line.substr(at, 40)) + "  ");
    if (!found.empty()) return std::string(line.substr(at, found[0].numbers[0].size()));
  }
  return {};
}

Difference difference_of(const Patterns::Match& match, std::string_view line, std::size_t number) {
  const MeasureRow& row = measures().rows[match.pattern];
  Difference found{.measure = row.measure, .line = number};
  std::size_t end = line.size();
  for (std::size_t i = 0; i < std::min(match.numbers.size(), row.parts.size()); ++i) {
    const std::string_view one = match.numbers[i];
    const auto begin = static_cast<std::size_t>(one.data() - line.data());
    end = begin + one.size();
    const bool limits =
        row.parts[i] == 'l' || (row.parts[i] == 'v' && is_limit(line.substr(0, begin)));
    if (limits) found.limit = one;
    if (row.parts[i] == 'v' && !limits) found.value = one;
    if (row.parts[i] == 'r') found.reference = one;
  }
  found.is_limit_alone = found.value.empty() && row.parts.find('v') != std::string_view::npos;
  if (found.limit.empty()) found.limit = limit_from(line, end, limit_words);
  if (found.limit.empty())
    found.limit = limit_from(line, 1, "tol|limit|threshold|trh|门限|阈值|容差");
  return found;
}

bool is_better_large(const Difference& one) {
  return one.measure.starts_with("cosine") || one.measure.starts_with("signal");
}

/// True if the value keeps its limit.
bool agrees(const Difference& one) {
  const bool counts = one.measure.starts_with("wrong") || one.measure.starts_with("one element");
  if (one.value.empty() || !one.reference.empty() || counts) return false;
  const double value = std::fabs(number_in(one.value));
  if (one.limit.empty() || one.measure.starts_with("factor"))
    return value == 0 && !is_better_large(one);
  return is_better_large(one) ? value >= number_in(one.limit) : value <= number_in(one.limit);
}

std::string place_in(const std::string& line) {
  const std::size_t at = line.find("at index (");
  const std::size_t close = at == std::string::npos ? at : line.find(')', at);
  return close != std::string::npos && close - at < 60 ? line.substr(at + 9, close - at - 8) : "";
}

void read_check(const std::string& line, GradientCheck& found) {
  static const Patterns steps = [] {
    Patterns all;
    for (const std::string_view pattern :
         {"stepsize = #", "step = #", "step=#", "step size = #", "epsilon = #", "epsilon=#",
          "eps=#", "eps = #", "delta = #", "delta=#"})
      all.add(pattern);
    return all;
  }();
  for (const auto& match : steps.in(line)) {
    const double step = number_in(match.numbers[0]);
    if (!found.step && step > 0 && step < 1) found.step = step;
  }
  found.is_spoken_of =
      found.is_spoken_of || has_any(line, "gradientcheck|gradient check|gradcheck|finite diff");
  found.is_double = found.is_double || has_any(line, "double|float64|complex128");
  found.is_float = found.is_float ||
                   has_any(line, "float32|complex64|typeparam = float|torch.float,|torch.float)");
}

/// A row of a table whose head names measures, "| gradWeight | 0.97 | FAIL |".
struct TableRow {
  std::string name, words;
  std::vector<Difference> cells;
};

/// Reads what a text compares, line for line.
class Comparisons {
 public:
  void read(std::string_view raw, std::size_t number) {
    std::string text(raw.substr(0, 4000));
    std::ranges::replace(text, '_', ' ');
    const std::string line = plain_line(text);
    read_check(line, found_.check);
    is_torchs_ = is_torchs_ || line.find("gradcheck") != std::string::npos;
    if (std::ranges::count(line, '|') > 1) return read_table(line, number);
    head_.clear();
    read_line(line, number);
  }

  Differences taken() && {
    for (const TableRow& row : rows_) judge(row);
    // A limit that another line states of the same measure.
    std::erase_if(found_.all, [&](Difference& one) {
      const auto has_it = [&](const Difference& other) {
        return other.measure == one.measure && !other.limit.empty();
      };
      const auto other = std::ranges::find_if(found_.all, has_it);
      if (!one.limit.empty() || other == found_.all.end()) return false;
      Difference limited = one;
      limited.limit = other->limit;
      return agrees(limited);
    });
    GradientCheck& check = found_.check;
    check.is_there = check.is_there || (check.is_spoken_of && !found_.all.empty() && !has_bits_);
    if (is_torchs_ && check.is_there && !check.step) check.step = 1e-6;
    return std::move(found_);
  }

 private:
  std::vector<Difference> measured(const std::string& line, std::size_t number) const {
    std::vector<Difference> here;
    for (const Patterns::Match& match : measures().patterns.in(line)) {
      Difference one = difference_of(match, line, number);
      const bool is_speed = one.measure.ends_with("by two programs") &&
                            has_any(line, " ms|sec|fps|it/s|time|耗时|latency|gb|mb|%");
      if (is_speed) continue;
      const auto is_size = [](const Difference& other) {
        return other.measure == absolute_difference || other.measure == relative_difference;
      };
      const bool is_second = !one.value.empty() && here.size() == 1 && is_size(one) &&
                             is_size(here[0]) && one.measure != here[0].measure &&
                             one.value != here[0].value;
      if (here.empty() || is_second) here.push_back(std::move(one));
    }
    return here;
  }

  static bool passes(std::string_view line) {
    if (has_any(line, "fail|✗|❌|不通过|不达标")) return false;
    const bool says = std::ranges::any_of(text_parts(line, "|"), [](std::string_view cell) {
      return cell == "ok" || cell == "pass" || cell == "passed";
    });
    return says || line.starts_with("pass") ||
           (line.ends_with(" pass") && !line.ends_with("ward pass")) ||
           has_any(line, " passed|[pass|verifies ok|✓|✅|通过");
  }

  /// Adds what a line says: the first measure, and an absolute or relative one behind it.
  void read_line(const std::string& line, std::size_t number) {
    for (Difference& one : measured(line, number)) {
      if (passes(line)) {
        found_.agreeing += one.value.empty() ? 0 : 1;
        continue;
      }
      if (one.is_limit_alone && !has_any(line, "error|fail|assert")) {
        limits_.push_back(std::move(one));
        continue;
      }
      one.place = place_in(line);
      add(std::move(one));
    }
  }

  void add(Difference one) {
    constexpr std::size_t most = 8;
    if (agrees(one)) {
      ++found_.agreeing;
      return;
    }
    has_bits_ = has_bits_ || one.measure.starts_with("bits");
    found_.check.is_there = found_.check.is_there || one.measure == finite_differences ||
                            one.measure == "gradient by finite differences";
    const bool again =
        one.value.empty() && one.limit.empty() &&
        std::ranges::any_of(found_.all, [&](auto& other) { return other.measure == one.measure; });
    if (found_.all.size() < most && !again) found_.all.push_back(std::move(one));
  }

  void read_table(const std::string& line, std::size_t number) {
    const auto cells = text_parts(line, "|");
    constexpr std::size_t most_rows = 1000;
    if (head_.empty()) {
      const bool names_a_measure = std::ranges::any_of(cells, [&](std::string_view cell) {
        return !measured(std::string(cell) + " 0.5", number).empty();
      });
      if (!names_a_measure) return read_line(line, number);
      head_.assign(cells.begin(), cells.end());
      return;
    }
    TableRow row{.name = {}, .words = line, .cells = {}};
    for (std::size_t i = 0; i < std::min(cells.size(), head_.size()); ++i) {
      if (row.name.empty()) row.name = cells[i];
      if (cells[i].find_first_of("0123456789") == std::string_view::npos) continue;
      for (Difference& one : measured(head_[i] + " " + std::string(cells[i]), number))
        row.cells.push_back(std::move(one));
    }
    if (rows_.size() < most_rows && !row.cells.empty()) rows_.push_back(std::move(row));
  }

  /// A row says itself that it failed, or breaks a limit that the text states of its measure.
  void judge(const TableRow& row) {
    const bool fails = has_any(row.words, "fail|✗|❌|不通过|不达标");
    std::vector<Difference> cells = row.cells;
    for (Difference& cell : cells) {
      const auto stated = std::ranges::find(limits_, cell.measure, &Difference::measure);
      if (cell.limit.empty() && stated != limits_.end()) cell.limit = stated->limit;
      cell.place = row.name;
    }
    const auto breaks = [](const Difference& cell) { return !cell.limit.empty() && !agrees(cell); };
    const bool any = std::ranges::any_of(cells, breaks);
    const bool has_limit =
        std::ranges::any_of(cells, [](auto& cell) { return !cell.limit.empty(); });
    if (passes(row.words) || (!fails && !any && has_limit)) {
      ++found_.agreeing;
      return;
    }
    for (Difference& cell : cells) {
      if (!any || breaks(cell)) add(std::move(cell));
    }
  }

  Differences found_;
  std::vector<Difference> limits_;  ///< that the text states without a value
  std::vector<std::string> head_;   ///< of the table that is read
  std::vector<TableRow> rows_;
  bool is_torchs_ = false, has_bits_ = false;
};

}  // namespace

Differences differences_in(std::string_view text) {
  Comparisons comparisons;
  std::size_t number = 0;
  for (const std::string_view line : lines_of(text)) comparisons.read(line, ++number);
  return std::move(comparisons).taken();
}

}  // namespace gradproof::advice
