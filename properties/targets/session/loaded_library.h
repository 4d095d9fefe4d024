#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "properties/targets/session/cann.h"
#include "properties/targets/session/loaded_target.h"

namespace gradproof::targets {

/// Libraries whose code is loaded into this process and runs there.
class LoadedLibrary final : public Library, public std::enable_shared_from_this<LoadedLibrary> {
 public:
  using Pointer = std::shared_ptr<const LoadedLibrary>;
  /// Told what is about to be done, in words: "loading libopapi.so".
  using Note = std::function<void(const std::string&)>;

  /// The functions of `libraries`, first match wins; what they lack comes from the simulated
  /// backend. No libraries: the simulated backend alone. Errors: the library that cannot be loaded,
  /// in the linker's words; the functions that none of them has; a runtime that does not start.
  static tl::expected<Pointer, std::string> load(
      const std::vector<std::filesystem::path>& libraries, const Note& note = {});

  /// Functions that are already there: linked in, or a test's own. Errors: functions that are
  /// missing; a runtime that does not start.
  static tl::expected<Pointer, std::string> of(const CannApi& api, std::string name,
                                               std::vector<std::string> remarks = {});

  ~LoadedLibrary() override;
  LoadedLibrary(const LoadedLibrary&) = delete;
  LoadedLibrary& operator=(const LoadedLibrary&) = delete;

  std::unique_ptr<Target> new_target() const override { return new_loaded_target(); }
  std::unique_ptr<LoadedTarget> new_loaded_target() const {
    return std::make_unique<LoadedTarget>(shared_from_this(), cann_);
  }

 private:
  LoadedLibrary(const CannApi& api, Introduction introduction);

  mutable Cann cann_;
};

}  // namespace gradproof::targets
