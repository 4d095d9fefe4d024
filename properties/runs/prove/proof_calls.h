#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "properties/runs/campaign/work.h"
#include "properties/runs/prove/proof_plan.h"
#include "properties/runs/prove/scope.h"

namespace gradproof::runs {

/// Runs that each call gets to attack the assumption that the target does not look at values.
enum class Attacks : std::uint8_t {
  InTurn,  ///< one of all_attacks(), by a hash of seed and number
  All,
  None,
};

/// Every call of a scope in every mode, with the runs that prove its index maps.
///
/// Call n of mode m has the number m * scope.size() + n. Data are a pure function of the seed, the
/// number and which run it is. A call that the rules refuse, or whose formats have too few bits,
/// gets a run of its status alone.
class ProofCalls final : public Enumeration {
 public:
  ProofCalls(Scope scope, std::vector<ProofMode> modes, oracle::JudgeSettings settings,
             std::uint64_t seed, Attacks attacks, std::string command);

  std::uint64_t size() const override { return scope_.size() * modes_.size(); }
  corpus::Case call(std::uint64_t number) const override;
  std::vector<corpus::Case> runs(const corpus::Case& test_case, std::uint64_t number,
                                 const oracle::Ruling& ruling) const override;
  std::string command() const override { return command_; }

  const Scope& scope() const { return scope_; }
  const std::vector<ProofMode>& modes() const { return modes_; }
  Attacks attacks() const { return attacks_; }

 private:
  std::vector<corpus::Case> attack_runs(const corpus::Case& test_case, const ProofPlan& plan,
                                        std::uint64_t key) const;

  Scope scope_;
  std::vector<ProofMode> modes_;
  oracle::JudgeSettings settings_;
  std::uint64_t seed_;
  Attacks attacks_;
  std::string command_;
};

/// Describes the proof for the head of its certificate, as a member of a JSON object: the scope
/// (its ranges, or, where it has none, its calls), the modes, and which shard of how many. From it
/// a stranger enumerates the calls that must follow.
std::string proof_head(const ProofCalls& calls, const Shard& shard);

}  // namespace gradproof::runs
