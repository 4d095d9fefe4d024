#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "corpus/case.h"
#include "oracle/rules/status_rules.h"

namespace gradproof::advice {

/// Property of a tensor that is looked at.
enum class Aspect : unsigned char { Shape, Dtype, Format, Strides };

/// A parameter, or something that rules say of parameters, and how people call it.
struct ParameterRow {
  std::string_view name;      ///< CANN's, or the English word
  std::string_view in_rules;  ///< what the rules' Chinese clauses call it, "|" between
  std::string_view words;     ///< other words of English and Chinese, "|" between
  /// Converts a parameter of aclnnConvolutionBackward to text; null for what is none.
  std::string (*value)(const corpus::Case&, Aspect) = nullptr;
  bool is_tensor = false;
};

std::span<const ParameterRow> parameter_rows();

/// Small letters, without blanks and underscores: "Output Padding" is "outputpadding".
std::string key_of_word(std::string_view word);

/// True if a rule's clause speaks of it.
bool speaks_of(const oracle::StatusRule& rule, const ParameterRow& row);

/// The rules about a word that a person types, in the specification's order: a parameter's name in
/// English or Chinese ("stride", "步长"), the beginning of rules' names ("RANGE"), or a word that
/// stands in their clauses or sources ("BF16", "depthwise"). Empty where no rule is.
std::vector<const oracle::StatusRule*> rules_about(std::string_view word);

}  // namespace gradproof::advice
