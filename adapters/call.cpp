#include "adapters/call.h"

#include <algorithm>
#include <functional>
#include <numeric>

#include "adapters/floats.h"

namespace gradproof::adapters {
namespace {

constexpr std::int8_t use_fp16 = 2;

std::int64_t product(const std::vector<std::int64_t>& shape) {
  return std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>());
}

std::int64_t product(const Convolution& convolution, std::int64_t Axis::*length) {
  std::int64_t result = 1;
  for (const Axis& axis : convolution.axes) result *= axis.*length;
  return result;
}

bool has_products(const Convolution& convolution) {
  return convolution.batch && convolution.big_channels && convolution.small_channels &&
         big_positions(convolution) && small_positions(convolution) && taps(convolution);
}

std::size_t element_bytes(aclDataType data_type) { return data_type == ACL_FLOAT ? 4 : 2; }

bool has_all_pointers(const Arguments& a) {
  if (!a.grad_output || !a.input || !a.weight) return false;
  if (!a.stride || !a.padding || !a.dilation) return false;
  if (a.output_mask.size() != 3) return false;
  const std::array outputs{a.grad_input, a.grad_weight, a.grad_bias};
  for (std::size_t i = 0; i < 3; ++i) {
    if (a.output_mask[i] && !outputs.at(i)) return false;
  }
  return true;
}

bool is_consistent(const Arguments& a) {
  const std::size_t rank = a.grad_output->shape.size(), axes = rank - 2;
  if (rank < 3 || rank > 5 || a.input->shape.size() != rank) return false;
  if (a.weight->shape.size() != rank || a.groups < 1) return false;
  const std::size_t pads = a.padding->values.size();
  const bool takes_both_ends = axes == 2 || (axes == 1 && a.is_forward);
  if (pads != axes && !(takes_both_ends && pads == 2 * axes)) return false;
  return a.stride->values.size() == axes && a.dilation->values.size() == axes;
}

/// Outputs asked for have the shapes that the inputs give them.
bool has_fitting_outputs(const Arguments& a) {
  if (a.output_mask[0] && a.grad_input->shape != a.input->shape) return false;
  if (a.output_mask[1] && a.grad_weight->shape != a.weight->shape) return false;
  const bool has_bias = a.output_mask[2] || (a.is_forward && a.grad_bias);
  return !has_bias || product(a.grad_bias->shape) == a.grad_output->shape[1];
}

/// True if channels, batch and weights agree, so that the library stays within the tensors.
bool has_fitting_channels(const Convolution& c, const aclTensor& weight, const Arguments& a) {
  return a.input->shape[0] == a.grad_output->shape[0] && c.small_channels % c.groups == 0 &&
         c.big_channels % c.groups == 0 && weight.shape[0] == c.small_channels &&
         weight.shape[1] == c.big_channels / c.groups;
}

bool has_one_type(const Arguments& a) {
  for (const aclTensor* tensor : {a.input, a.weight, a.grad_input, a.grad_weight, a.grad_bias}) {
    if (tensor && tensor->data_type != a.grad_output->data_type) return false;
  }
  return true;
}

Convolution lowered(const Arguments& a) {
  const aclTensor& big = a.transposed ? *a.grad_output : *a.input;
  const aclTensor& small = a.transposed ? *a.input : *a.grad_output;
  Convolution convolution{big.shape[0], a.groups, big.shape[1], small.shape[1], {}};
  const std::size_t axes = big.shape.size() - 2;
  const std::size_t values_per_axis = a.padding->values.size() / axes;
  for (std::size_t i = 0; i < axes; ++i) {
    convolution.axes[3 - axes + i] = {
        big.shape[i + 2],    small.shape[i + 2],    a.weight->shape[i + 2],
        a.stride->values[i], a.dilation->values[i], a.padding->values[i * values_per_axis]};
  }
  return convolution;
}

std::optional<aclTensor> if_asked(const Arguments& a, std::size_t output, const aclTensor* tensor) {
  return a.output_mask[output] ? std::optional(*tensor) : std::nullopt;
}

/// The bytes of memory between a view's first and last element.
std::size_t span_bytes(const aclTensor& tensor) {
  std::int64_t last = 0;
  for (std::size_t i = 0; i < tensor.shape.size(); ++i) {
    last += (tensor.shape[i] - 1) * tensor.strides[i];
  }
  return static_cast<std::size_t>(last + 1) * element_bytes(tensor.data_type);
}

std::byte* first_element(const aclTensor& tensor) {
  return tensor.data + tensor.offset * static_cast<std::int64_t>(element_bytes(tensor.data_type));
}

/// Calls `visit(dense, placed)` with the byte position of each element in a dense array and in the
/// view's memory.
template <typename Visit>
void for_each_element(const aclTensor& tensor, Visit visit) {
  const std::size_t bytes = element_bytes(tensor.data_type);
  const std::int64_t count = product(tensor.shape);
  for (std::int64_t i = 0; i < count; ++i) {
    std::int64_t rest = i, placed = 0;
    for (std::size_t axis = tensor.shape.size(); axis-- > 0;) {
      placed += rest % tensor.shape[axis] * tensor.strides[axis];
      rest /= tensor.shape[axis];
    }
    visit(static_cast<std::size_t>(i) * bytes, static_cast<std::size_t>(placed) * bytes);
  }
}

Elements zeros(const aclTensor& tensor) {
  return Elements(static_cast<std::size_t>(product(tensor.shape)) *
                  element_bytes(tensor.data_type));
}

bool read(const aclTensor& tensor, Elements& dense) {
  dense = zeros(tensor);
  if (dense.empty()) return true;
  Elements memory(span_bytes(tensor));
  if (aclrtMemcpy(memory.data(), memory.size(), first_element(tensor), memory.size(),
                  ACL_MEMCPY_DEVICE_TO_HOST) != ACL_SUCCESS) {
    return false;
  }
  for_each_element(tensor, [&](std::size_t to, std::size_t from) {
    std::copy_n(&memory[from], element_bytes(tensor.data_type), &dense[to]);
  });
  return true;
}

/// Gaps between a view's elements are written back as they were read.
bool write(const aclTensor& tensor, const Elements& dense) {
  if (dense.empty()) return true;
  Elements memory(span_bytes(tensor));
  std::byte* device = first_element(tensor);
  if (aclrtMemcpy(memory.data(), memory.size(), device, memory.size(), ACL_MEMCPY_DEVICE_TO_HOST) !=
      ACL_SUCCESS) {
    return false;
  }
  for_each_element(tensor, [&](std::size_t from, std::size_t to) {
    std::copy_n(&dense[from], element_bytes(tensor.data_type), &memory[to]);
  });
  return aclrtMemcpy(device, memory.size(), memory.data(), memory.size(),
                     ACL_MEMCPY_HOST_TO_DEVICE) == ACL_SUCCESS;
}

/// Adds the number of each output channel to its elements.
void add_bias(const std::vector<std::int64_t>& shape, const Elements& bias, Elements& output) {
  const std::int64_t positions = product({shape.begin() + 2, shape.end()});
  for (std::int64_t slice = 0; slice < shape[0] * shape[1]; ++slice) {
    float* const first = floats(output) + slice * positions;
    for (std::int64_t i = 0; i < positions; ++i) first[i] += floats(bias)[slice % shape[1]];
  }
}

aclnnStatus carry_out_forward(const Call& call) {
  Elements input, weight, bias, output = zeros(call.grad_output);
  if (!read(call.input, input) || !read(call.weight, weight)) return runtime_failure;
  if (call.grad_bias && !read(*call.grad_bias, bias)) return runtime_failure;
  if (has_products(call.convolution)) {
    const auto compute = call.transposed ? data_gradient : convolve;
    compute(call.data_type, call.convolution, input, weight, output);
  }
  if (call.grad_bias) add_bias(call.grad_output.shape, bias, output);
  return write(call.grad_output, output) ? OK : runtime_failure;
}

}  // namespace

std::int64_t big_positions(const Convolution& convolution) {
  return product(convolution, &Axis::big);
}
std::int64_t small_positions(const Convolution& convolution) {
  return product(convolution, &Axis::small);
}
std::int64_t taps(const Convolution& convolution) { return product(convolution, &Axis::kernel); }

aclnnStatus lower(const Arguments& arguments, Call& call) {
  if (!has_all_pointers(arguments)) return null_pointer;
  if (!is_consistent(arguments)) return invalid_parameter;
  call.data_type = arguments.grad_output->data_type;
  call.convolution = lowered(arguments);
  if (!has_fitting_outputs(arguments)) return invalid_parameter;
  if (!has_fitting_channels(call.convolution, *arguments.weight, arguments)) {
    return invalid_parameter;
  }
  if (!has_one_type(arguments) || arguments.cube_math_type == use_fp16) return unsupported;
  if (!is_supported(call.data_type, call.convolution)) return unsupported;
  call.transposed = arguments.transposed;
  call.grad_output = *arguments.grad_output;
  call.input = *arguments.input;
  call.weight = *arguments.weight;
  call.grad_input = if_asked(arguments, 0, arguments.grad_input);
  call.grad_weight = if_asked(arguments, 1, arguments.grad_weight);
  call.grad_bias = if_asked(arguments, 2, arguments.grad_bias);
  call.is_forward = arguments.is_forward;
  if (!call.is_forward || !arguments.grad_bias) return OK;
  if (call.data_type != ACL_FLOAT) return unsupported;  // the sum would be rounded twice
  call.grad_bias = *arguments.grad_bias;
  return OK;
}

aclnnStatus carry_out(const Call& call) {
  if (call.is_forward) return carry_out_forward(call);
  Elements grad_output, input, weight;
  if (!read(call.grad_output, grad_output) || !read(call.input, input)) return runtime_failure;
  if (!read(call.weight, weight)) return runtime_failure;
  const Convolution& convolution = call.convolution;
  const Elements& big = call.transposed ? grad_output : input;
  const Elements& small = call.transposed ? input : grad_output;
  const bool computes = has_products(convolution);
  if (call.grad_input) {
    Elements result = zeros(*call.grad_input);
    if (computes && call.transposed) {
      convolve(call.data_type, convolution, big, weight, result);
    } else if (computes) {
      data_gradient(call.data_type, convolution, small, weight, result);
    }
    if (!write(*call.grad_input, result)) return runtime_failure;
  }
  if (call.grad_weight) {
    Elements result = zeros(*call.grad_weight);
    if (computes) weight_gradient(call.data_type, convolution, big, small, result);
    if (!write(*call.grad_weight, result)) return runtime_failure;
  }
  if (call.grad_bias) {
    Elements result = zeros(*call.grad_bias);
    const std::vector<std::int64_t>& shape = call.grad_output.shape;
    const std::int64_t positions = product({shape.begin() + 2, shape.end()});
    if (!grad_output.empty()) {
      channel_sums(call.data_type, shape[0], shape[1], positions, grad_output, result);
    }
    if (!write(*call.grad_bias, result)) return runtime_failure;
  }
  return OK;
}

}  // namespace gradproof::adapters
