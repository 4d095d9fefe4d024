#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "corpus/to_size.h"

namespace gradproof::corpus {

/// The three inputs and three outputs, in the order in which CANN counts tensor parameters.
enum class InputRole : std::uint8_t { GradOutput, Input, Weight };
enum class OutputRole : std::uint8_t { GradInput, GradWeight, GradBias };
inline constexpr std::array input_roles{InputRole::GradOutput, InputRole::Input, InputRole::Weight};
inline constexpr std::array output_roles{OutputRole::GradInput, OutputRole::GradWeight,
                                         OutputRole::GradBias};

/// "gradOutput", "gradBias" ...: the parameter's name.
std::string_view name_of(InputRole role);
std::string_view name_of(OutputRole role);

/// An array with an element for each role, in their order.
template <typename Role, typename T>
struct PerRole : std::array<T, 3> {
  using std::array<T, 3>::operator[];
  constexpr T& operator[](Role role) { return (*this)[to_size(role)]; }
  constexpr const T& operator[](Role role) const { return (*this)[to_size(role)]; }
};
template <typename T>
using PerInput = PerRole<InputRole, T>;
template <typename T>
using PerOutput = PerRole<OutputRole, T>;

}  // namespace gradproof::corpus
