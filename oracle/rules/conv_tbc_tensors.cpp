#include "oracle/rules/conv_tbc_tensors.h"

#include "oracle/facts/checked_integer.h"

namespace gradproof::oracle::rules {

using corpus::DataType;
using corpus::Format;
using corpus::TensorCase;

std::array<NamedTensor, 7> tensors_of(const Facts& facts) {
  const auto& bias = facts.test_case.bias;
  return {NamedTensor{"self", facts.grad_output},
          {"input", facts.input},
          {"weight", facts.weight},
          {"bias", bias ? &*bias : nullptr, true},
          {"gradInput", facts.grad_input},
          {"gradWeight", facts.grad_weight},
          {"gradBias", facts.grad_bias, true}};
}

bool is_there(const NamedTensor& named) { return named.tensor != nullptr; }

bool has_wrong_dtype(const Facts& facts, const NamedTensor& named) {
  const DataType type = named.tensor->dtype;
  const bool may_be_brain = named.name == "bias" || facts.product_class != ProductClass::A1;
  return type != DataType::Float && type != DataType::Float16 &&
         (type != DataType::BFloat16 || !may_be_brain);
}

NamedTensor wrong_dtype(const Facts& facts) {
  return first_wrong(facts, [&](const auto& named) { return has_wrong_dtype(facts, named); });
}

NamedTensor wrong_format(const Facts& facts) {
  return first_wrong(facts, [](const NamedTensor& named) {
    const Format format = named.tensor->format;
    return format != Format::Nd && (format != Format::Ncl || named.is_vector);
  });
}

NamedTensor wrong_rank(const Facts& facts) {
  return first_wrong(facts, [](const NamedTensor& named) {
    return named.tensor->shape.size() != (named.is_vector ? 1 : 3);
  });
}

bool has_axes(const TensorCase* tensor) { return tensor != nullptr && tensor->shape.size() == 3; }

const TensorCase* bias_of(const Facts& facts) {
  const auto& bias = facts.test_case.bias;
  return bias && bias->shape.size() == 1 ? &*bias : nullptr;
}

std::int64_t pad_of(const Facts& facts) { return facts.padding ? facts.padding->front() : 0; }

std::optional<std::int64_t> output_length(const Facts& facts) {
  const CheckedInteger padded =
      CheckedInteger(facts.input->shape[0]) + CheckedInteger(2) * pad_of(facts);
  return (padded + 1 - facts.weight->shape[0]).value();
}

std::array<std::pair<NamedTensor, NamedTensor>, 3> gradients(const Facts& facts) {
  const auto all = tensors_of(facts);
  return {std::pair{all[4], all[1]}, {all[5], all[2]}, {all[6], all[3]}};
}

NamedTensor of_another_dtype(const Facts& facts) {
  const auto all = tensors_of(facts);
  for (std::size_t i = 1; i < 4; ++i) {
    if (is_there(all[0]) && is_there(all[i]) && all[i].tensor->dtype != all[0].tensor->dtype)
      return all[i];
  }
  return {};
}

}  // namespace gradproof::oracle::rules
