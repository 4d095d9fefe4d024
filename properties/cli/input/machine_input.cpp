#include "properties/cli/input/machine_input.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <string_view>
#include <utility>

#include "corpus/machine/machine_json.h"
#include "oracle/arithmetic/order_bound.h"
#include "oracle/gradients/product_order.h"
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

}  // namespace

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

std::optional<std::string> of_another_library(const corpus::Machine& machine,
                                              const std::string& target) {
  const auto measured = library_files(machine.library), given = library_files(target);
  if (given.empty() || std::ranges::includes(given, measured)) return std::nullopt;
  return fmt::format("it was measured on {}, and the target is {}", machine.library, target);
}

bool is_of_the_simulated_backend(const corpus::Machine& machine) {
  if (machine.library == targets::simulated_name) return true;
  std::string own;
  for (const auto& library : targets::simulated_libraries()) own += library.string() + ",";
  const auto measured = library_files(machine.library);
  return !measured.empty() && std::ranges::includes(library_files(own), measured);
}

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

}  // namespace gradproof::cli
