#pragma once

#include "properties/advice/logs/values/value.h"

namespace gradproof::advice {

/// Value that a call makes: "torch.randn(2, 3)", "nn.Parameter(x)", "ConvDimensionNumbers(...)".
/// `inner` says what its arguments are worth.
Value made_value(std::string_view name, const std::vector<Argument>& arguments,
                 const Lookup& inner);

/// Value of an attribute or a method of a value: "shape", "half()", "reshape(1, 2, 3)".
Value method_value(const Value& object, std::string_view name,
                   const std::vector<Argument>& arguments, const Lookup& inner);

/// [2 1] of MATLAB: whole numbers with blanks between; without items: something else.
Value blank_list(std::string_view inside);

/// Lengths of HLO's windows: "3x3", "1_1x0_2".
Value window_list(std::string_view word);

/// True for a type whose braces hold a list, "Dims4{2, 3, 8, 8}".
bool is_list_type(std::string_view name);

/// Tensor of what stands between the brackets of MLIR's types: 2x3xf32, [2,3],f32.
Value mlir_tensor(std::string_view inside);

/// An item of a list, from its end where the index is negative.
Value item_of(const Value& list, const Value& index);

/// True if a name stands between the bars of a list.
bool is_one_of(std::string_view list, std::string_view name);

/// "randn" of "torch.randn".
std::string_view last_part(std::string_view path);

}  // namespace gradproof::advice
