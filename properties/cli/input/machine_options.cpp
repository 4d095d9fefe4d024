#include "properties/cli/input/configuration_parts.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <set>
#include <string_view>
#include <utility>

#include "corpus/machine/machine.h"
#include "corpus/machine/machine_json.h"
#include "oracle/arithmetic/order_bound.h"
#include "oracle/gradients/product_order.h"
#include "properties/cli/told.h"
#include "properties/targets/target/followed_machine.h"
#include "properties/targets/target/simulated_backend.h"

namespace gradproof::cli {
namespace {

/// The names of files in a text: words with ".so", without folders.
std::set<std::string> library_files(std::string_view text) {
  std::set<std::string> files;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = text.find_first_not_of(", ", at);
    if (begin == std::string_view::npos) break;
    const std::size_t end = std::min(text.find_first_of(", ", begin), text.size());
    const std::filesystem::path word(text.substr(begin, end - begin));
    const std::string name = word.filename().string();
    if (name.find(".so") != std::string::npos) files.insert(name);
    at = end;
  }
  return files;
}

/// The machine of a file. Errors: a sentence, also where the machine is no sum of a gradient (an
/// order by axes that the gradient has not).
tl::expected<corpus::Machine, std::string> machine_of_file(const std::string& file) {
  auto machine = corpus::read_machine(file);
  if (!machine) return tl::unexpected(machine.error().text());
  if (machine->gradients.empty() && machine->algorithms.empty()) {
    return tl::unexpected(file + ": it speaks of no gradient");
  }
  for (const corpus::GradientMachine& gradient : machine->gradients) {
    if (const auto problem = oracle::foreign_axis(gradient.gradient, gradient.order)) {
      return tl::unexpected(fmt::format("{}: {}", file, *problem));
    }
  }
  return std::move(*machine);
}

/// Why a machine cannot be that of a target of this name, as a sentence; nullopt where it can. A
/// machine names the files that were measured, or is a person's and says what it likes.
std::optional<std::string> of_another_library(const corpus::Machine& machine,
                                              const std::string& target) {
  const auto measured = library_files(machine.library), given = library_files(target);
  if (given.empty() || std::ranges::includes(given, measured)) return std::nullopt;
  return fmt::format("it was measured on {}, and the target is {}", machine.library, target);
}

/// True if the simulated backend is what was measured.
bool is_of_the_simulated_backend(const corpus::Machine& machine) {
  if (machine.library == targets::simulated_name) return true;
  std::string own;
  for (const auto& library : targets::simulated_libraries()) own += library.string() + ",";
  const auto measured = library_files(machine.library);
  return !measured.empty() && std::ranges::includes(library_files(own), measured);
}

/// Why no verdict can rest on the machine, as a sentence; nullopt where one can.
std::optional<std::string> unjudgeable(const corpus::Machine& machine) {
  for (const corpus::GradientMachine& gradient : machine.gradients) {
    if (oracle::adder_of(gradient)) continue;
    return fmt::format(
        "{} is added with {} bits; results of fewer than 24 are not judged, since the "
        "documents promise FLOAT",
        corpus::name_of(gradient.gradient), gradient.node.accumulator_bits);
  }
  return std::nullopt;
}

/// How operands are rounded to HFLOAT32, where the machine has such operands; a way that no product
/// has is Unknown.
std::optional<oracle::Hf32Rounding> hf32_rounding_of(const corpus::Machine& machine) {
  for (const corpus::GradientMachine& gradient : machine.gradients) {
    if (gradient.operands.format != "HF32") continue;
    switch (gradient.operands.rounding) {
      case corpus::MachineRounding::NearestEven:
        return oracle::Hf32Rounding::NearestEven;
      case corpus::MachineRounding::NearestAway:
        return oracle::Hf32Rounding::NearestAway;
      default:
        return oracle::Hf32Rounding::Unknown;
    }
  }
  return std::nullopt;
}

}  // namespace

Problem read_machine_of(const Arguments& arguments, Configuration& read_into) {
  if (!arguments.machine_file) return std::nullopt;
  auto read = machine_of_file(*arguments.machine_file);
  if (!read) return named("--machine", read.error());
  if (arguments.adder && !read->gradients.empty()) {
    return named("--machine", "a file says how the target adds, and so does adder=; give one");
  }
  const auto machine = std::make_shared<const corpus::Machine>(std::move(*read));
  if (arguments.mode == modes::Judge) {
    if (!machine->gradients.empty()) {
      return named("--machine",
                   "judge runs nothing that an order could be held to: give a file of algorithms "
                   "alone, or keys");
    }
    read_into.machine = machine;
    return std::nullopt;
  }
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
    tell("note: --machine: the simulated backend does not follow " + words);
  }
}

}  // namespace gradproof::cli
