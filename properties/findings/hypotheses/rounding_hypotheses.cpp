#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "oracle/numbers/format_row.h"
#include "properties/findings/hypotheses/hypothesis.h"

namespace gradproof::findings::diagnosis {
namespace {

using oracle::Arithmetic;
using oracle::NumberFormat;
using oracle::Rounding;

/// Formats that numbers lose bits in.
std::vector<NumberFormat> narrower_than(NumberFormat sums) {
  std::vector<NumberFormat> narrower;
  std::ranges::copy_if(
      oracle::number_formats, std::back_inserter(narrower),
      [&](NumberFormat format) { return oracle::precision(format) < oracle::precision(sums); });
  return narrower;
}

template <typename Change>
std::optional<World> with_arithmetic(const Witness& witness, Change&& change) {
  World world = right_world(witness);
  world.arithmetics.resize(1);
  change(world.arithmetics.front());
  return world;
}

/// Adds hypotheses of the arithmetic of another cubeMathType, where the product has one.
void add_modes(const Witness& example, std::vector<Hypothesis>& into) {
  // Other operators take none.
  const bool takes_mode = example.test_case.api == corpus::Api::ConvolutionBackward;
  if (!example.has_other() || !takes_mode) return;
  for (std::int8_t mode = 0; mode < 4; ++mode) {
    if (mode == example.test_case.cube_math_type) continue;
    const auto world = [mode](const Witness& witness) -> std::optional<World> {
      corpus::Case other = witness.test_case;
      other.cube_math_type = mode;
      auto arithmetics = oracle::arithmetics(other, witness.role, {});
      if (arithmetics.empty()) return std::nullopt;
      World result = right_world(witness);
      result.arithmetics = std::move(arithmetics);
      return result;
    };
    into.push_back(
        {fmt::format("with cubeMathType {} taken for {}", mode, example.test_case.cube_math_type),
         world});
  }
}

void add_operand_formats(const Witness& example, std::vector<Hypothesis>& into) {
  const Arithmetic& right = example.arithmetics.front();
  const auto rounded_to = [](NumberFormat format) {
    return [format](const Witness& witness) {
      return with_arithmetic(witness, [&](Arithmetic& arithmetic) {
        arithmetic.operands = format;
        arithmetic.operand_rounding = oracle::default_rounding(format);
      });
    };
  };
  if (right.operands != right.sums) {
    into.push_back({fmt::format("with inputs not rounded to {} before they are multiplied",
                                oracle::name_of(right.operands)),
                    rounded_to(right.sums)});
  }
  for (const NumberFormat format : narrower_than(right.sums)) {
    if (format == right.operands) continue;
    into.push_back(
        {fmt::format("with inputs rounded to {}", oracle::name_of(format)), rounded_to(format)});
    const auto truncated = [format](const Witness& witness) {
      return with_arithmetic(witness, [&](Arithmetic& arithmetic) {
        arithmetic.operands = format;
        arithmetic.operand_rounding = Rounding::TowardZero;
      });
    };
    into.push_back(
        {fmt::format("with inputs truncated to {}", oracle::name_of(format)), truncated});
  }
}

/// `rounded` is converted as both operands should be, the other one stays as it is.
std::optional<World> with_one_unrounded(const Witness& witness, WorldOperand World::*rounded) {
  World world = right_world(witness);
  world.arithmetics.resize(1);
  Arithmetic& arithmetic = world.arithmetics.front();
  (world.*rounded).round(arithmetic.operands, arithmetic.operand_rounding);
  arithmetic.operands = arithmetic.sums;
  return world;
}

/// Adds hypotheses in which one operand is in another format than it should be, the other is right.
void add_single_operands(const Witness& example, std::vector<Hypothesis>& into) {
  if (!example.has_other()) return;
  const NumberFormat right = example.arithmetics.front().operands;
  const NumberFormat sums = example.arithmetics.front().sums;
  struct Operand {
    corpus::InputRole role;
    WorldOperand World::*numbers;
    WorldOperand World::*others;
  };
  const Operand operands[] = {{corpus::InputRole::GradOutput, &World::grad_output, &World::other},
                              {example.other_role(), &World::other, &World::grad_output}};
  for (const Operand& operand : operands) {
    const std::string_view name = corpus::name_of(operand.role);
    if (right != sums) {
      into.push_back({fmt::format("with {} alone not rounded to {} before it is multiplied", name,
                                  oracle::name_of(right)),
                      [others = operand.others](const Witness& witness) {
                        return with_one_unrounded(witness, others);
                      }});
    }
    for (const NumberFormat format : narrower_than(sums)) {
      if (format == right) continue;
      into.push_back({fmt::format("with {} alone rounded to {}", name, oracle::name_of(format)),
                      [numbers = operand.numbers, format](const Witness& witness) {
                        World world = right_world(witness);
                        (world.*numbers).round(format, oracle::default_rounding(format));
                        return std::optional(std::move(world));
                      }});
    }
  }
}

struct RoundingDirection {
  Rounding rounding;
  const char* words;
};
constexpr RoundingDirection directions[] = {
    {Rounding::NearestEven, "rounded to nearest, ties to even"},
    {Rounding::NearestAway, "rounded to nearest, ties away from zero"},
    {Rounding::TowardZero, "truncated"},
};

void add_directions(const Witness& example, std::vector<Hypothesis>& into) {
  const Arithmetic& right = example.arithmetics.front();
  for (const RoundingDirection& direction : directions) {
    if (direction.rounding != right.operand_rounding) {
      const auto inputs = [direction](const Witness& witness) {
        return with_arithmetic(witness, [&](Arithmetic& arithmetic) {
          arithmetic.operand_rounding = direction.rounding;
        });
      };
      into.push_back(
          {fmt::format("with inputs {} to {}", direction.words, oracle::name_of(right.operands)),
           inputs});
    }
    const auto result = [direction](const Witness& witness) {
      World world = right_world(witness);
      world.output_rounding = direction.rounding;
      return std::optional(std::move(world));
    };
    into.push_back(
        {fmt::format("with the result {} to {}", direction.words, oracle::name_of(right.output)),
         result});
  }
}

void add_products_and_results(const Witness& example, std::vector<Hypothesis>& into) {
  const Arithmetic& right = example.arithmetics.front();
  for (const NumberFormat format : narrower_than(right.sums)) {
    const auto products = [format](const Witness& witness) {
      World world = right_world(witness);
      world.product_format = format;
      return std::optional(std::move(world));
    };
    if (example.has_other()) {
      into.push_back(
          {fmt::format("with each product rounded to {}", oracle::name_of(format)), products});
    }
    const auto partial_sums = [format](const Witness& witness) {
      World world = right_world(witness);
      world.partial_sum_format = format;
      return std::optional(std::move(world));
    };
    into.push_back({fmt::format("with every partial sum rounded to {}", oracle::name_of(format)),
                    partial_sums});
    const bool is_right = right.roundings == std::vector{format};
    const auto results = [format](const Witness& witness) {
      return with_arithmetic(witness, [&](Arithmetic& arithmetic) {
        arithmetic.roundings.insert(arithmetic.roundings.begin(), format);
      });
    };
    if (!is_right) {
      into.push_back(
          {fmt::format("with the sums rounded to {}", oracle::name_of(format)), results});
    }
  }
}

void add_overflow(const Witness& example, std::vector<Hypothesis>& into) {
  const bool saturates = example.arithmetics.front().overflow == oracle::Overflow::Saturate;
  const auto world = [](const Witness& witness) {
    return with_arithmetic(witness, [](Arithmetic& arithmetic) {
      const bool is_saturating = arithmetic.overflow == oracle::Overflow::Saturate;
      arithmetic.overflow =
          is_saturating ? oracle::Overflow::ToInfinity : oracle::Overflow::Saturate;
    });
  };
  into.push_back({saturates ? "with overflow to infinity instead of the largest finite number"
                            : "with overflow to the largest finite number instead of infinity",
                  world});
}

}  // namespace

std::vector<Hypothesis> rounding_hypotheses(const Witness& example) {
  std::vector<Hypothesis> hypotheses;
  add_modes(example, hypotheses);
  add_operand_formats(example, hypotheses);
  add_single_operands(example, hypotheses);
  add_products_and_results(example, hypotheses);
  add_directions(example, hypotheses);
  add_overflow(example, hypotheses);
  return hypotheses;
}

}  // namespace gradproof::findings::diagnosis
