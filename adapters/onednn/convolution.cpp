#include "adapters/convolution.h"

#include <dnnl.hpp>

#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <unordered_map>

namespace gradproof::adapters {
namespace {

using dnnl::memory;
using Tag = memory::format_tag;
using Arguments = std::unordered_map<int, memory>;

const dnnl::engine& cpu() {
  static const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  return engine;
}

memory::data_type type_of(aclDataType data_type) {
  return data_type == ACL_BF16 ? memory::data_type::bf16 : memory::data_type::f32;
}

/// Layout of both maps that the primitives are asked for: GRADPROOF_ONEDNN_LAYOUT is nchw, nhwc, or
/// any (default), which leaves it to them.
Tag layout_of_maps() {
  const char* chosen = std::getenv("GRADPROOF_ONEDNN_LAYOUT");
  const std::string_view name = chosen == nullptr ? "any" : chosen;
  return name == "nchw" ? Tag::ncdhw : name == "nhwc" ? Tag::ndhwc : Tag::any;
}

/// Tensors and attributes of a convolution in oneDNN's terms. Descriptions with `Tag::any` leave
/// the layout to the primitive; `plain` is what the call has.
struct Description {
  Description(aclDataType data_type, const Convolution& c) : type(type_of(data_type)) {
    big = {c.batch, c.big_channels};
    small = {c.batch, c.small_channels};
    weight = {c.groups, c.small_channels / c.groups, c.big_channels / c.groups};
    for (const Axis& axis : c.axes) {
      big.push_back(axis.big);
      small.push_back(axis.small);
      weight.push_back(axis.kernel);
      stride.push_back(axis.stride);
      dilation.push_back(axis.dilation - 1);
      pad_begin.push_back(axis.pad);
      // What a stride leaves over is never read: oneDNN's own division drops it.
      const std::int64_t reach = (axis.small - 1) * axis.stride + (axis.kernel - 1) * axis.dilation;
      pad_end.push_back(std::max<std::int64_t>(0, reach + 1 - axis.big - axis.pad));
    }
  }
  memory::desc weights() const { return {weight, type, Tag::any}; }
  memory::desc map(const memory::dims& shape) const { return {shape, type, layout_of_maps()}; }
  memory plain(const memory::dims& shape, const Elements& elements) const {
    const Tag tag = shape.size() == 6 ? Tag::goidhw : Tag::ncdhw;
    return {{shape, type, tag}, cpu(), const_cast<std::byte*>(elements.data())};
  }

  memory::data_type type;
  memory::dims big, small, weight, stride, dilation, pad_begin, pad_end;
};

constexpr auto direct = dnnl::algorithm::convolution_direct;

dnnl::convolution_forward::primitive_desc forward_of(const Description& d) {
  return {{dnnl::prop_kind::forward_training, direct, d.map(d.big), d.weights(), d.map(d.small),
           d.stride, d.dilation, d.pad_begin, d.pad_end},
          cpu()};
}

dnnl::convolution_backward_data::primitive_desc data_gradient_of(const Description& d) {
  return {{direct, d.map(d.big), d.weights(), d.map(d.small), d.stride, d.dilation, d.pad_begin,
           d.pad_end},
          cpu(),
          forward_of(d)};
}

dnnl::convolution_backward_weights::primitive_desc weight_gradient_of(const Description& d) {
  return {{direct, d.map(d.big), d.weights(), d.map(d.small), d.stride, d.dilation, d.pad_begin,
           d.pad_end},
          cpu(),
          forward_of(d)};
}

memory in_layout(dnnl::stream& stream, const memory& plain, const memory::desc& wanted) {
  if (plain.get_desc() == wanted) return plain;
  memory moved(wanted, cpu());
  memory from = plain;
  dnnl::reorder(from, moved).execute(stream, from, moved);
  return moved;
}

/// Runs a primitive of two inputs and one output in the layouts that it prefers.
struct Operand {
  int argument;
  memory plain;
  memory::desc wanted;
};

void execute(const dnnl::primitive& primitive, const Operand& first, const Operand& second,
             const Operand& output) {
  dnnl::stream stream(cpu());
  Arguments arguments;
  for (const Operand& operand : {first, second}) {
    arguments[operand.argument] = in_layout(stream, operand.plain, operand.wanted);
  }
  const bool is_plain = output.plain.get_desc() == output.wanted;
  memory computed = is_plain ? output.plain : memory(output.wanted, cpu());
  arguments[output.argument] = computed;
  primitive.execute(stream, arguments);
  memory plain = output.plain;
  if (!is_plain) dnnl::reorder(computed, plain).execute(stream, computed, plain);
  stream.wait();
}

}  // namespace

bool is_supported(aclDataType data_type, const Convolution& c) {
  if (data_type != ACL_FLOAT && data_type != ACL_BF16) return false;
  const bool is_empty = !c.batch || !c.big_channels || !c.small_channels || !big_positions(c) ||
                        !small_positions(c) || !taps(c);
  if (is_empty) return true;
  try {
    const Description description(data_type, c);
    data_gradient_of(description);
    weight_gradient_of(description);
    return true;
  } catch (const dnnl::error&) {
    return false;
  }
}

void convolve(aclDataType data_type, const Convolution& c, const Elements& big,
              const Elements& weight, Elements& small) {
  const Description d(data_type, c);
  const auto primitive = forward_of(d);
  execute(dnnl::convolution_forward(primitive),
          {DNNL_ARG_SRC, d.plain(d.big, big), primitive.src_desc()},
          {DNNL_ARG_WEIGHTS, d.plain(d.weight, weight), primitive.weights_desc()},
          {DNNL_ARG_DST, d.plain(d.small, small), primitive.dst_desc()});
}

void data_gradient(aclDataType data_type, const Convolution& c, const Elements& small,
                   const Elements& weight, Elements& big) {
  const Description d(data_type, c);
  const auto primitive = data_gradient_of(d);
  execute(dnnl::convolution_backward_data(primitive),
          {DNNL_ARG_DIFF_DST, d.plain(d.small, small), primitive.diff_dst_desc()},
          {DNNL_ARG_WEIGHTS, d.plain(d.weight, weight), primitive.weights_desc()},
          {DNNL_ARG_DIFF_SRC, d.plain(d.big, big), primitive.diff_src_desc()});
}

void weight_gradient(aclDataType data_type, const Convolution& c, const Elements& big,
                     const Elements& small, Elements& weight) {
  const Description d(data_type, c);
  const auto primitive = weight_gradient_of(d);
  execute(dnnl::convolution_backward_weights(primitive),
          {DNNL_ARG_SRC, d.plain(d.big, big), primitive.src_desc()},
          {DNNL_ARG_DIFF_DST, d.plain(d.small, small), primitive.diff_dst_desc()},
          {DNNL_ARG_DIFF_WEIGHTS, d.plain(d.weight, weight), primitive.diff_weights_desc()});
}

void channel_sums(aclDataType data_type, std::int64_t batch, std::int64_t channels,
                  std::int64_t positions, const Elements& values, Elements& sums) {
  // oneDNN refuses a reduction that has nothing to reduce.
  if (batch * positions == 1) {
    sums = values;
    return;
  }
  const memory::data_type type = type_of(data_type);
  const memory source({{batch, channels, positions}, type, Tag::abc}, cpu(),
                      const_cast<std::byte*>(values.data()));
  const memory target({{1, channels, 1}, type, Tag::abc}, cpu(), sums.data());
  const dnnl::reduction::primitive_desc primitive(
      {dnnl::algorithm::reduction_sum, source.get_desc(), target.get_desc(), 0.0F, 0.0F}, cpu());
  dnnl::stream stream(cpu());
  dnnl::reduction(primitive).execute(stream, {{DNNL_ARG_SRC, source}, {DNNL_ARG_DST, target}});
  stream.wait();
}

}  // namespace gradproof::adapters
