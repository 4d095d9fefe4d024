#pragma once

#include "corpus/case.h"
#include "corpus/random_source.h"

namespace gradproof::cases::forward {

// Ways to break a legal call of a forward operator; false where it does not lend itself.

using corpus::Case;
using corpus::RandomSource;

bool move_elsewhere(Case& test_case, RandomSource& random);
bool drop_a_map(Case& test_case, RandomSource& random);
bool drop_an_array(Case& test_case, RandomSource& random);
bool take_odd_dtype(Case& test_case, RandomSource& random);
bool take_odd_bias_dtype(Case& test_case, RandomSource& random);
bool take_another_output_dtype(Case& test_case, RandomSource& random);
bool take_another_dtype(Case& test_case, RandomSource& random);
bool take_another_bias_dtype(Case& test_case, RandomSource& random);
bool mix_8_bits(Case& test_case, RandomSource& random);
bool mix_8_bits_of_transposed(Case& test_case, RandomSource& random);
bool add_a_bias(Case& test_case, RandomSource& random);
bool change_a_rank(Case& test_case, RandomSource& random);
bool take_odd_format(Case& test_case, RandomSource& random);
bool take_odd_bias_format(Case& test_case, RandomSource& random);
bool change_bias_rank(Case& test_case, RandomSource& random);
bool lengthen_bias(Case& test_case, RandomSource& random);
bool change_a_length(Case& test_case, RandomSource& random);
bool change_padding_length(Case& test_case, RandomSource& random);
bool exceed_output_padding(Case& test_case, RandomSource& random);
bool take_odd_groups(Case& test_case, RandomSource& random);
bool widen_the_weight(Case& test_case, RandomSource& random);   ///< its input channels
bool deepen_the_weight(Case& test_case, RandomSource& random);  ///< its first axis
bool divide_unevenly(Case& test_case, RandomSource& random);
bool exceed_the_map(Case& test_case, RandomSource& random);
bool contradict_the_output(Case& test_case, RandomSource& random);
bool empty_the_kernel(Case& test_case, RandomSource& random);
bool put_padding(Case& test_case, RandomSource& random);  ///< 256 at all ends
bool take_many_groups(Case& test_case, RandomSource& random);
bool take_many_samples(Case& test_case, RandomSource& random);
bool take_odd_mode(Case& test_case, RandomSource& random);
bool empty_the_channels(Case& test_case, RandomSource& random);

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
