// The tables of functions against the headers and the libraries: each prototype is declared once
// more, which is an error where the header has another type, and each function is called with
// zeros.

#include "acl/acl.h"
#include "acl/acl_dump.h"
#include "acl/acl_mdl.h"
#include "acl/acl_op_compiler.h"
#include "acl/acl_rt_memory_soma.h"
#include "acl/acl_tdt.h"
#include "tests/support/runtime_fixture.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <functional>
#include <string>
#include <type_traits>

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

namespace {

struct Row {
  std::string name, answer;
  std::function<void()> call_with_zeros;
  /// With buffers for its pointers; whether it answers as its row says and writes none of them.
  std::function<bool()> call_as_declared;
};

using Buffer = std::array<unsigned char, 4096>;
constexpr unsigned char untouched = 0xA5;

template <class Argument>
Argument dummy(Buffer& buffer) {
  if constexpr (std::is_pointer_v<Argument> &&
                !std::is_function_v<std::remove_pointer_t<Argument>>) {
    return reinterpret_cast<Argument>(buffer.data());
  } else {
    return Argument{};
  }
}

template <class Result, class... Arguments>
Row row(const char* name, const std::string& answer, Result (*function)(Arguments...)) {
  const auto with_buffers = [=] {
    Buffer buffer;
    buffer.fill(untouched);
    const Result result = function(dummy<std::remove_cv_t<Arguments>>(buffer)...);
    const bool is_as_said = [&] {
      if constexpr (std::is_pointer_v<Result>) {
        return answer == "null" && result == nullptr;
      } else {
        return std::to_string(result) == answer;
      }
    }();
    return is_as_said &&
           std::ranges::all_of(buffer, [](unsigned char byte) { return byte == untouched; });
  };
  return {name, answer, [=] { function(std::remove_cv_t<Arguments>{}...); }, with_buffers};
}

}  // namespace

#include "function_rows.inc"

namespace gradproof::kernel {
namespace {

class FunctionTable : public OnDevice {};

TEST_F(FunctionTable, HasThePublishedNumberOfRows) { EXPECT_EQ(rows().size(), 434U); }

TEST_F(FunctionTable, WhatIsOnlyDeclaredSaysSoAndWritesNothing) {
  for (const Row& one : rows()) {
    if (one.answer == "simulated") continue;
    error_text();
    EXPECT_TRUE(one.call_as_declared()) << one.name;
    EXPECT_EQ(error_text(), "EE1001: " + one.name + ": not part of what is simulated");
  }
}

TEST_F(FunctionTable, EveryFunctionTakesNullAndZero) {
  for (const Row& one : rows()) one.call_with_zeros();
  aclrtGetLastError(ACL_RT_THREAD_LEVEL);
}

TEST(FunctionTableAtTheEnd, EveryFunctionTakesNullAndZeroWithoutADevice) {
  for (const Row& one : rows()) one.call_with_zeros();
  aclGetRecentErrMsg();
}

}  // namespace
}  // namespace gradproof::kernel
