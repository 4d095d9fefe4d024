#include "properties/advice/logs/differences/differences.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "properties/advice/logs/differences/difference_lines.h"
#include "properties/advice/logs/differences/printed_answers.h"
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
    const bool limits = row.parts[i] == 'l' || (row.parts[i] == 'v' && !is_element(found) &&
                                                is_bound(line.substr(0, begin)));
    if (limits && !line.substr(end).starts_with('*')) found.limit = one;
    if (row.parts[i] == 'v' && !limits) found.value = one;
    if (row.parts[i] == 'r') found.reference = one;
    if (row.parts[i] == 'm') found.magnitude = std::fabs(number_in(one));
  }
  const bool counts = found.measure == "wrong elements";  // "at most 2 ulp" is no limit of theirs
  if (row.parts.find('x') != row.parts.npos || counts) return found;
  found.is_limit_alone = found.value.empty() && row.parts.find('v') != std::string_view::npos;
  if (found.limit.empty()) found.limit = limit_from(line, end, limit_words);
  if (found.limit.empty())
    found.limit = limit_from(line, 1, "tol|limit|threshold|trh|门限|阈值|容差");
  return found;
}

/// True for a measure that may stand next to others in one line.
bool is_size(const Difference& one) {
  return one.measure == absolute_difference || one.measure == relative_difference ||
         has_any(one.measure, "mean |square|cosine|correlation|noise|2-norm|wrong elements");
}

std::vector<Difference> measured(const std::string& line, std::size_t number) {
  std::vector<Difference> here;
  std::vector<const char*> taken;  // numbers that a measure has
  for (const Patterns::Match& match : measures().patterns.in(line)) {
    const Difference one = difference_of(match, line, number);
    const auto is_operand = [&](std::string_view stated) {  // "0.7 * -0.77 instead of 0"
      const auto begin = static_cast<std::size_t>(stated.data() - line.data());
      return begin > 1 && has_any("*+/", line.substr(begin - 2, 1));
    };
    if (!means_it(one, line) || (is_element(one) && std::ranges::any_of(match.numbers, is_operand)))
      continue;
    const bool is_new = std::ranges::none_of(match.numbers, [&](std::string_view stated) {
      return std::ranges::find(taken, stated.data()) != taken.end();
    });
    const bool is_further =
        !here.empty() && is_new && !one.value.empty() && one.value != here.back().limit &&
        (is_size(here[0]) || here[0].measure.ends_with("tolerances")) &&
        (is_size(one) || (here.size() == 1 && is_element(one))) &&
        std::ranges::find(here, one.measure, &Difference::measure) == here.end();
    if (here.empty() || is_further) {
      for (const std::string_view stated : match.numbers) taken.push_back(stated.data());
      here.push_back(one);
    }
    // A size next to NaN or infinity is the tensor's, no difference.
    if (one.measure == not_finite) return {one};
  }
  if (auto pair = of_two_devices(line, number); pair && here.empty() && means_it(*pair, line))
    here.push_back(*std::move(pair));
  return here;
}

/// Lists what a line measures; behind a repetition that differs, with a value alone.
std::vector<Difference> told(const std::string& line, std::size_t number) {
  std::vector<Difference> here = measured(line, number);
  if (!repeats_differ(line)) return here;
  std::erase_if(here, [](const Difference& one) { return one.value.empty(); });
  here.insert(here.begin(), {.measure = repetition, .line = number});
  return here;
}

/// Takes sizes without a limit back: the next line or the one after it says that they passed.
void withdraw(Differences& found, std::size_t number) {
  found.agreeing += std::erase_if(found.all, [&](const Difference& one) {
    return one.line + 2 >= number && one.limit.empty() && is_size(one);
  });
}

bool is_number(const std::string& cell) {
  return !cell.empty() && cell.find_first_not_of("0123456789.e+-") == std::string::npos;
}

/// A name and the first number may have one blank between, "conv1.weight 0.75".
void split_name(std::vector<std::string>& cells) {
  const std::size_t blank = cells[0].rfind(' ');
  if (blank == std::string::npos || !is_number(cells[0].substr(blank + 1))) return;
  cells.insert(cells.begin() + 1, cells[0].substr(blank + 1));
  cells[0].resize(blank);
}

/// A row of a table whose head names measures, "| gradWeight | 0.97 | FAIL |".
struct TableRow {
  std::string name, words;
  std::vector<Difference> cells;
};

/// Drops what keeps a limit that another line states of the same measure.
void drop_kept(std::vector<Difference>& all) {
  std::erase_if(all, [&](Difference& one) {
    const auto other = std::ranges::find_if(all, [&](const Difference& each) {
      return each.measure == one.measure && !each.limit.empty();
    });
    if (!one.limit.empty() || other == all.end()) return false;
    Difference limited = one;
    limited.limit = other->limit;
    return agrees(limited);
  });
}

/// Reads what a text compares, line for line.
class Comparisons {
 public:
  /// Lines near it speak of other things.
  void read_alone(std::string_view raw, std::size_t number) {
    named_on_ = 0;
    read(raw, number);
  }

  void read(std::string_view raw, std::size_t number) {
    const std::string line = compared_line(raw);
    read_check(line, found_.check);
    is_torchs_ = is_torchs_ || line.find("gradcheck") != std::string::npos;
    const std::string_view named = gradient_in(line);
    if (!named.empty() || has_any(line, "forward conv|.grad|grad ")) {
      gradient_ = named;
      named_on_ = number;
    }
    if (is_verdict(line) && passes(line)) return withdraw(found_, number);
    if (read_table(cells_of(raw), number)) return;
    const std::size_t before = found_.all.size() + found_.agreeing;
    read_line(line, number);
    for (Difference& one : answers_in(line, previous_, number, found_)) add(std::move(one));
    if (auto pair = pairs_.read(line, number);
        pair && found_.all.size() + found_.agreeing == before)
      add(*std::move(pair));
    previous_ = line;
    // A name behind a value is of it, unless its own line has one.
    const bool is_late = found_.all.size() + found_.agreeing == before && !found_.all.empty() &&
                         found_.all.back().gradient.empty() &&
                         number <= found_.all.back().line + near;
    if (is_late) found_.all.back().gradient = named;
  }

  Differences taken() && {
    const bool any_fails = std::ranges::any_of(rows_, [](auto& row) { return fails(row.words); });
    for (const TableRow& row : rows_) judge(row, any_fails);
    drop_kept(found_.all);
    GradientCheck& check = found_.check;
    check.is_there = check.is_there || (check.is_spoken_of && !found_.all.empty() && !has_bits_);
    if (is_torchs_ && check.is_there && !check.step) check.step = 1e-6;
    take_lone_limit(found_.all, limits_);
    return std::move(found_);
  }

 private:
  /// Adds what a line says: the first measure, and an absolute or relative one behind it.
  void read_line(const std::string& line, std::size_t number) {
    for (Difference& one : told(line, number)) {
      const bool is_kept = passes(line);
      if (is_kept) found_.agreeing += one.value.empty() ? 0 : 1;
      if (is_kept) continue;
      if (one.is_limit_alone && !has_any(line, "error:|exceed|fail|assert")) {
        limits_.push_back(std::move(one));
        continue;
      }
      one.place = is_element(one) ? element_place(line) : place_in(line);
      // A kind without a number says nothing.
      if (!(one.measure == "difference" && one.value.empty())) add(std::move(one));
    }
  }

  void add(Difference one) {
    constexpr std::size_t most = 8;
    if (one.gradient.empty() && named_on_ > 0 && one.line <= named_on_ + near)
      one.gradient = gradient_;
    if (is_element(one)) one.magnitude = std::fabs(number_in(one.reference));
    if (agrees(one)) {
      ++found_.agreeing;
      return;
    }
    has_bits_ = has_bits_ || one.measure.starts_with("bits");
    found_.check.is_there = found_.check.is_there || one.measure == finite_differences ||
                            one.measure == "gradient by finite differences";
    const bool says_no_number = one.value.empty() && one.limit.empty();
    const bool again = std::ranges::any_of(found_.all, [&](auto& other) {
      const bool is_same = other.line == one.line && other.value == one.value;
      return other.measure == one.measure && (says_no_number || is_same);
    });
    if (found_.all.size() < most && !again) found_.all.push_back(std::move(one));
  }

  /// True for the head of a table and its rows: a head has no value itself, while a line of a log
  /// between bars has.
  bool read_table(std::vector<std::string> cells, std::size_t number) {
    constexpr std::size_t most_rows = 1000;
    const bool is_row = !head_.empty() && cells.size() > 1;
    if (!is_row) {
      const bool names_a_measure = std::ranges::any_of(cells, [&](const std::string& cell) {
        return !measured(cell + " 0.5", number).empty() && measured(cell, number).empty();
      });
      head_ = names_a_measure && !std::ranges::any_of(cells, is_number)
                  ? cells
                  : std::vector<std::string>();
      return !head_.empty();
    }
    if (cells.size() + 1 == head_.size()) split_name(cells);
    TableRow row{.name = {}, .words = " ", .cells = {}};
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if (i >= head_.size()) head_.emplace_back();  // a verdict that the head does not name
      if (row.name.empty()) row.name = cells[i];
      const bool is_verdict = head_[i] == "ok" || head_[i].starts_with("pass");
      row.words += (!is_verdict           ? cells[i]
                    : cells[i] == "true"  ? "pass"
                    : cells[i] == "false" ? "fail"
                                          : cells[i]) +
                   " | ";
      if (cells[i].find_first_of("0123456789") == std::string::npos) continue;
      for (Difference& one : measured(head_[i] + " " + cells[i], number)) {
        one.gradient = gradient_in(head_[i]);
        (one.is_limit_alone ? limits_ : row.cells).push_back(std::move(one));
      }
    }
    if (rows_.size() < most_rows && !row.cells.empty()) rows_.push_back(std::move(row));
    return true;
  }

  /// A row says itself that it failed, or breaks a limit that the text states of its measure.
  /// Where some rows say that they failed, the others did not.
  void judge(const TableRow& row, bool any_fails) {
    std::vector<Difference> cells = row.cells;
    for (Difference& cell : cells) {
      const auto stated = std::ranges::find(limits_, cell.measure, &Difference::measure);
      if (cell.limit.empty() && stated != limits_.end()) cell.limit = stated->limit;
      cell.place = row.name;
      if (cell.gradient.empty()) cell.gradient = gradient_in(row.words);
    }
    const auto breaks = [](const Difference& cell) { return !cell.limit.empty() && !agrees(cell); };
    const bool any = std::ranges::any_of(cells, breaks);
    const bool has_limit =
        std::ranges::any_of(cells, [](auto& cell) { return !cell.limit.empty(); });
    const bool keeps = !fails(row.words) && !any;
    if (passes(row.words) || (keeps && has_limit)) return void(++found_.agreeing);
    if (any_fails && keeps) return;
    for (Difference& cell : cells) {
      if (!any || breaks(cell)) add(std::move(cell));
    }
  }

  Differences found_;
  std::vector<Difference> limits_;  ///< that the text states without a value
  std::vector<std::string> head_;   ///< of the table that is read
  std::vector<TableRow> rows_;
  bool is_torchs_ = false, has_bits_ = false;
  LabelledPairs pairs_;
  std::string previous_;       ///< line
  std::string_view gradient_;  ///< that was named last
  std::size_t named_on_ = 0;
};

}  // namespace

Differences differences_in(std::string_view text) {
  Comparisons comparisons;
  std::size_t number = 0;
  PrintedAnswers printed;
  for (const std::string_view line : lines_of(text)) {
    ++number;
    const auto answers = printed.read(line);
    for (const std::string& answer : answers) comparisons.read_alone(answer, number);
    if (answers.empty()) comparisons.read(line, number);
  }
  Differences found = std::move(comparisons).taken();
  found.dtype = types_named_in(text).nearby;
  if (!found.all.empty()) compare_printed(text, found);
  return found;
}

}  // namespace gradproof::advice
