#include "fuzz/ascendc/ascendc_tiling.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

#include "fuzz/engine/checks.h"
#include "fuzz/records/case_from_bytes.h"
#include "fuzz/records/choices.h"
#include "fuzz/records/same_fields.h"
#include "kernel/include/lib/conv_backprop/conv3d_bp_filter_tiling.h"

namespace gradproof::fuzz {
namespace {

using ConvBackpropApi::Conv3dBpFilterTiling;
using ConvCommonApi::ConvDtype;
using ConvCommonApi::ConvFormat;
using ConvCommonApi::TPosition;
using corpus::Case;
using corpus::TensorCase;
using Lengths = std::vector<std::int64_t>;

/// The classes are told shapes, and nothing of how a tensor lies in memory.
std::optional<TensorCase> whole(const std::optional<TensorCase>& tensor) {
  if (!tensor) return std::nullopt;
  TensorCase plain;
  plain.shape = tensor->shape;
  plain.dtype = tensor->dtype;
  plain.format = tensor->format;
  return plain;
}

/// Values for D, H and W behind the 1 of N and of C.
std::optional<Lengths> by_five_axes(const std::optional<Lengths>& values) {
  if (!values) return std::nullopt;
  Lengths five{1, 1};
  five.insert(five.end(), values->begin(), values->end());
  return five;
}

/// Padding of the two ends of each axis; those of the record's axes may differ.
std::optional<Lengths> sides_of(const std::optional<Lengths>& padding, const CaseGenes& genes) {
  if (!padding) return std::nullopt;
  Lengths sides;
  for (std::size_t i = 0; i < padding->size(); ++i) {
    const std::uint16_t more = i < genes.axes.size() ? genes.axes.at(i).padding_more : 0;
    std::int64_t end = 0;
    if (__builtin_add_overflow((*padding)[i], std::int64_t{static_cast<std::int16_t>(more)},
                               &end)) {
      end = (*padding)[i];
    }
    sides.insert(sides.end(), {(*padding)[i], end});
  }
  return sides;
}

/// Types that a cube multiplies and one group, without which the classes only refuse; edits break
/// this too. Most records have axes that a tiling may have: little padding, a short stride along D.
void tame(CaseGenes& genes) {
  constexpr std::array types{corpus::DataType::Float16, corpus::DataType::Float,
                             corpus::DataType::BFloat16};
  genes.type = static_cast<std::uint8_t>(place_of(data_types, chosen(types, genes.type)));
  genes.input_type = genes.weight_type = 0;
  genes.groups = 0;
  constexpr std::uint8_t wild = 3;
  if (genes.cube_math_type % (wild + 1) == wild) return;
  for (AxisGenes& axis : genes.axes) {
    axis.kernel = std::min<std::uint16_t>(axis.kernel, 0xFF);
    axis.padding_begin %= static_cast<std::uint16_t>(axis.kernel + 1);
    axis.padding_more = 0;
  }
  genes.axes[0].stride = std::min(genes.axes[0].stride, genes.axes[0].kernel);
}

/// Five axes, the order of `ranks`.
constexpr auto three_dimensions = static_cast<std::uint8_t>(place_of(ranks, 5));

std::array<std::int64_t, 5> five_of(const std::optional<TensorCase>& tensor) {
  std::array<std::int64_t, 5> lengths{-1, -1, -1, -1, -1};
  if (tensor && tensor->shape.size() == lengths.size())
    std::ranges::copy(tensor->shape, lengths.begin());
  return lengths;
}

std::int64_t at(const std::optional<Lengths>& values, std::size_t i) {
  return values && i < values->size() ? (*values)[i] : 1;
}

void tell(Conv3dBpFilterTiling& tiling, const Case& test_case) {
  const auto& it = *test_case.attributes;
  const auto type = test_case.weight && test_case.weight->dtype == corpus::DataType::Float
                        ? ConvDtype::FLOAT32
                        : ConvDtype::FLOAT16;
  const auto dw = five_of(test_case.weight);
  const auto x = five_of(test_case.grad_input);
  const auto dy = five_of(test_case.grad_output);
  tiling.SetWeightShape(dw[0], dw[1], dw[2], dw[3], dw[4]);
  tiling.SetInputShape(x[0], x[1], x[2], x[3], x[4]);
  tiling.SetGradOutputShape(dy[0], dy[1], dy[2], dy[3], dy[4]);
  tiling.SetInputType(TPosition::GM, ConvFormat::NDC1HWC0, type);
  tiling.SetGradOutputType(TPosition::GM, ConvFormat::NDC1HWC0, type);
  tiling.SetPadding(at(it.pads, 0), at(it.pads, 1), at(it.pads, 2), at(it.pads, 3), at(it.pads, 4),
                    at(it.pads, 5));
  tiling.SetStride(at(it.strides, 2), at(it.strides, 3), at(it.strides, 4));
  tiling.SetDilation(at(it.dilations, 2), at(it.dilations, 3), at(it.dilations, 4));
}

using Plain = AscendC::tiling::Conv3DBackpropFilterTilingData;
using Accessors = optiling::Conv3DBackpropFilterTilingData;

Plain plain(const Plain& data) { return data; }
Plain plain(const Accessors& data) {
  return {data.params.plain(), data.dwTiling.plain(), data.basicBlockTiling.plain()};
}

struct Answer {
  std::int64_t status = 0;
  Plain data;
};

template <typename Data>
Answer ask(const Case& test_case) {
  Data data;
  Conv3dBpFilterTiling tiling;
  tell(tiling, test_case);
  const std::int64_t status = tiling.GetTiling(data);
  return {status, plain(data)};
}

/// Describes what is wrong with the answers of Conv3dBpFilterTiling; empty if nothing is.
std::string flaw_of_filter_tiling(const Case& test_case) {
  const Answer one = ask<Plain>(test_case);
  const Answer other = ask<Accessors>(test_case);
  if (one.status != 0 && one.status != -1) return fmt::format("it returns {}", one.status);
  if (one.status != other.status) return "one structure is filled and the other refused";
  if (!same_fields(one.data, other.data)) return "its two structures are filled differently";
  if (one.status == -1 && !same_fields(one.data, Plain{})) return "it refuses and writes";
  return {};
}

}  // namespace

bool is_program(std::span<const std::uint8_t> bytes) {
  return (genes_from_bytes(bytes).flags & program_flag) != 0;
}

std::optional<Case> tiling_case(std::span<const std::uint8_t> bytes) {
  if (is_program(bytes)) return std::nullopt;
  CaseGenes genes = genes_from_bytes(bytes);
  tame(genes);
  const bool transposed = (genes.flags & transposed_flag) != 0;
  genes.rank = three_dimensions;
  genes.flags &= static_cast<std::uint8_t>(~transposed_flag);
  const Case call = case_of_genes(genes, any_size);
  Case test_case;
  test_case.id = "fuzzed";
  test_case.api = corpus::Api::Conv3DBpInputTiling;
  test_case.soc = call.soc;
  test_case.groups = call.groups;
  test_case.grad_output = whole(call.grad_output);
  test_case.weight = whole(call.weight);
  if (!transposed) test_case.grad_input = whole(call.grad_input);
  if (transposed) test_case.output_padding = call.output_padding;
  auto& attributes = test_case.attributes.emplace();
  attributes.pads = sides_of(call.padding, genes);
  attributes.strides = by_five_axes(call.stride);
  attributes.dilations = by_five_axes(call.dilation);
  return test_case;
}

corpus::Verdict check_tiling(const Case& test_case) {
  if (const std::string flaw = flaw_of_filter_tiling(test_case); !flaw.empty()) {
    fmt::print(stderr, "fuzz_ascendc: Conv3dBpFilterTiling: {}\n", flaw);
    std::abort();
  }
  return check_values(test_case);
}

}  // namespace gradproof::fuzz
