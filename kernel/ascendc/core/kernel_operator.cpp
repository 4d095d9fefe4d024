// kernel_operator.h: the scalar types, and what a kernel asks its core.

#include "kernel_operator.h"

#include "kernel/ascendc/core/core.h"
#include "kernel/ascendc/core/window.h"
#include "kernel/numeric/bfloat16.h"
#include "kernel/numeric/half.h"

namespace {

using gradproof::kernel::ascendc::Core;
namespace numeric = gradproof::kernel::numeric;

}  // namespace

half::half(float value) : bits(numeric::Half::encode(value, numeric::OverflowMode::InfNan)) {}
half::operator float() const { return numeric::Half::decode(bits); }

bfloat16_t::bfloat16_t(float value)
    : bits(numeric::BFloat16::encode(value, numeric::OverflowMode::InfNan)) {}
bfloat16_t::operator float() const { return numeric::BFloat16::decode(bits); }

namespace AscendC {

int64_t GetBlockIdx() { return Core::running("GetBlockIdx").place().index; }
int64_t GetBlockNum() { return Core::running("GetBlockNum").place().count; }

namespace simulation {

void read_element(const GlobalWindow& window, uint64_t index, void* value) {
  constexpr const char* call = "GlobalTensor::GetValue";
  gradproof::kernel::ascendc::copy_in(Core::running(call), {call, "the tensor"}, window, index, 1,
                                      value);
}

void write_element(const GlobalWindow& window, uint64_t index, const void* value) {
  constexpr const char* call = "GlobalTensor::SetValue";
  gradproof::kernel::ascendc::copy_out(Core::running(call), {call, "the tensor"}, window, index, 1,
                                       value);
}

}  // namespace simulation
}  // namespace AscendC
