#include "properties/cases/machines/model.h"

#include "properties/cases/machines/machine_number.h"

namespace gradproof::cases {
namespace {

using corpus::MachineProduct;
using corpus::SubnormalHandling;

constexpr int lowest_normal = -126;

bool is_below(const MachineNumber& number, int exponent) {
  return !number.is_zero() && number.leading() < exponent;
}

/// One element's evaluation.
class Evaluation {
 public:
  Evaluation(const corpus::GradientMachine& machine, const AdditionTree& tree)
      : machine_(machine),
        tree_(tree),
        operand_(precision_of(machine.operands.format, machine.operands.significand_bits)),
        accumulator_(accumulator_of(machine.node)) {}

  std::optional<double> of(const std::vector<double>& operands, const std::vector<double>& others) {
    if (!operand_) return std::nullopt;
    for (std::size_t i = 0; i < tree_.leaves.size(); ++i) {
      MachineNumber value = converted(operands[i]);
      if (!others.empty()) value = product(value, converted(others[i]));
      values_.push_back(value);
    }
    for (const corpus::TreeNode& node : tree_.nodes) values_.push_back(sum(node));
    if (values_.empty()) return 0.0;
    const MachineNumber root = tree_.nodes.empty() ? as_sum(values_.back()) : values_.back();
    const MachineNumber result = as_result(root);
    if (is_out_of_range_) return std::nullopt;
    return double_of(result);
  }

 private:
  bool is_product(std::int64_t part) const {
    return part < static_cast<std::int64_t>(tree_.leaves.size());
  }

  MachineNumber in_range(const MachineNumber& number, const MachinePrecision& precision) {
    if (!number.is_zero() && number.leading() > precision.highest_exponent) is_out_of_range_ = true;
    return number;
  }

  MachineNumber converted(double value) {
    MachineNumber number = number_of(value);
    const int lowest = operand_->lowest_exponent + operand_->bits - 1;
    if (machine_.subnormals.operands == SubnormalHandling::Flushed && is_below(number, lowest)) {
      return {};
    }
    return in_range(rounded(number, *operand_, machine_.operands.rounding), *operand_);
  }

  MachineNumber product(const MachineNumber& one, const MachineNumber& other) {
    MachineNumber number = product_of(one, other);
    if (machine_.product == MachineProduct::Rounded) number = as_sum(number);
    if (machine_.subnormals.products == SubnormalHandling::Flushed &&
        is_below(number, lowest_normal)) {
      return {};
    }
    return number;
  }

  /// Rounds a number to the accumulator by itself.
  MachineNumber as_sum(const MachineNumber& number) {
    const MachineNumber sum =
        in_range(rounded(number, accumulator_, machine_.node.rounding), accumulator_);
    const bool is_flushed = machine_.subnormals.sums == SubnormalHandling::Flushed;
    return is_flushed && is_below(sum, lowest_normal) ? MachineNumber{} : sum;
  }

  MachineNumber sum(const corpus::TreeNode& node) {
    std::vector<MachineNumber> addends;
    addends.reserve(node.size());
    for (const std::int64_t child : node) {
      const MachineNumber& value = values_[to_size(child)];
      const bool is_first_fused =
          machine_.product == MachineProduct::Fused && is_product(child) && addends.empty();
      addends.push_back(is_first_fused ? as_sum(value) : value);
    }
    if (addends.size() == 1) return as_sum(addends.front());
    return as_sum(node_sum(addends, machine_.node));
  }

  MachineNumber as_result(MachineNumber number) {
    for (const std::string& format : machine_.output_formats) {
      const auto precision = precision_of(format);
      if (!precision) {
        is_out_of_range_ = true;
        return number;
      }
      number = in_range(rounded(number, *precision, machine_.output_rounding), *precision);
      const int lowest = precision->lowest_exponent + precision->bits - 1;
      if (machine_.subnormals.results == SubnormalHandling::Flushed && is_below(number, lowest)) {
        return {};
      }
    }
    return number;
  }

  const corpus::GradientMachine& machine_;
  const AdditionTree& tree_;
  std::optional<MachinePrecision> operand_;
  MachinePrecision accumulator_;
  std::vector<MachineNumber> values_;
  bool is_out_of_range_ = false;
};

}  // namespace

std::optional<double> Model::element(const AdditionTree& tree, const std::vector<double>& operands,
                                     const std::vector<double>& others) const {
  return Evaluation(machine_, tree).of(operands, others);
}

}  // namespace gradproof::cases
