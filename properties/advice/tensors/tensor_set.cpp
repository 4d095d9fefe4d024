#include "properties/advice/tensors/given_tensors.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include "corpus/words/words.h"
#include "properties/advice/explain/parameter_words.h"
#include "properties/advice/interop/tensor_file.h"

namespace gradproof::advice {
namespace {

using corpus::DataType;
using Problem = std::optional<std::string>;

constexpr std::size_t operand_count = corpus::input_roles.size();
constexpr std::size_t tensor_count = operand_count + corpus::output_roles.size();
/// Names by operands, then results: the parameter's name first.
constexpr std::array<std::string_view, tensor_count> names{"grad_output gradoutput grad_out dy",
                                                           "input x self",
                                                           "weight w filter",
                                                           "grad_input dx",
                                                           "grad_weight dw",
                                                           "grad_bias db"};

std::optional<std::size_t> tensor_named(std::string_view name) {
  const std::string wanted = key_of_word(name);
  for (std::size_t i = 0; i < names.size(); ++i) {
    for (const std::string& one : corpus::words_of_list(std::string(names.at(i)))) {
      if (key_of_word(one) == wanted) return i;
    }
  }
  return std::nullopt;
}

std::string_view parameter(std::size_t tensor) {
  return tensor < operand_count ? corpus::name_of(corpus::input_roles.at(tensor))
                                : corpus::name_of(corpus::output_roles.at(tensor - operand_count));
}

/// Assignment of files to tensors.
class Places {
 public:
  Problem add(const std::string& word) {
    std::error_code ignored;
    if (std::filesystem::is_directory(word, ignored)) return add_folder(word);
    const std::size_t sign = word.find('=');
    if (sign != std::string::npos && !std::filesystem::exists(word, ignored)) {
      const auto tensor = tensor_named(word.substr(0, sign));
      if (tensor) return put(*tensor, word.substr(sign + 1));
      return fmt::format("{}: \"{}\" is no tensor; there are\n{}", word, word.substr(0, sign),
                         list_of_names());
    }
    const auto tensor = tensor_named(stem_of(word));
    if (tensor) return put(*tensor, word);
    return fmt::format(
        "{}: its name does not say which tensor it is; say TENSOR={}, where TENSOR is one of\n{}",
        word, word, list_of_names());
  }

  const std::optional<std::string>& file(std::size_t tensor) const { return files_.at(tensor); }

 private:
  /// Stem of a file, or of FILE:DTYPE.
  static std::string stem_of(const std::string& word) {
    std::error_code ignored;
    const bool is_file = std::filesystem::exists(word, ignored);
    const std::string file = is_file ? word : word.substr(0, word.rfind(':'));
    return std::filesystem::path(file).stem().string();
  }

  Problem add_folder(const std::string& folder) {
    std::error_code error;
    std::vector<std::string> files;
    for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
      if (entry.is_regular_file(error)) files.push_back(entry.path().string());
    }
    if (error) return fmt::format("{}: {}", folder, error.message());
    std::ranges::sort(files);
    bool is_any = false;
    for (const std::string& file : files) {
      const auto tensor = tensor_named(std::filesystem::path(file).stem().string());
      if (!tensor) continue;
      is_any = true;
      if (auto problem = put(*tensor, file)) return problem;
    }
    if (is_any) return std::nullopt;
    return fmt::format("{}: no file in it is called as a tensor is:\n{}", folder, list_of_names());
  }

  Problem put(std::size_t tensor, const std::string& file) {
    auto& place = files_.at(tensor);
    if (place) return fmt::format("{} and {} are both {}", *place, file, parameter(tensor));
    place = file;
    return std::nullopt;
  }

  std::array<std::optional<std::string>, tensor_count> files_;
};

/// NumPy has no type for some formats, whose arrays are integers of the same width.
bool is_stand_in(DataType found, DataType stated) {
  const bool is_integer = found == DataType::UInt16 || found == DataType::Int16 ||
                          found == DataType::UInt8 || found == DataType::Int8;
  return is_integer && corpus::size_bytes(found) == corpus::size_bytes(stated);
}

struct ReadFile {
  TensorFile tensor;
  bool is_bare = false;  ///< elements alone: the file says no shape
};

bool begins_as_npy(const std::string& file) {
  constexpr std::string_view mark = "\x93NUMPY";
  std::array<char, mark.size()> begin{};
  std::ifstream stream(file, std::ios::binary);
  stream.read(begin.data(), begin.size());
  return std::string_view(begin.data(), begin.size()) == mark;
}

tl::expected<TensorFile, std::string> read_array(const std::string& file,
                                                 std::optional<DataType> stated) {
  auto plainly = read_npy(file);
  if (!stated) return plainly;
  if (!plainly) return read_npy(file, *stated);
  if (is_stand_in(plainly->dtype, *stated)) plainly->dtype = *stated;
  if (plainly->dtype == *stated) return plainly;
  return tl::unexpected(
      fmt::format("{}: it holds {}, not {}", file, name_of(plainly->dtype), name_of(*stated)));
}

/// `stated`: where neither a .npy file nor the word itself says the type.
tl::expected<ReadFile, std::string> read(const std::string& word, std::optional<DataType> stated) {
  std::error_code ignored;
  std::string file = word;
  const std::size_t colon = word.rfind(':');
  if (colon != std::string::npos && !std::filesystem::exists(word, ignored)) {
    const auto own = corpus::data_type_from_words(word.substr(colon + 1));
    if (!own) return tl::unexpected(word + ": " + own.error());
    stated = *own;
    file = word.substr(0, colon);
  }
  ReadFile result;
  result.is_bare = !begins_as_npy(file);
  auto tensor = !result.is_bare ? read_array(file, stated)
                : stated        ? read_raw(file, *stated)
                                : read_tensor_file(file, ElementOrder::RowMajor);
  if (!tensor) return tl::unexpected(tensor.error());
  result.tensor = std::move(*tensor);
  return result;
}

class SetReader {
 public:
  SetReader(Places places, CallTexts call) : places_(std::move(places)), call_(std::move(call)) {}

  tl::expected<GivenTensors, std::string> operator()() {
    for (const auto step : {&SetReader::check, &SetReader::read_files, &SetReader::make_call,
                            &SetReader::take_bytes}) {
      if (auto problem = (this->*step)()) return tl::unexpected(*problem);
    }
    return std::move(tensors_);
  }

 private:
  Problem check() {
    for (std::size_t tensor = 0; tensor < operand_count; ++tensor) {
      if (!places_.file(tensor)) return fmt::format("{} is missing", parameter(tensor));
    }
    for (const auto& [option, text] : {std::pair("--mask", &call_.mask),
                                       {"--bias", &call_.bias},
                                       {"--bias", &call_.bias_sizes},
                                       {"--format", &call_.format}}) {
      if (*text) return fmt::format("{}: the files say it", option);
    }
    return std::nullopt;
  }

  /// One type for all, or one for each operand; a result has the first.
  tl::expected<std::optional<DataType>, std::string> stated(std::size_t tensor) const {
    if (!call_.dtype) return std::nullopt;
    const auto words = corpus::words_of_list(*call_.dtype);
    if (words.empty()) return std::nullopt;
    const auto type = corpus::data_type_from_words(
        words.size() == operand_count && tensor < operand_count ? words[tensor] : words.front());
    if (!type) return tl::unexpected("--dtype: " + type.error());
    return std::optional(*type);
  }

  Problem read_files() {
    for (std::size_t tensor = 0; tensor < tensor_count; ++tensor) {
      if (!places_.file(tensor)) continue;
      const auto type = stated(tensor);
      if (!type) return type.error();
      auto file = read(*places_.file(tensor), *type);
      if (!file) return file.error();
      is_bare_.at(tensor) = file->is_bare;
      files_.at(tensor) = std::move(file->tensor);
    }
    return std::nullopt;
  }

  /// Notes the shape that the file names; an option that says another is an error.
  Problem say_shape(std::size_t tensor, const char* option, std::optional<std::string>& words) {
    if (is_bare_.at(tensor)) {
      if (words || tensor == 0) return std::nullopt;
      return fmt::format("{}: {} has no shape of its own; say it by {}", *places_.file(tensor),
                         parameter(tensor), option);
    }
    const std::string shape = fmt::format("{}", fmt::join(files_.at(tensor)->shape, ","));
    if (words && corpus::integers_from_words(*words) != files_.at(tensor)->shape) {
      return fmt::format("{}: \"{}\", but {} has shape {}", option, *words, *places_.file(tensor),
                         shape);
    }
    words = shape;
    return std::nullopt;
  }

  Problem make_call() {
    if (auto problem = say_shape(0, "--grad-output", call_.grad_output)) return problem;
    if (auto problem = say_shape(1, "--input", call_.input)) return problem;
    if (auto problem = say_shape(2, "--weight", call_.weight)) return problem;
    call_.dtype = fmt::format("{},{},{}", name_of(files_[0]->dtype), name_of(files_[1]->dtype),
                              name_of(files_[2]->dtype));
    call_.mask = fmt::format("{:d},{:d},{:d}", files_[3].has_value(), files_[4].has_value(),
                             files_[5].has_value());
    if (files_[5]) call_.bias = "yes";
    auto call = call_from_texts(call_);
    if (!call) return call.error();
    call->id = "tensors";
    tensors_.test_case = std::move(*call);
    return std::nullopt;
  }

  Problem take_bytes() {
    for (std::size_t tensor = 0; tensor < tensor_count; ++tensor) {
      if (!files_.at(tensor)) continue;
      TensorFile& file = *files_.at(tensor);
      const bool is_operand = tensor < operand_count;
      auto& described =
          is_operand
              ? corpus::tensor(tensors_.test_case, corpus::input_roles.at(tensor))
              : corpus::tensor(tensors_.test_case, corpus::output_roles.at(tensor - operand_count));
      described->dtype = file.dtype;
      if (!is_bare_.at(tensor)) described->shape = file.shape;
      auto& bytes =
          is_operand ? tensors_.operands.at(tensor) : tensors_.results.at(tensor - operand_count);
      bytes = std::move(file.bytes);
    }
    return problem_with(tensors_);
  }

  Places places_;
  CallTexts call_;
  std::array<std::optional<TensorFile>, tensor_count> files_;
  std::array<bool, tensor_count> is_bare_{};
  GivenTensors tensors_;
};

}  // namespace

std::string list_of_names() {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    text += fmt::format("  {}: {}\n", parameter(i),
                        fmt::join(corpus::words_of_list(std::string(names.at(i))), ", "));
  }
  text.pop_back();
  return text;
}

tl::expected<GivenTensors, std::string> tensors_of_files(const std::vector<std::string>& words,
                                                         CallTexts call) {
  Places places;
  for (const std::string& word : words) {
    if (auto problem = places.add(word)) return tl::unexpected(*problem);
  }
  return SetReader(std::move(places), std::move(call))();
}

}  // namespace gradproof::advice
