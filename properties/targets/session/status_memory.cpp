#include "properties/targets/session/status_memory.h"

#include <cstring>
#include <span>
#include <utility>

#include "properties/targets/session/case_memory.h"
#include "properties/targets/session/tensor_memory.h"

namespace gradproof::targets {

tl::expected<StatusMemory, std::string> StatusMemory::of_tensors(const CannApi& api,
                                                                 const corpus::Case& test_case,
                                                                 std::size_t shift) {
  Places places;
  std::size_t i = 0;
  const auto add = [&](const std::optional<corpus::TensorCase>& tensor) {
    if (tensor) places.at(i) = Place{.tensor = &*tensor, .bytes = storage_bytes(*tensor)};
    ++i;
  };
  for (const auto role : corpus::input_roles) add(corpus::tensor(test_case, role));
  for (const auto role : corpus::output_roles) add(corpus::tensor(test_case, role));
  add(test_case.bias);
  return made(api, places, shift);
}

tl::expected<StatusMemory, std::string> StatusMemory::of_stand_ins(const CannApi& api,
                                                                   std::size_t shift) {
  Places places;
  for (auto& place : places) place = Place{.bytes = guard_bytes};
  return made(api, places, shift);
}

tl::expected<StatusMemory, std::string> StatusMemory::made(const CannApi& api, Places places,
                                                           std::size_t shift) {
  std::size_t end = guard_bytes;
  for (auto& place : places) {
    if (!place) continue;
    place->begin = end;
    // The next one begins at a multiple of guard_bytes, too.
    const std::size_t whole = (place->bytes + guard_bytes - 1) / guard_bytes * guard_bytes;
    end += whole + guard_bytes;
  }
  if (end == guard_bytes) end += guard_bytes;  // no tensor at all
  auto block = GuardedBlock::with_image(api, gap_bytes(end), shift);
  if (!block) return tl::unexpected(block.error());
  return StatusMemory(places, std::move(*block));
}

TensorAddresses StatusMemory::addresses() const {
  TensorAddresses addresses{};
  for (std::size_t i = 0; i < places_.size(); ++i) {
    if (!places_[i]) continue;
    addresses.at(i) = static_cast<std::byte*>(block_.address()) + places_[i]->begin - guard_bytes;
  }
  return addresses;
}

std::optional<std::string> StatusMemory::observe(corpus::Observation& observation) const {
  const auto& written = block_.written();
  std::vector<std::byte> now(written.size());
  if (auto test_case = block_.read(now)) return test_case;
  if (std::memcmp(now.data(), written.data(), now.size()) == 0) return std::nullopt;
  for (std::size_t i = 0; i < places_.size(); ++i) {
    if (places_[i]) note_change(i, now, observation);
  }
  return std::nullopt;
}

void StatusMemory::note_change(std::size_t tensor, std::vector<std::byte>& now,
                               corpus::Observation& observation) const {
  const Place& place = *places_.at(tensor);
  // A byte between two tensors counts for the one before it; of the first guard zone, for the
  // first.
  const std::size_t begin = place.begin - guard_bytes;
  const std::size_t size = place.bytes + 2 * guard_bytes;
  const auto before = std::span(block_.written()).subspan(begin, size);
  const auto after = std::span(now).subspan(begin, size);
  const auto changed = first_difference(before, after);
  if (!changed) return;
  if (tensor + 1 == places_.size()) {
    observation.bias_changed_byte = changed;
    return;
  }
  if (tensor < observation.input_changed_byte.size()) {
    observation.input_changed_byte.at(tensor) = changed;
    return;
  }
  auto& output = observation.outputs.at(tensor - observation.input_changed_byte.size());
  if (place.tensor) {
    output = seen_output(*place.tensor, before, after);
  } else {
    output.overwritten_byte = changed;
  }
}

}  // namespace gradproof::targets
