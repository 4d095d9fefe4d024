#include "oracle/arithmetic/machine_scope.h"

#include <fmt/core.h>

#include <string_view>

#include "corpus/data_type.h"
#include "oracle/arithmetic/order_bound.h"

namespace gradproof::oracle {
namespace {

using corpus::Case;

std::string types_of(const Case& problem) {
  std::string names;
  for (const corpus::InputRole role : corpus::input_roles) {
    const auto& tensor = corpus::tensor(problem, role);
    if (!names.empty()) names += ", ";
    names += tensor ? std::string_view(name_of(tensor->dtype)) : std::string_view("none");
  }
  return names;
}

/// An explicit tree is that of one sum, whose products follow from shapes and attributes; views and
/// data change none of them.
bool has_shapes_of(const Case& problem, const Case& measured) {
  for (const corpus::InputRole role : corpus::input_roles) {
    const auto &one = corpus::tensor(problem, role), &two = corpus::tensor(measured, role);
    if (one.has_value() != two.has_value()) return false;
    if (one && one->shape != two->shape) return false;
  }
  return problem.stride == measured.stride && problem.padding == measured.padding &&
         problem.dilation == measured.dilation && problem.groups == measured.groups &&
         problem.transposed == measured.transposed;
}

}  // namespace

std::optional<std::string> out_of_scope(const corpus::Machine& machine,
                                        const corpus::GradientMachine& gradient,
                                        const Case& problem) {
  const bool is_of_one = corpus::is_of_one_call(gradient);
  if (!machine.call) {
    if (!is_of_one) return std::nullopt;
    return "its tree is explicit, and it does not say of which call";
  }
  const Case& measured = *machine.call;
  if (problem.api != measured.api) return "it was measured with another function";
  if (problem.soc != measured.soc) return "it was measured on " + measured.soc;
  if (types_of(problem) != types_of(measured)) {
    return "it was measured with the dtypes " + types_of(measured);
  }
  if (problem.cube_math_type != measured.cube_math_type) {
    return fmt::format("it was measured with cubeMathType {}", measured.cube_math_type);
  }
  if (is_of_one && !has_shapes_of(problem, measured)) {
    return "its tree is explicit, of a call with other shapes or attributes";
  }
  return std::nullopt;
}

const corpus::GradientMachine* machine_for(const JudgeSettings& settings, const Case& problem,
                                           corpus::OutputRole role) {
  if (!settings.machine) return nullptr;
  const auto* found = corpus::machine_of(*settings.machine, role);
  if (found == nullptr || out_of_scope(*settings.machine, *found, problem)) return nullptr;
  return adder_of(*found) ? found : nullptr;
}

Adder adder_for(const JudgeSettings& settings, const Case& problem, corpus::OutputRole role) {
  const auto* machine = machine_for(settings, problem, role);
  if (machine == nullptr) return settings.adder;
  return adder_of(*machine).value_or(settings.adder);
}

}  // namespace gradproof::oracle
