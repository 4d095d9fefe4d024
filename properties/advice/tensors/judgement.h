#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "corpus/verdict.h"
#include "oracle/arithmetic/judge_settings.h"
#include "properties/advice/tensors/given_tensors.h"
#include "properties/advice/tensors/typical_share.h"
#include "properties/findings/picture/picture.h"

namespace gradproof::advice {

/// An element that is wrong.
struct WrongElement {
  std::vector<std::int64_t> at;  ///< coordinate in the tensor's shape
  std::string computed, exact;   ///< decimals that give the numbers back; "nan"
  std::string expected;          ///< `exact` rounded to a format shorter than FLOAT; else empty
  double error = 0, bound = 0;   ///< |computed - exact|, and what is admitted of it
};

/// Judgement of one output beyond the verdict's evidence.
struct OutputJudgement {
  std::vector<WrongElement> worst;           ///< furthest from what is admitted first, ten at most
  std::optional<findings::Picture> picture;  ///< where an element is wrong
  std::string why_no_picture;
  std::optional<TypicalShare> typical;    ///< with the verdict, never part of it
  std::vector<std::string> explanations;  ///< single faults that account for it, a sentence each
};

/// Judgement of tensors that a user has computed.
struct Judgement {
  corpus::Case test_case;
  corpus::Verdict verdict;  ///< on the values alone, whatever a product says to the call
  corpus::PerOutput<OutputJudgement> outputs;
  std::vector<std::string> notes;  ///< e.g. that the product refuses the call
  /// The forward call of the same layer, if it is judged too; then the verdict is on both.
  std::vector<Judgement> forward;
};

/// Tensors that are given come from a library at work, so what the released one does is right
/// though the documents do not say it: Winograd's tiles on Ascend950.
inline constexpr oracle::Profile profile_of_given = oracle::Profile::Released;

/// Standards for given tensors, and how much of them is looked at.
struct JudgementSettings {
  oracle::JudgeSettings judge = {.profile = profile_of_given};
  std::chrono::milliseconds time{10'000};  ///< for the explanations of one output
};

/// `problem_with(tensors)` must be nullopt.
Judgement judgement_of(const GivenTensors& tensors, const JudgementSettings& settings);
/// Judges each call and, where both are there, the pair (pair.h).
Judgement judgement_of(const LayerTensors& layer, const JudgementSettings& settings);

/// Describes the judgement for a person, one part an output.
std::string judgement_text(const Judgement& judgement);

/// One line: verdict_json(), by output "worst_elements", "explanations" and "picture"
/// (docs/report.schema.json), and "notes" and "text".
std::string judgement_json(const Judgement& judgement);

}  // namespace gradproof::advice
