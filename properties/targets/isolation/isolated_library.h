#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "properties/targets/isolation/fork_server.h"
#include "properties/targets/isolation/isolation_settings.h"
#include "properties/targets/target/library.h"

namespace gradproof::targets {

/// Libraries that are loaded and run in child processes alone, one for each target: no code of
/// theirs runs in this process.
class IsolatedLibrary final : public Library, public std::enable_shared_from_this<IsolatedLibrary> {
 public:
  /// Errors: as LoadedLibrary::load, and a library that ends the process that loads it.
  static tl::expected<std::shared_ptr<const Library>, std::string> load(
      const std::vector<std::filesystem::path>& libraries, const IsolationSettings& settings = {});

  std::unique_ptr<Target> new_target() const override;

 private:
  IsolatedLibrary(Introduction introduction, std::unique_ptr<ForkServer> server)
      : Library(std::move(introduction)), server_(std::move(server)) {}

  std::unique_ptr<ForkServer> server_;
};

}  // namespace gradproof::targets
