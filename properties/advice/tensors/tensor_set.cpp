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
#include "properties/advice/interop/tensor_file.h"
#include "properties/advice/tensors/tensor_places.h"

namespace gradproof::advice {
namespace {

using corpus::DataType;
using Problem = std::optional<std::string>;

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
  SetReader(const TensorPlaces& places, CallTexts call, bool is_forward)
      : is_forward_(is_forward),
        tensors_named_(is_forward_ ? of_forward : of_gradients),
        call_(std::move(call)) {
    for (std::size_t tensor = 0; tensor < tensor_count; ++tensor) {
      const FileTensor named = tensors_named_.at(tensor);
      if (named != NamedCount) places_.at(tensor) = places.file(named);
    }
  }

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
      const FileTensor named = tensors_named_.at(tensor);
      if (!places_.at(tensor) && named != Bias)
        return fmt::format("{} is missing", parameter(named));
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
        words.size() == operand_count && tensor < operand_count && !is_forward_ ? words[tensor]
                                                                                : words.front());
    if (!type) return tl::unexpected("--dtype: " + type.error());
    return std::optional(*type);
  }

  Problem read_files() {
    for (std::size_t tensor = 0; tensor < tensor_count; ++tensor) {
      if (!places_.at(tensor)) continue;
      const auto type = stated(tensor);
      if (!type) return type.error();
      auto file = read(*places_.at(tensor), *type);
      if (!file) return file.error();
      is_bare_.at(tensor) = file->is_bare;
      files_.at(tensor) = std::move(file->tensor);
    }
    return std::nullopt;
  }

  /// Notes the shape that the file names; an option that says another is an error.
  Problem say_shape(std::size_t tensor, const char* option, std::optional<std::string>& words) {
    if (is_bare_.at(tensor)) {
      const bool is_derived = tensor == (is_forward_ ? operand_count : 0);
      if (words || is_derived) return std::nullopt;
      return fmt::format("{}: {} has no shape of its own; say it by {}", *places_.at(tensor),
                         parameter(tensors_named_.at(tensor)), option);
    }
    const std::string shape = fmt::format("{}", fmt::join(files_.at(tensor)->shape, ","));
    if (words && corpus::integers_from_words(*words) != files_.at(tensor)->shape) {
      return fmt::format("{}: \"{}\", but {} has shape {}", option, *words, *places_.at(tensor),
                         shape);
    }
    words = shape;
    return std::nullopt;
  }

  Problem make_call() {
    // Where a call that is typed has them: the maps behind and before the weight.
    const std::size_t behind = is_forward_ ? operand_count : 0, before = is_forward_ ? 0 : 1;
    if (auto problem = say_shape(behind, "--grad-output", call_.grad_output)) return problem;
    if (auto problem = say_shape(before, "--input", call_.input)) return problem;
    if (auto problem = say_shape(2, "--weight", call_.weight)) return problem;
    call_.dtype = fmt::format("{},{},{}", name_of(files_.at(behind)->dtype),
                              name_of(files_.at(before)->dtype), name_of(files_[2]->dtype));
    if (is_forward_) {
      call_.api = corpus::name_of(corpus::Api::Convolution);
    } else {
      call_.mask = fmt::format("{:d},{:d},{:d}", files_[3].has_value(), files_[4].has_value(),
                               files_[5].has_value());
    }
    if (files_.at(is_forward_ ? 1 : 5)) call_.bias = "yes";
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

  bool is_forward_;
  std::array<FileTensor, tensor_count> tensors_named_;
  std::array<std::optional<std::string>, tensor_count> places_;
  CallTexts call_;
  std::array<std::optional<TensorFile>, tensor_count> files_;
  std::array<bool, tensor_count> is_bare_{};
  GivenTensors tensors_;
};

}  // namespace

tl::expected<LayerTensors, std::string> tensors_of_files(const std::vector<std::string>& words,
                                                         const CallTexts& call) {
  TensorPlaces places;
  for (const std::string& word : words) {
    if (auto problem = places.add(word)) return tl::unexpected(*problem);
  }
  if (auto problem = places.lone_bias()) return tl::unexpected(*problem);
  LayerTensors layer;
  for (const bool is_forward : {false, true}) {
    if (is_forward ? !places.has_forward() : places.has_forward() && !places.has_gradient()) {
      continue;
    }
    auto tensors = SetReader(places, call, is_forward)();
    if (!tensors) return tl::unexpected(tensors.error());
    layer.calls.push_back(std::move(*tensors));
  }
  if (places.file(Output) && !places.has_forward()) {
    layer.notes.push_back(
        fmt::format("{0} is not judged: a bias of its call may be elsewhere; say "
                    "output={0} if it had none",
                    *places.file(Output)));
  }
  return layer;
}

}  // namespace gradproof::advice
