#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "properties/runs/probes/arithmetic_probes.h"

namespace gradproof::runs {

/// The rounding that sends a tie above an even number to `even` units and one above an odd number
/// to `odd`, counted from the number below: the four differ in ties alone.
std::optional<corpus::MachineRounding> rounding_of_ties(double even, double odd);

/// The last question whose answer still shows something; -1: none does.
template <typename Shows>
int last_that(const std::vector<double>& answers, Shows shows) {
  int last = -1;
  for (std::size_t i = 0; i < answers.size(); ++i) {
    if (shows(static_cast<int>(i), answers[i])) last = static_cast<int>(i);
  }
  return last;
}

/// Questions about products that are added one after the other.
class ChainQuestions {
 public:
  ChainQuestions(Prober& prober, const cases::SitePlan& plan, const cases::Site& site,
                 const cases::AdditionTree& tree)
      : prober_(prober),
        plan_(plan),
        site_(site),
        chain_(cases::chain_of(tree)),
        is_wide_(!tree.nodes.empty() && cases::widest_node(tree) > 2) {}

  using Problem = std::optional<ProbeProblem>;
  /// Values of c0, c1, c2, ... (see Chain); the other operand is `shared`.
  using Values = std::vector<double>;

  Problem ask(const std::vector<Values>& questions, std::vector<double>& answers,
              double shared = 1);
  Problem ask(const ProbeValues& shared, const std::vector<ProbeValues>& questions,
              std::vector<double>& answers);

  std::size_t place(std::size_t link) const { return chain_.places[link]; }
  bool has_links(std::size_t count) const { return chain_.places.size() >= count; }
  const cases::Chain& chain() const { return chain_; }
  bool is_wide() const { return is_wide_; }  ///< some node has more than two addends
  bool has_shared() const { return plan_.has_shared(); }
  corpus::OutputRole role() const { return plan_.role(); }
  corpus::DataType output_type() const;
  corpus::DataType varied_type() const;
  corpus::DataType shared_type() const;  ///< not of gradBias

 private:
  Prober& prober_;
  const cases::SitePlan& plan_;
  const cases::Site& site_;
  cases::Chain chain_;
  bool is_wide_;
};

/// Significand bits of a tensor's type.
int bits_of(corpus::DataType dtype);

inline bool has_half_range(const corpus::GradientMachine& machine) {
  return machine.operands.format == "FLOAT16";
}

/// Number for 1: FLOAT16 has room below it for 24 bits and the next power of two above it.
inline double one_of(const corpus::GradientMachine& machine) {
  return has_half_range(machine) ? 0x1p14 : 1;
}

// Each fills in its fields of the machine. Errors: why there is no answer.

/// Format, bits and rounding of the operands.
std::optional<ProbeProblem> probe_operands(ChainQuestions& questions, FoundArithmetic& found);
/// Width, alignment and rounding of sums; products. Operands must be known.
std::optional<ProbeProblem> probe_sums(ChainQuestions& questions, FoundArithmetic& found);
/// Subnormals, overflow, formats of the result. Operands and sums must be known.
std::optional<ProbeProblem> probe_results(ChainQuestions& questions, FoundArithmetic& found);

}  // namespace gradproof::runs
