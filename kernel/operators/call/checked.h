#pragma once

#include <cstdint>
#include <optional>

namespace gradproof::kernel::operators {

/// Arithmetic on sizes that callers choose: once a result does not fit in int64 it stays "no
/// value".
class Checked {
 public:
  constexpr Checked(std::int64_t value)
      : value_(value) {}  // implicit on purpose: in formulas it reads as a number

  constexpr std::optional<std::int64_t> value() const { return value_; }

  friend constexpr Checked operator+(Checked left, Checked right) {
    std::int64_t result = 0;
    if (!left.value_ || !right.value_) return Checked();
    if (__builtin_add_overflow(*left.value_, *right.value_, &result)) return Checked();
    return {result};
  }

  friend constexpr Checked operator-(Checked left, Checked right) {
    std::int64_t result = 0;
    if (!left.value_ || !right.value_) return Checked();
    if (__builtin_sub_overflow(*left.value_, *right.value_, &result)) return Checked();
    return {result};
  }

  friend constexpr Checked operator*(Checked left, Checked right) {
    std::int64_t result = 0;
    if (!left.value_ || !right.value_) return Checked();
    if (__builtin_mul_overflow(*left.value_, *right.value_, &result)) return Checked();
    return {result};
  }

 private:
  constexpr Checked() = default;

  std::optional<std::int64_t> value_;
};

/// Quotient rounded towards minus infinity (`/` rounds towards zero); the divisor is at least 1.
constexpr std::int64_t floor_divided(std::int64_t dividend, std::int64_t divisor) {
  const std::int64_t quotient = dividend / divisor;
  return dividend % divisor < 0 ? quotient - 1 : quotient;
}

}  // namespace gradproof::kernel::operators
