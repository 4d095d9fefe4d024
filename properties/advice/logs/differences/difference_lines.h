#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>
#include "properties/advice/logs/pattern.h"

#include "properties/advice/logs/differences/differences.h"

namespace gradproof::advice {

/// A number that a text states.
double number_in(std::string_view text);

/// Words behind which a number is a limit, with bars between.
extern const std::string_view limit_words;

/// True if a number behind this part of a plain line is a limit.
bool is_limit(std::string_view before, std::string_view listed = limit_words);

/// True as well for what brackets or one word part from the limit's: "tolerance (rel=1e-5,
/// abs=1e-5)", "threshold pcc=0.995".
bool is_bound(std::string_view before);

/// The limit that stands in a plain line from a place on; empty: none.
std::string limit_from(std::string_view line, std::size_t place, std::string_view words);

/// The number at most 8 letters behind a sign; empty: none.
std::string number_behind(const std::string& line, std::string_view sign);

/// "(0, 1, 2)" of "at index (0, 1, 2)"; empty: none.
std::string place_in(const std::string& line);

/// Place of an element that a line prints: a list of whole numbers in brackets, "[src][0,0,29]", or
/// "at c:0 h:31 w:24"; empty: none.
std::string element_place(std::string_view line);

/// Cells of a line of a table, as compared_line has it: between bars, tabs, several blanks or the
/// commas of CSV; empty: it is none.
std::vector<std::string> cells_of(std::string_view raw);

/// True for a difference of one element or norm, of which both values are stated.
bool is_element(const Difference& difference);

/// True if the value keeps its limit.
bool agrees(const Difference& one);

/// Adds how far the first two arrays that a text prints one after the other are apart ("x:
/// array([...", "numerical:tensor([...").
void compare_printed(std::string_view text, Differences& found);

/// An element as two devices or a reference give it, "gpu=-1.5 cpu=-1.25"; nullopt: the plain line
/// has not two.
std::optional<Difference> of_two_devices(std::string_view line, std::size_t number);

/// The gradient that a plain line names: "gradWeight"; empty: none, or several.
std::string_view gradient_in(const std::string& line);

/// A line as comparisons are looked for: plain, with blanks for underscores, Julia's 1.0f-5 as
/// 1.0e-5, 0.5f32 as 0.5.
std::string compared_line(std::string_view raw);

/// True for a plain line that says of a computation done again that its results are others.
bool repeats_differ(std::string_view line);

/// False for what a phrase of the line says only in another sense.
bool means_it(const Difference& one, const std::string& line);

/// True for a line that says of a comparison that it failed.
bool fails(std::string_view line);

/// True for a line that says of a comparison that it passed.
bool passes(std::string_view line);

/// True for a line that says how a comparison ended: "Result: PASS".
bool is_verdict(std::string_view line);

inline constexpr std::string_view repetition = "bits differ from run to run";
inline constexpr std::string_view absolute_difference = "largest absolute difference";
inline constexpr std::string_view relative_difference = "largest relative difference";

/// Differences that a line says as an answer to the one before ("(a - b).abs().max()", then
/// "tensor(0.5)"). `found` takes a greatest value, and googletest's numbers for its last one.
std::vector<Difference> answers_in(const std::string& line, const std::string& previous,
                                   std::size_t number, Differences& found);

/// The text behind a label at the head of a line, "left: 0.5", or below it: one of two values
/// that are compared.
class LabelledPairs {
 public:
  /// The difference that this plain line completes; nullopt: none.
  std::optional<Difference> read(const std::string& line, std::size_t number);

 private:
  std::string label_, value_, waiting_;
  std::size_t line_ = 0, waits_on_ = 0, asserts_on_ = 0;
};

/// Gives the only limit that stands alone to what is measured near it: to relative differences, or
/// to the one that there is.
void take_lone_limit(std::vector<Difference>& all, const std::vector<Difference>& limits);

/// Adds what a plain line says of a check by finite differences: its step and dtype.
void read_check(const std::string& line, GradientCheck& found);

/// How numbers are compared, "largest absolute difference", and what the numbers of a phrase are: v
/// value, l limit, r reference, - none.
struct MeasureRow {
  std::string_view measure, parts;
};

/// The words in which programs say that numbers differ.
struct Measures {
  Patterns patterns;
  std::vector<MeasureRow> rows;  ///< of each pattern
};

const Measures& measures();

}  // namespace gradproof::advice
