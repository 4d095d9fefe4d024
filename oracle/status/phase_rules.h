#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "corpus/status.h"
#include "oracle/status/status_oracle.h"

namespace gradproof::oracle {

/// The functions that take part in a two-phase call.
enum class PhaseFunction : std::uint8_t {
  PhaseOne,          ///< aclnnConvolutionBackwardGetWorkspaceSize
  PhaseTwo,          ///< aclnnConvolutionBackward
  SetRepeatable,     ///< aclSetAclOpExecutorRepeatable
  DestroyExecutor,   ///< aclDestroyAclOpExecutor
  SetTensorAddress,  ///< aclSetInputTensorAddr, aclSetOutputTensorAddr, aclSetTensorAddr
};

/// Call of one of these functions. The defaults describe a correct call. A call is one step of the
/// state machine of an executor: phase one makes it, phase two runs and ends it unless it is
/// repeatable, DestroyExecutor ends it without a run. The members are what the rules ask of its
/// state and arguments.
struct PhaseCall {
  PhaseFunction function = PhaseFunction::PhaseTwo;
  bool initialised = true;  ///< aclInit or aclnnInit has been called

  bool executor_is_null = false;
  bool executor_is_spent = false;       ///< phase two has run it, and it is not repeatable
  bool executor_is_repeatable = false;  ///< made so right after phase one
  bool others_are_pending = false;      ///< more executors wait for their phase two

  std::uint64_t workspace_needed = 0;  ///< bytes, as phase one returned
  std::uint64_t workspace_given = 0;   ///< bytes, as passed to phase two
  bool workspace_is_null = false;
  bool stream_is_null = false;

  bool descriptors_are_destroyed = false;  ///< tensors and arrays, between the phases
  bool settings_changed = false;           ///< product or determinism, between the phases

  bool tensor_is_null = false;                ///< rebinding: the tensor argument
  bool index_is_out_of_range = false;         ///< rebinding: the index ...
  bool tensor_was_null_in_phase_one = false;  ///< ... or what it stands for
};

/// Answer of one rule to a call that it applies to.
struct PhaseConsequence {
  corpus::Status documented;
  /// Other answer that is allowed to a foreign library; the same again where there is no choice.
  corpus::Status alternative;
};

/// One row of the two-phase contract.
struct PhaseRule {
  std::string_view id;      ///< "PH-01"
  std::string_view demand;  ///< the rule in one sentence
  std::string_view source;
  /// True if the rule decides the answer to this call; nullptr for a rule about side effects only.
  bool (*applies)(const PhaseCall&);
  PhaseConsequence (*consequence)(const PhaseCall&);
  /// The contract leaves it undefined: never done to a foreign library.
  bool own_kernel_only = false;
};

/// All rows, PH-01 first; ids are unique.
std::span<const PhaseRule> phase_rules();

/// Answers that a step of the two-phase contract may give, and what becomes of the executor.
struct PhaseAnswer {
  std::vector<corpus::Status> statuses;  ///< sorted; never empty
  std::vector<std::string_view> rules;   ///< ids of the rules that apply
  /// The contract does not say what happens; a foreign library may even crash.
  bool is_undefined = false;
  bool executor_ends = false;  ///< it must not be used afterwards
};

/// Returns the answers that the function may answer. `statuses` of phase one are those of a valid
/// call; see admissible_statuses.
PhaseAnswer admissible_answers(const PhaseCall& call, Profile profile);

}  // namespace gradproof::oracle
