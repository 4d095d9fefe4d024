#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "corpus/case.h"
#include "properties/cases/calls/convolution.h"

namespace gradproof::cases {

/// convolution_of for a graph operator or a tiling class: the feature map and the filter are
/// believed, whatever their formats.
std::optional<Convolution> operator_convolution_of(const corpus::Case& test_case);

/// with_convolution for them. All three axes stay: the same case where `next` has fewer.
corpus::Case with_operator_convolution(const corpus::Case& test_case, const Convolution& old,
                                       const Convolution& next);

/// Sets shapes, strides and dilations of the three tensors that a graph operator has, and its pads
/// and result size, to those of a convolution along D, H and W. Formats, data_format and everything
/// else stay.
void set_operator_convolution(corpus::Case& test_case, const Convolution& sizes);

/// Sets input_size or filter_size to the shape of the result.
void fit_result_size(corpus::Case& test_case);

/// The result's tensor: gradInput or gradWeight.
std::optional<corpus::TensorCase>& result_of(corpus::Case& test_case);

/// The tensor with its axes in the order of another format; nullopt where one of the formats has no
/// fixed order, or the tensor not five axes.
std::optional<corpus::TensorCase> in_format(const corpus::TensorCase& tensor,
                                            corpus::Format format);

/// The operator's call with everything in NCDHW: tensors, attributes, listed elements.
std::optional<corpus::Case> in_plain_layout(const corpus::Case& test_case);

/// Converts a call of aclnnConvolutionBackward, its axes in the order N C L, to the forward call of
/// `api` whose gradients it asks for; its listed data and the
/// recipe of each tensor go along. A bias with biasSizes, of
/// gradOutput's dtype.
corpus::Case forward_call(corpus::Case gradients, corpus::Api api);

/// The attribute arrays that a call passes for a convolution, one value per spatial axis unless
/// said otherwise.
std::vector<std::int64_t> strides_of(const Convolution& convolution);
std::vector<std::int64_t> dilations_of(const Convolution& convolution);

/// One value per axis where both ends of each are padded alike, else begin and end of every axis.
std::vector<std::int64_t> paddings_of(const Convolution& convolution);

/// Zeros unless transposed: then the elements of gradOutput that no position reaches.
std::vector<std::int64_t> output_paddings_of(const Convolution& convolution);

bool is_asymmetric(const SpatialAxis& axis);

}  // namespace gradproof::cases
