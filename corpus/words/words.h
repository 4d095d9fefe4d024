#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <tl/expected.hpp>

#include "corpus/data_type.h"
#include "corpus/format.h"
#include "corpus/product.h"

namespace gradproof::corpus {

/// Meaning of a word that a person writes, or a sentence that lists what is allowed. Names of case
/// files come first: "Ascend910B" is the product, not the older device of that name.
template <typename Value>
using Meaning = tl::expected<Value, std::string>;

/// "Ascend910B3", "910B", "Ascend910_9382", "Atlas 800T A2".
Meaning<Product> product_from_words(std::string_view words);

/// "bf16", "torch.bfloat16", "fp32", "np.float16", "ACL_FLOAT", "float8_e4m3fn".
Meaning<DataType> data_type_from_words(std::string_view words);

/// Layout of the elements of a tensor in memory.
struct MemoryFormat {
  Format format = Format::Nd;
  /// PyTorch's channels_last: the shape is in the order N C ..., the strides are those of N ... C.
  bool channels_last = false;

  friend bool operator==(const MemoryFormat&, const MemoryFormat&) = default;
};

/// "nhwc", "ACL_FORMAT_NCHW"; "torch.channels_last", "contiguous_format" and the like depend on
/// `axes`, how many axes the tensor has.
Meaning<MemoryFormat> memory_format_from_words(std::string_view words, std::size_t axes);

/// The strides of channels_last for a shape N C ..., in elements.
std::vector<std::int64_t> channels_last_strides(const std::vector<std::int64_t>& shape);

/// "2", "USE_FP16"; "allow_hf32" and the like are torch_npu's, not this parameter's.
Meaning<std::int8_t> cube_math_type_from_words(std::string_view words);

/// "yes", "True", "on", "1" and their opposites.
Meaning<bool> truth_from_words(std::string_view words);

/// Blanks inside a part of a list: they separate, as in "True False", or belong to a name, as in
/// "Atlas 800T A2".
enum class Blanks : std::uint8_t { Separate, Kept };

/// The parts of a list with commas between, without brackets: "(True, False)".
std::vector<std::string> words_of_list(std::string_view words, Blanks blanks = Blanks::Separate);

/// "3", "(3,)".
Meaning<std::int32_t> integer_from_words(std::string_view words);

/// "2,3,224,224", "[2, 3]", "(3,)", "torch.Size([2, 3])", "2x3x224x224", "2 3".
Meaning<std::vector<std::int64_t>> integers_from_words(std::string_view words);

}  // namespace gradproof::corpus
