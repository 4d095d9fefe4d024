#pragma once

#include <filesystem>
#include <map>
#include <mutex>
#include <string>

#include "properties/findings/results/findings.h"

namespace gradproof::runs {

/// The files of a run's findings, each looked up once: many cases disagree alike. Any number of
/// threads asks.
class FindingNames {
 public:
  std::filesystem::path operator()(const std::filesystem::path& folder,
                                   const std::string& signature,
                                   const findings::TargetIdentity& target) {
    const std::scoped_lock lock(mutex_);
    auto [kept, is_new] = files_.try_emplace(signature);
    if (is_new) kept->second = findings::finding_file(folder, signature, target);
    return kept->second;
  }

 private:
  std::mutex mutex_;
  std::map<std::string, std::filesystem::path> files_;
};

}  // namespace gradproof::runs
