#pragma once

#include <cstdint>
#include <optional>

namespace gradproof::oracle {

/// An int64 that remembers when a step of its computation overflowed. Formulas over user-chosen
/// sizes read as they are written in the specification; the caller of the result must say what an
/// overflow means.
/// Overflow is sticky, as a NaN is: a result that passed through it has no value, although a later
/// step might bring it back into range. So `value` is either exact or absent.
class CheckedInteger {
 public:
  constexpr CheckedInteger(std::int64_t value)
      : value_(value) {}  // implicit on purpose: reads as a number

  constexpr bool overflowed() const { return overflowed_; }

  /// The result, or nullopt once anything on the way overflowed.
  constexpr std::optional<std::int64_t> value() const {
    if (overflowed_) return std::nullopt;
    return value_;
  }

  friend constexpr CheckedInteger operator+(CheckedInteger left, CheckedInteger right) {
    CheckedInteger sum(0);
    const bool over = __builtin_add_overflow(left.value_, right.value_, &sum.value_);
    sum.overflowed_ = over || left.overflowed_ || right.overflowed_;
    return sum;
  }
  friend constexpr CheckedInteger operator-(CheckedInteger left, CheckedInteger right) {
    CheckedInteger difference(0);
    const bool over = __builtin_sub_overflow(left.value_, right.value_, &difference.value_);
    difference.overflowed_ = over || left.overflowed_ || right.overflowed_;
    return difference;
  }
  friend constexpr CheckedInteger operator*(CheckedInteger left, CheckedInteger right) {
    CheckedInteger product(0);
    const bool over = __builtin_mul_overflow(left.value_, right.value_, &product.value_);
    product.overflowed_ = over || left.overflowed_ || right.overflowed_;
    return product;
  }

  /// Quotient rounded towards minus infinity, where `/` would round towards zero. The divisor must
  /// be at least 1.
  friend constexpr CheckedInteger floor_quotient(CheckedInteger dividend, std::int64_t divisor) {
    CheckedInteger quotient(dividend.value_ / divisor);
    if (dividend.value_ % divisor < 0) --quotient.value_;
    quotient.overflowed_ = dividend.overflowed_;
    return quotient;
  }

 private:
  std::int64_t value_;
  bool overflowed_ = false;
};

}  // namespace gradproof::oracle
