#pragma once

// Calls in words, and what their explanation names.

#include <gtest/gtest.h>

#include "properties/advice/explain/call_from_words.h"
#include "properties/advice/explain/explanation.h"
#include "tests/spec/examples.h"

namespace gradproof::advice {

using corpus::Case;

inline Case typed(const CallWords& words, const std::string& soc = "Ascend910B") {
  const auto call = call_from_words(words);
  EXPECT_TRUE(call.has_value()) << (call ? "" : call.error());
  if (!call) return {};
  Case test_case = *call;
  test_case.soc = soc;
  return test_case;
}

/// input 1,16,10,10 and weight 16,16,3,3 of FLOAT16 unless said otherwise.
inline CallWords plain() {
  CallWords words;
  words.input = "1,16,10,10";
  words.weight = "16,16,3,3";
  words.dtype = "FLOAT16";
  return words;
}

inline Explanation explained(const Case& test_case,
                             oracle::Profile profile = oracle::Profile::Documented) {
  ExplanationSettings settings;
  settings.judge.profile = profile;
  return explanation_of(test_case, settings);
}

inline std::vector<std::string> rule_ids(const Explanation& explanation) {
  std::vector<std::string> ids;
  for (const auto& rule : explanation.broken) ids.emplace_back(rule.id);
  return ids;
}

inline CallWords shapes(const char* input, const char* weight, const char* type = "FLOAT16") {
  CallWords words;
  words.input = input;
  words.weight = weight;
  words.dtype = type;
  return words;
}

inline CallWords transposed(CallWords words) {
  words.transposed = "yes";
  return words;
}

inline CallWords strided(CallWords words, const char* stride) {
  words.stride = stride;
  return words;
}

inline CallWords changed(CallWords words, std::optional<std::string> CallWords::*member,
                         const char* value) {
  words.*member = value;
  return words;
}

}  // namespace gradproof::advice
