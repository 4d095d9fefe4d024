#pragma once

#include <string_view>
#include <unordered_map>
#include <vector>

#include "properties/advice/logs/values/given_arguments.h"
#include "properties/advice/logs/values/value.h"

namespace gradproof::advice {

/// What the names of a text stand for: assignments ("x = torch.randn(2, 3)", "N, C = 1, 16"), types
/// ("x: f32[2,3]"), shapes that are printed, and parameters by the one call of their function. A
/// name of a loop or a parameter of which no call says more is unknown where it is valid.
class Names {
 public:
  explicit Names(std::string_view text);

  /// Value of an expression at a place of the text.
  Value value(std::string_view expression, std::size_t place) const;

  /// Value that the name stands for there, by the last line above that says it.
  Value named(std::string_view name, std::size_t place) const;

  /// True if the last line above that binds the name does it with an expression.
  bool is_assigned(std::string_view name, std::size_t place) const;

  /// Expression that the last line above binds the name to; empty: none.
  std::string_view expression_of(std::string_view name, std::size_t place) const;

  /// The name that is bound to the expression which holds this place; empty: none.
  std::string_view bound_at(std::size_t place) const;

  /// Tensors that the text makes, types or prints, in its order.
  std::vector<Value> tensors() const;

 private:
  struct Binding {
    std::string_view name, expression;  ///< of an empty expression nothing is known
    std::size_t begin = 0, end = 0;     ///< where it is valid
    int item = -1;                      ///< of "a, b = 1, 2"
    bool is_type = false;
    bool is_parameter = false;  ///< of a function; the expression is what the text calls it with
  };

  const Binding* binding_of(std::string_view name, std::size_t place) const;
  void read_line(std::size_t begin, std::size_t end);
  void read_assignment(std::string_view line, std::size_t begin);
  void read_made_tensors(std::string_view line, std::size_t begin);
  void read_lengths();
  void read_types(std::string_view line, std::size_t begin);
  void read_printed(std::string_view line, std::size_t begin);
  void read_commented(std::string_view line, std::size_t begin);
  void read_stated(std::string_view line, std::size_t first, std::size_t end, std::size_t begin);
  void read_named_behind(std::string_view line, std::size_t type, std::size_t end,
                         std::size_t begin);
  void bind(std::string_view name, std::string_view expression, std::size_t begin, int item = -1);
  void read_function(std::string_view head, std::size_t begin, std::size_t end);
  void read_lambda(std::size_t begin, std::size_t end);
  void bind_parameters(std::string_view parameters, const GivenArguments& given, std::size_t begin);
  void read_type(std::string_view line, std::size_t first, std::size_t end, std::size_t type,
                 std::size_t begin);
  void bind_type(std::string_view name, std::string_view type, std::size_t begin);
  void bind_unknown(std::string_view names, std::size_t begin);
  Value value_of_binding(std::size_t index) const;

  std::string_view text_;
  std::vector<Binding> bindings_;
  std::unordered_map<std::string_view, std::vector<std::size_t>> by_name_;
  std::size_t scope_end_ = std::string_view::npos;
  mutable std::unordered_map<std::size_t, Value> known_;
  mutable int depth_ = 0;
  int functions_ = 0;  ///< whose calls were looked for
};

}  // namespace gradproof::advice
