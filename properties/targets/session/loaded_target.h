#pragma once

#include "properties/targets/session/streams.h"
#include "properties/targets/target/target.h"

namespace gradproof::targets {

/// A target whose code runs in this process, on this thread.
class LoadedTarget final : public Target {
 public:
  /// `cann` is the library's own.
  LoadedTarget(std::shared_ptr<const Library> library, Cann& cann)
      : Target(std::move(library)), streams_(cann) {}

  /// Streams of the target, for code that makes CANN calls which Target does not offer.
  Streams& streams() { return streams_; }

  tl::expected<std::uint64_t, std::string> free_memory() override { return streams_.free_memory(); }
  bool gains_by_batches() const override { return false; }
  bool endangers_this_process() const override { return true; }

 private:
  /// Runs both phases of one case and observes what they show (run_case.cpp). With run_together,
  /// the only code that calls CANN's functions for a case.
  ///
  /// Inputs are placed with `test_case.data`, which must be complete
  /// (oracle/recipes/recipe_plan.h). A case that asks for determinism runs twice, with other
  /// workspace contents the second time. Everything allocated is freed. A graph operator or a
  /// tiling class that the target lacks is `unsupported`. Errors: none; what went wrong around the
  /// operator is in `unsupported` or `failure`.
  corpus::Observation run_one(const corpus::Case& test_case, const RunSettings& settings) override;

  std::vector<corpus::Observation> run_several(std::span<const corpus::Case> cases,
                                               const RunSettings& settings) override;

  /// Runs cases of one product in flight together: each on its own stream, all phase twos before
  /// the first synchronisation (run_on_streams.cpp). Observations by case, as run_one makes them,
  /// without repeats. The data must be complete and the memory affordable.
  std::vector<corpus::Observation> run_together(std::span<const corpus::Case> cases,
                                                const RunSettings& settings) override;

  Streams streams_;
};

}  // namespace gradproof::targets
