#pragma once

#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "properties/advice/logs/fields.h"

namespace gradproof::advice {

/// Value of a part of a call as a line writes it.
struct Literal {
  Field field;
  std::size_t end = 0;
};

/// The value of a part at a place of a line: numbers in brackets, a number, a shape, a dtype, True
/// and False where they may stand. nullopt: no literal.
std::optional<Literal> literal_at(std::string_view line, std::size_t position,
                                  std::string_view role);

/// "torch.randn(2, 3, 8, 8)" where a tensor's lengths may stand.
std::optional<Literal> made_at(std::string_view line, std::size_t position, std::string_view role);

/// The part that a name stands for by the shape behind it, "x.shape", "A's shape"; in a text of a
/// convolution "x: [" as well.
std::string_view role_of_shape(std::string_view name, std::string_view behind, bool has_conv);

/// The part that an attribute near a convolution's name is: "kernel_size=3", KERNEL_H=3.
std::string_view role_near_convolution(std::string_view name);

/// The part that a single letter with a list is: "K=[3 x 3]", "S=[2 x 2]", "IN={1, 8, 9, 9}".
std::string_view role_of_list(std::string_view name, std::string_view behind);

/// Rows of a table whose columns are parts of a call.
class TableRows {
 public:
  /// A row as what its head names, "conv n=2 c=16 h=30"; empty: the line is none. It stays valid.
  std::string_view row_of(std::string_view line);

 private:
  std::vector<std::string> head_;
  std::deque<std::string> rows_;
};

}  // namespace gradproof::advice
