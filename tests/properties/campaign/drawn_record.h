#pragma once

// Records of runs drawn at random, and their summary.

#include <filesystem>
#include <fstream>
#include <sstream>

#include "corpus/random_source.h"
#include "oracle/numbers/number_format.h"
#include "properties/findings/results/results_line.h"
#include "properties/findings/results/summary.h"

namespace gradproof::runs {

namespace fs = std::filesystem;
using corpus::Outcome;

inline std::string text_of(const fs::path& file) {
  std::ifstream stream(file);
  std::stringstream text;
  text << stream.rdbuf();
  return text.str();
}

inline findings::RunRecord drawn_record(std::uint64_t number) {
  corpus::RandomSource random(77, number);
  findings::RunRecord record;
  record.test_case.id = std::to_string(number);
  record.test_case.input.emplace();
  record.test_case.cube_math_type = static_cast<std::int8_t>(random.between(0, 3));
  record.verdict.outcome = static_cast<Outcome>(random.between(0, 5));
  record.verdict.reason = "because " + std::to_string(random.between(0, 3));
  if (record.verdict.outcome == Outcome::Disagree) {
    record.verdict.kind =
        random.chance(50) ? corpus::DisagreementKind::Value : corpus::DisagreementKind::Status;
  }
  if (random.chance(30)) record.verdict.rules = {"STRIDE-01"};
  auto& evidence = record.verdict.outputs[to_size(random.between(0, 2))];
  evidence.compared = true;
  evidence.compared_elements = static_cast<std::uint64_t>(random.between(0, 9));
  evidence.compute_format = oracle::name_of(oracle::NumberFormat::Float);
  evidence.reduction_length = static_cast<std::uint64_t>(random.between(0, 2000));
  evidence.sums_are_exact = random.chance(50);
  evidence.mere = static_cast<double>(random.between(0, 1000)) / 7;
  evidence.rmse = static_cast<double>(random.between(0, 1000)) / 11;
  evidence.standards = {{.name = "relative error (FLOAT)", .met = random.chance(50)}};
  evidence.bound_ratio = static_cast<double>(random.between(0, 100)) / 100;
  evidence.ulp_max = static_cast<double>(random.between(0, 9));
  return record;
}

inline findings::Summary summary_of(std::uint64_t begin, std::uint64_t end) {
  findings::Summary summary;
  for (std::uint64_t i = begin; i < end; ++i) summary.add(drawn_record(i));
  return summary;
}

}  // namespace gradproof::runs
