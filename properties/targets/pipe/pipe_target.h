#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "corpus/case.h"
#include "corpus/observation.h"
#include "properties/targets/pipe/pipe_process.h"
#include "properties/targets/session/asked_twice.h"
#include "properties/targets/target/target.h"

namespace gradproof::targets {

/// Command of a program, and its time limit.
struct PipeSettings {
  std::string command;
  /// Time limit of each call, in addition to a second for every ten million multiply-accumulates.
  std::chrono::milliseconds timeout{30'000};
  bool views = false;   ///< operands are given as they lie in memory, else dense
  bool repeat = false;  ///< each call is asked twice
  std::vector<corpus::Api> apis{corpus::Api::ConvolutionBackward};  ///< that may be asked
  AskedTwice asked_twice = {};
};

/// A worker's own process of a program that speaks the pipe's protocol. One that died, hung or
/// wrote what is no answer is an observation; the next call gets a new process.
class PipeTarget final : public Target {
 public:
  PipeTarget(std::shared_ptr<const Library> library, const PipeSettings& settings)
      : Target(std::move(library)), settings_(settings) {}

  /// Starts the program, if it does not run. The name that it gives itself; errors: how it did not
  /// greet as the protocol asks.
  tl::expected<std::string, std::string> start();

  tl::expected<std::uint64_t, std::string> free_memory() override;
  bool gains_by_batches() const override { return true; }
  bool endangers_this_process() const override { return false; }

 private:
  corpus::Observation run_one(const corpus::Case& test_case, const RunSettings& settings) override;
  std::vector<corpus::Observation> run_several(std::span<const corpus::Case> cases,
                                               const RunSettings& settings) override;
  std::vector<corpus::Observation> run_together(std::span<const corpus::Case> cases,
                                                const RunSettings& settings) override;

  std::vector<corpus::Observation> run_once(std::span<const corpus::Case> cases,
                                            const RunSettings& settings);

  using Calls = std::span<const corpus::Case* const>;
  /// Answers, and the end of the process if it ended before it had answered all.
  struct Reply {
    std::vector<corpus::Observation> seen;
    std::optional<corpus::Observation> fate;
  };

  std::vector<corpus::Observation> answers(Calls calls, const RunSettings& settings);
  corpus::Observation answer_alone(const corpus::Case& test_case, const RunSettings& settings);
  Reply ask(Calls calls, const RunSettings& settings);
  /// Observation of a call that was not answered until its time, or the run's, was up.
  corpus::Observation late(const corpus::Case& test_case, const RunSettings& settings) const;
  PipeProcess::Clock::time_point deadline(const corpus::Case& test_case) const;
  tl::expected<std::string, std::string> greeting();
  corpus::Observation over();

  PipeSettings settings_;
  std::unique_ptr<PipeProcess> process_;
  std::vector<std::byte> unread_;
  std::uint32_t next_number_ = 0;
  std::uint64_t served_ = 0;  ///< calls that this process has answered
};

}  // namespace gradproof::targets
