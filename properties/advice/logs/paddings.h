#pragma once

#include <optional>
#include <string>
#include <vector>

#include "properties/advice/explain/call_from_words.h"
#include "properties/advice/logs/values/value.h"

namespace gradproof::advice {

/// What a call says of its padding, and what it may follow from.
struct PaddingProblem {
  CallWords& words;  ///< shapes, stride and dilation are there
  std::vector<std::string>& lacking;
  std::vector<std::string>& notes;
  std::size_t axes = 0;     ///< 0: not known
  std::string layout = {};  ///< of lists with an entry for every axis of the tensor
  Value padding = {};       ///< Unknown: not stated
  std::string mode = {};    ///< "same", "SAME_LOWER", "valid", "NOTSET"; empty: none
  std::optional<Integers> output_padding = {};
  std::optional<Integers> output = {};  ///< lengths of a transposed convolution's result
  bool pairs = false;        ///< a list of twice the axes has both ends of each axis in turn
  bool cuts = false;         ///< values too many at the end are an artefact
  bool ends_follow = false;  ///< the padding at the ends is what the stated result asks for
  bool transposed = false;
};

/// Adds padding and output padding in our words: one value for each axis or, where both ends
/// differ, the four of 2D. What the API cannot say is lacking.
void add_paddings(const PaddingProblem& problem);

}  // namespace gradproof::advice
