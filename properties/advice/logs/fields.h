#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "properties/advice/logs/call_table.h"
#include "properties/advice/logs/values/names.h"

namespace gradproof::advice {

/// What a call says of one of its parts.
struct Field {
  std::string_view text;
  Value value;
};

/// Dtypes that a text names, perhaps not of this call.
struct NamedTypes {
  std::string_view nearby;  ///< one other than FLOAT; empty: none
  std::string_view
      only;  ///< the only one, whatever a reference in DOUBLE has; empty: none, several
};

NamedTypes types_named_in(std::string_view text);

/// A place where a row's name stands, and what is said there.
struct Fields {
  const CallRow* row = nullptr;
  std::size_t begin = 0, end = 0;   ///< of the name
  std::size_t axes = 0;             ///< by a digit of the name; 0: it has none
  std::string_view direction = {};  ///< text that may name the gradient
  std::string_view statement = {};  ///< text of the call, where it is one
  NamedTypes types = {};
  bool cuts = false;  ///< lists may have values too many at their ends
  std::map<std::string, Field, std::less<>> by_role = {};
  std::vector<std::string> unknown_keys = {};  ///< of arguments

  const Field* find(std::string_view role) const {
    const auto found = by_role.find(role);
    return found == by_role.end() ? nullptr : &found->second;
  }
  Value value(std::string_view role) const {
    const Field* field = find(role);
    return field == nullptr ? Value{} : field->value;
  }
  /// An integer that is stated, or what leaving it out means.
  std::optional<std::int64_t> number(std::string_view role) const;
  /// "size.h", "size.w" as one list of the axes that are there; a width may be left out that
  /// equals.
  std::optional<Integers> by_axis(std::string_view role) const;
  /// The order of the axes of "layout" (the input), "weight_layout" or "output", as labels, a
  /// format or else the row says.
  std::string layout(std::string_view role, std::string_view meant) const;
};

/// The role of a key in this row; empty: it says nothing of the call.
std::string_view role_of(const CallRow& row, std::string_view key);

/// Reads the parts of a call of the form Call.
void read_arguments(std::string_view text, const Names& names, Fields& fields);

/// Adds the shapes of results, "%1 = (f32[...], f32[...]) name(" and "DX->set_dim({2, 3, 8, 8})".
void add_results(std::string_view text, const Names& names, Fields& fields);

/// Fields of the form Words: of a line, and of the lines that a backslash joins to it.
void read_words(std::string_view line, std::string_view compact, Fields& fields);

/// Fields of the form Lines, from the line of the name to the next of that kind.
void read_lines(std::string_view lines, Fields& fields);

/// Fields of the form Block: of the braces that hold the name; what its operands name is looked up.
void read_block(std::string_view text, const Names& names, Fields& fields);

/// Fields of the form Columns: of a line below a head that names "Input Shapes".
void read_columns(std::string_view head, std::string_view line, Fields& fields);

/// Reads what a profiler records behind the name: "Input Dims": [[..], ..] and "Concrete Inputs":
/// ["", "[2, 2]", ..], in the row's order. False: it is no such record.
bool read_recorded(std::string_view text, Fields& fields);

/// Lengths of "mb2ic4oh8kh3", if a word is of that kind.
bool is_compact(std::string_view word);

/// The end of a name, or of "conv2d of type object at 0x7f>(*", as Dynamo prints a call.
std::size_t behind_builtin(std::string_view text, std::size_t end);

/// Arguments of a call that stand in a value of their own.
struct CallOptions {
  std::string_view inside;  ///< its brackets
  std::string_view order;   ///< roles of those without a key, blanks between
};

/// Options that a part of `whole` makes or names: "dict(stride=2)", "{'stride': 2}", "Conv2dConfig
/// { stride: 2 }", "ConvOptions::new([2], [1], [1], 1)". nullopt: the text does not say all of
/// them.
std::optional<CallOptions> options_of(std::string_view text, std::string_view whole,
                                      const Names& names);

/// "Conv_dgrad_attributes().set_padding({1, 1}).set_stride({2, 2})", or what it is named, by roles.
std::vector<Argument> built_options(const CallRow& row, std::string_view text,
                                    std::string_view whole, const Names& names);

/// Finds what the lines behind set on a call's result, by roles: "conv.stride_nd = (2, 2)",
/// "conv->setStrideNd(Dims{2, {2, 2}})". Another call of that name ends them.
std::vector<Argument> set_behind(const CallRow& row, std::string_view text, std::size_t place,
                                 std::string_view name);

/// Arguments where MATLAB's "'stride', [2 1]" is a key and its value.
std::vector<Argument> quoted_pairs(std::string_view inside);

/// "['x', 'w']": names of input, weight and bias in turn.
std::vector<Argument> named_operands(std::string_view list);

/// An argument in parts where it is printed for two: Torch7's "3 -> 64", and "7x5" of a kernel.
std::vector<std::string_view> printed_parts(std::string_view text, std::string_view role,
                                            const std::vector<std::string_view>& order);

}  // namespace gradproof::advice
