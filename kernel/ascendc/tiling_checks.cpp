#include "kernel/ascendc/tiling_checks.h"

#include <string>

#include <fmt/core.h>

#include "kernel/device/product.h"

namespace gradproof::kernel::ascendc {
namespace {

// Far below what 64 bits hold, far above any device's memory.
constexpr std::uint64_t most_elements = std::uint64_t{1} << 44;

std::string found(const Field& field) {
  return fmt::format("tiling field {} is {}", field.name, field.value);
}

}  // namespace

void require_positive(Core& core, const char* call, std::initializer_list<Field> fields) {
  for (const Field& field : fields) {
    if (field.value == 0) core.stop(call, found(field) + "; it must be positive");
  }
}

void require_one(Core& core, const char* call, std::initializer_list<Field> fields) {
  for (const Field& field : fields) {
    if (field.value != 1) core.stop(call, found(field) + "; it must be 1");
  }
}

void require_at_most(Core& core, const char* call, std::uint64_t most,
                     std::initializer_list<Field> fields) {
  for (const Field& field : fields) {
    if (field.value > most) {
      core.stop(call, fmt::format("{}; it must be at most {}", found(field), most));
    }
  }
}

void require_multiple(Core& core, const char* call, std::uint64_t of,
                      std::initializer_list<Field> fields) {
  for (const Field& field : fields) {
    if (field.value % of != 0) {
      core.stop(call, fmt::format("{}; it must be a multiple of c0, {}", found(field), of));
    }
  }
}

void require_addressable(Core& core, const char* call, const char* tensor,
                         std::initializer_list<std::uint64_t> lengths) {
  std::uint64_t elements = 1;
  for (const std::uint64_t length : lengths) {
    if (__builtin_mul_overflow(elements, length, &elements) || elements > most_elements) {
      core.stop(call, fmt::format("the tiling's {} has more elements than a device holds", tensor));
    }
  }
}

void require_reach(Core& core, const char* call, std::initializer_list<Field> a,
                   std::initializer_list<Field> b) {
  for (const auto *first = a.begin(), *second = b.begin(); first != a.end(); ++first, ++second) {
    std::uint64_t reach = 0;
    if (__builtin_mul_overflow(first->value, second->value, &reach) || reach > most_elements) {
      core.stop(call, fmt::format("{} and {} is {}: positions leave what can be addressed",
                                  found(*first), second->name, second->value));
    }
  }
}

void require_product(Core& core, const char* call) {
  const device::Product product = core.settings().product;
  constexpr auto with_api = device::Generation::Wide;
  if (device::limits_of(product).generation == with_api) return;
  core.stop(call, fmt::format("{} has no such API; only {} have it", device::name_of(product),
                              device::names_of(with_api)));
}

}  // namespace gradproof::kernel::ascendc
