#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace gradproof::advice {

/// How the parts of a call are written.
enum class Form : std::uint8_t {
  Call,     ///< name(x, w, stride=2), name[strides = [2, 2]](%x, %w), name {stride: 2}
  Words,    ///< name -n 8 --in_h 24, name --dir=BWD_W mb2ic4oh8kh3
  Lines,    ///< a line for each: "dyDesc = 1, 8, 4, 4"
  Block,    ///< protobuf's text: { type: "Conv" name: "strides" ints: 2 }
  Columns,  ///< a row under a head of columns
  Prose,    ///< names and values in sentences
};

/// A convolution as another program writes it. docs/logs.md shows names and samples; a test
/// compares them.
struct CallRow {
  std::string_view notation;  ///< in FoundCall::notation
  Form form = Form::Call;
  std::string_view names;  ///< blanks between; ? is 1, 2 or 3, a ~ at the end anything more
  std::string_view order;  ///< of arguments without a key
  std::string_view keys;   ///< of this row alone: "filters:weight"
  /// Facts that hold without being said: "input:NSC weight:SIO" (S: the spatial axes), "bias:yes",
  /// "holes:yes" (dilation 0 is none), "must:stride" (has no default) ...
  std::string_view means;
  std::string_view sign;  ///< one of these, bars between, stands in the text;
                          ///< empty: none needed
  std::string_view looks_like;
};

const std::vector<CallRow>& call_rows();

/// A name of a row, with the digit of its axes.
struct Spelling {
  const CallRow* row = nullptr;
  std::string text;
  std::size_t axes = 0;
};
/// All names of the forms Call and Words, by the last word of each.
const std::unordered_map<std::string, std::vector<Spelling>>& spellings();

/// Name that a key of any row has here, in small letters; empty: it says nothing of the call.
std::string_view role_of_key(std::string_view key);

/// Keys of all rows, in small letters.
const std::vector<std::string>& known_keys();

/// Roles that names in prose may have, "input_size=[2, 3, 8, 8]"; empty: none.
std::string_view role_in_prose(std::string_view name);

/// Meaning of a key in the row; empty: none.
std::string_view meaning_of(const CallRow& row, std::string_view key);

}  // namespace gradproof::advice
