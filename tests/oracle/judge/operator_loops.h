#pragma once

// The operators as loops over the tensors in memory.

#include <cstring>
#include <functional>

#include "corpus/element_encoding.h"
#include "corpus/element_values.h"
#include "oracle/arithmetic/arithmetic_model.h"
#include "oracle/recipes/recipe_plan.h"
#include "tests/oracle/judge/correct_kernel.h"
#include "tests/support/operator_calls.h"

// The graph operators' gradients against loops over the tensors as they lie in memory: the format's
// letters say which axis is which, so nothing of the oracle's orders, geometry or sums is used.

namespace gradproof::oracle {

using corpus::Api;
using corpus::Case;
using corpus::Observation;
using corpus::OutputRole;
using corpus::TensorCase;

inline constexpr Api dx = Api::Conv3DBackpropInputV2;
inline constexpr Api dw = Api::Conv3DBackpropFilterV2;

/// A coordinate by letter; the filter's N and C are those of its format's letters.
struct At {
  std::int64_t n, c, d, h, w;
};

inline std::int64_t by_letter(const At& at, char letter) {
  switch (letter) {
    case 'N':
      return at.n;
    case 'C':
      return at.c;
    case 'D':
      return at.d;
    case 'H':
      return at.h;
    default:
      return at.w;
  }
}

inline std::size_t place_of(const TensorCase& tensor, const At& at) {
  std::int64_t place = 0;
  const auto letters = corpus::name_of(tensor.format);
  for (std::size_t axis = 0; axis < 5; ++axis) {
    place = place * tensor.shape[axis] + by_letter(at, letters[axis]);
  }
  return to_size(place);
}

inline At lengths_of(const TensorCase& tensor) {
  At lengths{};
  const auto letters = corpus::name_of(tensor.format);
  for (std::size_t axis = 0; axis < 5; ++axis) {
    const std::int64_t length = tensor.shape[axis];
    (letters[axis] == 'N'   ? lengths.n
     : letters[axis] == 'C' ? lengths.c
     : letters[axis] == 'D' ? lengths.d
     : letters[axis] == 'H' ? lengths.h
                            : lengths.w) = length;
  }
  return lengths;
}

inline std::vector<double> numbers(const Case& test_case, corpus::InputRole role) {
  const TensorCase& tensor = *corpus::tensor(test_case, role);
  const auto bytes = corpus::element_values(test_case, role);
  const std::size_t size = size_bytes(tensor.dtype);
  std::vector<double> result(bytes.size() / size);
  for (std::size_t i = 0; i < result.size(); ++i) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, bytes.data() + i * size, size);
    result[i] = corpus::decode(tensor.dtype, bits).value();
  }
  return result;
}

inline void for_each(const At& lengths, const std::function<void(const At&)>& visit) {
  for (std::int64_t n = 0; n < lengths.n; ++n)
    for (std::int64_t c = 0; c < lengths.c; ++c)
      for (std::int64_t d = 0; d < lengths.d; ++d)
        for (std::int64_t h = 0; h < lengths.h; ++h)
          for (std::int64_t w = 0; w < lengths.w; ++w) visit({n, c, d, h, w});
}

inline std::int64_t attribute(const Case& test_case, const std::vector<std::int64_t>& values,
                              char letter) {
  return values.at(test_case.attributes->data_format->find(letter));
}

/// Every product of the operator: places in out_backprop, in the feature map and in the filter.
inline void for_each_product(
    const Case& test_case,
    const std::function<void(std::size_t, std::size_t, std::size_t)>& visit) {
  const bool is_dx = test_case.api == dx;
  const TensorCase& out = *test_case.grad_output;
  const TensorCase& map = is_dx ? *test_case.grad_input : *test_case.input;
  const TensorCase& filter = is_dx ? *test_case.weight : *test_case.grad_weight;
  const At sizes = lengths_of(map);
  const At taps = lengths_of(filter);
  const std::int64_t groups = sizes.c / taps.c;
  const auto& it = *test_case.attributes;
  const auto position = [&](char letter, std::int64_t small, std::int64_t tap) {
    const std::size_t side = letter == 'D' ? 0 : letter == 'H' ? 2 : 4;
    return small * attribute(test_case, *it.strides, letter) - it.pads->at(side) +
           tap * attribute(test_case, *it.dilations, letter);
  };
  for_each(lengths_of(out), [&](const At& o) {
    const std::int64_t group = o.c / (taps.n / groups);
    for_each({1, taps.c, taps.d, taps.h, taps.w}, [&](const At& k) {
      const At m{o.n, group * taps.c + k.c, position('D', o.d, k.d), position('H', o.h, k.h),
                 position('W', o.w, k.w)};
      const bool is_inside =
          m.d >= 0 && m.d < sizes.d && m.h >= 0 && m.h < sizes.h && m.w >= 0 && m.w < sizes.w;
      if (!is_inside) return;
      visit(place_of(out, o), place_of(map, m), place_of(filter, {o.c, k.c, k.d, k.h, k.w}));
    });
  });
}

/// What a right operator shows on the exact grid.
inline Observation run(const Case& test_case) {
  const bool is_dx = test_case.api == dx;
  const OutputRole role = is_dx ? OutputRole::GradInput : OutputRole::GradWeight;
  const TensorCase& result = *corpus::tensor(test_case, role);
  const auto out = numbers(test_case, corpus::InputRole::GradOutput);
  const auto other =
      numbers(test_case, is_dx ? corpus::InputRole::Weight : corpus::InputRole::Input);
  std::vector<double> sums(to_size(*corpus::element_count(result.shape)));
  for_each_product(test_case, [&](std::size_t o, std::size_t m, std::size_t f) {
    sums[is_dx ? m : f] += out[o] * other[is_dx ? f : m];
  });
  Observation seen;
  seen.phase_one = seen.phase_two = seen.synchronise = corpus::Status::Success;
  auto& output = seen.outputs[role];
  const std::size_t size = size_bytes(result.dtype);
  output.bits.resize(sums.size() * size);
  output.before.assign(output.bits.size(), std::byte{0xA5});
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const auto bits = corpus::encode_exactly(result.dtype, sums[i]).value();
    std::memcpy(output.bits.data() + i * size, &bits, size);
  }
  return seen;
}

}  // namespace gradproof::oracle
