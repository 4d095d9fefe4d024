#include "properties/targets/session/case_memory.h"

#include <fmt/core.h>

#include <algorithm>

#include "corpus/element_values.h"
#include "properties/targets/session/tensor_memory.h"

namespace gradproof::targets {
namespace {

using corpus::Case;
using corpus::TensorCase;

/// Device block, its image on the host, its dense elements and their comparison: four times the
/// storage.
constexpr std::uint64_t copies = 4;

bool add_bytes(const std::optional<TensorCase>& tensor, std::uint64_t& total) {
  if (!tensor) return true;
  const auto elements = corpus::storage_element_count(*tensor);
  if (!elements || !corpus::element_count(tensor->shape)) return false;
  std::uint64_t bytes = 0;
  return !__builtin_mul_overflow(static_cast<std::uint64_t>(*elements),
                                 copies * corpus::size_bytes(tensor->dtype), &bytes) &&
         !__builtin_add_overflow(total, bytes, &total);
}

}  // namespace

std::optional<std::uint64_t> memory_bytes(const Case& test_case) {
  std::uint64_t total = 0;
  for (const auto role : corpus::input_roles) {
    if (!add_bytes(corpus::tensor(test_case, role), total)) return std::nullopt;
  }
  for (const auto role : corpus::output_roles) {
    if (!add_bytes(corpus::tensor(test_case, role), total)) return std::nullopt;
  }
  if (!add_bytes(test_case.bias, total)) return std::nullopt;
  return total;
}

tl::expected<CaseMemory, std::string> CaseMemory::placed(const CannApi& api, const Case& test_case,
                                                         std::size_t shift,
                                                         bool outputs_hold_ones) {
  CaseMemory memory;
  memory.api_ = &api;
  for (const auto role : corpus::input_roles) {
    const auto& tensor = corpus::tensor(test_case, role);
    if (!tensor) continue;
    std::vector<std::byte> elements;
    if (test_case.data) elements = corpus::element_values(test_case, role);
    auto placed = place(api, *tensor, elements, shift);
    if (!placed) return tl::unexpected(placed.error());
    const bool may_overlap = test_case.data && tensor->strides;
    if (may_overlap && gather(*tensor, placed->storage_before()) != elements) {
      return tl::unexpected(fmt::format("the view of {} meets itself with different values",
                                        corpus::name_of(test_case, role)));
    }
    memory.inputs_[role] = std::move(*placed);
  }
  if (test_case.bias) {
    auto placed = place(api, *test_case.bias, {}, shift);
    if (!placed) return tl::unexpected(placed.error());
    memory.bias_ = std::move(*placed);
  }
  for (const auto role : corpus::output_roles) {
    const auto& tensor = corpus::tensor(test_case, role);
    if (!tensor) continue;
    auto placed =
        place(api, *tensor, outputs_hold_ones ? one_elements(*tensor) : sentinel_elements(*tensor),
              shift);
    if (!placed) return tl::unexpected(placed.error());
    memory.outputs_[role] = std::move(*placed);
  }
  return memory;
}

tl::expected<CaseMemory::Placed, std::string> CaseMemory::place(
    const CannApi& api, const TensorCase& tensor, const std::vector<std::byte>& elements,
    std::size_t shift) {
  std::vector<std::byte> image = gap_bytes(storage_bytes(tensor) + 2 * guard_bytes);
  scatter(tensor, elements, image.data() + guard_bytes);
  auto block = GuardedBlock::with_image(api, std::move(image), shift);
  if (!block) return tl::unexpected(block.error());
  return Placed{&tensor, std::move(*block)};
}

TensorAddresses CaseMemory::addresses() const {
  TensorAddresses addresses{};
  for (std::size_t i = 0; i < 3; ++i) {
    if (inputs_[i]) addresses[i] = inputs_[i]->block.address();
    if (outputs_[i]) addresses[i + 3] = outputs_[i]->block.address();
  }
  if (bias_) addresses.back() = bias_->block.address();
  return addresses;
}

std::optional<std::string> CaseMemory::observe(corpus::Observation& observation) const {
  std::size_t largest = 0;
  const auto meet = [&](const std::optional<Placed>& one) {
    largest = std::max(largest, one ? one->image_bytes() : 0);
  };
  std::ranges::for_each(inputs_, meet);
  std::ranges::for_each(outputs_, meet);
  meet(bias_);
  std::vector<std::byte> room(largest);
  for (std::size_t i = 0; i < 3; ++i) {
    if (outputs_[i]) {
      const std::span now(room.data(), outputs_[i]->image_bytes());
      if (auto test_case = outputs_[i]->block.read(now)) return test_case;
      observation.outputs[i] = seen_output(*outputs_[i]->tensor, outputs_[i]->block.written(), now);
    }
    if (!inputs_[i]) continue;
    const std::span now(room.data(), inputs_[i]->image_bytes());
    if (auto test_case = inputs_[i]->block.read(now)) return test_case;
    observation.input_changed_byte[i] = first_difference(inputs_[i]->block.written(), now);
  }
  if (bias_) {
    const std::span now(room.data(), bias_->image_bytes());
    if (auto test_case = bias_->block.read(now)) return test_case;
    observation.bias_changed_byte = first_difference(bias_->block.written(), now);
  }
  return std::nullopt;
}

std::optional<std::string> CaseMemory::hide_inputs() {
  constexpr std::byte ordinary{0x3A};
  for (auto& input : inputs_) {
    if (!input) continue;
    const std::vector<std::byte> other(input->image_bytes(), ordinary);
    if (auto test_case = input->block.write_instead(other)) return test_case;
  }
  return std::nullopt;
}

std::optional<std::string> CaseMemory::show_inputs() {
  for (auto& input : inputs_) {
    if (!input) continue;
    if (auto test_case = input->block.rewrite()) return test_case;
  }
  return std::nullopt;
}

std::optional<std::string> CaseMemory::show_inputs_in(aclrtStream stream) {
  if (api_->copy_in_stream == nullptr) return show_inputs();
  // A copy is over in microseconds; as many as these are still under way when a call begins.
  constexpr std::size_t copies_before = 32, bytes_before = std::size_t{1} << 20;
  auto busy = GuardedBlock::filled(*api_, 2 * bytes_before, std::byte{0});
  if (!busy) return busy.error();
  for (std::size_t i = 0; i < copies_before; ++i) {
    if (auto problem = busy->copy_in_stream(*busy, bytes_before, bytes_before, stream))
      return problem;
  }
  staged_.push_back(std::move(*busy));
  for (auto& input : inputs_) {
    if (!input) continue;
    auto staged = GuardedBlock::with_image(*api_, input->block.written());
    if (!staged) return staged.error();
    staged_.push_back(std::move(*staged));
    if (auto problem = input->block.copy_in_stream(staged_.back(), 0, input->image_bytes(), stream))
      return problem;
  }
  return std::nullopt;
}

std::optional<std::string> CaseMemory::renew_outputs() {
  for (auto& output : outputs_) {
    if (!output) continue;
    if (auto test_case = output->block.rewrite()) return test_case;
  }
  return std::nullopt;
}

corpus::OutputObservation seen_output(const corpus::TensorCase& tensor,
                                      std::span<const std::byte> before, std::span<std::byte> now) {
  corpus::OutputObservation seen;
  seen.bits = gather(tensor, now.data() + guard_bytes);
  seen.before = gather(tensor, before.data() + guard_bytes);
  // With the elements put back, whatever still differs lies outside the view.
  scatter(tensor, seen.before, now.data() + guard_bytes);
  seen.overwritten_byte = first_difference(before, now);
  return seen;
}

}  // namespace gradproof::targets
