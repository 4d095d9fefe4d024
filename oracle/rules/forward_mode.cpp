#include <fmt/core.h>

#include "corpus/data_type.h"
#include "oracle/rules/all.h"
#include "oracle/rules/forward_call.h"
#include "oracle/rules/messages.h"

namespace gradproof::oracle::rules {
namespace {

// cubeMathType and tensors without elements.

using namespace codes;
using corpus::DataType;

int mode_of(const Facts& facts) { return facts.test_case.cube_math_type; }

bool is_known(int mode) { return mode >= 0 && mode <= 3; }

Consequence unknown_mode(const Facts& facts) {
  const bool is_old_float = is_old(facts) && facts.promoted == DataType::Float;
  if (mode_of(facts) != 4 || is_old_float) return always_invalid(facts);
  return {invalid, success, {success, invalid}};
}

Standing old_float_is_reduced(const Facts& facts) {
  if (!is_old(facts) || facts.promoted != DataType::Float) return Standing::Undefined;
  return met_if(mode_of(facts) != 0 && mode_of(facts) != 3);
}

Standing float_is_kept(const Facts& facts) {
  const bool is_asked = (is_a23(facts) || is_310b(facts)) && facts.promoted == DataType::Float;
  return is_asked ? permitted_if(mode_of(facts) == 0) : Standing::Undefined;
}

Standing brain_is_not_reduced(const Facts& facts) {
  const bool is_asked = !is_old(facts) && facts.promoted == DataType::BFloat16;
  return is_asked ? met_if(mode_of(facts) != 2) : Standing::Undefined;
}

bool is_half(const Facts& facts) {
  return facts.promoted == DataType::Float16 || facts.promoted == DataType::BFloat16;
}

Standing mode_has_no_effect(const Facts& facts) {
  if (!facts.promoted || !is_known(mode_of(facts))) return Standing::Undefined;
  const bool is_small = corpus::is_8_bit_float(*facts.promoted) && mode_of(facts) != 0;
  return permitted_if(is_small || (is_half(facts) && mode_of(facts) == 3));
}

Consequence without_effect(const Facts& facts) {
  return is_310p(facts) ? legal_or_invalid(facts) : always_legal(facts);
}

std::string words_for_mode(const Facts& facts) {
  return fmt::format("cubeMathType is {} and the promoted dtype is {} on {}", mode_of(facts),
                     facts.promoted ? corpus::name_of(*facts.promoted) : std::string_view("none"),
                     chip(facts));
}

bool has_empty_operand(const Facts& facts) {
  return has_no_elements(x_of(facts)) || has_no_elements(w_of(facts));
}

Standing empty_leads_to_empty(const Facts& facts) {
  if (!has_empty_operand(facts) || !y_of(facts)) return Standing::Undefined;
  return met_if(has_no_elements(y_of(facts)));
}

Standing transposed_has_channels(const Facts& facts) {
  if (!is_transposed(facts) || rank_of(facts) == 0) return Standing::Undefined;
  return met_if(x_of(facts)->shape[1] > 0);
}

Standing empty_axes_of_transposed(const Facts& facts) {
  if (!is_a5(facts) || !is_transposed(facts) || rank_of(facts) == 0) return Standing::Undefined;
  const auto &x = x_of(facts)->shape, &w = w_of(facts)->shape, &y = y_of(facts)->shape;
  bool holds = w[0] > 0;
  for (std::size_t axis = 1; axis < x.size(); ++axis) {
    holds = holds && x[axis] > 0 && (w[axis] > 0 || y[axis] == 0);
  }
  return met_if(holds);
}

Standing empty_axes(const Facts& facts) {
  const bool is_asked = is_a5(facts) && !is_tbc(facts) && !is_transposed(facts);
  if (!is_asked || rank_of(facts) == 0) return Standing::Undefined;
  const auto &x = x_of(facts)->shape, &y = y_of(facts)->shape;
  bool has = false;
  for (std::size_t axis = 2; axis < x.size(); ++axis) has |= x[axis] == 0 && y[axis] != 0;
  return permitted_if(has && has_no_elements(y_of(facts)));
}

Standing tbc_is_bias_alone(const Facts& facts) {
  if (!y_of(facts)) return Standing::Undefined;
  return permitted_if(has_empty_operand(facts) && !has_no_elements(y_of(facts)));
}

std::string words_for_empty(const Facts& facts) {
  return fmt::format("input has shape {}, weight {}, output {}", list_of(x_of(facts)->shape),
                     list_of(w_of(facts)->shape), list_of(y_of(facts)->shape));
}

constexpr StatusRule rows[] = {
    forward_rule(
        "FW-CUBE-01", {"cubeMathType is 0 to 3", "cubeMathType 须为 0 到 3"}, forward_calls,
        [](const Facts& facts) { return met_if(is_known(mode_of(facts))); }, unknown_mode,
        words_for_mode),
    forward_rule("FW-CUBE-02",
                 {"FLOAT is computed in FLOAT16: cubeMathType 1 or 2",
                  "FLOAT 按 FLOAT16 计算：cubeMathType 为 1 或 2"},
                 forward_calls, old_float_is_reduced, always_invalid, words_for_mode),
    forward_rule("FW-CUBE-03", {"FLOAT with cubeMathType 0 is legal", "FLOAT 可用 cubeMathType 0"},
                 forward_calls, float_is_kept, legal_or_invalid, words_for_mode),
    forward_rule("FW-CUBE-04", {"BF16 has no cubeMathType 2", "BF16 不支持 cubeMathType 2"},
                 forward_calls, brain_is_not_reduced, refused_by_the_pages, words_for_mode),
    forward_rule("FW-CUBE-05",
                 {"half types with cubeMathType 3 and 8-bit floats with any are legal",
                  "半精度类型可用 cubeMathType 3，8 位浮点类型可用任一值"},
                 forward_calls, mode_has_no_effect, without_effect, words_for_mode),
    forward_rule("FW-EMPTY-01",
                 {"an empty input or weight leads to an empty output",
                  "input 或 weight 为空时 output 须为空"},
                 of_maps, empty_leads_to_empty, always_invalid, words_for_empty),
    forward_rule("FW-EMPTY-02",
                 {"transposed: input has channels", "transposed 为 true 时 input 的通道数须大于 0"},
                 of_convolution, transposed_has_channels, always_invalid, words_for_empty),
    forward_rule("FW-EMPTY-03",
                 {"transposed: of input only the batch may be 0, of weight what is 0 in output",
                  "transposed 为 true 时 input 仅 N 可为 0，weight 仅可在 output 为 0 的维上为 0"},
                 of_convolution, empty_axes_of_transposed, always_invalid, words_for_empty),
    forward_rule("FW-EMPTY-04",
                 {"a spatial axis of input may be 0 where that of output is not",
                  "input 的空间维可为 0 而 output 的不为 0"},
                 of_maps, empty_axes, legal_or_invalid, words_for_empty),
    forward_rule(
        "FW-EMPTY-06", {"an empty output is legal", "output 可为空 tensor"}, forward_calls,
        [](const Facts& facts) { return permitted_if(has_no_elements(y_of(facts))); }, always_legal,
        words_for_empty),
    forward_rule("FW-EMPTY-07",
                 {"without an element of input or weight the output is bias",
                  "input 或 weight 为空时 output 为 bias"},
                 of_tbc, tbc_is_bias_alone, always_legal, words_for_empty),
};

}  // namespace

std::span<const StatusRule> forward_mode_rules() { return rows; }

}  // namespace gradproof::oracle::rules
