#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "properties/cases/machines/machine_number.h"
#include "properties/runs/probes/chain_questions.h"

namespace gradproof::runs {
namespace {

using corpus::MachineRounding;

/// Finds the form that operands have before they are multiplied.
class OperandProbes {
 public:
  OperandProbes(ChainQuestions& questions, FoundArithmetic& found)
      : questions_(questions), found_(found) {}

  std::optional<ProbeProblem> run() {
    for (const auto step :
         {&OperandProbes::range, &OperandProbes::operands, &OperandProbes::shared_operands}) {
      if (auto problem = (this->*step)()) return problem;
    }
    return std::nullopt;
  }

 private:
  using Problem = std::optional<ProbeProblem>;
  using Values = ChainQuestions::Values;

  /// Finds whether operands have FLOAT's exponents or FLOAT16's.
  Problem range() {
    auto& operands = found_.machine.operands;
    operands.significand_bits = bits_of(questions_.varied_type());
    operands.format = corpus::name_of(questions_.varied_type());
    if (is_half() || !questions_.has_shared()) return std::nullopt;
    std::vector<double> answers;
    if (auto problem = questions_.ask({{0x1p20}}, answers, 0x1p-20)) return problem;
    if (answers[0] != 1) operands.format = "FLOAT16";
    return std::nullopt;
  }

  /// Significand bits and rounding of the operand that the slots vary: v - 1 shows what became of
  /// v.
  Problem operands() {
    auto& operands = found_.machine.operands;
    constexpr int most_bits = 24;
    const double scale = one_of(found_.machine);
    std::vector<Values> questions;
    questions.reserve(most_bits);
    for (int bit = 0; bit < most_bits; ++bit) {
      questions.push_back({scale * (1 + std::ldexp(1, -bit)), -scale});
    }
    std::vector<double> answers;
    if (!questions_.has_links(2)) return std::nullopt;
    if (auto problem = questions_.ask(questions, answers)) return problem;
    const int last = last_that(
        answers, [&](int bit, double answer) { return answer == std::ldexp(scale, -bit); });
    operands.significand_bits = last + 1;
    if (last < 1) {
      remark("1 + 1 - 1 is not 1: the operands are converted in a way that has no name here.");
      operands.significand_bits = most_bits;
    }
    operands.format = name_with(operands.significand_bits);
    if (operands.significand_bits >= bits_of(questions_.varied_type())) return std::nullopt;
    const double half = std::ldexp(1, -operands.significand_bits);
    if (auto problem = questions_.ask(
            {{scale * (1 + half), -scale}, {scale * (1 + 3 * half), -scale}}, answers)) {
      return problem;
    }
    const double unit = 2 * half * scale;
    const auto rounding = rounding_of_ties(answers[0] / unit, answers[1] / unit - 1);
    operands.rounding = rounding.value_or(MachineRounding::NearestEven);
    if (!rounding) remark("Operands are rounded in a way that has no name here.");
    return std::nullopt;
  }

  /// Checks that the other operand has the precision that was found.
  Problem shared_operands() {
    if (!questions_.has_shared() || !questions_.has_links(2)) return std::nullopt;
    const int stored = bits_of(questions_.shared_type());
    const auto& expected = found_.machine.operands;
    const double half = std::ldexp(1, -expected.significand_bits);
    for (const double value : {1 + 2 * half, 1 + half, 1 + 3 * half}) {
      const cases::MachineNumber number = cases::number_of(value);
      if (cases::rounded(number, *cases::precision_of("FLOAT", stored), {}).magnitude !=
          number.magnitude) {
        continue;
      }
      const ProbeValues shared{0, {{questions_.place(0), value}, {questions_.place(1), 1}}};
      const ProbeValues varied{0, {{questions_.place(0), 1}, {questions_.place(1), -1}}};
      std::vector<double> answers;
      if (auto problem = questions_.ask(shared, {varied}, answers)) return problem;
      const auto precision = cases::precision_of("FLOAT", expected.significand_bits);
      if (answers[0] !=
          cases::double_of(cases::rounded(number, *precision, expected.rounding)) - 1) {
        remark("The two operands are converted in different ways; the machine names one of them.");
        return std::nullopt;
      }
    }
    return std::nullopt;
  }

  std::string name_with(int bits) const {
    if (is_half()) return "FLOAT16";
    if (bits == 8) return "BF16";
    return bits == 24 ? "FLOAT" : "HF32";
  }

  bool is_half() const { return has_half_range(found_.machine); }
  void remark(std::string sentence) { found_.remarks.push_back(std::move(sentence)); }

  ChainQuestions& questions_;
  FoundArithmetic& found_;
};

}  // namespace

std::optional<ProbeProblem> probe_operands(ChainQuestions& questions, FoundArithmetic& found) {
  return OperandProbes(questions, found).run();
}

}  // namespace gradproof::runs
