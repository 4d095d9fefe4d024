#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <vector>

#include "corpus/status.h"

namespace gradproof::oracle {

/// A set of statuses that a call can return: 0, 161001, 161002, 361001, 561103 of phase one, -1 and
/// 0 of a tiling class. Success comes in two kinds: plain, and "accepted, but the problem is not
/// defined well enough for its values to be compared" (0* in the specification).
class StatusSet {
 public:
  constexpr StatusSet() = default;
  // Implicit on purpose: a rule's row names one status or a list of them.
  constexpr StatusSet(corpus::Status status) : bits_(bit(status)) {}
  constexpr StatusSet(std::initializer_list<StatusSet> parts) {
    for (const StatusSet part : parts) bits_ |= part.bits_;
  }

  /// Success whose values must not be compared (0*).
  static constexpr StatusSet success_without_values() {
    StatusSet set(corpus::Status::Success);
    set.bits_ |= without_values;
    return set;
  }

  constexpr bool contains(corpus::Status status) const {
    return bit(status) != 0 && (bits_ & bit(status)) != 0;
  }
  constexpr bool contains(StatusSet other) const {
    return ((other.bits_ & ~bits_) & all_statuses) == 0;
  }
  constexpr bool is_empty() const { return bits_ == 0; }
  constexpr bool leaves_values_undefined() const { return (bits_ & without_values) != 0; }

  constexpr StatusSet without_success() const {
    StatusSet set;
    set.bits_ = bits_ & ~(bit(corpus::Status::Success) | without_values);
    return set;
  }
  /// The union, `leaves_values_undefined` included.
  constexpr StatusSet united_with(StatusSet other) const { return {*this, other}; }

  /// Codes in the set, smallest first.
  std::vector<corpus::Status> sorted() const {
    std::vector<corpus::Status> statuses;
    for (const corpus::Status status : by_code) {
      if (contains(status)) statuses.push_back(status);
    }
    return statuses;
  }

  friend constexpr bool operator==(StatusSet, StatusSet) = default;

  static constexpr std::array by_code{corpus::Status::TilingRefused, corpus::Status::Success,
                                      corpus::Status::ParamNullptr,  corpus::Status::ParamInvalid,
                                      corpus::Status::RuntimeError,  corpus::Status::InnerNullptr};

 private:
  static constexpr std::uint8_t without_values = 1U << 7U;
  static constexpr std::uint8_t all_statuses = (1U << by_code.size()) - 1;

  static constexpr std::uint8_t bit(corpus::Status status) {
    for (std::size_t index = 0; index < by_code.size(); ++index) {
      if (by_code[index] == status) return static_cast<std::uint8_t>(1U << index);
    }
    return 0;
  }

  std::uint8_t bits_ = 0;
};

}  // namespace gradproof::oracle
