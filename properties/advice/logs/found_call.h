#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "properties/advice/explain/call_from_texts.h"

namespace gradproof::advice {

/// A call that a log states, whole or in part, in our words.
struct FoundCall {
  std::string_view notation = {};              ///< of a row of the table of calls
  std::size_t line = 0;                        ///< of the log, from 1
  CallTexts words = {};                        ///< what the text states, translated
  std::vector<std::string> lacking = {};       ///< what a verdict needs and the text does not state
  std::vector<std::string> unknown_keys = {};  ///< of arguments, which say nothing here
  std::vector<std::string> notes = {};  ///< what was translated, follows or was left at its default

  bool is_complete() const { return lacking.empty(); }

  /// Writes what is known of it as one line of `key:value`, which gradproof explain takes.
  std::string line_of_words() const;
};

/// What is lacking where only the shape of input is not known.
inline constexpr std::string_view lacking_input =
    "the shape of the layer's input (--input N,C,...)";

/// Note where it is not known how factors of FLOAT are multiplied.
inline constexpr std::string_view no_cube_math_type = "cubeMathType is not stated: 0";

/// Note where the output's shape is not stated.
inline constexpr std::string_view following_output =
    "gradOutput's shape, the output's, follows from the rest";

/// Calls of a text.
struct FoundCalls {
  std::vector<FoundCall> calls;
  bool are_all = true;  ///< false: the text has more places of calls than are read
};
inline constexpr std::size_t most_read_calls = 20000;

/// The calls of a text, by the table of calls and by names in prose ("input_size=[2, 3, 8, 8]").
FoundCalls calls_in(std::string_view text);

/// True if a text is a call as a program writes it, by the table of calls: "Conv2d(3, 64, 7)",
/// "F.conv2d(torch.ones(1, 3, 8, 8), w)".
bool is_written_call(std::string_view text);

/// Adds to the words what the first call of a text says. Words that are there already stay. Errors:
/// a sentence, where a value or a key is not understood.
std::optional<std::string> add_written_call(std::string_view text, CallTexts& words);

}  // namespace gradproof::advice
