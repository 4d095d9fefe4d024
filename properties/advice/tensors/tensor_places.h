#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "corpus/case.h"

namespace gradproof::advice {

inline constexpr std::size_t operand_count = corpus::input_roles.size();
inline constexpr std::size_t tensor_count = operand_count + corpus::output_roles.size();

/// Tensors that a file's name may say.
enum FileTensor : std::uint8_t {
  GradOutput,
  Input,
  Weight,
  GradInput,
  GradWeight,
  GradBias,
  Output,
  Bias,
  NamedCount
};
/// By a call's operands, then results. A forward call's are where its case has them.
inline constexpr std::array<FileTensor, tensor_count> of_gradients{
    GradOutput, Input, Weight, GradInput, GradWeight, GradBias};
inline constexpr std::array<FileTensor, tensor_count> of_forward{Input,  Bias,       Weight,
                                                                 Output, NamedCount, NamedCount};

/// The parameter's name in a call.
std::string_view parameter(std::size_t named);

/// Assignment of files to tensors. Errors are sentences with the file.
class TensorPlaces {
 public:
  /// Takes a folder, a file, or "TENSOR=FILE".
  std::optional<std::string> add(const std::string& word);

  const std::optional<std::string>& file(std::size_t named) const { return files_.at(named); }

  bool has_gradient() const;
  /// True of an output that is judged. Next to gradients a folder's output without a bias is left
  /// alone, since the bias of its call may be elsewhere.
  bool has_forward() const;
  /// Describes a bias that was named for itself and has no output.
  std::optional<std::string> lone_bias() const;

 private:
  std::optional<std::string> add_folder(const std::string& folder);
  std::optional<std::string> put_named(std::size_t named, const std::string& file);
  std::optional<std::string> put(std::size_t named, const std::string& file);

  std::array<std::optional<std::string>, NamedCount> files_;
  std::optional<std::string> of_forward_;  ///< one that was named for itself
};

}  // namespace gradproof::advice
