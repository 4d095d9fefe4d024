#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <tl/expected.hpp>

#include "bindings/library/exchange.h"
#include "bindings/library/options.h"
#include "properties/runs/campaign/campaign.h"

namespace gradproof::library {

/// A campaign in a thread of its own, whose calls the caller answers.
class Run {
 public:
  /// Errors: what the options exclude, or what cannot be read or written.
  static tl::expected<std::unique_ptr<Run>, std::string> open(Options options);
  ~Run();
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  /// The call to answer; null: there is none any more.
  const corpus::Case* next();
  /// Case that next() returned; null once it is answered.
  const corpus::Case* asked() const { return asked_; }

  /// An operand of the call, which must be there: dense bytes, or its storage if views are asked.
  const std::vector<std::byte>& operand(corpus::InputRole role);

  /// Observation to be filled before answer().
  corpus::Observation& seen() { return seen_; }
  /// Notes the bytes that were in the result before the target wrote it.
  void tell(corpus::OutputRole role, const std::byte* data, std::size_t size);
  /// Errors: no call waits for an answer.
  std::optional<std::string> answer();

  /// Verdict on the call that was answered last; nullopt: none was.
  std::optional<corpus::Verdict> verdict() const;
  std::vector<findings::Finding> findings() const;
  const runs::CampaignResult* result() const { return result_ ? &*result_ : nullptr; }
  const Options& options() const { return options_; }

  std::string text;  ///< what was returned last

 private:
  Run(Options options, std::shared_ptr<const targets::Library> program, runs::Work work,
      findings::ResultsFile results);
  void work();

  Options options_;
  std::shared_ptr<const targets::Library> program_;  ///< null: the caller answers
  runs::Work work_;
  runs::CampaignSettings settings_;
  findings::ResultsFile results_;
  Exchange exchange_;
  runs::Progress progress_;
  std::atomic<bool> stop_{false};
  const corpus::Case* asked_ = nullptr;
  corpus::PerInput<std::optional<std::vector<std::byte>>> operands_;
  corpus::Observation seen_;
  struct Answered {
    corpus::Case test_case;
    corpus::Observation seen;
  };
  std::optional<Answered> last_;
  std::optional<runs::CampaignResult> working_, result_;
  std::thread thread_;
};

}  // namespace gradproof::library
