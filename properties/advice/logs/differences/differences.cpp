#include "properties/advice/logs/differences/differences.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "properties/advice/logs/differences/difference_lines.h"
#include "properties/advice/logs/draft.h"
#include "properties/advice/logs/scan.h"

namespace gradproof::advice {
namespace {

constexpr std::string_view finite_differences = "check by finite differences";
constexpr std::size_t near = 5;  ///< lines that speak of the same

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
    if (limits && !line.substr(end).starts_with('*')) found.limit = one;
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
  return one.measure.starts_with("cos") || one.measure.starts_with("cor") ||
         one.measure.starts_with("signal");
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

bool passes(std::string_view line) {
  if (has_any(line, "fail|✗|❌|不通过|不达标")) return false;
  const bool says = std::ranges::any_of(text_parts(line, "|"), [](std::string_view cell) {
    return cell == "ok" || cell == "pass" || cell == "passed";
  });
  return says || line.starts_with("pass") ||
         (line.ends_with(" pass") && !line.ends_with("ward pass")) ||
         has_any(line, " passed|[pass|verifies ok|✓|✅|通过");
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
    const std::string line = compared_line(raw);
    read_check(line, found_.check);
    is_torchs_ = is_torchs_ || line.find("gradcheck") != std::string::npos;
    const std::string_view named = gradient_in(line);
    if (!named.empty() || has_any(line, "forward conv")) {
      gradient_ = named;
      named_on_ = number;
    }
    if (std::ranges::count(line, '|') > 1) return read_table(line, number);
    head_.clear();
    const std::size_t before = found_.all.size() + found_.agreeing;
    read_line(line, number);
    for (Difference& one : answers_in(line, previous_, number, found_)) add(std::move(one));
    previous_ = line;
    // A name behind a value is of it, unless its own line has one.
    const bool is_late = found_.all.size() + found_.agreeing == before && !found_.all.empty() &&
                         found_.all.back().gradient.empty() &&
                         number <= found_.all.back().line + near;
    if (is_late) found_.all.back().gradient = named;
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
    take_lone_limit(found_.all, limits_);
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
    if (named_on_ > 0 && one.line <= named_on_ + near) one.gradient = gradient_;
    if (one.measure.starts_with("one element")) one.magnitude = std::fabs(number_in(one.reference));
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
      // A head has no value itself; a line of a log between bars has.
      const bool names_a_measure = std::ranges::any_of(cells, [&](std::string_view cell) {
        return !measured(std::string(cell) + " 0.5", number).empty() &&
               measured(std::string(cell), number).empty();
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
  std::string previous_;       ///< line
  std::string_view gradient_;  ///< that was named last
  std::size_t named_on_ = 0;
};

}  // namespace

Differences differences_in(std::string_view text) {
  Comparisons comparisons;
  std::size_t number = 0;
  for (const std::string_view line : lines_of(text)) comparisons.read(line, ++number);
  Differences found = std::move(comparisons).taken();
  found.dtype = type_named_in(text);
  return found;
}

}  // namespace gradproof::advice
