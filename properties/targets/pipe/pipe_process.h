#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <tl/expected.hpp>

namespace gradproof::targets {

/// A program that is spoken with over its standard input and output. Its standard error stays that
/// of this process. It is killed, with what it started, at the latest when this object goes.
class PipeProcess {
 public:
  using Clock = std::chrono::steady_clock;

  /// Starts `command` by the shell, in a process group of its own. Errors: what failed, in words.
  static tl::expected<std::unique_ptr<PipeProcess>, std::string> start(const std::string& command);
  ~PipeProcess();
  PipeProcess(const PipeProcess&) = delete;
  PipeProcess& operator=(const PipeProcess&) = delete;

  enum class Event : std::uint8_t {
    Progress,  ///< something was read or written
    Late,      ///< nothing until the deadline
    Over,      ///< it writes nothing any more
  };
  /// Writes of `out` what can be written and takes it off, and appends to `in` what can be read;
  /// waits until one is possible.
  Event exchange(std::span<const std::byte>& out, std::vector<std::byte>& in,
                 Clock::time_point deadline);

  /// The process that was started, which leads a group of its own.
  pid_t process() const { return process_; }

  /// Ends it, if it has not ended, and waits for that. The status of waitpid, of the shell's death.
  int end();

 private:
  PipeProcess(pid_t process, int input, int output)
      : process_(process), input_(input), output_(output) {}
  bool write_some(std::span<const std::byte>& out);
  Event read_some(std::vector<std::byte>& in);

  pid_t process_;
  int input_, output_;  ///< this side's ends; input_ is -1 when the program reads no more
  int status_ = 0;
};

}  // namespace gradproof::targets
