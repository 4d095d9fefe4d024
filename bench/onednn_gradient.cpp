#include "bench/onednn_gradient.h"

#include <dlfcn.h>

#include <dnnl.hpp>
#include <memory>
#include <unordered_map>
#include <utility>

namespace gradproof::bench {
namespace {

using dnnl::memory;
using Tag = memory::format_tag;

const dnnl::engine& cpu() {
  static const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  return engine;
}

/// oneDNN asks OpenMP for threads; whichever OpenMP it was linked with is loaded by now.
void use_threads(int threads) {
  using SetThreads = void (*)(int);
  static void* const found = ::dlsym(RTLD_DEFAULT, "omp_set_num_threads");
  if (found != nullptr) reinterpret_cast<SetThreads>(found)(threads);
}

/// A layer in oneDNN's terms; layouts are left to the primitive.
struct Description {
  explicit Description(const Layer& layer)
      : input{layer.batch, layer.input_channels},
        output{layer.batch, layer.output_channels},
        weight{layer.output_channels / layer.groups, layer.input_channels / layer.groups} {
    if (layer.groups > 1) weight.insert(weight.begin(), layer.groups);
    for (auto axis = static_cast<std::size_t>(3 - layer.dimensions); axis < 3; ++axis) {
      input.push_back(layer.input.at(axis));
      output.push_back(layer.output_length(axis));
      weight.push_back(layer.kernel.at(axis));
      stride.push_back(layer.stride.at(axis));
      dilation.push_back(layer.dilation.at(axis) - 1);
      padding.push_back(layer.padding.at(axis));
    }
  }

  static memory::desc any(const memory::dims& shape) {
    return {shape, memory::data_type::f32, Tag::any};
  }

  memory::dims input, output, weight, stride, dilation, padding;
};

constexpr auto direct = dnnl::algorithm::convolution_direct;

dnnl::convolution_forward::primitive_desc forward_of(const Description& d) {
  return {{dnnl::prop_kind::forward_training, direct, Description::any(d.input),
           Description::any(d.weight), Description::any(d.output), d.stride, d.dilation, d.padding,
           d.padding},
          cpu()};
}

memory::desc row_major(const memory::dims& shape) {
  memory::dims strides(shape.size(), 1);
  for (std::size_t i = shape.size() - 1; i > 0; --i) strides[i - 1] = strides[i] * shape[i];
  return {shape, memory::data_type::f32, strides};
}

/// A tensor as the caller has it, and as the primitive wants it.
struct Tensor {
  Tensor(const memory::dims& shape, const memory::desc& wanted, std::uint64_t seed)
      : plain(row_major(shape), cpu()), moved(plain) {
    auto* const values = static_cast<float*>(plain.get_data_handle());
    const auto count = static_cast<std::int64_t>(plain.get_desc().get_size() / sizeof(float));
    std::ranges::copy(random_values(count, seed), values);
    if (plain.get_desc() != wanted) moved = memory(wanted, cpu());
  }

  bool is_moved() const { return plain.get_data_handle() != moved.get_data_handle(); }

  memory plain, moved;
};

/// A primitive of two operands and one result, all created beforehand.
struct Prepared {
  dnnl::primitive primitive;
  Tensor first, second, result;
  std::unordered_map<int, memory> arguments;
  dnnl::stream stream{cpu()};
  std::vector<dnnl::reorder> before;
  std::vector<dnnl::reorder> after;

  void reorder_operands() {
    std::size_t next = 0;
    for (Tensor* tensor : {&first, &second}) {
      if (tensor->is_moved()) before[next++].execute(stream, tensor->plain, tensor->moved);
    }
  }

  void run(bool plain) {
    if (plain) reorder_operands();
    primitive.execute(stream, arguments);
    if (plain && result.is_moved()) after[0].execute(stream, result.moved, result.plain);
    stream.wait();
  }
};

std::shared_ptr<Prepared> prepared(const dnnl::primitive& primitive, Tensor first, int first_name,
                                   Tensor second, int second_name, Tensor result, int result_name) {
  auto all = std::make_shared<Prepared>(Prepared{.primitive = primitive,
                                                 .first = std::move(first),
                                                 .second = std::move(second),
                                                 .result = std::move(result),
                                                 .arguments = {},
                                                 .before = {},
                                                 .after = {}});
  for (Tensor* tensor : {&all->first, &all->second}) {
    if (tensor->is_moved()) all->before.emplace_back(tensor->plain, tensor->moved);
  }
  if (all->result.is_moved()) all->after.emplace_back(all->result.moved, all->result.plain);
  all->arguments = {{first_name, all->first.moved},
                    {second_name, all->second.moved},
                    {result_name, all->result.moved}};
  all->reorder_operands();
  return all;
}

std::shared_ptr<Prepared> data_gradient(const Description& d) {
  const dnnl::convolution_backward_data::primitive_desc primitive{
      {direct, Description::any(d.input), Description::any(d.weight), Description::any(d.output),
       d.stride, d.dilation, d.padding, d.padding},
      cpu(),
      forward_of(d)};
  return prepared(dnnl::convolution_backward_data(primitive),
                  Tensor(d.output, primitive.diff_dst_desc(), 1), DNNL_ARG_DIFF_DST,
                  Tensor(d.weight, primitive.weights_desc(), 2), DNNL_ARG_WEIGHTS,
                  Tensor(d.input, primitive.diff_src_desc(), 3), DNNL_ARG_DIFF_SRC);
}

std::shared_ptr<Prepared> weight_gradient(const Description& d) {
  const dnnl::convolution_backward_weights::primitive_desc primitive{
      {direct, Description::any(d.input), Description::any(d.weight), Description::any(d.output),
       d.stride, d.dilation, d.padding, d.padding},
      cpu(),
      forward_of(d)};
  return prepared(dnnl::convolution_backward_weights(primitive),
                  Tensor(d.output, primitive.diff_dst_desc(), 1), DNNL_ARG_DIFF_DST,
                  Tensor(d.input, primitive.src_desc(), 2), DNNL_ARG_SRC,
                  Tensor(d.weight, primitive.diff_weights_desc(), 3), DNNL_ARG_DIFF_WEIGHTS);
}

}  // namespace

Computation onednn_gradient(const Layer& layer, Gradient gradient, bool plain, int threads) {
  if (gradient == Gradient::Bias) return {};
  use_threads(threads);
  const Description description(layer);
  const auto all =
      gradient == Gradient::Input ? data_gradient(description) : weight_gradient(description);
  return [all, plain, threads] {
    use_threads(threads);
    all->run(plain);
  };
}

}  // namespace gradproof::bench
