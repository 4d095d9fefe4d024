#pragma once

#include <array>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace gradproof::advice {

/// A line as patterns are matched with it: small letters, one blank for several.
std::string plain_line(std::string_view line);

/// Patterns that are looked for all at once: it takes as long as the text is, not the list. In one,
/// '#' is a number, perhaps behind '=' or ':', '~' one with a fraction or an exponent, '@' a word,
/// '*' anything of at most 80 letters; a blank is any number of them, or none before a number;
/// whatever is else is itself, and the first three letters are.
class Patterns {
 public:
  Patterns() = default;
  Patterns(std::initializer_list<std::string_view> all) {
    for (const std::string_view one : all) add(one);
  }

  /// Takes the place of `pattern` in the list.
  void add(std::string_view pattern);

  /// A pattern that a line has.
  struct Match {
    std::size_t pattern = 0;                ///< its place
    std::vector<std::string_view> numbers;  ///< of the line: what stands at its signs
  };
  /// The patterns that a plain line has, each once, in the order of the list.
  std::vector<Match> in(std::string_view line) const;

 private:
  std::vector<std::string_view> patterns_;
  std::array<std::vector<std::size_t>, 4096> by_head_;  ///< of the first three letters
  std::vector<std::size_t> numbers_first_;
};

}  // namespace gradproof::advice
