#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "properties/advice/logs/fields.h"
#include "properties/advice/logs/found_call.h"

namespace gradproof::advice {

/// A call while it is translated from its fields.
struct Draft {
  static constexpr std::int64_t too_large = std::int64_t{1} << 31U;

  const Fields& fields;
  FoundCall call = {};
  std::size_t axes = 0;     ///< spatial ones; 0: not known
  bool is_lowered = false;  ///< a gradient of the input, as a convolution of a dilated input

  std::string_view means(std::string_view key) const { return meaning_of(*fields.row, key); }
  bool is_true(std::string_view key) const { return !means(key).empty(); }
  bool is_of(Form form) const { return fields.row->form == form; }
  void note(std::string what) { call.notes.push_back(std::move(what)); }
  void lack(std::string what) {
    if (std::ranges::find(call.lacking, what) == call.lacking.end())
      call.lacking.push_back(std::move(what));
  }
};

/// The call that fields say, in our words. nullopt: they say no number of it.
std::optional<FoundCall> call_of(const Fields& fields);

/// Adds padding and output padding: one value for each axis or, where both ends differ, the four of
/// 2D. `layout`: of lists with an entry for every axis. What the API cannot say is lacking.
void add_paddings(Draft& draft, const std::string& layout, bool transposed);

/// Adds whose call it is, bias, mask, dtypes and cubeMathType, and as lacking what makes it another
/// computation.
void add_outputs(Draft& draft);

/// Adds what a verdict needs and the fields do not say, and what was left at its default.
void add_lacking(Draft& draft);

/// A call that makes a layer.
struct Layer {
  std::size_t call = 0;  ///< its place among the calls
  Fields fields;
};

/// Completes layers by the tensor that each is applied to, by its name; then the only one, or the
/// first of a printed model, by the only tensor of the text that fits it and no other layer, or
/// that leads to another of the text.
void give_inputs(std::string_view text, const Names& names, std::vector<Layer>& layers,
                 std::vector<FoundCall>& calls);

/// Calls whose parts a text names one by one, "input_size=[2, 3, 8, 8] ... stride 2", outside of
/// `taken` lines, which other calls are on. Where it has no others, "x = torch.ones(2, 3, 8, 8)" is
/// such a part as well.
std::vector<FoundCall> prose_calls(std::string_view text, const std::vector<std::size_t>& taken,
                                   bool has_others);

/// Parts of a call by their roles.
using Roles = std::map<std::string, Field, std::less<>>;

/// Reads what a sentence says of a convolution, "a 3x3 conv with stride 2 on 56x56"; nothing where
/// it says two things of one part.
Roles said_in(std::string_view line);

/// The place behind what stands between a name and its value: "'s shape is", "=", "are", ":".
std::size_t value_behind(std::string_view line, std::size_t position);

/// Reads the parts of a call from a convolution's name,
/// "conv_2d_bf16_2x8x8x4_nhwc_6x3x3x4_fhwc_.."; none where it does not say all.
void read_symbol(std::string_view word, Fields& fields);

/// Reads the shapes behind a name, "(8x64x56x56, 128x64x3x3)" or "[[8, 64, 56, 56], [128, 64, 3,
/// 3]]": input's and weight's, behind gradOutput's where a gradient is computed.
void read_operand_shapes(std::string_view behind, bool is_backward, Fields& fields);

/// Parts of a call by the letters of kernels, "N=2 C=16 H=30 W=30 K=24 R=3 S=3"; none where a line
/// has not all of them.
Roles letters_in(std::string_view line);

/// Reads the shapes of a layer's ports in XML, "<port> <dim>1</dim> ... </port>": input, weight,
/// gradOutput, in turn.
class PortShapes {
 public:
  /// True if the line has a part of them.
  bool read(std::string_view line, Fields& fields);

 private:
  Integers dims_;
};

/// The padding that a call states: a value for each axis, pairs, a word; Unknown: none.
Value stated_padding(Draft& draft);

/// Paddings at both ends of each axis.
struct PaddingEnds {
  Integers begins, ends;
};

/// Paddings that are given as pairs, [[1, 1], [0, 2]]: of the spatial axes, or of all.
std::optional<PaddingEnds> ends_of_pairs(const Value& padding, const std::string& layout,
                                         std::size_t axes);

/// A list of twice the axes: begins and then ends, or both of each axis in turn, by the row.
PaddingEnds halves(const Integers& values, const Draft& draft);

}  // namespace gradproof::advice
