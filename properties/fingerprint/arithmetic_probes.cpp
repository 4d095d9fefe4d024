#include "properties/fingerprint/arithmetic_probes.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "properties/machines/machine_number.h"

namespace gradproof::properties {
namespace {

using corpus::MachineProduct;
using corpus::MachineRounding;
using corpus::SubnormalHandling;

/// The rounding that sends a tie above an even number to `even` units and one above an odd number
/// to `odd`, counted from the number below: the four differ in ties alone.
std::optional<MachineRounding> rounding_of_ties(double even, double odd) {
  if (even == 0 && odd == 1) return MachineRounding::NearestEven;
  if (even == 1 && odd == 1) return MachineRounding::NearestAway;
  if (even == 0 && odd == 0) return MachineRounding::TowardZero;
  if (even == 1 && odd == 0) return MachineRounding::Odd;
  return std::nullopt;
}

/// The number of leading answers that are `value`: the last question that still shows something.
template <typename Shows>
int last_that(const std::vector<double>& answers, Shows shows) {
  int last = -1;
  for (std::size_t i = 0; i < answers.size(); ++i) {
    if (shows(static_cast<int>(i), answers[i])) last = static_cast<int>(i);
  }
  return last;
}

class Probes {
 public:
  Probes(Prober& prober, const SitePlan& plan, const Site& site, const AdditionTree& tree)
      : prober_(prober),
        plan_(plan),
        site_(site),
        chain_(chain_of(tree)),
        is_wide_(!tree.nodes.empty() && widest_node(tree) > 2),
        output_(corpus::tensor(prober.call(), plan.role())->dtype),
        varied_(corpus::tensor(prober.call(), plan.varied())->dtype) {
    found_.machine.gradient = plan.role();
  }

  Probed<FoundArithmetic> run() {
    for (const auto step :
         {&Probes::range, &Probes::operands, &Probes::shared_operands, &Probes::width,
          &Probes::inner_width, &Probes::rounding, &Probes::product, &Probes::subnormals,
          &Probes::overflow, &Probes::output}) {
      if (const auto problem = (this->*step)()) return tl::unexpected(*problem);
    }
    return found_;
  }

 private:
  using Problem = std::optional<ProbeProblem>;
  /// Values of c0, c1, c2, ...; the other operand is 1.
  using Values = std::vector<double>;

  std::size_t place(std::size_t link) const { return chain_.places[link]; }
  bool has_links(std::size_t count) const { return chain_.places.size() >= count; }

  Problem ask(const std::vector<Values>& questions, std::vector<double>& answers,
              double shared = 1) {
    std::vector<ProbeValues> asked;
    for (const Values& values : questions) {
      ProbeValues question;
      for (std::size_t i = 0; i < values.size(); ++i) question.at.emplace_back(place(i), values[i]);
      asked.push_back(std::move(question));
    }
    auto answer = prober_.ask(plan_, site_, {shared, {}}, asked);
    if (!answer) return answer.error();
    answers = std::move(*answer);
    return std::nullopt;
  }

  void remark(std::string sentence) { found_.remarks.push_back(std::move(sentence)); }

  /// Whether operands have FLOAT's exponents or FLOAT16's.
  Problem range() {
    is_half_ = varied_ == corpus::DataType::Float16;
    auto& operands = found_.machine.operands;
    operands.significand_bits = bits_of(varied_);
    operands.format = name_of_operands(operands.significand_bits);
    if (is_half_ || !plan_.has_shared()) return std::nullopt;
    std::vector<double> answers;
    if (auto problem = ask({{0x1p20}}, answers, 0x1p-20)) return problem;
    is_half_ = answers[0] != 1;
    return std::nullopt;
  }

  /// Significand bits and rounding of the operand that the slots vary: v - 1 shows what became of
  /// v.
  Problem operands() {
    auto& operands = found_.machine.operands;
    constexpr int most_bits = 24;
    const double scale = one();
    std::vector<Values> questions;
    for (int bit = 0; bit < most_bits; ++bit) {
      questions.push_back({scale * (1 + std::ldexp(1, -bit)), -scale});
    }
    std::vector<double> answers;
    if (!has_links(2)) return std::nullopt;
    if (auto problem = ask(questions, answers)) return problem;
    const int last = last_that(
        answers, [&](int bit, double answer) { return answer == std::ldexp(scale, -bit); });
    operands.significand_bits = last + 1;
    if (last < 1) {
      remark("1 + 1 - 1 is not 1: the operands are converted in a way that has no name here.");
      operands.significand_bits = most_bits;
    }
    operands.format = name_of_operands(operands.significand_bits);
    if (operands.significand_bits >= bits_of(varied_)) return std::nullopt;
    const double half = std::ldexp(1, -operands.significand_bits);
    if (auto problem =
            ask({{scale * (1 + half), -scale}, {scale * (1 + 3 * half), -scale}}, answers)) {
      return problem;
    }
    const double unit = 2 * half * scale;
    const auto rounding = rounding_of_ties(answers[0] / unit, answers[1] / unit - 1);
    operands.rounding = rounding.value_or(MachineRounding::NearestEven);
    if (!rounding) remark("Operands are rounded in a way that has no name here.");
    return std::nullopt;
  }

  /// The same of the other operand, which is to be as found.
  Problem shared_operands() {
    if (!plan_.has_shared() || !has_links(2)) return std::nullopt;
    const auto dtype = corpus::tensor(prober_.call(), plan_.shared())->dtype;
    const auto& expected = found_.machine.operands;
    const double half = std::ldexp(1, -expected.significand_bits);
    for (const double value : {1 + 2 * half, 1 + half, 1 + 3 * half}) {
      const MachineNumber number = number_of(value);
      if (rounded(number, *precision_of("FLOAT", bits_of(dtype)), {}).magnitude !=
          number.magnitude) {
        continue;
      }
      ProbeValues shared{0, {{place(0), value}, {place(1), 1}}};
      const auto answer = prober_.ask(plan_, site_, shared,
                                      std::vector{ProbeValues{0, {{place(0), 1}, {place(1), -1}}}});
      if (!answer) return answer.error();
      const auto precision = precision_of("FLOAT", expected.significand_bits);
      if (answer->front() != double_of(rounded(number, *precision, expected.rounding)) - 1) {
        remark("The two operands are converted in different ways; the machine names one of them.");
        return std::nullopt;
      }
    }
    return std::nullopt;
  }

  /// The largest p with (2^(p-1) + 1) - 2^(p-1) = 1, the difference taken in a later node.
  Problem width() {
    auto& node = found_.machine.node;
    if (!has_links(3)) return std::nullopt;
    int bits = 0;
    if (auto problem = widest({place(0), place(1), place(2)}, bits)) return problem;
    node.accumulator_bits = std::clamp(bits, 2, 53);
    if (bits < 2) remark("2 + 1 - 2 is not 1: sums have no width that has a name here.");
    return std::nullopt;
  }

  /// The same inside a node of several products, where addends are aligned.
  Problem inner_width() {
    auto& node = found_.machine.node;
    if (is_wide_) node.extra_bits = 0;
    if (chain_.beside.empty()) return std::nullopt;
    int bits = 0;
    if (auto problem = widest({place(0), place(1), chain_.beside.front()}, bits)) return problem;
    if (!has_links(3)) node.accumulator_bits = std::min(bits, 24);
    constexpr int as_good_as_exact = 25;
    node.extra_bits = std::max(0, bits - node.accumulator_bits);
    if (*node.extra_bits > as_good_as_exact) node.extra_bits.reset();
    return std::nullopt;
  }

  Problem widest(const std::array<std::size_t, 3>& places, int& bits) {
    const double small = is_half_ ? 0x1p-14 : 1;
    const int most = is_half_ ? 30 : 60;
    std::vector<ProbeValues> questions;
    for (int exponent = 0; exponent < most; ++exponent) {
      const double large = std::ldexp(small, exponent);
      questions.push_back({0, {{places[0], large}, {places[1], small}, {places[2], -large}}});
    }
    const auto answers = prober_.ask(plan_, site_, {1, {}}, questions);
    if (!answers) return answers.error();
    bits = 1 + last_that(*answers, [&](int, double answer) { return answer == small; });
    return std::nullopt;
  }

  /// (1 + u) + 1 and (1 + 3 u) + 1 lie halfway between two numbers of the accumulator.
  Problem rounding() {
    auto& node = found_.machine.node;
    if (!has_links(4)) {
      if (is_wide_) node.rounding = MachineRounding::TowardZero;  // what prediction then tries
      return std::nullopt;
    }
    const double scale = one(), unit = std::ldexp(scale, 1 - node.accumulator_bits);
    std::vector<double> answers;
    std::vector<Values> questions;
    for (const double sign : {1.0, -1.0}) {
      for (const double units : {1.0, 3.0}) {
        questions.push_back({sign * scale, sign * units * unit, sign * scale, -sign * 2 * scale});
      }
    }
    if (auto problem = ask(questions, answers)) return problem;
    for (double& answer : answers) answer /= 2 * unit;
    const auto positive = rounding_of_ties(answers[0], answers[1] - 1);
    const auto negative = rounding_of_ties(-answers[2], -answers[3] - 1);
    node.rounding = positive.value_or(MachineRounding::NearestEven);
    if (!positive || positive != negative) {
      remark("Sums are rounded in a way that has no name here, or negative ones in another way.");
    }
    if (is_wide_ || node.rounding != MachineRounding::TowardZero) return std::nullopt;
    return alignment();
  }

  /// 1 - 2^-s is below 1 where it is cut after the sum, and 1 where the addend is cut before it.
  Problem alignment() {
    constexpr int most = 60;
    std::vector<Values> questions;
    const double scale = one();
    const int limit = is_half_ ? 37 : most;
    for (int s = 0; s < limit; ++s) questions.push_back({scale, -std::ldexp(scale, -s), -scale});
    std::vector<double> answers;
    if (auto problem = ask(questions, answers)) return problem;
    const int last = last_that(answers, [](int, double answer) { return answer != 0; });
    auto& node = found_.machine.node;
    if (last + 1 < limit) node.extra_bits = std::max(0, last - (node.accumulator_bits - 1));
    return std::nullopt;
  }

  /// (1 + 2^-s)^2 - (1 + 2^(1-s)) is 2^(-2s) where the product is exact, and 0 where it is rounded.
  Problem product() {
    auto& machine = found_.machine;
    machine.product = MachineProduct::Exact;
    const int bits = machine.node.accumulator_bits, operand = machine.operands.significand_bits;
    if (!plan_.has_shared() || 2 * operand <= bits || !has_links(2)) return std::nullopt;
    const int s = (bits + 1) / 2;
    if (s >= operand) return std::nullopt;
    const double factor = 1 + std::ldexp(1, -s), product = 1 + std::ldexp(1, 1 - s);
    std::array<double, 2> seen{};
    for (const std::size_t first : {std::size_t{0}, std::size_t{1}}) {
      const ProbeValues shared{0, {{place(first), factor}, {place(1 - first), 1}}};
      const ProbeValues varied{0, {{place(first), factor}, {place(1 - first), -product}}};
      const auto answer = prober_.ask(plan_, site_, shared, std::vector{varied});
      if (!answer) return answer.error();
      seen[first] = answer->front();
    }
    // A block adder cuts the addend: exact products are seen as far as it keeps them.
    if (is_wide_) {
      if (seen[0] == 0 && machine.node.extra_bits.value_or(1) > 0) {
        machine.product = MachineProduct::Rounded;
      }
      return std::nullopt;
    }
    if (seen[0] == 0 && seen[1] == 0) machine.product = MachineProduct::Rounded;
    if ((seen[0] == 0) != (seen[1] == 0)) machine.product = MachineProduct::Fused;
    found_.second_place_first = seen[1] == 0 && seen[0] != 0;
    return std::nullopt;
  }

  /// Values at the lower end of FLOAT's exponents, each beside one that is 2^6 as large.
  Problem subnormals() {
    auto& handling = found_.machine.subnormals;
    if (is_half_ || !plan_.has_shared() || !has_links(3)) {
      handling = {SubnormalHandling::Unknown, SubnormalHandling::Unknown,
                  SubnormalHandling::Unknown, SubnormalHandling::Unknown};
      return std::nullopt;
    }
    const auto of = [](bool kept) {
      return kept ? SubnormalHandling::Kept : SubnormalHandling::Flushed;
    };
    std::vector<double> answers;
    if (auto problem = ask({{0x1p-128}}, answers, 0x1p20)) return problem;
    handling.operands = of(answers[0] == 0x1p-108);
    if (auto problem = ask({{0x1p-77, 0x1p-71}, {1.5 * 0x1p-76, -0x1p-76, 0x1p-71}, {0x1p-77}},
                           answers, 0x1p-50)) {
      return problem;
    }
    handling.products = of(answers[0] == 0x1p-121 + 0x1p-127);
    handling.sums = of(answers[1] == 0x1p-121 + 0x1p-127);
    handling.results = of(answers[2] == 0x1p-127);
    if (output_ == corpus::DataType::Float16) handling.results = SubnormalHandling::Unknown;
    return std::nullopt;
  }

  Problem overflow() {
    auto& overflow = found_.machine.overflow;
    overflow = corpus::OverflowHandling::Unknown;
    if (!has_links(2)) return std::nullopt;
    std::vector<double> answers;
    const double large = is_half_ ? 0x1p15 : 0x1p127;
    if (auto problem = ask({{large, large}}, answers)) return problem;
    if (std::isinf(answers[0])) overflow = corpus::OverflowHandling::Infinity;
    const bool is_reached = output_ == corpus::DataType::Float16 || !is_half_;
    if (std::isfinite(answers[0]) && is_reached) overflow = corpus::OverflowHandling::Saturated;
    return std::nullopt;
  }

  /// Formats that the sum is rounded to, and how.
  Problem output() {
    auto& machine = found_.machine;
    const std::string own(corpus::name_of(output_));
    machine.output_formats = {own};
    if (!has_links(3)) return std::nullopt;
    std::vector<Values> questions;
    const int most = std::min(24, machine.node.accumulator_bits);
    for (int bit = 0; bit < most; ++bit) questions.push_back({1, std::ldexp(1, -bit)});
    std::vector<double> answers;
    if (auto problem = ask(questions, answers)) return problem;
    const int bits = 1 + last_that(answers, [](int bit, double answer) {
                       return answer == 1 + std::ldexp(1, -bit);
                     });
    if (bits < std::min(bits_of(output_), most)) {
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
    if (auto problem = ask({{1, half}, {1, 3 * half}, {1, half, half / 16}}, answers)) {
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

  /// What stands for 1: FLOAT16 has room below it for 24 bits and the next power of two above it.
  double one() const { return is_half_ ? 0x1p14 : 1; }

  static int bits_of(corpus::DataType dtype) {
    if (dtype == corpus::DataType::Float) return 24;
    return dtype == corpus::DataType::Float16 ? 11 : 8;
  }

  std::string name_of_operands(int bits) const {
    if (is_half_) return "FLOAT16";
    if (bits == 8) return "BF16";
    return bits == 24 ? "FLOAT" : "HF32";
  }

  Prober& prober_;
  const SitePlan& plan_;
  const Site& site_;
  Chain chain_;
  bool is_wide_;
  bool is_half_ = false;
  corpus::DataType output_, varied_;
  FoundArithmetic found_;
};

}  // namespace

Probed<FoundArithmetic> find_arithmetic(Prober& prober, const SitePlan& plan, const Site& site,
                                        const AdditionTree& tree) {
  return Probes(prober, plan, site, tree).run();
}

}  // namespace gradproof::properties
