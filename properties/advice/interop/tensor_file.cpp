#include "properties/advice/interop/tensor_file.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

#include "corpus/element_encoding.h"
#include "corpus/tensor_case.h"
#include "corpus/words/words.h"
#include "properties/advice/interop/foreign_formats.h"
#include "properties/advice/interop/foreign_value.h"

namespace gradproof::advice {
namespace {

using corpus::DataType;
using Read = tl::expected<TensorFile, std::string>;

constexpr std::string_view npy_mark = "\x93NUMPY";

std::uint64_t little_endian(std::string_view bytes) {
  std::uint64_t value = 0;
  for (std::size_t i = bytes.size(); i-- > 0;) {
    value = value << 8 | static_cast<unsigned char>(bytes[i]);
  }
  return value;
}

std::vector<std::byte> as_bytes(std::string_view text) {
  std::vector<std::byte> bytes(text.size());
  std::ranges::transform(text, bytes.begin(), [](char c) { return static_cast<std::byte>(c); });
  return bytes;
}

/// NumPy's letter and bytes of an element, and the type that they mean.
struct NumpyType {
  std::string_view letters;
  DataType type;
};

constexpr NumpyType numpy_types[] = {
    {"f4", DataType::Float},     {"f2", DataType::Float16},     {"f8", DataType::Double},
    {"i1", DataType::Int8},      {"i2", DataType::Int16},       {"i4", DataType::Int32},
    {"i8", DataType::Int64},     {"u1", DataType::UInt8},       {"u2", DataType::UInt16},
    {"u4", DataType::UInt32},    {"u8", DataType::UInt64},      {"b1", DataType::Bool},
    {"c8", DataType::Complex64}, {"c16", DataType::Complex128},
};

/// Errors: a clause.
tl::expected<DataType, std::string> type_of_npy(const nlohmann::json& descr,
                                                std::optional<DataType> stated) {
  const std::string text = descr.is_string() ? descr.get<std::string>() : std::string();
  if (text.starts_with('>')) {
    return tl::unexpected(
        fmt::format("its elements ({}) are big endian; save it after "
                    "array.astype(array.dtype.newbyteorder(\"<\"))",
                    text));
  }
  const std::string letters = text.empty() ? text : text.substr(1);
  const auto known = std::ranges::find(numpy_types, letters, &NumpyType::letters);
  const bool is_known = known != std::end(numpy_types);
  if (is_known && (!stated || *stated == known->type)) return known->type;
  if (is_known) {
    return tl::unexpected(
        fmt::format("it holds {}, not {}", name_of(known->type), name_of(*stated)));
  }
  if (letters.starts_with('V') && !stated) {
    return tl::unexpected(
        fmt::format("NumPy has no type for its elements ({}); say it as "
                    "FILE:DTYPE, e.g. FILE:bf16",
                    text));
  }
  if (stated && letters == fmt::format("V{}", size_bytes(*stated))) return *stated;
  return tl::unexpected(
      fmt::format("its elements, {}, are of no type that a tensor can have", shown(descr)));
}

/// A .npy file, taken apart front to back.
class NpyParser {
 public:
  NpyParser(std::string_view content, std::optional<DataType> stated, ElementOrder order)
      : content_(content), stated_(stated), order_(order) {}

  /// Errors: a clause about the file.
  Read operator()() {
    if (auto problem = problem_of_size(content_.size())) return tl::unexpected(*problem);
    tensor_.bytes = as_bytes(content_.substr(elements_at_));
    return std::move(tensor_);
  }

  /// Holds the header, which the content begins with, against the length of the file: before more
  /// of it is read. A clause about the file; nullopt: they agree.
  std::optional<std::string> problem_of_size(std::uintmax_t file_bytes) {
    const auto header = header_text();
    if (!header) return header.error();
    const auto fields = parse_python_literal(*header);
    if (!fields) return "its header is " + fields.error();
    if (auto problem = read_header(*fields)) return problem;
    return wrong_length(file_bytes - elements_at_);
  }

 private:
  tl::expected<std::string_view, std::string> header_text() {
    if (!content_.starts_with(npy_mark)) return tl::unexpected(std::string("is no .npy file"));
    const std::string_view rest = content_.substr(npy_mark.size());
    if (rest.size() < 6) return tl::unexpected(std::string("ends within its header"));
    const int version = static_cast<unsigned char>(rest[0]);
    if (version < 1 || version > 3) {
      return tl::unexpected(
          fmt::format("has version {} of the .npy format; 1 to 3 are read", version));
    }
    const std::size_t width = version == 1 ? 2 : 4;
    const std::uint64_t length = little_endian(rest.substr(2, width));
    elements_at_ = npy_mark.size() + 2 + width + length;
    if (elements_at_ > content_.size())
      return tl::unexpected(std::string("ends within its header"));
    return rest.substr(2 + width, length);
  }

  std::optional<std::string> read_header(const nlohmann::json& fields) {
    const bool is_header = fields.is_object() && fields.contains("descr") &&
                           fields.contains("fortran_order") && fields.contains("shape");
    if (!is_header) return "its header lacks descr, fortran_order or shape";
    const auto type = type_of_npy(fields["descr"], stated_);
    if (!type) return type.error();
    tensor_.dtype = *type;
    const auto shape = integers_of(fields["shape"]);
    const auto is_negative = [](std::int64_t length) { return length < 0; };
    if (!shape || std::ranges::any_of(*shape, is_negative)) {
      return fmt::format("its header's shape, {}, is none", shown(fields["shape"]));
    }
    tensor_.shape = *shape;
    tensor_.fortran_order = fields["fortran_order"] == true;
    const bool has_one_order =
        std::ranges::count_if(*shape, [](std::int64_t length) { return length != 1; }) < 2;
    if (has_one_order) tensor_.fortran_order = false;
    if (tensor_.fortran_order && order_ == ElementOrder::RowMajor) {
      return "is in Fortran order; save numpy.ascontiguousarray(array)";
    }
    return std::nullopt;
  }

  std::optional<std::string> wrong_length(std::uintmax_t got) const {
    const std::string shape = fmt::format("[{}]", fmt::join(tensor_.shape, ", "));
    const std::uint64_t each = size_bytes(tensor_.dtype);
    const auto count = corpus::element_count(tensor_.shape);
    if (!count) return fmt::format("its header's shape, {}, has more than 2^63 elements", shape);
    const auto elements = static_cast<std::uint64_t>(*count);
    if (got % each == 0 && got / each == elements) return std::nullopt;
    return fmt::format("its header says {} elements of {} ({}), and {} bytes follow; it is {}",
                       elements, name_of(tensor_.dtype), shape, got,
                       got / each < elements ? "truncated" : "longer than that");
  }

  std::string_view content_;
  std::optional<DataType> stated_;
  ElementOrder order_;
  std::size_t elements_at_ = 0;
  TensorFile tensor_;
};

Read named(const std::string& file, Read read) {
  if (!read) return tl::unexpected(fmt::format("{}: {}", file, read.error()));
  return read;
}

Read raw_tensor(std::string_view content, DataType dtype) {
  const std::size_t each = size_bytes(dtype);
  if (content.size() % each != 0) {
    return tl::unexpected(fmt::format("{} bytes are no whole number of elements of {} ({} bytes)",
                                      content.size(), name_of(dtype), each));
  }
  return TensorFile{
      dtype, {static_cast<std::int64_t>(content.size() / each)}, false, as_bytes(content)};
}

/// A file's name may hold a colon itself.
struct FileAndType {
  std::string file;
  std::optional<DataType> dtype;
};

tl::expected<FileAndType, std::string> file_and_type(const std::string& words) {
  const std::size_t colon = words.rfind(':');
  std::error_code ignored;
  if (colon == std::string::npos || std::filesystem::exists(words, ignored)) {
    return FileAndType{words, std::nullopt};
  }
  const auto dtype = corpus::data_type_from_words(words.substr(colon + 1));
  if (!dtype) return tl::unexpected(words + ": " + dtype.error());
  return FileAndType{words.substr(0, colon), *dtype};
}

std::optional<double> value_of_element(DataType dtype, std::uint64_t bits) {
  return dtype == DataType::Double ? std::bit_cast<double>(bits) : corpus::decode(dtype, bits);
}

/// Reads a .npy file whole once its header and its length agree.
Read read_npy_file(const std::string& file, std::optional<DataType> dtype, ElementOrder order) {
  if (const auto begin = begin_of_file(file)) {
    NpyParser parser(begin->bytes, dtype, order);
    if (auto problem = parser.problem_of_size(begin->file_bytes)) {
      return tl::unexpected(fmt::format("{}: {}", file, *problem));
    }
  }
  const auto content = bytes_of_file(file);
  if (!content) return tl::unexpected(content.error());
  return named(file, NpyParser(*content, dtype, order)());
}

}  // namespace

Read read_npy(const std::string& file, std::optional<DataType> dtype, ElementOrder order) {
  return read_npy_file(file, dtype, order);
}

Read read_raw(const std::string& file, DataType dtype) {
  const auto content = bytes_of_file(file);
  if (!content) return tl::unexpected(content.error());
  return named(file, raw_tensor(*content, dtype));
}

Read read_tensor_file(const std::string& words, ElementOrder order) {
  const auto asked = file_and_type(words);
  if (!asked) return tl::unexpected(asked.error());
  const auto begin = begin_of_file(asked->file);
  if (begin && begin->bytes.starts_with(npy_mark)) {
    return read_npy_file(asked->file, asked->dtype, order);
  }
  const auto content = bytes_of_file(asked->file);
  if (!content) return tl::unexpected(content.error());
  if (content->starts_with(npy_mark)) {
    return named(asked->file, NpyParser(*content, asked->dtype, order)());
  }
  if (asked->dtype) return named(asked->file, raw_tensor(*content, *asked->dtype));
  return tl::unexpected(fmt::format(
      "{}: is no .npy file; of bare elements say the type, as {}:fp32", asked->file, asked->file));
}

tl::expected<Magnitudes, std::string> magnitudes_of(const TensorFile& tensor) {
  const std::size_t each = size_bytes(tensor.dtype);
  if (!value_of_element(tensor.dtype, 0)) {
    return tl::unexpected(
        fmt::format("elements of {} are no numbers of a gradient; convert them, "
                    "e.g. array.astype(numpy.float32)",
                    name_of(tensor.dtype)));
  }
  Magnitudes result;
  constexpr std::size_t kept = 4096;
  const std::size_t step = std::max<std::size_t>(1, tensor.bytes.size() / each / kept);
  for (std::size_t at = 0; at < tensor.bytes.size(); at += each) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, tensor.bytes.data() + at, each);  // both are little endian
    const double value = value_of_element(tensor.dtype, bits).value_or(0);
    const double magnitude = std::abs(value);
    if (result.elements % step == 0 && std::isfinite(value)) result.values.push_back(value);
    ++result.elements;
    if (!std::isfinite(magnitude)) {
      ++result.not_finite;
    } else if (magnitude == 0) {
      ++result.zeros;
    } else {
      const bool is_smallest = result.smallest == 0 || magnitude < result.smallest;
      if (is_smallest) result.smallest = magnitude;
      result.largest = std::max(result.largest, magnitude);
    }
  }
  return result;
}

}  // namespace gradproof::advice
