#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "properties/advice/logs/scan.h"

namespace gradproof::advice {

/// What an expression of a text is worth.
struct Value {
  enum class Kind : std::uint8_t { Unknown, Integer, Truth, Word, Nothing, List, Tensor };
  Kind kind = Kind::Unknown;
  std::int64_t integer = 0;
  std::string word = {};          ///< as the text has it; of a tensor: its dtype, or empty
  std::vector<Value> items = {};  ///< of a list
  Integers shape = {};            ///< of a tensor

  bool is(Kind other) const { return kind == other; }
  /// Integers of an integer or of a list of nothing else.
  std::optional<Integers> integers() const;
  /// A tensor's shape, or a list of integers that stands for one.
  std::optional<Integers> lengths() const;

  static Value of(std::int64_t integer);
  static Value of(const Integers& integers);
  static Value named(std::string_view word);
  static Value truth(std::string_view word);  ///< "True", "false"
  static Value tensor(Integers shape, std::string_view dtype);
};

/// What a name stands for where the expression is; Unknown: the text does not say.
using Lookup = std::function<Value(std::string_view name)>;

/// Numbers, lists, sums and products, names, tensors that are made or typed ("torch.randn(2, 3)",
/// "f32[2,3]", "tensor<2x3xf32>"), and what is done to them where the shape is then known. Nothing
/// is run; what is not understood is Unknown.
Value value_of(std::string_view expression, const Lookup& lookup);

/// A part of what stands in brackets: "stride=(2, 2)", "x".
struct Argument {
  std::string_view key;  ///< empty: none
  std::string_view text;
  char sign = 0;  ///< behind the key: = or :
};

/// The parts between commas that are in no brackets; "a=1 b=2" are two as well.
std::vector<Argument> arguments_of(std::string_view inside);

/// Computes with integers; of lists "+" joins and "*" repeats; of a tensor with what keeps its
/// shape. Unknown beyond 64 bits and where whole numbers are not divided into one.
Value arithmetic(const Value& one, char operation, const Value& other);

Value power(const Value& base, const Value& exponent);

}  // namespace gradproof::advice
