#pragma once

#include <span>

#include "kernel/operators/call/operation.h"
#include "kernel/operators/call/workspace.h"
#include "kernel/operators/vector/vector_call.h"
#include "kernel/operators/vector/vector_conversions.h"

namespace gradproof::kernel::operators::vector_path {

/// Reads phase two's operands and makes them dense.
class DenseOperands {
 public:
  DenseOperands(const ConvolutionBackward& call, const Memory& memory);

  /// True if results may be written before it is known that they are the cores'.
  bool may_write_first() const {
    return call_.arithmetic.fuses_products && !call_.arithmetic.saturating() && !is_overwritten_;
  }

  /// Dense operand where it lies, or converted into the workspace.
  DenseOperand operand(const Source& source);

  Magnitudes magnitudes(const DenseOperand& operand) const {
    return conversions_.magnitudes(operand.values, operand.shape[0] * operand.batch_step());
  }

 private:
  /// True for a FLOAT tensor without gaps, unless a result will be written over an operand.
  bool serves_where_it_lies(const Source& source) const;
  void convert_all(const Source& source, std::span<float> values) const;
  /// Converts neighbouring elements, from `first` on.
  void convert(numeric::Format format, const std::byte* first, std::span<float> values) const;
  /// Rounds the values to the compute type. An element that is stored in it is one already.
  void round(numeric::Format stored, std::span<float> values) const;
  /// True if the compute type is a FLOAT with fewer bits, and no more than that.
  bool cuts() const;
  void cut(const float* from, std::span<float> values) const;

  const ConvolutionBackward& call_;
  const VectorConversions& conversions_;
  const bool is_overwritten_;
  WorkspaceParts workspace_;
};

}  // namespace gradproof::kernel::operators::vector_path
