#pragma once

#include <array>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "properties/cases/laws/law.h"
#include "properties/runs/gate/candidate.h"
#include "properties/runs/gate/gate.h"
#include "properties/runs/gate/gate_calls.h"
#include "properties/runs/gate/gate_judge.h"

namespace gradproof::runs {

/// One gate while it is run. Once `is_decided()`, nothing more is asked.
class GateRun {
 public:
  using Clock = Candidate::Clock;

  GateRun(const GateSettings& settings, GateVerdict& verdict)
      : settings_(settings),
        verdict_(verdict),
        begin_(Clock::now()),
        end_(begin_ + settings.time) {}

  void operator()();

 private:
  using Calls = std::vector<GateCall>;
  using Seen = std::vector<corpus::Observation>;
  static constexpr std::uint64_t least_layers = 2;
  static constexpr std::size_t batch = 8;
  static constexpr std::int64_t small_macs = 3'000;
  enum class Kind : std::uint8_t {
    Drawn,
    Layer,   ///< of real size
    Soak,    ///< of one shape, again and again: counts for no class
    Edge,    ///< may be refused; counts for no class
    Beyond,  ///< may leave the range: not every element has a value to compare
    Last,    ///< larger than a layer: may take too long or too much memory; counts for no class
  };

  bool start();
  void step(std::uint64_t number);
  void conclude();
  bool is_decided() const { return is_decided_; }
  bool is_time_up() const { return Clock::now() >= end_ || (settings_.stop && *settings_.stop); }
  double spent() const;  ///< seconds
  /// An answer that came in time is judged a little beyond it.
  Clock::time_point judged_until() const { return end_ + std::chrono::seconds(2); }
  void decide(GateOutcome outcome, std::string why_class, std::string sentence);
  void refuse(const GateCall& call, std::string why_class, std::string sentence);

  // What is asked (gate_run.cpp, gate_laws.cpp).
  void ask_drawn();
  corpus::Case drawn_layer();
  void ask_layer();
  void ask_changed(GateCall call);
  void ask_with_special(GateCall call);
  void ask_largest();
  GateCall of_other_batch(const GateCall& call);
  void ask_sequence();
  void ask_large_sequence();
  void ask_scaled();
  Scaling drawn_scaling(const GateCall& call, const corpus::Observation& plain);
  void ask_balanced();
  void ask_edge();
  void ask_for_one(corpus::Case& test_case);
  void ask_soak();
  corpus::Case tiny();
  bool take_claims();  ///< false where one is none: that decided
  void ask_claimed();
  void check_claims();
  void ask_again();  ///< the first calls, at the end

  /// Answers of all calls, judged and counted; fewer where one decided.
  Seen asked(const Calls& calls, Kind kind = Kind::Drawn);
  void count(const GateCall& call, Kind kind, std::uint64_t GateCount::*member);
  bool judge(const GateCall& call, const corpus::Observation& seen, Kind kind);
  bool refuses_whatever_the_data(const GateCall& call);
  GateCount counted(std::string_view name) const;  ///< of the dtypes that it takes
  bool lacks_small_calls() const;
  bool lacks_calls() const;
  corpus::Verdict judged_in_time(const GateCall& call, const corpus::Observation& seen, Kind kind);
  void check_precision(const GateCall& call, const corpus::Observation& seen);
  void check_sums(const GateCall& call, const corpus::Observation& seen);
  void look_for_strangers();
  bool owes_layer();
  bool lacks_layers_of_a_class();
  void say_element(const corpus::Verdict& verdict);
  void make_small(const GateCall& call, const corpus::Verdict& verdict);
  void make_small_by_another(const corpus::Verdict& verdict);
  void check_quotas();

  corpus::DataType next_dtype();
  /// Class of calls of which fewest were asked: small ones, or layers.
  std::string_view least_asked(bool among_layers);
  corpus::Case layer_of_rare_class(corpus::DataType dtype, double macs);
  GateCall drawn(std::int64_t macs);
  void make_odd(GateCall& call);
  void ask_for_some(corpus::Case& test_case);

  const GateSettings& settings_;
  GateVerdict& verdict_;
  Clock::time_point begin_, end_;
  bool is_decided_ = false;
  bool is_over_ = false;  ///< a call was not answered, and that is no verdict
  Secret secret_;
  /// Share of the time after which one shape is asked again and again; then beyond it.
  double soak_at_ = 0.35 + 0.3 * secret_.uniform();
  std::unique_ptr<Candidate> candidate_;
  std::optional<GateCalls> calls_;
  std::vector<const cases::Law*> claimed_;
  Calls first_;  ///< that were computed
  std::size_t turn_ = 0;
  double layer_seconds_ = 0, nanoseconds_a_mac_ = 0;
  double nanoseconds_of_layers_ = 0;  ///< likewise, of the slowest: memory takes time, too
  std::array<double, 9> longest_{};   ///< seconds, by the turn of a step
  /// By dtype: calls of each class, and all of them.
  struct DtypeCounts {
    GateCount all;
    std::map<std::string_view, GateCount> classes;
  };
  std::map<corpus::DataType, DtypeCounts> dtypes_;
  std::map<std::string_view, std::uint64_t> layers_drawn_;    ///< by class
  std::map<std::string_view, std::uint64_t> layers_rounded_;  ///< those whose sums are not exact
};

}  // namespace gradproof::runs
