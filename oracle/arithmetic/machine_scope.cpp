#include "oracle/arithmetic/machine_scope.h"

#include <fmt/core.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "corpus/data_type.h"
#include "oracle/arithmetic/order_bound.h"
#include "oracle/geometry/geometry.h"

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

/// Loops over the products of an element: the lengths along which their order can be seen.
struct Loop {
  std::string_view name;
  std::int64_t length;
};

std::array<Loop, 4> loops_of(const Geometry& geometry, corpus::OutputRole role) {
  const auto& [depth, height, width] = geometry.axes;
  if (role == corpus::OutputRole::GradInput) {
    const auto channels = geometry.transposed ? geometry.big_channels : geometry.small_channels;
    return {{{"k", channels}, {"kd", depth.kernel}, {"kh", height.kernel}, {"kw", width.kernel}}};
  }
  const auto positions =
      role == corpus::OutputRole::GradBias && geometry.transposed ? &Axis::big : &Axis::small;
  return {{{"n", geometry.batch},
           {"od", depth.*positions},
           {"oh", height.*positions},
           {"ow", width.*positions}}};
}

/// Name of the first loop that the call has and the measured one had not.
std::optional<std::string_view> unmeasured_loop(const Case& test_case, const Case& measured,
                                                corpus::OutputRole role) {
  const auto now = geometry_of(test_case), then = geometry_of(measured);
  if (!now || !then) return std::nullopt;
  const auto loops = loops_of(*now, role), known = loops_of(*then, role);
  for (std::size_t i = 0; i < loops.size(); ++i) {
    if (loops.at(i).length > 1 && known.at(i).length <= 1) return loops.at(i).name;
  }
  return std::nullopt;
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
  if (test_case.transposed != measured.transposed) {
    return fmt::format("it was measured with transposed {}", measured.transposed);
  }
  if (const auto loop = unmeasured_loop(test_case, measured, gradient.gradient)) {
    return fmt::format("it was measured with one {} alone: its order along that axis is not known",
                       *loop);
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
