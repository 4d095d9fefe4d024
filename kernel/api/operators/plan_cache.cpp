#include "kernel/api/operators/plan_cache.h"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

namespace gradproof::kernel::api {
namespace {

using parameter_checks::Call;

/// Longer arrays and ranks than any legal call has are not kept: what is kept has a bounded size.
constexpr std::size_t longest_kept = 8;

bool is_short(const Tensor& tensor) {
  return tensor.view_shape.size() <= longest_kept && tensor.storage_shape.size() <= longest_kept;
}
template <typename Value>
bool is_short(const std::vector<Value>& values) {
  return values.size() <= longest_kept;
}

/// Mixes what a call is made of into a number.
class Number {
 public:
  void add(std::uint64_t value) { number_ = (number_ ^ value) * 0x9E3779B97F4A7C15U; }
  void add(std::int64_t value) { add(static_cast<std::uint64_t>(value)); }
  void add(int value) { add(static_cast<std::uint64_t>(value)); }
  void add(std::span<const std::int64_t> values) {
    for (const std::int64_t value : values) add(value);
  }
  void add(const Tensor& tensor) {
    add(std::span(tensor.view_shape));
    add(static_cast<std::uint64_t>(tensor.data_type));
  }
  void add(const std::vector<bool>& bits) {
    for (const bool bit : bits) add(std::uint64_t{bit});
  }

  /// Adds an argument; false where the argument is too long to be kept.
  template <typename Value>
  bool takes(const parameter_checks::Argument<Value>& argument) {
    add(std::uint64_t{argument.given});
    if (!argument.value) return true;
    const Value& value = *argument.value;
    if (!is_short(value)) return false;
    add(value);
    return true;
  }

  /// Hash, which is never 0: 0 marks what is free.
  std::uint64_t value() const { return (number_ ^ number_ >> 32U) | 1U; }

 private:
  std::uint64_t number_ = 0xCBF29CE484222325U;
};

/// Hash of a call; nullopt where the call is not to be kept. Equal calls have equal numbers.
std::optional<std::uint64_t> number_of(const Call& call) {
  Number number;
  number.add(static_cast<std::uint64_t>(call.product));
  const bool is_kept = number.takes(call.grad_output) && number.takes(call.input) &&
                       number.takes(call.weight) && number.takes(call.bias_sizes) &&
                       number.takes(call.stride) && number.takes(call.padding) &&
                       number.takes(call.dilation) && number.takes(call.output_padding) &&
                       number.takes(call.output_mask) && number.takes(call.grad_input) &&
                       number.takes(call.grad_weight) && number.takes(call.grad_bias);
  if (!is_kept) return std::nullopt;
  number.add(std::uint64_t{call.transposed});
  number.add(call.groups);
  number.add(call.cube_math_type);
  return number.value();
}

bool is_switched_off() {
  const char* const asked = std::getenv("GRADPROOF_PLAN_CACHE");
  return asked != nullptr && std::string_view(asked) == "off";
}

/// True if phase one cannot tell two devices apart.
bool are_equal(const device::DeviceState& left, const device::DeviceState& right) {
  // All members by name, so that a new one does not compile before someone has added it here.
  const auto& [device_id, product, soc_name, profile, hf32_rounding, float_products, overflow_mode,
               deterministic, core_count, schedule_seed, path, host_threads, spreads_every_launch,
               has_winograd] = left;
  return device_id == right.device_id && product == right.product && soc_name == right.soc_name &&
         profile == right.profile && hf32_rounding == right.hf32_rounding &&
         float_products == right.float_products && overflow_mode == right.overflow_mode &&
         deterministic == right.deterministic && core_count == right.core_count &&
         schedule_seed == right.schedule_seed && path == right.path &&
         host_threads == right.host_threads && spreads_every_launch == right.spreads_every_launch &&
         has_winograd == right.has_winograd;
}

}  // namespace

PlanCache::PlanCache() : is_used_(!is_switched_off()) {}

std::shared_ptr<const Decision> PlanCache::decision(const Call& call,
                                                    const device::DeviceState& device) {
  const auto number = is_used_ ? number_of(call) : std::nullopt;
  if (!number) return std::make_shared<const Decision>(decided(call, device));
  auto kept = find(*number, call, device);
  if (kept == nullptr) {
    Decision fresh = decided(call, device);
    if (!was_seen(*number)) return std::make_shared<const Decision>(std::move(fresh));
    kept = std::make_shared<const Kept>(
        Kept{.call = call, .device = device, .decision = std::move(fresh)});
    keep(*number, kept);
  }
  return {kept, &kept->decision};
}

void PlanCache::forget() {
  std::array<Set, sets> dropped;  // ends after the lock
  const std::lock_guard lock(mutex_);
  std::swap(dropped, sets_);
}

std::uint64_t PlanCache::hits() const {
  const std::lock_guard lock(mutex_);
  return hits_;
}

std::shared_ptr<const PlanCache::Kept> PlanCache::find(std::uint64_t number, const Call& call,
                                                       const device::DeviceState& device) {
  const std::lock_guard lock(mutex_);
  for (const Way& way : sets_[number / 2 % sets].ways) {
    if (way.number != number || way.kept == nullptr) continue;
    if (!(way.kept->call == call && are_equal(way.kept->device, device))) continue;
    ++hits_;
    return way.kept;
  }
  return nullptr;
}

bool PlanCache::was_seen(std::uint64_t number) {
  std::shared_ptr<const Kept> dropped;  // ends after the lock
  const std::lock_guard lock(mutex_);
  Set& set = sets_[number / 2 % sets];
  if (std::ranges::find(set.ways, number, &Way::number) != set.ways.end()) return true;
  Way& way = set.ways[set.oldest++ % calls_of_a_set];
  way.number = number;
  dropped = std::exchange(way.kept, nullptr);
  return false;
}

void PlanCache::keep(std::uint64_t number, std::shared_ptr<const Kept> kept) {
  std::shared_ptr<const Kept> dropped;  // ends after the lock
  const std::lock_guard lock(mutex_);
  Set& set = sets_[number / 2 % sets];
  auto way = std::ranges::find_if(set.ways, [&](const Way& candidate) {
    return candidate.number == number && candidate.kept == nullptr;
  });
  if (way == set.ways.end())
    way = set.ways.begin() + static_cast<std::ptrdiff_t>(set.oldest++ % calls_of_a_set);
  dropped = std::exchange(way->kept, std::move(kept));
  way->number = number;
}

PlanCache& plan_cache() {
  static PlanCache& cache = *new PlanCache;
  return cache;
}

}  // namespace gradproof::kernel::api
