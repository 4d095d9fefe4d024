#include "properties/cli/input/machine_options.h"

#include <fmt/core.h>

#include <cstdio>
#include <memory>
#include <utility>

#include "corpus/machine/machine.h"
#include "properties/cli/input/machine_input.h"
#include "properties/cli/input/option_readers.h"
#include "properties/targets/target/followed_machine.h"

namespace gradproof::cli {

Problem read_machine_of(const Arguments& arguments, Configuration& read_into) {
  if (!arguments.machine_file) return std::nullopt;
  if (arguments.mode == modes::Judge) {
    return named("--machine", "judge takes keys alone: adder=, hf32=, specials=");
  }
  if (arguments.adder) {
    return named("--machine", "a file says how the target adds, and so does adder=; give one");
  }
  auto read = machine_of_file(*arguments.machine_file);
  if (!read) return named("--machine", read.error());
  const auto machine = std::make_shared<const corpus::Machine>(std::move(*read));
  const bool judges = arguments.mode != modes::Tolerance, is_simulated = !arguments.target;
  if (is_simulated) read_into.simulates = machine;
  if (is_simulated && judges && !is_of_the_simulated_backend(*machine)) return std::nullopt;
  if (auto problem = of_another_library(*machine, arguments.target.value_or(""))) {
    return named("--machine", *problem);
  }
  if (auto problem = unjudgeable(*machine); problem && judges) return named("--machine", *problem);
  read_into.machine = machine;
  return std::nullopt;
}

void hold_to_machine(const Configuration& configuration, oracle::JudgeSettings& settings) {
  const auto& known = configuration.machine ? configuration.machine : configuration.simulates;
  if (known) settings.hf32_rounding = hf32_rounding_of(*known).value_or(settings.hf32_rounding);
  settings.machine = configuration.machine;
  if (configuration.machine) settings.algorithms = configuration.machine->algorithms;
  settings.found_algorithms = configuration.found_algorithms;
}

void simulate(const Configuration& configuration) {
  const targets::FollowedMachine machine = targets::followed(*configuration.simulates);
  targets::put_in_force(machine);
  if (configuration.machine) return;
  for (const std::string& words : machine.not_followed) {
    fmt::print(stderr, "gradproof: note: --machine: the simulated backend does not follow {}\n",
               words);
  }
}

}  // namespace gradproof::cli
