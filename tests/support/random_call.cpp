#include "tests/support/random_call.h"

#include <array>
#include <optional>

#include "tests/support/status_calls.h"

namespace gradproof::oracle {
namespace {

using corpus::Case;
using corpus::DataType;
using corpus::Format;
using corpus::TensorCase;

/// splitmix64; the standard library's distributions differ between platforms.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : state_(seed) {}

  std::uint64_t bits() {
    std::uint64_t mixed = (state_ += 0x9E3779B97F4A7C15U);
    mixed = (mixed ^ (mixed >> 30U)) * 0xBF58476D1CE4E5B9U;
    mixed = (mixed ^ (mixed >> 27U)) * 0x94D049BB133111EBU;
    return mixed ^ (mixed >> 31U);
  }
  std::size_t below(std::size_t count) { return bits() % count; }
  std::int64_t between(std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(bits() % static_cast<std::uint64_t>(high - low + 1));
  }
  bool once_in(std::size_t count) { return below(count) == 0; }
  template <typename Value>
  Value one_of(std::initializer_list<Value> values) {
    return values.begin()[below(values.size())];
  }

 private:
  std::uint64_t state_;
};

using Tensors = std::array<std::optional<TensorCase>*, 6>;

Tensors tensors_of(Case& test_case) {
  return {&test_case.grad_output, &test_case.input,       &test_case.weight,
          &test_case.grad_input,  &test_case.grad_weight, &test_case.grad_bias};
}

TensorCase* some_tensor(Case& test_case, Dice& dice) {
  auto& tensor = *tensors_of(test_case)[dice.below(6)];
  return tensor ? &*tensor : nullptr;
}

std::optional<std::vector<std::int64_t>>& some_array(Case& test_case, Dice& dice) {
  switch (dice.below(5)) {
    case 0:
      return test_case.stride;
    case 1:
      return test_case.padding;
    case 2:
      return test_case.dilation;
    case 3:
      return test_case.output_padding;
    default:
      return test_case.bias_sizes;
  }
}

std::string some_product(Dice& dice) {
  return dice.one_of<std::string>({"Ascend910B", "Ascend910B", "Ascend910_93", "Ascend950",
                                   "Ascend950", "Ascend310P", "Ascend910", "Ascend310"});
}

LegalCall some_legal_call(Dice& dice) {
  LegalCall call;
  call.soc = some_product(dice);
  call.rank = to_size(dice.between(3, 5));
  call.transposed = dice.once_in(2);
  call.groups = static_cast<std::int32_t>(dice.one_of<std::int64_t>({1, 1, 2, 3}));
  call.batch = dice.between(1, 3);
  call.small_channels_per_group = dice.between(1, 3);
  call.big_channels_per_group = dice.between(1, 3);
  for (std::size_t i = 0; i < call.rank - 2; ++i) {
    call.small.push_back(dice.between(3, 6));
    call.kernel.push_back(dice.between(1, 3));
    call.stride.push_back(dice.between(1, 3));
    call.padding.push_back(dice.once_in(2) ? 0 : 1);
    call.dilation.push_back(dice.between(1, 2));
    call.output_padding.push_back(call.transposed ? dice.between(0, call.stride.back() - 1) : 0);
  }
  return call;
}

void choose_dtypes(Case& test_case, Dice& dice) {
  const bool a5 = test_case.soc == "Ascend950";
  const bool a1 = test_case.soc == "Ascend310P" || test_case.soc == "Ascend910";
  if (a5 && dice.once_in(3)) {
    set_dtype(test_case, dice.one_of({DataType::HiFloat8, DataType::Float8E4M3FN}));
    test_case.grad_weight->dtype = DataType::Float;
    set_mask(test_case, true, dice.once_in(2), false);
    return;
  }
  set_dtype(test_case, a1 ? dice.one_of({DataType::Float, DataType::Float16})
                          : dice.one_of({DataType::Float, DataType::Float16, DataType::BFloat16}));
  test_case.cube_math_type = static_cast<std::int8_t>(dice.between(a1 ? 1 : 0, a1 ? 2 : 3));
  if (dice.once_in(6)) test_case.weight->dtype = test_case.grad_weight->dtype = DataType::Float;
}

void leave_out_unrequested(Case& test_case, Dice& dice) {
  const auto& mask = *test_case.output_mask;
  if (!mask[0] && dice.once_in(2)) test_case.grad_input.reset();
  if (!mask[1] && dice.once_in(2)) test_case.grad_weight.reset();
  if (!mask[2] && dice.once_in(2)) test_case.grad_bias.reset();
  if (!mask[2] && dice.once_in(3)) test_case.bias_sizes.reset();
}

void make_empty(Case& test_case, Dice& dice) {
  const bool by_batch = test_case.transposed || dice.once_in(2);
  test_case.input->shape[by_batch ? 0 : 1] = 0;
  if (by_batch) test_case.grad_output->shape[0] = dice.one_of<std::int64_t>({0, 0, 5});
  if (!by_batch) test_case.weight->shape[1] = 0;
  if (dice.once_in(3)) test_case.weight->shape.back() = 0;
  fit_outputs(test_case);
}

Case legal_call(Dice& dice) {
  Case test_case = case_of(some_legal_call(dice));
  if (dice.once_in(4)) make_empty(test_case, dice);
  choose_dtypes(test_case, dice);
  if (dice.once_in(2)) {
    set_mask(test_case, dice.once_in(2), dice.once_in(2), dice.once_in(2));
    leave_out_unrequested(test_case, dice);
  }
  if (test_case.input->shape.size() == 4 && dice.once_in(3)) {
    const auto padding = *test_case.padding;
    test_case.padding = {padding[0], padding[0], padding[1], padding[1]};
  }
  test_case.deterministic = dice.once_in(4);
  return test_case;
}

void change_an_array(Case& test_case, Dice& dice) {
  auto& array = some_array(test_case, dice);
  if (!array || array->empty()) return;
  switch (dice.below(4)) {
    case 0:
      array->pop_back();
      break;
    case 1:
      array->push_back(dice.between(0, 1));
      break;
    case 2:
      array->at(dice.below(array->size())) = dice.between(-2, 4);
      break;
    default:
      array->at(dice.below(array->size())) =
          dice.one_of<std::int64_t>({63, 64, 255, 256, 1000000, 1000001, 2147483647, INT64_MAX});
  }
}

void change_a_shape(Case& test_case, Dice& dice) {
  TensorCase* tensor = some_tensor(test_case, dice);
  if (!tensor || tensor->shape.empty()) return;
  auto& length = tensor->shape.at(dice.below(tensor->shape.size()));
  switch (dice.below(6)) {
    case 0:
      length = 0;
      break;
    case 5:
      length = 256;
      break;
    case 1:
      length += 1;
      break;
    case 2:
      length = length > 0 ? length - 1 : 1;
      break;
    case 3:
      tensor->shape.pop_back();
      break;
    default:
      tensor->shape.push_back(1);
  }
}

void change_a_tensor(Case& test_case, Dice& dice) {
  TensorCase* tensor = some_tensor(test_case, dice);
  if (!tensor) return;
  switch (dice.below(3)) {
    case 0:
      tensor->dtype = dice.one_of({DataType::Float, DataType::Float16, DataType::BFloat16,
                                   DataType::HiFloat8, DataType::Float8E4M3FN, DataType::Int32});
      break;
    case 1:
      tensor->format = dice.one_of(
          {Format::Nd, Format::Ncl, Format::Nchw, Format::Ncdhw, Format::Nhwc, Format::Ndhwc});
      break;
    default: {
      auto strides = corpus::row_major_strides(tensor->shape);
      for (auto& stride : strides) stride *= 2;
      tensor->strides = strides;
    }
  }
}

void pass_a_null(Case& test_case, Dice& dice) {
  switch (dice.below(3)) {
    case 0:
      tensors_of(test_case)[dice.below(6)]->reset();
      break;
    case 1:
      some_array(test_case, dice).reset();
      break;
    default:
      if (dice.once_in(2))
        test_case.output_mask.reset();
      else
        test_case.output_mask = std::vector<bool>(dice.below(5), true);
  }
}

void change_a_scalar(Case& test_case, Dice& dice) {
  switch (dice.below(4)) {
    case 0:
      test_case.groups = dice.one_of<std::int32_t>({-1, 0, 1, 2, 3, 5, 65535, 65536});
      break;
    case 1:
      test_case.cube_math_type = static_cast<std::int8_t>(dice.between(-1, 6));
      break;
    case 2:
      test_case.transposed = !test_case.transposed;
      break;
    default:
      test_case.soc = some_product(dice);
  }
}

/// Another number of small channels, everywhere alike: it may not suit the groups.
void change_channels(Case& test_case, Dice& dice) {
  auto& small = test_case.transposed ? test_case.input : test_case.grad_output;
  const bool there = small && small->shape.size() > 1 && test_case.weight && test_case.input &&
                     test_case.grad_output && test_case.grad_output->shape.size() > 1 &&
                     !test_case.weight->shape.empty();
  if (!there) return;
  small->shape[1] = test_case.weight->shape[0] = dice.between(1, 7);
  if (!test_case.transposed && test_case.bias_sizes) test_case.bias_sizes = {small->shape[1]};
  const bool countable =
      !test_case.bias_sizes || test_case.bias_sizes->empty() || test_case.bias_sizes->front() >= 0;
  const bool all_outputs = test_case.grad_input && test_case.grad_weight && test_case.grad_bias;
  if (countable && all_outputs) fit_outputs(test_case);
}

void spoil(Case& test_case, Dice& dice) {
  switch (dice.below(6)) {
    case 0:
      change_an_array(test_case, dice);
      break;
    case 1:
      change_a_shape(test_case, dice);
      break;
    case 2:
      change_a_tensor(test_case, dice);
      break;
    case 3:
      pass_a_null(test_case, dice);
      break;
    case 4:
      change_channels(test_case, dice);
      break;
    default:
      change_a_scalar(test_case, dice);
  }
}

/// Strides and a shape of unlike lengths are no tensor; no rule speaks of them.
void drop_strides_of_other_ranks(Case& test_case) {
  for (auto* tensor : tensors_of(test_case)) {
    const bool has_strides = *tensor && (*tensor)->strides;
    if (has_strides && (*tensor)->strides->size() != (*tensor)->shape.size()) {
      (*tensor)->strides.reset();
    }
  }
}

}  // namespace

Case random_call(std::uint64_t seed) {
  Dice dice(seed);
  Case test_case = legal_call(dice);
  const bool spoiled = dice.once_in(2);
  const std::int64_t flaws = spoiled ? dice.between(1, 3) : 0;
  for (std::int64_t flaw = 0; flaw < flaws; ++flaw) spoil(test_case, dice);
  drop_strides_of_other_ranks(test_case);
  return test_case;
}

}  // namespace gradproof::oracle
