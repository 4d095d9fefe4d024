#include <vector>

#include "tests/support/random_case.h"
#include "tests/support/twins/winograd_twin.h"

namespace gradproof::oracle {

using corpus::Algorithm;

const SignedForm& signed_form(Algorithm algorithm) {
  static const std::vector<std::vector<float>> three{
      {1, 0, -1, 0}, {0, 1, 1, 0}, {0, -1, 1, 0}, {0, 1, 0, -1}};
  static const std::vector<std::vector<float>> five{{4, 0, -5, 0, 1, 0},  {0, -4, -4, 1, 1, 0},
                                                    {0, 4, -4, -1, 1, 0}, {0, -2, -1, 2, 1, 0},
                                                    {0, 2, -1, -2, 1, 0}, {0, 4, 0, -5, 0, 1}};
  constexpr float half = 0.5F, quarter = 0.25F, sixth = 1.0F / 6, third = 1.0F / 3,
                  twelfth = 1.0F / 12, least = 1.0F / 24;
  static const SignedForm three_of_two{
      three,
      {{1, 0}, {1, 1}, {1, -1}, {0, -1}},
      {{1, half, half, 0}, {0, half, -half, 0}, {0, half, half, 1}}};
  static const SignedForm two_of_three{
      three,
      {{1, 0, 0}, {half, half, half}, {half, -half, half}, {0, 0, 1}},
      {{1, 1, 1, 0}, {0, 1, -1, -1}}};
  static const SignedForm four_of_three{
      five,
      {{quarter, 0, 0},
       {-sixth, -sixth, -sixth},
       {-sixth, sixth, -sixth},
       {least, twelfth, sixth},
       {least, -twelfth, sixth},
       {0, 0, 1}},
      {{1, 1, 1, 1, 1, 0}, {0, 1, -1, 2, -2, 0}, {0, 1, 1, 4, 4, 0}, {0, 1, -1, 8, -8, 1}}};
  static const SignedForm three_of_four{
      five,
      {{quarter, 0, 0, 0},
       {-sixth, -sixth, -sixth, -sixth},
       {-sixth, sixth, -sixth, sixth},
       {least, twelfth, sixth, third},
       {least, -twelfth, sixth, -third},
       {0, 0, 0, 1}},
      {{1, 1, 1, 1, 1, 0}, {0, 1, -1, 2, -2, 0}, {0, 1, 1, 4, 4, 1}}};
  switch (algorithm) {
    case Algorithm::Winograd3x2:
      return three_of_two;
    case Algorithm::Winograd2x3:
      return two_of_three;
    case Algorithm::Winograd4x3:
      return four_of_three;
    default:
      return three_of_four;
  }
}

corpus::Case twin_case(const TwinShape& shape, const char* soc) {
  corpus::Case test_case = square_case({.soc = soc}, 1, 1, 1, 4, 3);
  const auto out = [](std::int64_t length, std::int64_t taps, std::int64_t padding) {
    return length + 2 * padding - taps + 1;
  };
  const std::int64_t high = out(shape.height, shape.taps_high, shape.padding_high),
                     wide = out(shape.width, shape.taps_wide, shape.padding_wide);
  auto big = std::vector{shape.batch, shape.channels, shape.height, shape.width};
  auto small = std::vector{shape.batch, shape.kernels, high, wide};
  test_case.grad_output->shape = shape.transposed ? big : small;
  test_case.input->shape = shape.transposed ? small : big;
  test_case.weight->shape = {shape.kernels, shape.channels / shape.groups, shape.taps_high,
                             shape.taps_wide};
  test_case.grad_input->shape = test_case.input->shape;
  test_case.grad_weight->shape = test_case.weight->shape;
  test_case.grad_bias->shape = {test_case.grad_output->shape[1]};
  test_case.bias_sizes = test_case.grad_bias->shape;
  test_case.padding = std::vector{shape.padding_high, shape.padding_wide};
  test_case.transposed = shape.transposed;
  test_case.groups = shape.groups;
  return test_case;
}

}  // namespace gradproof::oracle
