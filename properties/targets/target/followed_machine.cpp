#include "properties/targets/target/followed_machine.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>

namespace gradproof::targets {
namespace {

using corpus::GradientMachine;
using corpus::MachineProduct;
using corpus::MachineRounding;

/// Takes one gradient after the other; what contradicts an earlier one is not followed.
class Following {
 public:
  void follow(const GradientMachine& gradient) {
    gradient_ = std::string(corpus::name_of(gradient.gradient));
    follow_operands(gradient.operands);
    if (gradient.gradient != corpus::OutputRole::GradBias) follow_product(gradient);
    refuse_saturation(gradient.overflow);
    refuse_order(gradient);
    refuse_arithmetic(gradient);
  }

  FollowedMachine taken() && { return std::move(result_); }

 private:
  void refuse(const std::string& words) {
    result_.not_followed.push_back(fmt::format("{}: {}", gradient_, words));
  }

  void set(const char* variable, std::string_view value) {
    const auto found =
        std::ranges::find(result_.settings, variable, &std::pair<std::string, std::string>::first);
    if (found == result_.settings.end()) {
      result_.settings.emplace_back(variable, value);
    } else if (found->second != value) {
      refuse(fmt::format("{}={}, while another gradient needs {}", variable, value, found->second));
    }
  }

  void follow_operands(const corpus::OperandConversion& operands) {
    const bool is_hf32 = operands.format == "HF32";
    if (is_hf32 && operands.rounding == MachineRounding::NearestAway) {
      return set("GRADPROOF_HF32_ROUNDING", "away");
    }
    if (operands.rounding != MachineRounding::NearestEven || operands.format == "TF32") {
      return refuse(fmt::format("operands converted to {}, {}", operands.format,
                                corpus::name_of(operands.rounding)));
    }
    if (is_hf32) set("GRADPROOF_HF32_ROUNDING", "even");
  }

  /// Products of short operands are exact whatever is done with them.
  void follow_product(const GradientMachine& gradient) {
    if (2 * gradient.operands.significand_bits <= 24) return;
    if (gradient.product == MachineProduct::Exact) return refuse("exact products of FLOAT");
    const bool is_fused = gradient.product == MachineProduct::Fused;
    set("GRADPROOF_FLOAT_PRODUCTS", is_fused ? "fused" : "rounded");
  }

  /// The overflow mode is the chip's, and a machine has chips of several kinds.
  void refuse_saturation(corpus::OverflowHandling overflow) {
    if (overflow == corpus::OverflowHandling::Saturated) refuse("overflow saturated");
  }

  /// Cores and tiles decide in which order the cube adds.
  void refuse_order(const GradientMachine& gradient) {
    const auto family = corpus::name_of(gradient.tree.family);
    refuse(gradient.tree.size == 0
               ? fmt::format("the order of additions ({})", family)
               : fmt::format("the order of additions ({} of {})", family, gradient.tree.size));
  }

  void refuse_arithmetic(const GradientMachine& gradient) {
    if (!(gradient.node == corpus::NodeArithmetic{})) {
      refuse(fmt::format("additions rounded {} to {} bits", corpus::name_of(gradient.node.rounding),
                         gradient.node.accumulator_bits));
    }
    if (!(gradient.subnormals == corpus::SubnormalHandlings{})) refuse("subnormals not kept");
    if (gradient.output_rounding != MachineRounding::NearestEven) {
      refuse(fmt::format("results rounded {}", corpus::name_of(gradient.output_rounding)));
    }
  }

  FollowedMachine result_;
  std::string gradient_;
};

}  // namespace

FollowedMachine followed(const corpus::Machine& machine) {
  Following following;
  for (const GradientMachine& gradient : machine.gradients) following.follow(gradient);
  FollowedMachine result = std::move(following).taken();
  for (const corpus::GradientAlgorithm& each : machine.algorithms) {
    if (!corpus::is_winograd(each.algorithm)) continue;
    result.not_followed.push_back(
        fmt::format("{}: {}", corpus::name_of(each.gradient), corpus::name_of(each.algorithm)));
  }
  return result;
}

void put_in_force(const FollowedMachine& machine) {
  constexpr int replace = 1;
  for (const auto& [variable, value] : machine.settings) {
    ::setenv(variable.c_str(), value.c_str(), replace);
  }
}

}  // namespace gradproof::targets
