#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <tl/expected.hpp>

#include "corpus/case.h"
#include "properties/cases/generators/random_case.h"
#include "properties/runs/gate/gate_operands.h"
#include "properties/runs/gate/secret.h"

namespace gradproof::runs {

/// Kinds of calls of which each has a quota. A call may be of several.
inline constexpr std::array<std::string_view, 14> gate_classes{
    "1d",     "2d",      "3d",      "1x1",       "3x3",   "other-kernel", "strided",
    "padded", "dilated", "grouped", "depthwise", "plain", "transposed",   "layer"};

/// Classes of a call, of `gate_classes`; "layer" is that of real sizes, which the caller knows.
std::vector<std::string_view> classes_of_gate(const corpus::Case& test_case);

/// Multiply-accumulates of a layer. A right kernel may list its products, at a hundred bytes each:
/// the memory that it is given holds so many.
inline constexpr std::int64_t least_layer_macs = 24'000'000, most_layer_macs = 64'000'000;

/// Draws of calls by the system's secret: no sequence of them is known before.
class GateCalls {
 public:
  /// `without`: classes of which no call is asked. Errors: no call is left.
  static tl::expected<GateCalls, std::string> of(std::vector<corpus::DataType> dtypes,
                                                 std::vector<std::string> without);

  /// A call of at most about `macs` multiply-accumulates; of class `wanted`, where one was found
  /// soon.
  corpus::Case draw(corpus::DataType dtype, std::string_view wanted, std::int64_t macs,
                    Secret& secret) const;
  /// A layer of a real network, of `macs` at least and twice as many at most, and no more than
  /// `most_layer_macs`; of class `wanted` at times of fewer. Where none was found it is a published
  /// one, and without an input where there is none of these.
  corpus::Case layer(corpus::DataType dtype, std::string_view wanted, std::int64_t macs,
                     Secret& secret) const;

  /// A published layer with at most `macs`, whose weight has at least so many elements; without an
  /// input where none was found.
  corpus::Case published_layer(corpus::DataType dtype, std::int64_t macs, Secret& secret,
                               std::int64_t least_weight = 0) const;

  /// A published layer of more samples than a layer has, of at most `macs`, with a million elements
  /// and more; without an input where none was found.
  corpus::Case largest(corpus::DataType dtype, std::int64_t macs, Secret& secret) const;

  bool is_asked(std::string_view name) const;
  const std::vector<corpus::DataType>& dtypes() const { return dtypes_; }

 private:
  struct Source {
    corpus::DataType dtype;
    std::int64_t macs;
    cases::CaseSource cases;
  };
  bool admits(const corpus::Case& test_case) const;

  std::vector<corpus::DataType> dtypes_;
  std::vector<std::string> without_;
  std::vector<Source> sources_;
};

}  // namespace gradproof::runs
