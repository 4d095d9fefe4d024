#include "bench/kernel_gradient.h"

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <random>
#include <span>

#include "kernel/include/acl/acl.h"
#include "kernel/include/aclnn/opdev/op_errno.h"
#include "kernel/include/aclnnop/aclnn_convolution_backward.h"
#include "kernel/operators/convolution_backward.h"

namespace gradproof::bench {
namespace {

using kernel::device::Product;
using kernel::numeric::Format;
using kernel::operators::ConvolutionBackward;

using Shape = std::vector<std::int64_t>;

Shape shape_of(const Layer& layer, std::int64_t first, std::int64_t second, const Lengths& axes) {
  Shape shape{first, second};
  shape.insert(shape.end(), axes.end() - layer.dimensions, axes.end());
  return shape;
}
Shape input_shape(const Layer& layer) {
  return shape_of(layer, layer.batch, layer.input_channels, layer.input);
}
Shape output_shape(const Layer& layer) {
  return shape_of(layer, layer.batch, layer.output_channels,
                  {layer.output_length(0), layer.output_length(1), layer.output_length(2)});
}
Shape weight_shape(const Layer& layer) {
  return shape_of(layer, layer.output_channels, layer.input_channels / layer.groups, layer.kernel);
}

Shape row_major_strides(const Shape& shape) {
  Shape strides(shape.size(), 1);
  for (std::size_t i = shape.size() - 1; i > 0; --i) strides[i - 1] = strides[i] * shape[i];
  return strides;
}

std::int64_t elements_of(const Shape& shape) {
  std::int64_t count = 1;
  for (const std::int64_t length : shape) count *= length;
  return count;
}

Format format_of(Mode mode) {
  if (mode == Mode::Float16) return Format::Half;
  return mode == Mode::BFloat16 ? Format::BFloat16 : Format::Binary32;
}

/// A tensor as it is stored.
struct CannTensor {
  CannTensor(const Shape& shape, Format format, std::uint64_t seed)
      : view(kernel::operators::lifted(format, shape, row_major_strides(shape), 0)),
        bytes(static_cast<std::size_t>(elements_of(shape)) * kernel::numeric::size_of(format)) {
    const auto values = random_values(elements_of(shape), seed);
    kernel::numeric::with_codec(format, [&](auto codec) {
      for (std::size_t i = 0; i < values.size(); ++i) {
        kernel::numeric::store<decltype(codec)>(values[i], kernel::numeric::OverflowMode::InfNan,
                                                bytes.data(), static_cast<std::int64_t>(i));
      }
    });
  }

  kernel::operators::TensorView view;
  std::vector<std::byte> bytes;
};

/// A call, its tensors and its workspace.
struct Call {
  CannTensor grad_output, input, weight, grad_input, grad_weight, grad_bias;
  ConvolutionBackward call;
  std::vector<std::byte> workspace;

  Call(const Layer& layer, Format format)
      : grad_output(output_shape(layer), format, 1),
        input(input_shape(layer), format, 2),
        weight(weight_shape(layer), format, 3),
        grad_input(input_shape(layer), format, 4),
        grad_weight(weight_shape(layer), format, 5),
        grad_bias({1, layer.output_channels, 1}, format, 6) {
    call.grad_output = grad_output.view;
    call.input = input.view;
    call.weight = weight.view;
  }

  void run() {
    const auto outcome = kernel::operators::run(call, {.grad_output = grad_output.bytes.data(),
                                                       .input = input.bytes.data(),
                                                       .weight = weight.bytes.data(),
                                                       .grad_input = grad_input.bytes.data(),
                                                       .grad_weight = grad_weight.bytes.data(),
                                                       .grad_bias = grad_bias.bytes.data(),
                                                       .workspace = workspace.data()});
    if (outcome) return;
    std::fprintf(stderr, "kernel_bench: %s\n", outcome.error().c_str());
    std::exit(1);
  }
};

std::span<const std::int64_t> axes_of(const Layer& layer, const Lengths& lengths) {
  return std::span(lengths).last(static_cast<std::size_t>(layer.dimensions));
}

}  // namespace

std::vector<float> random_values(std::int64_t count, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<float> values(static_cast<std::size_t>(count));
  for (float& value : values) {
    value = static_cast<float>(static_cast<std::int64_t>(random()) >> 39) * 0x1p-24F;
  }
  return values;
}

Computation our_gradient(const Layer& layer, Gradient gradient, Mode mode,
                         kernel::device::OperatorPath path, int threads) {
  const auto all = std::make_shared<Call>(layer, format_of(mode));
  ConvolutionBackward& call = all->call;
  if (gradient == Gradient::Input) call.grad_input = all->grad_input.view;
  if (gradient == Gradient::Weight) call.grad_weight = all->grad_weight.view;
  if (gradient == Gradient::Bias) {
    call.grad_bias =
        kernel::operators::lifted_channels(all->grad_bias.view.format, layer.output_channels, 1, 0);
  }
  const int cube_math_type = mode == Mode::Hf32 ? 1 : 0;
  call.arithmetic = kernel::operators::arithmetic_on(
      Product::Ascend910B,
      *kernel::operators::compute_type(Product::Ascend910B, format_of(mode), cube_math_type),
      {.fuses_products = mode != Mode::RoundedFloat});
  call.problem = kernel::operators::normalised(call.grad_output, call.input, call.weight,
                                               {.stride = axes_of(layer, layer.stride),
                                                .padding = axes_of(layer, layer.padding),
                                                .dilation = axes_of(layer, layer.dilation),
                                                .groups = layer.groups,
                                                .transposed = false});
  constexpr int cores_of_ascend910b2 = 24;
  call.launch = {.path = path,
                 .product = Product::Ascend910B,
                 .cores = cores_of_ascend910b2,
                 .host_threads = threads};
  all->workspace.resize(static_cast<std::size_t>(*kernel::operators::workspace_bytes(call)));
  return [all] { all->run(); };
}

Computation read_of_grad_output(const Layer& layer) {
  const auto values = std::make_shared<const std::vector<float>>(
      random_values(elements_of(output_shape(layer)), 1));
  return [values] {
    constexpr std::size_t lanes = 64;
    std::uint32_t sums[lanes] = {};
    std::size_t i = 0;
    for (; i + lanes <= values->size(); i += lanes) {
      std::uint32_t bits[lanes];
      __builtin_memcpy(bits, values->data() + i, sizeof bits);
      for (std::size_t lane = 0; lane < lanes; ++lane) sums[lane] ^= bits[lane];
    }
    std::uint32_t all = 0;
    for (const std::uint32_t sum : sums) all ^= sum;
    volatile std::uint32_t kept = all;
    (void)kept;
  };
}

namespace {

/// Stops the program at the first call that fails.
void expect(bool succeeded, const char* what) {
  if (succeeded) return;
  std::fprintf(stderr, "kernel_bench: %s failed: %s\n", what, aclGetRecentErrMsg());
  std::exit(1);
}

/// A tensor in device memory.
struct DeviceTensor {
  explicit DeviceTensor(const Shape& shape, std::uint64_t seed) {
    const auto values = random_values(elements_of(shape), seed);
    const std::size_t bytes = values.size() * sizeof(float);
    expect(aclrtMalloc(&memory, bytes, ACL_MEM_MALLOC_HUGE_FIRST) == ACL_SUCCESS, "aclrtMalloc");
    aclrtMemcpy(memory, bytes, values.data(), bytes, ACL_MEMCPY_HOST_TO_DEVICE);
    const Shape strides = row_major_strides(shape);
    const aclFormat formats[] = {ACL_FORMAT_ND, ACL_FORMAT_ND, ACL_FORMAT_NCL, ACL_FORMAT_NCHW,
                                 ACL_FORMAT_NCDHW};
    tensor = aclCreateTensor(shape.data(), shape.size(), ACL_FLOAT, strides.data(), 0,
                             formats[shape.size() == 1 ? 0 : shape.size() - 1], shape.data(),
                             shape.size(), memory);
  }

  void* memory = nullptr;
  aclTensor* tensor = nullptr;
};

aclIntArray* ints(std::span<const std::int64_t> values) {
  return aclCreateIntArray(values.data(), values.size());
}

/// A layer's call through the C API. The process ends with it: nothing is given back.
struct ApiCall {
  explicit ApiCall(const Layer& layer)
      : grad_output(output_shape(layer), 1),
        input(input_shape(layer), 2),
        weight(weight_shape(layer), 3),
        grad_input(input_shape(layer), 4),
        grad_weight(weight_shape(layer), 5),
        grad_bias({layer.output_channels}, 6),
        bias_sizes(ints(std::span(&layer.output_channels, 1))),
        stride(ints(axes_of(layer, layer.stride))),
        padding(ints(axes_of(layer, layer.padding))),
        dilation(ints(axes_of(layer, layer.dilation))),
        groups(static_cast<int>(layer.groups)) {
    const Lengths none{};
    output_padding = ints(axes_of(layer, none));
    zeros = ints(axes_of(layer, none));
    const bool all[] = {true, true, true};
    mask = aclCreateBoolArray(all, 3);
    expect(aclrtCreateStream(&stream) == ACL_SUCCESS, "aclrtCreateStream");
    workspace_size = 0;
    plan();
    if (workspace_size > 0) aclrtMalloc(&workspace, workspace_size, ACL_MEM_MALLOC_HUGE_FIRST);
  }

  aclOpExecutor* plan() {
    aclOpExecutor* executor = nullptr;
    expect(aclnnConvolutionBackwardGetWorkspaceSize(
               grad_output.tensor, input.tensor, weight.tensor, bias_sizes, stride, padding,
               dilation, false, output_padding, groups, mask, 0, grad_input.tensor,
               grad_weight.tensor, grad_bias.tensor, &workspace_size, &executor) == ACLNN_SUCCESS,
           "aclnnConvolutionBackwardGetWorkspaceSize");
    return executor;
  }

  void plan_and_forget() {
    expect(aclDestroyAclOpExecutor(plan()) == ACLNN_SUCCESS, "aclDestroyAclOpExecutor");
  }

  /// Makes a call that phase one refuses: no stride may be 0.
  void be_refused() {
    aclOpExecutor* executor = nullptr;
    std::uint64_t size = 0;
    expect(aclnnConvolutionBackwardGetWorkspaceSize(
               grad_output.tensor, input.tensor, weight.tensor, bias_sizes, zeros, padding,
               dilation, false, output_padding, groups, mask, 0, grad_input.tensor,
               grad_weight.tensor, grad_bias.tensor, &size, &executor) == ACLNN_ERR_PARAM_INVALID,
           "the refusal of stride 0");
    aclGetRecentErrMsg();
  }

  void run() {
    aclOpExecutor* const executor = plan();
    expect(aclnnConvolutionBackward(workspace, workspace_size, executor, stream) == ACLNN_SUCCESS,
           "aclnnConvolutionBackward");
    expect(aclrtSynchronizeStream(stream) == ACL_SUCCESS, "aclrtSynchronizeStream");
  }

  DeviceTensor grad_output, input, weight, grad_input, grad_weight, grad_bias;
  aclIntArray *bias_sizes, *stride, *padding, *dilation, *output_padding = nullptr,
                                                         *zeros = nullptr;
  aclBoolArray* mask = nullptr;
  int groups;
  aclrtStream stream = nullptr;
  void* workspace = nullptr;
  std::uint64_t workspace_size = 0;
};

/// Initialises the library and the device, once a process.
bool device_is_set() {
  static const bool set = aclInit(nullptr) == ACL_SUCCESS && aclrtSetDevice(0) == ACL_SUCCESS;
  return set;
}

}  // namespace

ApiComputations api_computations(const Layer& layer) {
  expect(device_is_set(), "aclInit or aclrtSetDevice");
  const auto call = std::make_shared<ApiCall>(layer);
  return {.two_phase_call = [call] { call->run(); },
          .phase_one = [call] { call->plan_and_forget(); },
          .refused_phase_one = [call] { call->be_refused(); }};
}

}  // namespace gradproof::bench
