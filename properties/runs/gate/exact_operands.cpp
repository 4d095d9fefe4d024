#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "corpus/data_type.h"
#include "properties/runs/gate/gate_operands.h"
#include "properties/runs/gate/sum_lengths.h"

namespace gradproof::runs {
namespace {

using corpus::Case;
using corpus::DataType;
using corpus::InputRole;
using corpus::OutputRole;

int log2_up(std::uint64_t count) {
  return count <= 1 ? 0 : static_cast<int>(std::bit_width(count - 1));
}

int significand_bits_of(DataType type) {
  return type == DataType::Float ? 24 : type == DataType::BFloat16 ? 8 : 11;
}

/// Draws gradOutput's exponent where the other two operands are as far from 0 on the other side:
/// products are ordinary, and no operand is.
int exponent_farther_from_0(Secret& secret) { return static_cast<int>(secret.between(-95, 95)); }

/// Elements of a sum that are not 0 where `zeros` percent are by chance: of a thousand, no sum has
/// twice as many as there are in the mean.
std::uint64_t most_that_count(std::uint64_t length, std::int64_t zeros) {
  const std::uint64_t usual = length * static_cast<std::uint64_t>(100 - zeros) / 100;
  return usual < 1'000 ? length : std::min(length, 2 * usual);
}

/// Bits of each operand's integers with which no sum reaches 2^24.
corpus::PerInput<int> bits_of_exact(const Case& test_case, std::int64_t zeros, Secret& secret) {
  const auto lengths = sum_lengths(test_case);
  const auto bits_for = [&](OutputRole role) {
    return 24 - log2_up(most_that_count(lengths[role], zeros));
  };
  const int for_input = bits_for(OutputRole::GradInput);
  const int for_weight = bits_for(OutputRole::GradWeight);
  const auto fitting = [&](InputRole role, int bits) {
    return std::clamp(bits, 1,
                      std::min(11, significand_bits_of(corpus::tensor(test_case, role)->dtype)));
  };
  const int of_product = std::min(for_input, for_weight);
  const int wanted = secret.chance(25) ? of_product - 1 : of_product / 2;
  const int grad =
      std::min(fitting(InputRole::GradOutput, wanted), std::max(bits_for(OutputRole::GradBias), 1));
  return {grad, fitting(InputRole::Input, for_weight - grad),
          fitting(InputRole::Weight, for_input - grad)};
}

/// An integer of at most `most` bits, or 0 in so many percent: one word is enough.
double exact_element(std::uint64_t word, int most, std::int64_t zeros) {
  const auto below = [&word](std::uint64_t count) {
    return std::exchange(word, word / count) % count;
  };
  if (below(100) < to_size(zeros)) return 0.0;
  // Large ones mostly, and small ones enough to have many exponents.
  const auto width = below(100) < 60 ? to_size(most) : 1 + below(to_size(most));
  const auto least = std::uint64_t{1} << width >> 1U;
  const auto value = double(least + below(least));
  return below(2) == 0 ? -value : value;
}

/// `zeros`: the share of gradOutput's elements that are 0, in percent.
OperandBytes operands_of(const Case& test_case, std::int64_t zeros, Secret& secret) {
  const auto bits = bits_of_exact(test_case, zeros, secret);
  const int farther = secret.chance(15) ? exponent_farther_from_0(secret) : 0;
  OperandBytes operands;
  for (const InputRole role : corpus::input_roles) {
    const bool is_half = corpus::tensor(test_case, role)->dtype == DataType::Float16;
    const int most = bits.at(static_cast<std::size_t>(role));
    // FLOAT16 has a small range: products are 1 and less, or results reach its end and go beyond.
    const int of_half = -most + static_cast<int>(secret.chance(40) ? secret.between(1, 10) : 0);
    const int unit = is_half             ? of_half
                     : farther != 0      ? (role == InputRole::GradOutput ? farther : -farther)
                     : secret.chance(30) ? exponent_far_from_0(secret)
                                         : static_cast<int>(secret.between(-24, 12));
    if (role != InputRole::GradOutput) zeros = secret.chance(50) ? 0 : secret.between(5, 50);
    operands.at(static_cast<std::size_t>(role)) = filled(test_case, role, [&] {
      return std::ldexp(exact_element(secret.next(), most, zeros), unit);
    });
  }
  return operands;
}

}  // namespace

OperandBytes exact_operands(const Case& test_case, Secret& secret) {
  return operands_of(test_case, secret.chance(50) ? 0 : secret.between(5, 50), secret);
}

OperandBytes thinned_operands(const Case& test_case, Secret& secret) {
  return operands_of(test_case, secret.between(75, 97), secret);
}

}  // namespace gradproof::runs
