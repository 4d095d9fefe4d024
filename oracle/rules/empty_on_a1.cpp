#include <fmt/core.h>

#include "oracle/rules/all.h"
#include "oracle/rules/messages.h"

namespace gradproof::oracle::rules {
namespace {

using namespace codes;

/// The released library returns early where only input is empty, along its batch.
Consequence empty_on_a1(const Facts& facts) {
  const auto empty = [](const corpus::TensorCase* tensor) { return tensor && is_empty(*tensor); };
  if (empty(facts.grad_output) || empty(facts.weight)) return always_invalid(facts);
  const bool no_batch = batch_of(*facts.input) == 0;
  return {invalid,
          no_batch ? StatusSet(success) : StatusSet{success, invalid},
          {success_without_values, invalid, inner}};
}

std::string words_for_empty_on_a1(const Facts& facts) {
  for (const auto role : corpus::input_roles) {
    const auto* tensor = facts.inputs()[role];
    if (tensor && is_empty(*tensor)) {
      return fmt::format("{} has shape {}, no element; {} supports no empty tensors",
                         corpus::name_of(role), list_of(tensor->shape), chip(facts));
    }
  }
  return {};
}

constexpr StatusRule empty_on_a1_rows[] = {
    {.id = "EMPTY-15",
     .demand = {"no empty tensor where the product supports none",
                "在不支持空 tensor 的产品上，gradOutput、input 和 weight 不能为空 tensor"},
     .source = "aclnnConvolutionBackward, empty tensors",
     .products = on_a1,
     .paths = {Path::EmptyOnA1},
     .standing = [](const Facts&) { return Standing::Broken; },
     .consequence = empty_on_a1,
     .words = words_for_empty_on_a1},
};

}  // namespace

std::span<const StatusRule> empty_on_a1_rules() { return empty_on_a1_rows; }

}  // namespace gradproof::oracle::rules
