#pragma once

#include "corpus/case.h"
#include "corpus/random_source.h"

namespace gradproof::cases::forward {

// Ways to break a legal call of a forward operator; false where it does not lend itself.

using corpus::Case;
using corpus::RandomSource;

using Break = bool(Case& test_case, RandomSource& random);

Break move_elsewhere, drop_a_map, drop_an_array, take_odd_dtype, take_odd_bias_dtype,
    take_another_output_dtype, take_another_dtype, take_another_bias_dtype, mix_8_bits,
    mix_8_bits_of_transposed, add_a_bias, change_a_rank, take_odd_format, take_odd_bias_format,
    change_bias_rank, lengthen_bias, change_a_length, change_padding_length, exceed_output_padding,
    take_odd_groups, widen_the_weight, add_input_channels, change_kernel_size, deepen_the_weight,
    divide_unevenly, exceed_the_map, contradict_the_output, empty_the_kernel, put_padding,
    take_many_groups, take_many_samples, take_odd_mode, empty_the_channels;

/// Gives the output the lengths of the other parameters, where they lead to any.
bool fit_output(Case& test_case);
bool put_long_kernel(Case& test_case, std::int64_t length);

template <corpus::Product product>
bool move_to(Case& test_case, RandomSource& /*random*/) {
  test_case.soc = corpus::name_of(product);
  if (product == corpus::Product::Ascend310P) test_case.cube_math_type = 1;
  return true;
}

template <auto member>
bool drop(Case& test_case, RandomSource& /*random*/) {
  (test_case.*member).reset();
  return true;
}

template <auto member>
bool lengthen(Case& test_case, RandomSource& /*random*/) {
  (test_case.*member)->push_back(0);
  return true;
}

/// Sets the array's last value, and nothing else.
template <auto member, std::int64_t value>
bool put_last(Case& test_case, RandomSource& /*random*/) {
  (test_case.*member)->back() = value;
  return true;
}

/// Sets the array's last value, a kernel of `taps` there, and an output that fits.
template <auto member, std::int64_t value, std::int64_t taps = 0>
bool put(Case& test_case, RandomSource& /*random*/) {
  (test_case.*member)->back() = value;
  return taps == 0 ? fit_output(test_case) : put_long_kernel(test_case, taps);
}

template <std::int64_t length>
bool put_kernel(Case& test_case, RandomSource& /*random*/) {
  return put_long_kernel(test_case, length);
}

template <std::int8_t mode>
bool put_mode(Case& test_case, RandomSource& /*random*/) {
  test_case.weight->dtype = test_case.grad_output->dtype;
  test_case.cube_math_type = mode;
  return true;
}

}  // namespace gradproof::cases::forward
