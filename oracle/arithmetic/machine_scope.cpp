#include "oracle/arithmetic/machine_scope.h"

#include <fmt/core.h>

#include <string_view>

#include "corpus/data_type.h"
#include "oracle/arithmetic/order_bound.h"

namespace gradproof::oracle {
namespace {

using corpus::Case;

std::string types_of(const Case& test_case) {
  std::string names;
  for (const corpus::InputRole role : corpus::input_roles) {
    const auto& tensor = corpus::tensor(test_case, role);
    if (!names.empty()) names += ", ";
    names += tensor ? std::string_view(name_of(tensor->dtype)) : std::string_view("none");
  }
  return names;
}

/// An explicit tree is that of one sum, whose products follow from shapes and attributes; views and
/// data change none of them.
bool has_shapes_of(const Case& test_case, const Case& measured) {
  for (const corpus::InputRole role : corpus::input_roles) {
    const auto &one = corpus::tensor(test_case, role), &two = corpus::tensor(measured, role);
    if (one.has_value() != two.has_value()) return false;
    if (one && one->shape != two->shape) return false;
  }
  return test_case.stride == measured.stride && test_case.padding == measured.padding &&
         test_case.dilation == measured.dilation && test_case.groups == measured.groups &&
         test_case.transposed == measured.transposed;
}

}  // namespace

std::optional<std::string> out_of_scope(const corpus::Machine& machine,
                                        const corpus::GradientMachine& gradient,
                                        const Case& test_case) {
  const bool is_of_one = corpus::is_of_one_call(gradient);
  if (!machine.call) {
    if (!is_of_one) return std::nullopt;
    return "its tree is explicit, and it does not say of which call";
  }
  const Case& measured = *machine.call;
  if (test_case.api != measured.api) return "it was measured with another function";
  if (test_case.soc != measured.soc) return "it was measured on " + measured.soc;
  if (types_of(test_case) != types_of(measured)) {
    return "it was measured with the dtypes " + types_of(measured);
  }
  if (test_case.cube_math_type != measured.cube_math_type) {
    return fmt::format("it was measured with cubeMathType {}", measured.cube_math_type);
  }
  if (is_of_one && !has_shapes_of(test_case, measured)) {
    return "its tree is explicit, of a call with other shapes or attributes";
  }
  return std::nullopt;
}

const corpus::GradientMachine* machine_for(const JudgeSettings& settings, const Case& test_case,
                                           corpus::OutputRole role) {
  if (!settings.machine) return nullptr;
  const auto* found = corpus::machine_of(*settings.machine, role);
  if (found == nullptr || out_of_scope(*settings.machine, *found, test_case)) return nullptr;
  return adder_of(*found) ? found : nullptr;
}

Adder adder_for(const JudgeSettings& settings, const Case& test_case, corpus::OutputRole role) {
  const auto* machine = machine_for(settings, test_case, role);
  if (machine == nullptr) return settings.adder;
  return adder_of(*machine).value_or(settings.adder);
}

}  // namespace gradproof::oracle
