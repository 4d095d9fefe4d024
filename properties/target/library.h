#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <shared_mutex>
#include <span>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "corpus/case.h"
#include "corpus/product.h"
#include "properties/isolation/isolation_settings.h"
#include "properties/target/cann_api.h"

namespace gradproof::properties {

class ForkServer;

/// A device that the target has.
struct Device {
  std::int32_t id = 0;
  std::string soc_name;                    ///< as the target names it, e.g. "Ascend910B1"
  std::optional<corpus::Product> product;  ///< nullopt: a chip that no case can name
};

/// A set of libraries that together are CANN: its functions, initialised, and the devices found.
/// Shared by all workers; lives until the last Target is gone.
class Library {
 public:
  /// Told what is about to be done, in words: "loading libopapi.so".
  using Note = std::function<void(const std::string&)>;

  /// The functions of `libraries`, first match wins; what they lack comes from the simulated
  /// backend. No libraries: the simulated backend alone. Errors: the library that cannot be loaded,
  /// in the linker's words; the functions that nobody has; a runtime that does not start.
  static tl::expected<std::shared_ptr<const Library>, std::string> load(
      const std::vector<std::filesystem::path>& libraries, const Note& note = {});

  /// The same, but loaded and run in child processes alone, one for each Target: no code of the
  /// libraries runs in this process, and api() is empty. Errors: as load, and a library that ends
  /// the process that loads it.
  static tl::expected<std::shared_ptr<const Library>, std::string> load_isolated(
      const std::vector<std::filesystem::path>& libraries, const IsolationSettings& settings = {});

  /// Functions that are already there: linked in, or a test's own.
  static tl::expected<std::shared_ptr<const Library>, std::string> of(
      const CannApi& api, std::string name, std::vector<std::string> remarks = {});

  ~Library();
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;

  const CannApi& api() const { return api_; }
  /// What the report calls it: the file names given, or "simulated".
  const std::string& name() const { return name_; }
  std::span<const Device> devices() const { return devices_; }
  /// What a person should know of it before they believe a verdict; a sentence each.
  std::span<const std::string> remarks() const { return remarks_; }
  /// Those of aclnnConvolutionBackward and the graph operators that it has the functions of.
  std::span<const corpus::Api> apis() const { return apis_; }

  /// Whether a call can be told on which machine it runs (RunSettings::machine): the simulated
  /// backend's can.
  bool takes_machine_settings() const { return takes_machine_settings_; }

  /// What starts child processes for the library; null: it is loaded into this process.
  ForkServer* fork_server() const { return fork_server_.get(); }

  /// Held exclusively by who switches the process-wide determinism option and calls phase one,
  /// shared by every other phase one: the option is read there and nowhere else.
  std::shared_mutex& option_lock() const { return option_lock_; }

 private:
  Library(const CannApi& api, std::string name);
  std::optional<std::string> start();

  CannApi api_;
  std::string name_;
  std::vector<Device> devices_;
  std::vector<std::string> remarks_;
  std::vector<corpus::Api> apis_;
  bool started_ = false;
  bool takes_machine_settings_ = false;
  std::unique_ptr<ForkServer> fork_server_;
  mutable std::shared_mutex option_lock_;
};

}  // namespace gradproof::properties
