#include "bindings/library/asked_target.h"

#include <cstddef>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "properties/cases/check/narrowed_target.h"
#include "properties/targets/session/asked_twice.h"
#include "properties/targets/session/unwritten.h"
#include "properties/targets/target/target.h"

namespace gradproof::library {
namespace {

using corpus::Case;
using corpus::Observation;

/// Who answers what the options leave: the caller, or a program behind a pipe.
class Answerer {
 public:
  Answerer(Exchange& exchange, std::unique_ptr<targets::Target> program)
      : exchange_(exchange), program_(std::move(program)) {}

  bool is_program() const { return program_ != nullptr; }

  std::vector<Observation> operator()(std::span<const Case> cases,
                                      const targets::RunSettings& settings) {
    if (program_) return program_->run_cases(cases, settings);
    std::vector<Observation> seen;
    for (const Case& test_case : cases) seen.push_back(exchange_.ask(test_case));
    return seen;
  }

 private:
  Exchange& exchange_;
  std::unique_ptr<targets::Target> program_;
};

class AskedTarget final : public targets::Target {
 public:
  AskedTarget(std::shared_ptr<const targets::Library> library, Answerer answerer,
              std::optional<targets::AskedTwice> asked_twice)
      : Target(std::move(library)),
        answerer_(std::move(answerer)),
        asked_twice_(std::move(asked_twice)) {}

  tl::expected<std::uint64_t, std::string> free_memory() override {
    return tl::unexpected(std::string("a function of tensors has no device"));
  }
  bool gains_by_batches() const override { return answerer_.is_program(); }
  /// True if the caller's code runs in this process.
  bool endangers_this_process() const override { return !answerer_.is_program(); }

 private:
  Observation run_one(const Case& test_case, const targets::RunSettings& settings) override {
    return std::move(run_several({&test_case, 1}, settings).front());
  }
  std::vector<Observation> run_several(std::span<const Case> cases,
                                       const targets::RunSettings& settings) override {
    std::vector<Observation> seen(cases.size());
    std::vector<Case> calls;
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < cases.size(); ++i) {
      if (const char* why = targets::why_no_call_of_tensors(cases[i], settings.status_only)) {
        seen[i] = corpus::not_run(why);
        continue;
      }
      calls.push_back(cases[i]);
      places.push_back(i);
    }
    const auto ask = [&](std::span<const Case> asked) { return answerer_(asked, settings); };
    auto answers = asked_twice_ ? (*asked_twice_)(calls, ask) : ask(calls);
    for (std::size_t i = 0; i < places.size(); ++i) seen[places[i]] = std::move(answers[i]);
    return seen;
  }
  std::vector<Observation> run_together(std::span<const Case> cases,
                                        const targets::RunSettings&) override {
    return {cases.size(), corpus::not_run("a function of tensors has no streams")};
  }

  Answerer answerer_;
  std::optional<targets::AskedTwice> asked_twice_;  ///< absent: calls are asked once
};

class AskedLibrary final : public targets::Library,
                           public std::enable_shared_from_this<AskedLibrary> {
 public:
  AskedLibrary(Exchange& exchange, std::shared_ptr<const targets::Library> program,
               const Options& options)
      : Library({.name = options.name,
                 .devices = {{0, options.soc, options.product}},
                 .remarks = {},
                 .apis = {corpus::Api::ConvolutionBackward}}),
        exchange_(exchange),
        program_(std::move(program)) {
    if (options.repeat) asked_twice_.emplace();
  }

  std::unique_ptr<targets::Target> new_target() const override {
    return std::make_unique<AskedTarget>(
        shared_from_this(), Answerer(exchange_, program_ ? program_->new_target() : nullptr),
        asked_twice_);
  }

 private:
  Exchange& exchange_;
  std::shared_ptr<const targets::Library> program_;
  std::optional<targets::AskedTwice> asked_twice_;
};

}  // namespace

std::shared_ptr<const targets::Library> asked_library(
    Exchange& exchange, std::shared_ptr<const targets::Library> program, const Options& options) {
  cases::Selection selection = options.selection;
  // Calls that were named are asked whatever they hold.
  if (!options.files.empty()) {
    selection.of_tensors = false;
    selection.kind = cases::Kind::All;
  }
  return cases::narrowed(std::make_shared<AskedLibrary>(exchange, std::move(program), options),
                         std::move(selection));
}

}  // namespace gradproof::library
