#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "properties/cases/machines/machine_number.h"
#include "properties/runs/probes/chain_questions.h"

namespace gradproof::runs {
namespace {

using corpus::MachineRounding;
using corpus::SubnormalHandling;

/// Finds what becomes of numbers at the ends of the range, and of a sum when it is stored.
class ResultProbes {
 public:
  ResultProbes(ChainQuestions& questions, FoundArithmetic& found)
      : questions_(questions), found_(found) {}

  std::optional<ProbeProblem> run() {
    for (const auto step : {&ResultProbes::output, &ResultProbes::subnormals,
                            &ResultProbes::overflow, &ResultProbes::specials}) {
      if (auto problem = (this->*step)()) return problem;
    }
    return std::nullopt;
  }

 private:
  using Problem = std::optional<ProbeProblem>;
  using Values = ChainQuestions::Values;

  /// Values at the lower end of FLOAT's exponents, each with one that is 2^6 as large.
  Problem subnormals() {
    auto& handling = found_.machine.subnormals;
    const auto& formats = found_.machine.output_formats;
    const bool is_out_of_sight =
        std::find(formats.begin(), formats.end(), "FLOAT16") != formats.end();
    if (is_out_of_sight || is_half() || !questions_.has_shared() || !questions_.has_links(3)) {
      handling = {SubnormalHandling::Unknown, SubnormalHandling::Unknown,
                  SubnormalHandling::Unknown, SubnormalHandling::Unknown};
      return std::nullopt;
    }
    const auto of = [](bool kept) {
      return kept ? SubnormalHandling::Kept : SubnormalHandling::Flushed;
    };
    std::vector<double> answers;
    if (auto problem = questions_.ask({{0x1p-128}}, answers, 0x1p20)) return problem;
    handling.operands = of(answers[0] == 0x1p-108);
    if (auto problem =
            questions_.ask({{0x1p-77, 0x1p-71}, {1.5 * 0x1p-76, -0x1p-76, 0x1p-71}, {0x1p-77}},
                           answers, 0x1p-50)) {
      return problem;
    }
    handling.products = of(answers[0] == 0x1p-121 + 0x1p-127);
    handling.sums = of(answers[1] == 0x1p-121 + 0x1p-127);
    handling.results = of(answers[2] == 0x1p-127);
    return std::nullopt;
  }

  Problem overflow() {
    auto& overflow = found_.machine.overflow;
    overflow = corpus::OverflowHandling::Unknown;
    if (!questions_.has_links(2)) return std::nullopt;
    std::vector<double> answers;
    const double large = is_half() ? 0x1p15 : 0x1p127;
    if (auto problem = questions_.ask({{large, large}}, answers)) return problem;
    if (std::isinf(answers[0])) overflow = corpus::OverflowHandling::Infinity;
    const bool is_reached = questions_.output_type() == corpus::DataType::Float16 || !is_half();
    if (std::isfinite(answers[0]) && is_reached) overflow = corpus::OverflowHandling::Saturated;
    return std::nullopt;
  }

  /// A NaN, an infinity times zero, and nothing but negative zeros.
  Problem specials() {
    auto& specials = found_.machine.specials;
    const auto of = [](bool kept) {
      return kept ? corpus::SpecialHandling::Kept : corpus::SpecialHandling::Lost;
    };
    constexpr double infinity = std::numeric_limits<double>::infinity();
    std::vector<double> answers;
    if (auto problem =
            questions_.ask({1, {}}, {{0, {{questions_.place(0), NAN}}}, {-0.0, {}}}, answers)) {
      return problem;
    }
    specials.nan = of(std::isnan(answers[0]));
    if (answers[1] == 0) specials.negative_zero = of(std::signbit(answers[1]));
    if (!questions_.has_shared()) return std::nullopt;
    if (auto problem = questions_.ask({{infinity}}, answers, 0)) return problem;
    specials.times_zero = of(std::isnan(answers[0]));
    return std::nullopt;
  }

  /// Formats that the sum is rounded to, and how.
  Problem output() {
    auto& machine = found_.machine;
    const std::string own(corpus::name_of(questions_.output_type()));
    machine.output_formats = {own};
    if (!questions_.has_links(3)) return std::nullopt;
    std::vector<Values> questions;
    const int most = std::min(24, machine.node.accumulator_bits);
    questions.reserve(to_size(most));
    for (int bit = 0; bit < most; ++bit) questions.push_back({1, std::ldexp(1, -bit)});
    std::vector<double> answers;
    if (auto problem = questions_.ask(questions, answers)) return problem;
    const int bits = 1 + last_that(answers, [](int bit, double answer) {
                       return answer == 1 + std::ldexp(1, -bit);
                     });
    if (bits < std::min(bits_of(questions_.output_type()), most)) {
      if (bits != 11 && bits != 8) {
        remark("Results lose bits in a way that has no name here.");
        return std::nullopt;
      }
      machine.output_formats = {bits == 11 ? "FLOAT16" : "BF16", own};
    }
    if (bits >= machine.node.accumulator_bits) return std::nullopt;
    return output_ties(bits);
  }

  Problem output_ties(int bits) {
    auto& machine = found_.machine;
    const double half = std::ldexp(1, -bits);
    std::vector<double> answers;
    // The last: a little above a tie. Rounded to more bits first, the little is lost.
    if (auto problem = questions_.ask({{1, half}, {1, 3 * half}, {1, half, half / 16}}, answers)) {
      return problem;
    }
    const auto rounding =
        rounding_of_ties((answers[0] - 1) / half / 2, (answers[1] - 1) / half / 2 - 1);
    machine.output_rounding = rounding.value_or(MachineRounding::NearestEven);
    if (!rounding) remark("Results are rounded in a way that has no name here.");
    const bool is_twice = bits == 8 && rounding == MachineRounding::NearestEven && answers[2] == 1;
    if (is_twice) machine.output_formats.insert(machine.output_formats.begin(), "FLOAT16");
    return std::nullopt;
  }

  bool is_half() const { return has_half_range(found_.machine); }
  void remark(std::string sentence) { found_.remarks.push_back(std::move(sentence)); }

  ChainQuestions& questions_;
  FoundArithmetic& found_;
};

}  // namespace

std::optional<ProbeProblem> probe_results(ChainQuestions& questions, FoundArithmetic& found) {
  return ResultProbes(questions, found).run();
}

}  // namespace gradproof::runs
