#include "properties/advice/logs/values/value.h"

#include <algorithm>

namespace gradproof::advice {
namespace {

using Sort = Value::Kind;

/// nullopt: beyond 64 bits, or a division that is none of whole numbers.
std::optional<std::int64_t> computed(std::int64_t one, char operation, std::int64_t other) {
  std::int64_t result = 0;
  switch (operation) {
    case '+':
      return __builtin_add_overflow(one, other, &result) ? std::nullopt : std::optional(result);
    case '-':
      return __builtin_sub_overflow(one, other, &result) ? std::nullopt : std::optional(result);
    case '*':
      return __builtin_mul_overflow(one, other, &result) ? std::nullopt : std::optional(result);
    default:
      if (one < 0 || other <= 0) return std::nullopt;
      return operation == '%' ? one % other : one / other;
  }
}

}  // namespace

Value arithmetic(const Value& one, char operation, const Value& other) {
  if (operation == '*' && one.is(Sort::List) && other.is(Sort::Integer)) {
    Value list{.kind = Sort::List};
    for (std::int64_t i = 0; i < std::min<std::int64_t>(other.integer, 8); ++i) {
      list.items.insert(list.items.end(), one.items.begin(), one.items.end());
    }
    return other.integer > 8 || list.items.size() > 32 ? Value{} : list;
  }
  if (operation == '+' && one.is(Sort::List) && other.is(Sort::List)) {
    Value list = one;
    list.items.insert(list.items.end(), other.items.begin(), other.items.end());
    return list.items.size() > 32 ? Value{} : list;
  }
  // A tensor times or plus a number or a tensor of its own shape keeps its shape.
  const bool same = one.shape == other.shape || !other.is(Sort::Tensor);
  if (one.is(Sort::Tensor) && same && !other.is(Sort::Unknown)) return one;
  if (!one.is(Sort::Integer) || !other.is(Sort::Integer)) return {};
  const auto result = computed(one.integer, operation, other.integer);
  return result ? Value::of(*result) : Value{};
}

Value power(const Value& base, const Value& exponent) {
  if (!exponent.is(Sort::Integer) || exponent.integer < 0 || exponent.integer > 62) return {};
  Value result = Value::of(1);
  for (std::int64_t i = 0; i < exponent.integer; ++i) result = arithmetic(result, '*', base);
  return result;
}

}  // namespace gradproof::advice
