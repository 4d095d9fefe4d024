#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <vector>
#include "properties/advice/explain/call_from_texts.h"

#include "corpus/case.h"
#include "oracle/judge/operand_store.h"

namespace gradproof::advice {

/// A call of aclnnConvolutionBackward or aclnnConvolution, what it was given and what somebody's
/// code made of it.
struct GivenTensors {
  corpus::Case test_case;  ///< its data are not looked at
  /// Bytes of the elements, dense and row-major over the tensor's shape, little endian. Of an
  /// output that is not requested: empty.
  corpus::PerInput<std::vector<std::byte>> operands;
  corpus::PerOutput<std::vector<std::byte>> results;

  oracle::GivenOperands operand_bytes() const { return {operands[0], operands[1], operands[2]}; }
};

/// Describes what keeps the tensors from being judged; nullopt: nothing. It names what is missing,
/// does not fit, or has another size, by the tensor's name.
std::optional<std::string> problem_with(const GivenTensors& tensors);
/// Describes the problem with the operands and shapes, without a look at the results' bytes.
std::optional<std::string> problem_with_operands(const GivenTensors& tensors);

/// Tensors of one layer: of its gradients' call, of its forward call, or of both, in this order.
struct LayerTensors {
  std::vector<GivenTensors> calls;
  std::vector<std::string> notes;  ///< on files that are left alone
};

/// The tensors of one layer from files. `words`: each a folder, a file, or "TENSOR=FILE", files
/// with ":DTYPE" behind them where it has to be said. What a file is called says which tensor it
/// is (grad_output, gradOutput, dy, ...; list_of_names()); of a folder, files with other names are
/// left alone. A .npy file says its shape and type; of bare elements `call` says them. Results ask
/// for themselves. Errors: a sentence with the file or the option.
tl::expected<LayerTensors, std::string> tensors_of_files(const std::vector<std::string>& words,
                                                         const CallTexts& call);

/// The names by which a file is recognised, a line for each tensor.
std::string list_of_names();

}  // namespace gradproof::advice
