#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "properties/cases/machines/machine_number.h"
#include "properties/runs/probes/chain_questions.h"

namespace gradproof::runs {
namespace {

using corpus::MachineProduct;
using corpus::MachineRounding;

/// Sums as narrow as the operands seemed to be have hidden what operands have below.
void take_as_stored_if_hidden(int bits_of_sums, const ChainQuestions& questions,
                              corpus::GradientMachine& machine) {
  const auto type = questions.varied_type();
  const bool is_hidden =
      bits_of_sums == machine.operands.significand_bits && bits_of_sums < bits_of(type);
  if (!is_hidden || has_half_range(machine)) return;
  machine.operands = {std::string(corpus::name_of(type)), bits_of(type),
                      MachineRounding::NearestEven};
}

/// Finds how sums are rounded, and what products are when they enter one.
class SumProbes {
 public:
  SumProbes(ChainQuestions& questions, FoundArithmetic& found)
      : questions_(questions), found_(found) {}

  std::optional<ProbeProblem> run() {
    for (const auto step :
         {&SumProbes::width, &SumProbes::inner_width, &SumProbes::rounding, &SumProbes::product}) {
      if (auto problem = (this->*step)()) return problem;
    }
    return std::nullopt;
  }

 private:
  using Problem = std::optional<ProbeProblem>;
  using Values = ChainQuestions::Values;

  /// The largest p with (2^(p-1) + 1) - 2^(p-1) = 1, the difference taken in a later node.
  Problem width() {
    auto& node = found_.machine.node;
    if (!questions_.has_links(3)) return std::nullopt;
    int bits = 0;
    if (auto problem =
            widest({questions_.place(0), questions_.place(1), questions_.place(2)}, bits))
      return problem;
    node.accumulator_bits = std::clamp(bits, 2, 53);
    if (bits < 2) remark("2 + 1 - 2 is not 1: sums have no width that has a name here.");
    take_as_stored_if_hidden(bits, questions_, found_.machine);
    return std::nullopt;
  }

  /// Finds the width of sums inside a node of several products, where addends are aligned.
  Problem inner_width() {
    auto& node = found_.machine.node;
    if (questions_.is_wide()) node.extra_bits = 0;
    if (questions_.chain().in_first_node.empty()) return std::nullopt;
    int bits = 0;
    if (auto problem = widest(
            {questions_.place(0), questions_.place(1), questions_.chain().in_first_node.front()},
            bits))
      return problem;
    if (!questions_.has_links(3)) node.accumulator_bits = std::min(bits, 24);
    constexpr int as_good_as_exact = 25;
    node.extra_bits = std::max(0, bits - node.accumulator_bits);
    if (*node.extra_bits > as_good_as_exact) node.extra_bits.reset();
    return std::nullopt;
  }

  Problem widest(const std::array<std::size_t, 3>& places, int& bits) {
    const double small = is_half() ? 0x1p-14 : 1;
    const int most = is_half() ? 30 : 60;
    std::vector<ProbeValues> questions;
    for (int exponent = 0; exponent < most; ++exponent) {
      const double large = std::ldexp(small, exponent);
      questions.push_back({0, {{places[0], large}, {places[1], small}, {places[2], -large}}});
    }
    std::vector<double> answers;
    if (auto problem = questions_.ask({1, {}}, questions, answers)) return problem;
    bits = 1 + last_that(answers, [&](int, double answer) { return answer == small; });
    return std::nullopt;
  }

  /// (1 + u) + 1 and (1 + 3 u) + 1 lie halfway between two numbers of the accumulator.
  Problem rounding() {
    auto& node = found_.machine.node;
    if (!questions_.has_links(4)) {
      if (questions_.is_wide())
        node.rounding = MachineRounding::TowardZero;  // what prediction then tries
      return std::nullopt;
    }
    const double scale = one_of(found_.machine),
                 unit = std::ldexp(scale, 1 - node.accumulator_bits);
    std::vector<double> answers;
    std::vector<Values> questions;
    for (const double sign : {1.0, -1.0}) {
      for (const double units : {1.0, 3.0}) {
        questions.push_back({sign * scale, sign * units * unit, sign * scale, -sign * 2 * scale});
      }
    }
    if (auto problem = questions_.ask(questions, answers)) return problem;
    for (double& answer : answers) answer /= 2 * unit;
    const auto positive = rounding_of_ties(answers[0], answers[1] - 1);
    const auto negative = rounding_of_ties(-answers[2], -answers[3] - 1);
    node.rounding = positive.value_or(MachineRounding::NearestEven);
    if (!positive || positive != negative) {
      remark("Sums are rounded in a way that has no name here, or negative ones in another way.");
    }
    if (questions_.is_wide() || node.rounding != MachineRounding::TowardZero) return std::nullopt;
    return alignment();
  }

  /// Finds where addends are cut: 1 - 2^-s is below 1 if cut after the sum, and 1 if before it.
  Problem alignment() {
    constexpr int most = 60;
    std::vector<Values> questions;
    const double scale = one_of(found_.machine);
    const int limit = is_half() ? 37 : most;
    questions.reserve(to_size(limit));
    for (int s = 0; s < limit; ++s) questions.push_back({scale, -std::ldexp(scale, -s), -scale});
    std::vector<double> answers;
    if (auto problem = questions_.ask(questions, answers)) return problem;
    const int last = last_that(answers, [](int, double answer) { return answer != 0; });
    auto& node = found_.machine.node;
    if (last + 1 < limit) node.extra_bits = std::max(0, last - (node.accumulator_bits - 1));
    return std::nullopt;
  }

  /// (1 + 2^-s)^2 - (1 + 2^(1-s)) is 2^(-2s) where the product is exact; times a power of two, so
  /// that a result of FLOAT16 shows it.
  Problem product() {
    auto& machine = found_.machine;
    machine.product = MachineProduct::Exact;
    const int bits = machine.node.accumulator_bits, operand = machine.operands.significand_bits;
    if (!questions_.has_shared() || 2 * operand <= bits || !questions_.has_links(2))
      return std::nullopt;
    const int s = (bits + 1) / 2;
    if (s >= operand) return std::nullopt;
    const double factor = 1 + std::ldexp(1, -s), product = 1 + std::ldexp(1, 1 - s);
    constexpr double scale = 0x1p10;
    std::array<bool, 2> is_exact{};
    for (const std::size_t first : {std::size_t{0}, std::size_t{1}}) {
      const ProbeValues shared{
          0, {{questions_.place(first), scale * factor}, {questions_.place(1 - first), scale}}};
      const ProbeValues varied{
          0, {{questions_.place(first), factor}, {questions_.place(1 - first), -product}}};
      std::vector<double> answers;
      if (auto problem = questions_.ask(shared, {varied}, answers)) return problem;
      is_exact[first] = answers[0] == std::ldexp(scale, -2 * s);
    }
    // A block adder cuts the addend: exact products are seen as far as it keeps them.
    if (questions_.is_wide()) {
      if (!is_exact[0] && machine.node.extra_bits.value_or(1) > 0) {
        machine.product = MachineProduct::Rounded;
      }
      return std::nullopt;
    }
    if (!is_exact[0] && !is_exact[1]) machine.product = MachineProduct::Rounded;
    if (is_exact[0] != is_exact[1]) machine.product = MachineProduct::Fused;
    found_.second_place_first = is_exact[0] && !is_exact[1];
    return std::nullopt;
  }

  bool is_half() const { return has_half_range(found_.machine); }
  void remark(std::string sentence) { found_.remarks.push_back(std::move(sentence)); }

  ChainQuestions& questions_;
  FoundArithmetic& found_;
};

}  // namespace

std::optional<ProbeProblem> probe_sums(ChainQuestions& questions, FoundArithmetic& found) {
  return SumProbes(questions, found).run();
}

}  // namespace gradproof::runs
