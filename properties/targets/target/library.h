#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "corpus/case.h"
#include "corpus/product.h"

namespace gradproof::targets {

class Target;

/// A device that the target has.
struct Device {
  std::int32_t id = 0;
  std::string soc_name;                    ///< as the target names it, e.g. "Ascend910B1"
  std::optional<corpus::Product> product;  ///< nullopt: a chip that no case can name
};

/// Facts that libraries tell of themselves when they have started.
struct Introduction {
  std::string name;  ///< what the report calls them: the file names given, or "simulated"
  std::vector<Device> devices;
  std::vector<std::string>
      remarks;  ///< warnings for the user about how far the verdicts can be trusted
  std::vector<corpus::Api> apis;  ///< those that they have the functions of
  bool takes_machine_settings = false;
};

/// A set of libraries that together are CANN, started, and the devices found. Shared by all
/// workers; lives until the last Target is gone.
class Library {
 public:
  virtual ~Library() = default;
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;

  /// A target for the calling thread.
  virtual std::unique_ptr<Target> new_target() const = 0;

  const std::string& name() const { return introduction_.name; }
  std::span<const Device> devices() const { return introduction_.devices; }
  /// A sentence each.
  std::span<const std::string> remarks() const { return introduction_.remarks; }
  std::span<const corpus::Api> apis() const { return introduction_.apis; }
  /// True if a call can be told on which machine it runs (RunSettings::machine): the simulated
  /// backend's can.
  bool takes_machine_settings() const { return introduction_.takes_machine_settings; }
  const Introduction& introduction() const { return introduction_; }

 protected:
  explicit Library(Introduction introduction) : introduction_(std::move(introduction)) {}

 private:
  Introduction introduction_;
};

}  // namespace gradproof::targets
