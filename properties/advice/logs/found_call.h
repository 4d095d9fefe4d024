#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "properties/advice/explain/call_from_words.h"

namespace gradproof::properties {

/// A call that a log states, whole or in part, in our words.
struct FoundCall {
  std::string_view notation = {};         ///< a name of the table of conventions
  std::size_t line = 0;                   ///< of the log, from 1
  CallWords words = {};                   ///< what the text states, translated
  std::vector<std::string> lacking = {};  ///< what a verdict needs and the text does not state
  std::vector<std::string> notes = {};    ///< what was translated, repaired or left at its default

  bool is_complete() const { return lacking.empty(); }

  /// What is known of it as one line of `key:value`, which gradproof explain takes.
  std::string line_of_words() const;
};

/// The calls of one notation in a searchable log.
using CallReader = std::vector<FoundCall> (*)(std::string_view text);

std::vector<FoundCall> module_calls(std::string_view text);
std::vector<FoundCall> cudnn_calls(std::string_view text);
std::vector<FoundCall> cudnn_parameter_calls(std::string_view text);
std::vector<FoundCall> miopen_driver_calls(std::string_view text);
std::vector<FoundCall> miopen_log_calls(std::string_view text);
std::vector<FoundCall> onednn_calls(std::string_view text);
std::vector<FoundCall> benchdnn_calls(std::string_view text);
std::vector<FoundCall> xla_gradient_calls(std::string_view text);
std::vector<FoundCall> xla_convolution_calls(std::string_view text);
std::vector<FoundCall> printed_calls(std::string_view text);

}  // namespace gradproof::properties
