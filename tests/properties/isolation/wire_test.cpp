// What passes through the shared memory of a child process.

#include <gtest/gtest.h>
#include <unistd.h>

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
    refused += read_response(memory, read) ? 0 : 1;  // reading must not crash
  }
  EXPECT_GT(refused, 1900);
  const std::span<const std::byte> cut(whole.data(), 100);
  Response read;
  EXPECT_FALSE(read_response(cut, read));
  EXPECT_FALSE(write_response(std::span(whole.data(), 100), response));
}

}  // namespace
}  // namespace gradproof::targets
