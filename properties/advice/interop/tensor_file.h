#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "corpus/data_type.h"

namespace gradproof::advice {

/// A tensor as it lies in a file.
struct TensorFile {
  corpus::DataType dtype = corpus::DataType::Float;
  std::vector<std::int64_t> shape;  ///< elements along each axis
  bool fortran_order = false;       ///< the first axis is the innermost; false: the last
  std::vector<std::byte> bytes;     ///< little endian, contiguous
};

/// Order in which the reader wants the elements at their places, with the last axis innermost.
enum class ElementOrder : std::uint8_t { Any, RowMajor };

/// Reads a NumPy file (.npy, format versions 1 to 3). `dtype` is for the formats that NumPy has no
/// type for, which it writes as bare bytes (BFLOAT16: 2, HIFLOAT8: 1); where NumPy names a type, it
/// must be that one. Its header is believed only as far as the file's length bears it out. Errors:
/// a sentence with the file: no .npy file, another version, big endian, a type that no tensor of a
/// case has, Fortran order where `order` is RowMajor, fewer or more bytes than the header says.
tl::expected<TensorFile, std::string> read_npy(const std::string& file,
                                               std::optional<corpus::DataType> dtype = {},
                                               ElementOrder order = ElementOrder::RowMajor);

/// Reads bare elements; the shape is their number. Errors: as read_npy; a length that is no
/// multiple of the element's.
tl::expected<TensorFile, std::string> read_raw(const std::string& file, corpus::DataType dtype);

/// "FILE" or "FILE:DTYPE": a .npy file, recognised by how it begins, or else bare elements of
/// DTYPE.
tl::expected<TensorFile, std::string> read_tensor_file(const std::string& words,
                                                       ElementOrder order);

/// Magnitudes of the elements of a tensor.
struct Magnitudes {
  double smallest = 0;  ///< other than 0; 0: there is none
  double largest = 0;   ///< finite
  std::uint64_t elements = 0, zeros = 0, not_finite = 0;
  std::vector<double> values;  ///< finite ones, some thousands spread evenly
};

/// Returns the magnitudes of FLOAT, FLOAT16, BF16, HIFLOAT8, FLOAT8_E4M3FN and DOUBLE. Errors:
/// another type, in a sentence.
tl::expected<Magnitudes, std::string> magnitudes_of(const TensorFile& tensor);

}  // namespace gradproof::advice
