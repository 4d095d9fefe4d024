#include "corpus/machine/machine_json.h"

#include <fmt/core.h>

#include <algorithm>

namespace gradproof::corpus {

std::optional<OutputRole> gradient_named(std::string_view name) {
  for (const OutputRole role : output_roles) {
    if (name_of(role) == name) return role;
  }
  return std::nullopt;
}

namespace {

tl::expected<Algorithm, std::string> algorithm_of(std::string_view name) {
  std::string known;
  for (std::size_t i = 0; i < 7; ++i) {
    const auto algorithm = static_cast<Algorithm>(i);
    if (name_of(algorithm) == name) return algorithm;
    known += fmt::format("{}{}", i == 0 ? "" : ", ", name_of(algorithm));
  }
  return tl::unexpected(fmt::format("unknown algorithm \"{}\"; known are {}", name, known));
}

GradientAlgorithm read_algorithm(JsonObject object) {
  GradientAlgorithm read;
  read.gradient = object.named("gradient", "gradient", gradient_named);
  read.algorithm = object.meaning("algorithm", algorithm_of);
  if (object.has("tiles_anywhere")) read.tiles_anywhere = object.boolean("tiles_anywhere");
  if (object.has("least_channels")) read.least_channels = object.integer("least_channels", 1);
  object.refuse_unread();
  if (object.failed()) return read;
  if (const auto problem = impossibility(read)) object.fail("algorithm", *problem);
  return read;
}

}  // namespace

void read_algorithms(JsonObject& object, Machine& machine) {
  if (!object.has("algorithms")) return;
  for (const auto& each : object.array("algorithms")) {
    const std::string path = fmt::format("algorithms[{}]", machine.algorithms.size());
    const GradientAlgorithm read = read_algorithm(object.part(path, each));
    const auto is_same = [&](const auto& other) { return other.gradient == read.gradient; };
    if (std::ranges::any_of(machine.algorithms, is_same)) {
      object.fail(path, fmt::format("{} is there twice", name_of(read.gradient)));
    }
    machine.algorithms.push_back(read);
  }
}

nlohmann::ordered_json json_of(const GradientAlgorithm& algorithm) {
  return {{"gradient", name_of(algorithm.gradient)},
          {"algorithm", name_of(algorithm.algorithm)},
          {"tiles_anywhere", algorithm.tiles_anywhere},
          {"least_channels", algorithm.least_channels}};
}

}  // namespace gradproof::corpus
