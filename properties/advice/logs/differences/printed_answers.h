#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace gradproof::advice {

/// Ties the arguments of a script's print(..) to the lines behind the script that they printed.
class PrintedAnswers {
 public:
  /// Takes a line of a text, as it is. Lists "(a - b).abs().max() = 0.5" for each argument that it
  /// answers; empty: it is no answer, or it is not clear whose.
  std::vector<std::string> read(std::string_view line);

 private:
  void ask(std::string_view line);

  std::deque<std::vector<std::string>> asked_;  ///< arguments of each print that has no answer yet
  bool is_unclear_ = false;                     ///< prints that run several times, or not at all
};

/// An argument of print(..) with its value, in the form in which measures are looked for.
std::string shown_as(std::string argument, std::string_view value);

}  // namespace gradproof::advice
