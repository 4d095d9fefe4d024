#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "corpus/case.h"
#include "corpus/observation.h"
#include "properties/targets/target/library.h"
#include "properties/targets/target/run_settings.h"

namespace gradproof::targets {

/// Kind of a request to the child.
enum class RequestKind : std::uint8_t {
  RunCases,    ///< run_case of each case, in their order
  RunStreams,  ///< run_on_streams of all cases
  FreeMemory,  ///< of the current device; no cases
};

/// Request to a child.
struct Request {
  RequestKind kind = RequestKind::RunCases;
  RunSettings settings;
};

/// First message of a child, sent when it has loaded its libraries.
struct Greeting {
  std::string problem;  ///< why it cannot continue; empty: it can
  Introduction introduction;
};

/// Answer of the child.
struct Response {
  std::vector<corpus::Observation> seen;  ///< by case
  std::optional<std::uint64_t> free_memory;
  std::string problem;  ///< why free_memory is not there
};

/// Writes to memory shared with a child, as bytes in a row; false: not all fitted in.
bool write_request(std::span<std::byte> memory, const Request& request,
                   std::span<const corpus::Case> cases);
bool write_greeting(std::span<std::byte> memory, const Greeting& greeting);
bool write_response(std::span<std::byte> memory, const Response& response);

/// Writes a response as write_response does, its observations one at a time: those of a child that
/// is ended meanwhile can be read.
class ResponseWriter {
 public:
  ResponseWriter(std::span<std::byte> memory, std::size_t cases);
  void add(const corpus::Observation& seen);
  /// Writes everything but the observations. False: not all fitted in.
  bool finish(const Response& response);

 private:
  std::span<std::byte> left_;
  bool good_ = true;
};

/// Reads a request. Neither side trusts what it reads: the target may have written there. False: it
/// is not what the writer wrote.
bool read_request(std::span<const std::byte> memory, Request& request,
                  std::vector<corpus::Case>& cases);
bool read_greeting(std::span<const std::byte> memory, Greeting& greeting);
/// Reads a response, as read_request does. `cases`: how many observations there must be.
bool read_response(std::span<const std::byte> memory, std::size_t cases, Response& response);
/// The first `done` observations of a response to `cases` cases that is not finished; fewer where
/// they cannot be read.
std::vector<corpus::Observation> read_seen(std::span<const std::byte> memory, std::size_t cases,
                                           std::size_t done);

}  // namespace gradproof::targets
