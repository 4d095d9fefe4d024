#include "properties/findings/picture/output_judge.h"

#include "oracle/arithmetic/algorithm_scope.h"
#include "oracle/arithmetic/machine_scope.h"

namespace gradproof::findings {
namespace {

using corpus::InputRole;
using corpus::OutputRole;

std::optional<oracle::OrderedBounds> ordered_bounds(const corpus::Case& test_case, OutputRole role,
                                                    const oracle::Geometry& geometry,
                                                    const oracle::Arithmetic& way,
                                                    const oracle::JudgeSettings& settings,
                                                    const OutputJudge& judge) {
  const auto* machine = oracle::machine_for(settings, test_case, role);
  if (machine == nullptr) return std::nullopt;
  return oracle::OrderedBounds(*machine, way, geometry, role, judge.grad_output(), judge.other());
}

std::optional<oracle::TileBounds> tile_bounds(const corpus::Case& test_case, OutputRole role,
                                              const oracle::Geometry& geometry,
                                              const oracle::Arithmetic& way,
                                              const oracle::JudgeSettings& settings,
                                              oracle::OperandStore& store) {
  const auto form = oracle::tiles_admitted(settings, test_case, geometry, role, way);
  if (!form) return std::nullopt;
  return oracle::TileBounds(*form, way, oracle::adder_for(settings, test_case, role), geometry,
                            role, store.measured(InputRole::GradOutput, way),
                            store.measured(other_operand(role), way));
}

/// The exact elements with their bias; nullopt: none is added.
std::optional<oracle::BiasedGradient> with_bias(const oracle::FastGradient& exact,
                                                const std::vector<oracle::Number>& bias,
                                                const oracle::Shape& output, bool is_late) {
  if (bias.empty()) return std::nullopt;
  return oracle::BiasedGradient(exact, bias, output[2] * output[3] * output[4], nullptr, is_late);
}

}  // namespace

InputRole other_operand(OutputRole role) {
  if (role == OutputRole::GradBias) return InputRole::GradOutput;
  return role == OutputRole::GradInput ? InputRole::Weight : InputRole::Input;
}

OutputJudge::OutputJudge(const corpus::Case& test_case, OutputRole role,
                         const oracle::Geometry& geometry, const oracle::Arithmetic& way,
                         const oracle::JudgeSettings& settings, oracle::OperandStore& store)
    : grad_output_(store.measured(InputRole::GradOutput, way)),
      other_(store.measured(other_operand(role), way)),
      exact_(role == OutputRole::GradBias
                 ? oracle::FastGradient(geometry, grad_output_)
                 : oracle::FastGradient(geometry, role, grad_output_, other_)),
      bias_(store.bias(way)),
      biased_(with_bias(exact_, bias_, geometry.shape(role), way.bias_is_late)),
      ordered_(ordered_bounds(test_case, role, geometry, way, settings, *this)),
      tiles_(tile_bounds(test_case, role, geometry, way, settings, store)),
      elements_(oracle::ComparisonBasis{
          .exact = biased_ ? static_cast<const oracle::ExactGradient&>(*biased_) : exact_,
          .arithmetic = way,
          .adder = oracle::adder_for(settings, test_case, role),
          .is_bias = role == OutputRole::GradBias,
          .specials_are_demanded = settings.judges_specials,
          .indices = nullptr,
          .ordered = ordered_ ? &*ordered_ : nullptr,
          .tiles = tiles_ ? &*tiles_ : nullptr,
          .late_bias = way.bias_is_late && biased_ ? &*biased_ : nullptr}) {}

}  // namespace gradproof::findings
