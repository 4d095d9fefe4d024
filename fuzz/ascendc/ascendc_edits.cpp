#include "fuzz/ascendc/ascendc_program.h"

#include <fmt/core.h>

#include <cstring>

namespace gradproof::fuzz {
namespace {

using Call = AscendcStep::Call;
using Steps = std::vector<AscendcStep>;

constexpr const char* call_names[AscendcStep::call_count] = {
    "Init",    "SetSingleShape", "SetStartPosition",           "SetGradOutput",       "SetWeight",
    "Iterate", "GetTensorC",     "while (Iterate) GetTensorC", "isFirstIter_ = true", "End"};

/// Every fourth edit by its kind changes the tiling, the others the program.
bool is_of_tiling(const Edit& edit) { return edit.kind % 4 == 0; }

AscendcStep step_of(const Edit& edit, std::size_t tasks) {
  constexpr unsigned wrong_ways = 4, in_ways = 16;  // one in five has a wrong argument
  const auto value = static_cast<std::uint64_t>(edit.value);
  const auto wrong_argument = static_cast<std::uint8_t>((value >> 8) % in_ways);
  return {static_cast<Call>(edit.owner % AscendcStep::call_count), (value & 0xFF) % tasks,
          wrong_argument < wrong_ways ? wrong_argument : std::uint8_t{0}};
}

void change(const Edit& edit, std::size_t tasks, Steps& steps) {
  const std::size_t place = edit.position % (steps.size() + 1);
  const auto at = steps.begin() + static_cast<std::ptrdiff_t>(place);
  constexpr std::size_t longest_program = 256;
  switch (edit.operation % 3) {
    case 0:
      if (at != steps.end()) *at = step_of(edit, tasks);
      break;
    case 1:
      if (steps.size() < longest_program) steps.insert(at, step_of(edit, tasks));
      break;
    default:
      if (at != steps.end()) steps.erase(at);
  }
}

/// Changes one field of a tiling to another number: 63 of 32 bits and 3 of 64 behind them.
void change(const Edit& edit, InputTiling& tiling) {
  constexpr std::size_t narrow = 63, wide = 3;
  static_assert(offsetof(InputTiling, singleCoreBatch) >= narrow * sizeof(std::uint32_t));
  auto* bytes = reinterpret_cast<unsigned char*>(&tiling);
  const std::size_t field = edit.owner % (narrow + wide);
  const bool is_narrow = field < narrow;
  const std::size_t size = is_narrow ? sizeof(std::uint32_t) : sizeof(std::uint64_t);
  const std::size_t at =
      is_narrow ? field * size
                : offsetof(InputTiling, singleCoreBatch) + (field - narrow) * sizeof(std::uint64_t);
  std::uint64_t number = 0;
  std::memcpy(&number, bytes + at, size);
  const auto value = static_cast<std::uint64_t>(edit.value);
  number = edit.operation % 2 == 0 ? number + value : value;
  std::memcpy(bytes + at, &number, size);
}

}  // namespace

std::string words(const AscendcStep& step) {
  return fmt::format(
      "{}, task {}{}", call_names[to_size(step.call)], step.task,
      step.wrong_argument == 0 ? "" : fmt::format(", wrong argument {}", step.wrong_argument));
}

Steps whole_program(std::size_t tasks) {
  Steps steps{{Call::Init}};
  for (std::size_t task = 0; task < tasks; ++task) {
    for (const Call call : {Call::SetSingleShape, Call::SetStartPosition, Call::SetGradOutput,
                            Call::SetWeight, Call::AllTiles, Call::NextTask}) {
      steps.push_back({call, task});
    }
  }
  steps.push_back({Call::End});
  return steps;
}

void apply(const Edit& edit, std::size_t tasks, Steps& steps, InputTiling& tiling) {
  if (is_of_tiling(edit)) {
    change(edit, tiling);
  } else {
    change(edit, tasks, steps);
  }
}

}  // namespace gradproof::fuzz
