#pragma once

#include <memory>
#include <string>
#include <string_view>

#include <tl/expected.hpp>

#include "properties/targets/pipe/pipe_target.h"
#include "properties/targets/target/library.h"

namespace gradproof::targets {

/// Prefix of a target that is a program: pipe:CMD.
inline constexpr std::string_view pipe_prefix = "pipe:";

/// A program that answers calls over its standard input and output, in a process for each worker.
/// It has a device of every product: its answers are held to the rules of the call's.
class PipeLibrary final : public Library, public std::enable_shared_from_this<PipeLibrary> {
 public:
  /// Starts the program once. Errors: how it does not greet as the protocol asks.
  static tl::expected<std::shared_ptr<const Library>, std::string> load(
      const PipeSettings& settings);

  std::unique_ptr<Target> new_target() const override;

 private:
  PipeLibrary(Introduction introduction, PipeSettings settings)
      : Library(std::move(introduction)), settings_(std::move(settings)) {}

  PipeSettings settings_;
};

}  // namespace gradproof::targets
