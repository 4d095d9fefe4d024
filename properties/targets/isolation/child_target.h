#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "corpus/case.h"
#include "corpus/observation.h"
#include "properties/targets/isolation/fork_server.h"
#include "properties/targets/isolation/served_requests.h"
#include "properties/targets/isolation/wire.h"
#include "properties/targets/target/target.h"

namespace gradproof::targets {

/// A target whose code runs in a child process. A child that died, hung or grew beyond
/// its limits is an observation; the next case gets a new child.
class ChildTarget final : public Target {
 public:
  ChildTarget(std::shared_ptr<const Library> library, ForkServer& server)
      : Target(std::move(library)), server_(server), slot_(server.take_slot()) {}
  ~ChildTarget() override;
  ChildTarget(const ChildTarget&) = delete;
  ChildTarget& operator=(const ChildTarget&) = delete;

  /// Starts a child that has none, and what it says of itself. Errors: why the target cannot be
  /// used, in the linker's words or by how the child ended.
  tl::expected<Introduction, std::string> start();

  tl::expected<std::uint64_t, std::string> free_memory() override;
  bool gains_by_batches() const override { return true; }
  bool endangers_this_process() const override { return false; }

  /// The child's id; 0: there is none now. For tests.
  std::int32_t process() const;

 private:
  corpus::Observation run_one(const corpus::Case& test_case, const RunSettings& settings) override;
  std::vector<corpus::Observation> run_several(std::span<const corpus::Case> cases,
                                               const RunSettings& settings) override;
  std::vector<corpus::Observation> run_together(std::span<const corpus::Case> cases,
                                                const RunSettings& settings) override;

  using Answer = tl::expected<Response, corpus::Observation>;  ///< or how the child ended

  tl::expected<Introduction, std::string> started_once(const RunSettings& settings);
  /// A call that ends a child which has served others is repeated in a new one: only what happens
  /// there is attributed to the case. A call that takes too long is always repeated, alone.
  Answer ask_twice(const Request& request, std::span<const corpus::Case> cases);
  /// Asks twice as above, but a late call once.
  Answer ask_again_if_dead(const Request& request, std::span<const corpus::Case> cases);
  Answer ask(const Request& request, std::span<const corpus::Case> cases);
  /// Asks in a new child, while no other child of the run works.
  Answer ask_alone(const Request& request, std::span<const corpus::Case> cases);
  std::optional<corpus::Observation> without_a_child(const RunSettings& settings);
  void keep_what_is_late(const Request& request);
  /// Time that each case has, in addition to what its size allows; asked while a child works.
  using Limit = std::function<std::chrono::milliseconds()>;
  Answer handed_over(const Request& request, std::span<const corpus::Case> cases,
                     const Limit& limit);
  /// Hands over where the answer decides: with the time that makes sure.
  Answer handed_over_alone(const Request& request, std::span<const corpus::Case> cases);
  /// Asks again, alone, what ended by a kill that is not this process's: the system's, where memory
  /// runs out, or anybody's. Only one that comes each time is the target's.
  Answer asked_until_not_killed(const Request& request, std::span<const corpus::Case> cases,
                                corpus::Observation killed);
  /// Asks a new child everything again that the late one was asked. True if it is late again.
  bool is_late_again();
  std::vector<corpus::Observation> run_batch(std::span<const corpus::Case> cases,
                                             const RunSettings& settings);
  std::vector<corpus::Observation> run_each(std::span<const corpus::Case> cases,
                                            const RunSettings& settings,
                                            const corpus::Observation& together);
  std::optional<corpus::Observation> await_answer(const Request& request,
                                                  std::span<const corpus::Case> cases,
                                                  const Limit& limit);
  /// Returns the observations that the child had made when it was ended, because time was up.
  std::vector<corpus::Observation> done_in_time(std::span<const corpus::Case> cases,
                                                const corpus::Observation& fate);
  corpus::Observation over();
  corpus::Observation killed_with_its_server();
  void kill();
  void recycle_a_grown_child();
  SlotHead& head() const { return server_.slots().head(*slot_); }

  /// Children in which a call must be killed, alone, before its target is blamed.
  static constexpr int most_kills = 4;

  ForkServer& server_;
  std::optional<std::size_t> slot_;
  bool is_started_ = false;
  std::uint64_t generation_ = 0;
  std::uint64_t calls_ = 0;
  bool was_killed_ = false;  ///< the last child, and not by this process
  ServedRequests served_;    ///< by the child that there is
  ServedRequests late_;      ///< by the last one that was late, the late one last
};

}  // namespace gradproof::targets
