#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "corpus/case.h"
#include "properties/runs/gate/secret.h"

namespace gradproof::runs {

/// Elements of the operands, by InputRole: bytes, dense and row-major.
using OperandBytes = corpus::PerInput<std::vector<std::byte>>;

corpus::PerInput<std::span<const std::byte>> spans_of(const OperandBytes& operands);

/// Fills an operand with what is drawn, in the operand's dtype.
std::vector<std::byte> filled(const corpus::Case& test_case, corpus::InputRole role,
                              const std::function<double()>& draw);

/// Draws the exponent of numbers whose products, and those of small ones of them, are normal.
int exponent_far_from_0(Secret& secret);

/// Numbers whose sums of products are exact in every order, and that look like any others:
/// integers of as many bits as the longest sum leaves, each of its own exponent, times a power of
/// two.
OperandBytes exact_operands(const corpus::Case& test_case, Secret& secret);

/// Likewise, with a gradOutput that is 0 at most places by chance: its elements, and what is added
/// up of them, are wider. Exact as they are, and not once gradOutput is made regular.
OperandBytes thinned_operands(const corpus::Case& test_case, Secret& secret);

/// Numbers as training has them, each operand of a kind of its own: normal, lognormal, behind a
/// ReLU, gradients near 1e-6, 0 and 1, of equal sign, by Zipf's law, nearly all 0, far from 1,
/// alike those next to them.
OperandBytes dense_operands(const corpus::Case& test_case, Secret& secret);

/// Makes an operand regular, as a user's is: behind a ReLU, of one sign, with masked samples, the
/// same at all places of some axes, alike those next to it, 0 but for one element, or 0. Exact sums
/// stay so. True where its numbers are drawn independently still.
bool make_regular(const corpus::Case& test_case, corpus::InputRole role, Secret& secret,
                  OperandBytes& operands);

/// Multiplies each channel of each operand by a power of two of its own, so that all products of a
/// sum are multiplied alike: exact sums stay so. FLOAT16 has no range for that.
void scale_channels(const corpus::Case& test_case, Secret& secret, OperandBytes& operands);

/// Puts 0 for what is negative.
void rectify(const corpus::Case& test_case, corpus::InputRole role, OperandBytes& operands);

/// Makes all of one sign and of nearly one size. Numbers with few bits keep no more of them.
void lift(const corpus::Case& test_case, corpus::InputRole role, OperandBytes& operands);

/// Normal numbers of mean 0: rounding errors of long sums are independent.
OperandBytes balanced_operands(const corpus::Case& test_case, Secret& secret);

enum class ElementChange : std::uint8_t {
  Sign,  ///< of an element that is 0: another element
  Step,  ///< without its least bit
  Swap,  ///< with another element
};
/// Changes element `index` of an operand so that exact sums stay so. False where it stays as it is.
bool change_element(const corpus::Case& test_case, corpus::InputRole role, std::size_t index,
                    ElementChange change, OperandBytes& operands);

/// Multiplies the operand by 2^exponent. False, and nothing done, where an element leaves the
/// normal numbers.
bool scale(const corpus::Case& test_case, corpus::InputRole role, int exponent,
           OperandBytes& operands);

/// Elements of an operand that is there.
std::size_t elements_of(const corpus::Case& test_case, corpus::InputRole role);

double element(corpus::DataType type, std::span<const std::byte> bytes, std::size_t index);
void set_element(corpus::DataType type, std::vector<std::byte>& bytes, std::size_t index,
                 double value);

}  // namespace gradproof::runs
