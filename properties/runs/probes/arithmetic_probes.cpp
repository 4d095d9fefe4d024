#include "properties/runs/probes/arithmetic_probes.h"

#include "properties/runs/probes/chain_questions.h"

namespace gradproof::runs {

std::optional<corpus::MachineRounding> rounding_of_ties(double even, double odd) {
  if (even == 0 && odd == 1) return corpus::MachineRounding::NearestEven;
  if (even == 1 && odd == 1) return corpus::MachineRounding::NearestAway;
  if (even == 0 && odd == 0) return corpus::MachineRounding::TowardZero;
  if (even == 1 && odd == 0) return corpus::MachineRounding::Odd;
  return std::nullopt;
}

std::optional<ProbeProblem> ChainQuestions::ask(const ProbeValues& shared,
                                                const std::vector<ProbeValues>& questions,
                                                std::vector<double>& answers) {
  auto answer = prober_.ask(plan_, site_, shared, questions);
  if (!answer) return answer.error();
  answers = std::move(*answer);
  return std::nullopt;
}

std::optional<ProbeProblem> ChainQuestions::ask(const std::vector<Values>& questions,
                                                std::vector<double>& answers, double shared) {
  std::vector<ProbeValues> asked;
  for (const Values& values : questions) {
    ProbeValues question;
    for (std::size_t i = 0; i < values.size(); ++i) question.at.emplace_back(place(i), values[i]);
    asked.push_back(std::move(question));
  }
  return ask({shared, {}}, asked, answers);
}

corpus::DataType ChainQuestions::output_type() const {
  return corpus::tensor(prober_.call(), plan_.role())->dtype;
}
corpus::DataType ChainQuestions::varied_type() const {
  return corpus::tensor(prober_.call(), plan_.varied())->dtype;
}
corpus::DataType ChainQuestions::shared_type() const {
  return corpus::tensor(prober_.call(), plan_.shared())->dtype;
}

int bits_of(corpus::DataType dtype) {
  if (dtype == corpus::DataType::Float) return 24;
  return dtype == corpus::DataType::Float16 ? 11 : 8;
}

Probed<FoundArithmetic> find_arithmetic(Prober& prober, const cases::SitePlan& plan,
                                        const cases::Site& site, const cases::AdditionTree& tree) {
  ChainQuestions questions(prober, plan, site, tree);
  FoundArithmetic found;
  found.machine.gradient = plan.role();
  for (const auto probe : {probe_operands, probe_sums, probe_results}) {
    if (const auto problem = probe(questions, found)) return tl::unexpected(*problem);
  }
  return found;
}

}  // namespace gradproof::runs
