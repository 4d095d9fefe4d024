#include <array>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <span>
#include <string>

#include <tl/expected.hpp>

#include "bindings/library/failure.h"
#include "bindings/library/without_a_run.h"
#include "corpus/case.h"
#include "gradproof/gradproof.h"

namespace {

using gradproof::library::failed;
using gradproof::library::guarded;

constexpr int first_result = GRADPROOF_GRAD_INPUT;

char* copy_of(const std::string& text) {
  auto* copy = static_cast<char*>(std::malloc(text.size() + 1));
  if (copy != nullptr) std::memcpy(copy, text.c_str(), text.size() + 1);
  return copy;
}

/// The text for the caller; null, with the error in words.
char* handed_over(const tl::expected<std::string, std::string>& text) {
  if (text) return copy_of(*text);
  failed(text.error());
  return nullptr;
}

/// The tensors' elements; empty where one is null.
template <std::size_t count>
std::array<std::span<const std::byte>, count> given(const void* const* data,
                                                    const std::size_t* sizes) {
  std::array<std::span<const std::byte>, count> tensors;
  for (std::size_t i = 0; i < count; ++i) {
    if (data[i] != nullptr) tensors.at(i) = {static_cast<const std::byte*>(data[i]), sizes[i]};
  }
  return tensors;
}

}  // namespace

extern "C" {

char* gradproof_judge(const char* call, const void* const data[6], const size_t sizes[6]) {
  return guarded<char*>(nullptr, [&]() -> char* {
    if (call == nullptr || data == nullptr || sizes == nullptr) {
      return failed("call, data or sizes is null"), nullptr;
    }
    return handed_over(gradproof::library::judged_tensors(call, given<6>(data, sizes)));
  });
}

int gradproof_limits(const char* call, const void* const data[3], const size_t sizes[3],
                     gradproof_tensor result, double* exact, double* allowed, size_t count) {
  return guarded(GRADPROOF_ERROR, [&] {
    if (call == nullptr || data == nullptr || sizes == nullptr) {
      return failed("call, data or sizes is null");
    }
    if (result < first_result || result > GRADPROOF_GRAD_BIAS) {
      return failed("not a result's tensor");
    }
    const auto role = static_cast<gradproof::corpus::OutputRole>(result - first_result);
    if (count > 0 && (exact == nullptr || allowed == nullptr)) {
      return failed("exact or allowed is null");
    }
    const auto problem = gradproof::library::limits_of_result(call, given<3>(data, sizes), role,
                                                              {exact, count}, {allowed, count});
    return problem ? failed(*problem) : GRADPROOF_OK;
  });
}

char* gradproof_case(const char* call) {
  return guarded<char*>(nullptr, [&]() -> char* {
    if (call == nullptr) return failed("call is null"), nullptr;
    return handed_over(gradproof::library::case_line(call));
  });
}

char* gradproof_explain(const char* call, int as_json) {
  return guarded<char*>(nullptr, [&]() -> char* {
    if (call == nullptr) return failed("call is null"), nullptr;
    return handed_over(gradproof::library::explained(call, as_json != 0));
  });
}

void gradproof_free(char* text) { std::free(text); }

}  // extern "C"
