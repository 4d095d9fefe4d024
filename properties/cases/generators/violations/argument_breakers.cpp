#include <span>

#include "corpus/data_type_row.h"
#include "properties/cases/calls/convolution.h"
#include "properties/cases/generators/violations/breaker_parts.h"
#include "properties/cases/generators/violations/rule_breakers.h"

namespace gradproof::cases {
namespace {

using breaker_parts::make_present;
using corpus::Case;
using corpus::DataType;
using corpus::Format;
using corpus::InputRole;
using corpus::OutputRole;
using corpus::Product;
using Lengths = std::vector<std::int64_t>;

bool any_frame(const Frame&) { return true; }
bool is_8_bit(const Frame& frame) { return !is_wide(frame); }
bool is_first_generation_frame(const Frame& frame) { return is_first_generation(frame.product); }
bool is_wide_950(const Frame& frame) {
  return frame.product == Product::Ascend950 && is_wide(frame);
}

/// Types that no product takes.
constexpr DataType foreign_types[] = {DataType::Int8,      DataType::Int32,     DataType::UInt8,
                                      DataType::Int64,     DataType::Double,    DataType::Bool,
                                      DataType::Complex64, DataType::Float8E5M2};

DataType draw_unlisted_type(const Case& test_case, corpus::RandomSource& random) {
  const auto product = corpus::product_of(test_case);
  if (product && is_first_generation(*product) && random.chance(50)) return DataType::BFloat16;
  if (product != Product::Ascend950 && random.chance(30)) {
    return random.one_of(std::span<const DataType>(corpus::eight_bit_types));
  }
  return random.one_of(std::span<const DataType>(foreign_types));
}

/// Another type of the product's list, so that no other rule about types is broken.
DataType other_listed_type(DataType type, const Case& test_case) {
  const auto product = corpus::product_of(test_case);
  if (type != DataType::Float) return DataType::Float;
  const bool half_only = product && is_first_generation(*product);
  return half_only ? DataType::Float16 : DataType::BFloat16;
}

template <InputRole role>
bool drop_input(Case& test_case, corpus::RandomSource&) {
  corpus::tensor(test_case, role).reset();
  return true;
}

template <auto member>
bool drop_array(Case& test_case, corpus::RandomSource&) {
  (test_case.*member).reset();
  return true;
}

template <OutputRole role>
bool drop_requested_output(Case& test_case, corpus::RandomSource&) {
  (*test_case.output_mask)[to_size(role)] = true;
  corpus::tensor(test_case, role).reset();
  if (role == OutputRole::GradBias && !test_case.bias_sizes) test_case.bias_sizes = Lengths{1};
  return true;
}

bool request_bias_without_sizes(Case& test_case, corpus::RandomSource&) {
  make_present(test_case, OutputRole::GradBias);
  (*test_case.output_mask)[2] = true;
  test_case.bias_sizes.reset();
  return true;
}

bool resize_mask(Case& test_case, corpus::RandomSource& random) {
  test_case.output_mask->resize(to_size(random.one_of({0, 1, 2, 4, 5})), true);
  return true;
}

bool retype_input(Case& test_case, corpus::RandomSource& random) {
  const DataType type = draw_unlisted_type(test_case, random);
  const InputRole role =
      random.one_of({InputRole::GradOutput, InputRole::Input, InputRole::Weight});
  corpus::tensor(test_case, role)->dtype = type;
  return true;
}

bool retype_output(Case& test_case, corpus::RandomSource& random) {
  const OutputRole role =
      random.one_of({OutputRole::GradInput, OutputRole::GradWeight, OutputRole::GradBias});
  if (!make_present(test_case, role)) return false;
  corpus::tensor(test_case, role)->dtype = draw_unlisted_type(test_case, random);
  return true;
}

template <OutputRole role>
bool mistype_output(Case& test_case, corpus::RandomSource&) {
  if (!make_present(test_case, role)) return false;
  DataType& type = corpus::tensor(test_case, role)->dtype;
  type = other_listed_type(type, test_case);
  return true;
}

bool mix_8_bit(Case& test_case, corpus::RandomSource& random) {
  const InputRole role =
      random.one_of({InputRole::GradOutput, InputRole::Input, InputRole::Weight});
  corpus::tensor(test_case, role)->dtype =
      random.one_of({DataType::Float, DataType::Float16, DataType::BFloat16});
  return true;
}

/// Asks for gradWeight with the weight's shape.
void request_grad_weight(Case& test_case, DataType type) {
  test_case.grad_weight = test_case.weight;
  test_case.grad_weight->dtype = type;
  test_case.grad_weight->strides.reset();
  test_case.grad_weight->storage_shape.reset();
  test_case.grad_weight->offset = 0;
  (*test_case.output_mask)[1] = true;
}

/// Asks an 8-bit call for no gradient of the input, the one thing that 8-bit calls exist for.
bool request_no_grad_input(Case& test_case, corpus::RandomSource&) {
  request_grad_weight(test_case, DataType::Float);
  (*test_case.output_mask)[0] = false;
  return true;
}

bool request_narrow_grad_weight(Case& test_case, corpus::RandomSource& random) {
  std::vector<DataType> others(corpus::eight_bit_types.begin(), corpus::eight_bit_types.end());
  others.insert(others.end(), {DataType::Int8, DataType::Double});
  request_grad_weight(test_case, random.chance(60)
                                     ? test_case.weight->dtype
                                     : random.one_of(std::span<const DataType>(others)));
  return true;
}

bool request_8_bit_bias(Case& test_case, corpus::RandomSource&) {
  make_present(test_case, OutputRole::GradBias);
  (*test_case.output_mask)[2] = true;
  if (!test_case.bias_sizes) test_case.bias_sizes = test_case.grad_bias->shape;
  return true;
}

/// Draws any of the five tensors that carry the problem's rank and format.
corpus::TensorCase& draw_ranked_tensor(Case& test_case, corpus::RandomSource& random) {
  std::vector<corpus::TensorCase*> present;
  for (auto* tensor : {&test_case.grad_output, &test_case.input, &test_case.weight,
                       &test_case.grad_input, &test_case.grad_weight}) {
    if (*tensor) present.push_back(&**tensor);
  }
  return *random.one_of(std::span<corpus::TensorCase* const>(present));
}

void set_rank(corpus::TensorCase& tensor, std::size_t rank) {
  tensor.shape.resize(rank, 1);
  tensor.strides.reset();
  tensor.storage_shape.reset();
  tensor.offset = 0;
}

constexpr std::size_t longest_rank = 5;

/// Lengthens the shapes of all tensors alike, so that nothing else is broken.
void lengthen_all(Case& test_case, corpus::RandomSource& random) {
  const std::size_t rank = longest_rank + to_size(random.between(1, 2));
  for (auto* tensor : {&test_case.grad_output, &test_case.input, &test_case.weight,
                       &test_case.grad_input, &test_case.grad_weight}) {
    if (*tensor) set_rank(**tensor, rank);
  }
}

bool set_illegal_rank(Case& test_case, corpus::RandomSource& random) {
  if (random.chance(30)) {
    lengthen_all(test_case, random);
    return true;
  }
  const auto rank = to_size(random.one_of({0, 1, 2, 6, 7}));
  set_rank(draw_ranked_tensor(test_case, random), rank);
  return true;
}

/// Gives gradInput and the attributes as many axes as the input, so that no other rule is broken.
void follow_rank_of_input(Case& test_case) {
  const std::size_t rank = test_case.input->shape.size(), axes = rank - 2;
  test_case.stride->resize(axes, 1);
  test_case.dilation->resize(axes, 1);
  test_case.output_padding->resize(axes, 0);
  test_case.padding->assign(axes, 0);
  if (!test_case.grad_input) return;
  test_case.grad_input->format = test_case.input->format;
  set_rank(*test_case.grad_input, rank);
  test_case.grad_input->shape = test_case.input->shape;
}

bool set_other_rank(Case& test_case, corpus::RandomSource& random) {
  const InputRole role =
      random.one_of({InputRole::GradOutput, InputRole::Input, InputRole::Weight});
  auto& tensor = *corpus::tensor(test_case, role);
  const std::size_t rank = tensor.shape.size() == 4 ? (random.chance(50) ? 3 : 5) : 4;
  set_rank(tensor, rank);
  tensor.format = plain_format(rank);
  if (role == InputRole::Input && random.chance(60)) follow_rank_of_input(test_case);
  if (role == InputRole::Weight && test_case.grad_weight) {
    test_case.grad_weight->format = tensor.format;
    set_rank(*test_case.grad_weight, rank);
    test_case.grad_weight->shape = tensor.shape;
  }
  return true;
}

bool set_format(Case& test_case, corpus::RandomSource& random) {
  corpus::TensorCase& tensor = draw_ranked_tensor(test_case, random);
  const std::size_t rank = tensor.shape.size();
  std::vector<Format> illegal{Format::Nhwc, Format::Ndhwc,     Format::Nc1hwc0, Format::FractalZ,
                              Format::Hwcn, Format::FractalNz, Format::Nc,      Format::Nd,
                              Format::Nchw, Format::Ncdhw};
  std::erase(illegal, rank == 3 ? Format::Nd : plain_format(rank));
  tensor.format = random.one_of(std::span<const Format>(illegal));
  return true;
}

bool set_bias_format(Case& test_case, corpus::RandomSource& random) {
  make_present(test_case, OutputRole::GradBias);
  test_case.grad_bias->format = random.one_of({Format::Ncl, Format::Nchw, Format::Ncdhw});
  return true;
}

template <auto member>
bool resize_array(Case& test_case, corpus::RandomSource& random) {
  auto& array = *(test_case.*member);
  const std::size_t axes = test_case.input->shape.size() - 2;
  const std::int64_t filler = array.empty() ? 1 : array.back();
  std::vector<std::size_t> illegal{0, 1, 2, 3, 4, 5, 6};
  std::erase(illegal, axes);
  if (axes == 2) std::erase(illegal, 4);  // paddings may be four
  array.resize(random.one_of(std::span<const std::size_t>(illegal)), filler);
  return true;
}

bool resize_bias_sizes(Case& test_case, corpus::RandomSource& random) {
  if (!test_case.bias_sizes) test_case.bias_sizes.emplace();
  test_case.bias_sizes->resize(random.chance(50) ? 0 : 2, 1);
  return true;
}

bool set_unsupported_product(Case& test_case, corpus::RandomSource& random) {
  test_case.soc = corpus::name_of(random.one_of({Product::Ascend310, Product::Ascend310B}));
  return true;
}

bool leave_as_drawn(Case&, corpus::RandomSource&) { return true; }

constexpr RuleBreaker breakers[] = {
    {"PROD-01", Base::NonEmpty, is_wide, set_unsupported_product},
    {"PROD-02", Base::Volume, is_first_generation_frame, leave_as_drawn},
    {"NULL-01", Base::NonEmpty, any_frame, drop_input<InputRole::GradOutput>},
    {"NULL-02", Base::NonEmpty, any_frame, drop_input<InputRole::Input>},
    {"NULL-03", Base::NonEmpty, any_frame, drop_input<InputRole::Weight>},
    {"NULL-04", Base::NonEmpty, any_frame, drop_array<&Case::stride>},
    {"NULL-05", Base::NonEmpty, any_frame, drop_array<&Case::padding>},
    {"NULL-06", Base::NonEmpty, any_frame, drop_array<&Case::dilation>},
    {"NULL-07", Base::NonEmpty, any_frame, drop_array<&Case::output_padding>},
    {"NULL-08", Base::NonEmpty, any_frame, drop_array<&Case::output_mask>},
    {"NULL-09", Base::NonEmpty, any_frame, resize_mask},
    {"NULL-10", Base::NonEmpty, any_frame, drop_requested_output<OutputRole::GradInput>},
    {"NULL-11", Base::NonEmpty, is_wide, drop_requested_output<OutputRole::GradWeight>},
    {"NULL-12", Base::NonEmpty, is_wide, drop_requested_output<OutputRole::GradBias>},
    {"NULL-16", Base::NonEmpty, is_wide, request_bias_without_sizes},
    {"DTYPE-01", Base::NonEmpty, any_frame, retype_input},
    {"DTYPE-02", Base::NonEmpty, any_frame, retype_output},
    {"DTYPE-03", Base::NonEmpty, is_8_bit, mix_8_bit},
    {"DTYPE-04", Base::NonEmpty, is_wide, mistype_output<OutputRole::GradInput>},
    {"DTYPE-05", Base::NonEmpty, is_wide_950, mistype_output<OutputRole::GradWeight>},
    {"DTYPE-06", Base::NonEmpty, is_wide, mistype_output<OutputRole::GradBias>},
    {"F8-01", Base::NonEmpty, is_8_bit, request_no_grad_input},
    {"F8-03", Base::NonEmpty, is_8_bit, mix_8_bit},
    {"F8-04", Base::NonEmpty, is_8_bit, request_narrow_grad_weight},
    {"F8-06", Base::NonEmpty, is_8_bit, request_8_bit_bias},
    {"RANK-01", Base::NonEmpty, any_frame, set_illegal_rank},
    {"RANK-02", Base::NonEmpty, is_wide, set_other_rank},
    {"FMT-01", Base::NonEmpty, any_frame, set_format},
    {"FMT-02", Base::NonEmpty, any_frame, set_bias_format},
    {"LEN-01", Base::NonEmpty, any_frame, resize_array<&Case::stride>},
    {"LEN-02", Base::NonEmpty, any_frame, resize_array<&Case::dilation>},
    {"LEN-03", Base::NonEmpty, any_frame, resize_array<&Case::padding>},
    {"LEN-04", Base::NonEmpty, any_frame, resize_array<&Case::output_padding>},
    {"LEN-05", Base::NonEmpty, any_frame, resize_bias_sizes},
};

}  // namespace

std::span<const RuleBreaker> argument_breakers() { return breakers; }

}  // namespace gradproof::cases
