#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "properties/advice/logs/fields.h"
#include "properties/advice/logs/found_call.h"

namespace gradproof::advice {

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

}  // namespace gradproof::advice
