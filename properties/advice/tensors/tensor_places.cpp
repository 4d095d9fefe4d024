#include "properties/advice/tensors/tensor_places.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <vector>

#include "corpus/words/words.h"
#include "properties/advice/explain/parameter_words.h"
#include "properties/advice/tensors/given_tensors.h"

namespace gradproof::advice {
namespace {

using Problem = std::optional<std::string>;

/// Names of each FileTensor: the parameter's first.
constexpr std::array<std::string_view, NamedCount> names{"grad_output gradoutput grad_out dy",
                                                         "input x self",
                                                         "weight w filter",
                                                         "grad_input dx",
                                                         "grad_weight dw",
                                                         "grad_bias db",
                                                         "output y",
                                                         "bias"};

std::optional<std::size_t> tensor_named(std::string_view name) {
  const std::string wanted = key_of_word(name);
  for (std::size_t i = 0; i < names.size(); ++i) {
    for (const std::string& one : corpus::words_of_list(std::string(names.at(i)))) {
      if (key_of_word(one) == wanted) return i;
    }
  }
  return std::nullopt;
}

/// Stem of a file, or of FILE:DTYPE.
std::string stem_of(const std::string& word) {
  std::error_code ignored;
  const bool is_file = std::filesystem::exists(word, ignored);
  const std::string file = is_file ? word : word.substr(0, word.rfind(':'));
  return std::filesystem::path(file).stem().string();
}

}  // namespace

std::string_view parameter(std::size_t named) {
  if (named == Output) return "output";
  if (named == Bias) return "bias";
  return named < operand_count ? corpus::name_of(corpus::input_roles.at(named))
                               : corpus::name_of(corpus::output_roles.at(named - operand_count));
}

Problem TensorPlaces::add(const std::string& word) {
  std::error_code ignored;
  if (std::filesystem::is_directory(word, ignored)) return add_folder(word);
  const std::size_t sign = word.find('=');
  if (sign != std::string::npos && !std::filesystem::exists(word, ignored)) {
    const auto tensor = tensor_named(word.substr(0, sign));
    if (tensor) return put_named(*tensor, word.substr(sign + 1));
    return fmt::format("{}: \"{}\" is no tensor; there are\n{}", word, word.substr(0, sign),
                       list_of_names());
  }
  const auto tensor = tensor_named(stem_of(word));
  if (tensor) return put_named(*tensor, word);
  return fmt::format(
      "{}: its name does not say which tensor it is; say TENSOR={}, where TENSOR is one of\n{}",
      word, word, list_of_names());
}

bool TensorPlaces::has_gradient() const {
  return files_[GradInput] || files_[GradWeight] || files_[GradBias];
}

bool TensorPlaces::has_forward() const {
  return files_[Output] && (!has_gradient() || files_[Bias] || of_forward_);
}

Problem TensorPlaces::lone_bias() const {
  if (!of_forward_ || files_[Output]) return std::nullopt;
  return fmt::format("{}: a forward call's, whose output is missing", *of_forward_);
}

Problem TensorPlaces::add_folder(const std::string& folder) {
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

Problem TensorPlaces::put_named(std::size_t tensor, const std::string& file) {
  if (tensor >= Output) of_forward_ = file;
  return put(tensor, file);
}

Problem TensorPlaces::put(std::size_t tensor, const std::string& file) {
  auto& place = files_.at(tensor);
  if (place && *place != file)
    return fmt::format("{} and {} are both {}", *place, file, parameter(tensor));
  place = file;
  return std::nullopt;
}

std::string list_of_names() {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    text += fmt::format("  {}: {}\n", parameter(i),
                        fmt::join(corpus::words_of_list(std::string(names.at(i))), ", "));
  }
  text.pop_back();
  return text;
}

}  // namespace gradproof::advice
