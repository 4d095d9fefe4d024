#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <tl/expected.hpp>

#include "corpus/case.h"
#include "corpus/observation.h"
#include "properties/targets/target/library.h"
#include "properties/targets/target/run_settings.h"

namespace gradproof::targets {

/// Library as one thread drives it: it runs cases, wherever its code runs. Not to be shared by
/// threads and to be destroyed on the thread that used it, because CANN's current context is the
/// thread's.
class Target {
 public:
  virtual ~Target() = default;
  Target(const Target&) = delete;
  Target& operator=(const Target&) = delete;

  const Library& library() const { return *library_; }

  /// Runs both phases of the case, as session/loaded_target.h describes.
  corpus::Observation run_case(const corpus::Case& test_case, const RunSettings& settings = {}) {
    return run_one(test_case, settings);
  }

  /// run_case of each, in their order.
  std::vector<corpus::Observation> run_cases(std::span<const corpus::Case> cases,
                                             const RunSettings& settings = {}) {
    return run_several(cases, settings);
  }

  /// All at once, each on its own stream, as session/loaded_target.h describes.
  std::vector<corpus::Observation> run_on_streams(std::span<const corpus::Case> cases,
                                                  const RunSettings& settings = {}) {
    return run_together(cases, settings);
  }

  /// Bytes free on the device that was used last. Errors: what the target lacks, or what failed.
  virtual tl::expected<std::uint64_t, std::string> free_memory() = 0;

  /// True if several cases asked for at once cost less than each by itself.
  virtual bool gains_by_batches() const = 0;
  /// True if a crash of the library's code ends this process.
  virtual bool endangers_this_process() const = 0;

 protected:
  explicit Target(std::shared_ptr<const Library> library) : library_(std::move(library)) {}

 private:
  virtual corpus::Observation run_one(const corpus::Case& test_case,
                                      const RunSettings& settings) = 0;
  virtual std::vector<corpus::Observation> run_several(std::span<const corpus::Case> cases,
                                                       const RunSettings& settings) = 0;
  virtual std::vector<corpus::Observation> run_together(std::span<const corpus::Case> cases,
                                                        const RunSettings& settings) = 0;

  std::shared_ptr<const Library> library_;
};

}  // namespace gradproof::targets
