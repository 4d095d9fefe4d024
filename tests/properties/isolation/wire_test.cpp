// What passes through the shared memory of a child process.

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>
#include <random>

#include "corpus/case_json.h"
#include "properties/cases/check/check.h"
#include "properties/cases/generators/random_case.h"
#include "properties/targets/isolation/wire.h"

namespace gradproof::targets {
namespace {

using corpus::Case;

TEST(Wire, KeepsEveryCase) {
  const auto source = cases::CaseSource::of({});
  ASSERT_TRUE(source);
  std::vector<std::byte> memory(1U << 20U);
  for (std::uint64_t i = 0; i < 500; ++i) {
    auto runs = cases::runs_of({(*source)(3, i), oracle::Profile::Documented}, {});
    runs.front().expect =
        corpus::Expectation{corpus::Status::TilingRefused, "tiling", "released", {{"baseM", 256}}};
    const RunSettings settings{.reuse_executor = true,
                               .phases = {.added_workspace = 9, .data_between_phases = true},
                               .machine = {.schedule_seed = i,
                                           .host_threads = 2,
                                           .cores = 3,
                                           .plain_path = true,
                                           .profile = oracle::Profile::Released},
                               .address_shift = 96,
                               .interleaving = 5};
    ASSERT_TRUE(write_request(memory, {RequestKind::RunStreams, settings}, runs));
    Request request;
    std::vector<Case> read;
    ASSERT_TRUE(read_request(memory, request, read));
    ASSERT_EQ(read, runs) << corpus::to_json_line(runs.front());
    ASSERT_EQ(request.kind, RequestKind::RunStreams);
    ASSERT_TRUE(request.settings.reuse_executor);
    ASSERT_EQ(request.settings.machine, settings.machine);
    ASSERT_EQ(request.settings.phases, settings.phases);
    ASSERT_EQ(request.settings.address_shift, 96U);
    ASSERT_EQ(request.settings.interleaving, 5U);
  }
}

TEST(Wire, RefusesWhatWasOverwritten) {
  Response response;
  response.seen.resize(1);
  response.seen[0].outputs[0].bits.resize(64);
  response.seen[0].message = "a message";
  std::vector<std::byte> whole(4096);
  ASSERT_TRUE(write_response(whole, response));
  std::mt19937 random(5);
  int refused = 0;
  for (int i = 0; i < 2000; ++i) {
    auto memory = whole;
    for (int j = 0; j < 40; ++j) memory[random() % 400] = static_cast<std::byte>(random());
    Response read;
    refused += read_response(memory, 1, read) ? 0 : 1;  // reading must not crash
  }
  EXPECT_GT(refused, 1900);
  const std::span<const std::byte> cut(whole.data(), 100);
  Response read;
  EXPECT_FALSE(read_response(cut, 1, read));
  EXPECT_FALSE(write_response(std::span(whole.data(), 100), response));
}

/// A count of 2^33 observations would take terabytes before the end of the memory is seen.
TEST(Wire, RefusesCountsThatWereNotAskedFor) {
  Response response;
  response.seen.resize(2);
  std::vector<std::byte> memory(4096);
  ASSERT_TRUE(write_response(memory, response));
  Response read;
  EXPECT_TRUE(read_response(memory, 2, read));
  EXPECT_FALSE(read_response(memory, 1, read));
  for (const std::uint64_t count : {std::uint64_t{3}, std::uint64_t{1} << 33U}) {
    std::memcpy(memory.data(), &count, sizeof count);
    EXPECT_FALSE(read_response(memory, 2, read));
  }
}

TEST(Wire, MakesTextFitForATerminal) {
  Response response;
  response.seen.resize(1);
  response.seen[0].message = "\x1b[31m\xC4\xDA\xB4\xE6";
  response.seen[0].ended = std::string(1U << 20U, 'x');
  std::vector<std::byte> memory(2U << 20U);
  ASSERT_TRUE(write_response(memory, response));
  Response read;
  ASSERT_TRUE(read_response(memory, 1, read));
  EXPECT_EQ(read.seen[0].message, "\\x1b[31m内存");
  EXPECT_LT(read.seen[0].ended->size(), 100'000U);
}

}  // namespace
}  // namespace gradproof::targets
