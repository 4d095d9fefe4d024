#include "kernel/device/handle.h"

namespace gradproof::kernel::device {
namespace {

constexpr std::string_view names[] = {"is a context",
                                      "is a stream",
                                      "is an event",
                                      "is an aclDataBuffer",
                                      "is an aclTensor",
                                      "is an aclScalar",
                                      "is an aclIntArray",
                                      "is an aclFloatArray",
                                      "is an aclBoolArray",
                                      "is an aclTensorList",
                                      "is an aclScalarList",
                                      "is an aclOpExecutor",
                                      "is a notify",
                                      "is an aclrtAllocatorDesc",
                                      "is an aclrtDrvMemHandle",
                                      "is an aclrtStreamConfigHandle",
                                      "is an aclTensorDesc",
                                      "is an aclopAttr",
                                      "is an acltdtDataItem",
                                      "is an acltdtDataset",
                                      "is an object of acl_prof.h",
                                      "is an aclmdlRI"};
constexpr auto first_kind = static_cast<std::uint64_t>(HandleKind::Context);
constexpr auto last_kind = static_cast<std::uint64_t>(HandleKind::ModelInstance);
static_assert(std::size(names) == last_kind - first_kind + 1);

constexpr unsigned kind_shift = 56;
constexpr unsigned generation_shift = 24;

}  // namespace

std::string_view name_of(HandleKind kind) {
  return names[static_cast<std::uint64_t>(kind) - first_kind];
}

void* Handle::pointer() const {
  const std::uint64_t bits = static_cast<std::uint64_t>(kind) << kind_shift |
                             static_cast<std::uint64_t>(generation) << generation_shift | slot;
  return reinterpret_cast<void*>(bits);  // NOLINT(performance-no-int-to-ptr): never dereferenced
}

std::optional<Handle> Handle::parse(const void* pointer) {
  const auto bits = reinterpret_cast<std::uint64_t>(pointer);
  const std::uint64_t kind = bits >> kind_shift;
  if (kind < first_kind || kind > last_kind) return std::nullopt;
  return Handle{static_cast<HandleKind>(kind), static_cast<std::uint32_t>(bits >> generation_shift),
                static_cast<std::uint32_t>(bits) & (max_slots - 1)};
}

}  // namespace gradproof::kernel::device
