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
  corpus::Observation run_one(const corpus::Case& test_case, const RunSettings& settings) override;
  std::vector<corpus::Observation> run_several(std::span<const corpus::Case> cases,
                                               const RunSettings& settings) override;
  std::vector<corpus::Observation> run_together(std::span<const corpus::Case> cases,
                                                const RunSettings& settings) override;

  Streams streams_;
};

}  // namespace gradproof::targets
