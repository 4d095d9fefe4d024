#include "properties/runs/gate/gate.h"
#include "properties/runs/gate/gate_calls.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include <cstring>
#include <utility>

#include "properties/advice/tensors/typical_share.h"
#include "properties/cli/commands.h"
#include "properties/cli/input/configuration_input.h"
#include "properties/cli/input/values.h"
#include "properties/cli/interrupt.h"
#include "properties/cli/run_command.h"
#include "properties/targets/pipe/pipe_library.h"

namespace gradproof::cli {
namespace {

using runs::GateOutcome;
using runs::GateTarget;

tl::expected<GateTarget, std::string> target_of(const Arguments& arguments) {
  GateTarget target;
  if (arguments.allow_library) {
    auto names = parse_list(*arguments.allow_library);
    if (!names) return tl::unexpected("--allow-library: " + names.error());
    target.allowed_libraries = std::move(*names);
  }
  const auto& operands = arguments.operands;
  if (operands.size() + (arguments.python ? 1U : 0U) != 1) {
    return tl::unexpected(
        std::string("gate takes one library, pipe:CMD, or --python FILE:FUNCTION"));
  }
  if (!arguments.python && operands.front().starts_with(targets::pipe_prefix)) {
    target.kind = GateTarget::Kind::Program;
    target.command = operands.front().substr(targets::pipe_prefix.size());
  } else if (!arguments.python) {
    target.file = operands.front();
  } else {
    const std::size_t colon = arguments.python->rfind(':');
    if (colon == std::string::npos || colon + 1 == arguments.python->size()) {
      return tl::unexpected(
          fmt::format("--python: \"{}\"; it takes FILE:FUNCTION", *arguments.python));
    }
    target.kind = GateTarget::Kind::Python;
    target.file = arguments.python->substr(0, colon);
    target.function = arguments.python->substr(colon + 1);
  }
  std::error_code error;
  if (target.kind != GateTarget::Kind::Program &&
      !std::filesystem::is_regular_file(target.file, error)) {
    return tl::unexpected(fmt::format("{} is no file", target.file.string()));
  }
  return target;
}

tl::expected<runs::GateSettings, std::string> settings_of(const Arguments& arguments,
                                                          const Configuration& configuration) {
  runs::GateSettings settings;
  auto target = target_of(arguments);
  if (!target) return tl::unexpected(target.error());
  settings.target = std::move(*target);
  if (arguments.time) {
    const auto time = parse_duration(*arguments.time);
    if (!time) return tl::unexpected("--time: " + time.error());
    settings.time = *time;
  }
  settings.dtypes = configuration.selection.dtypes;
  settings.claims = configuration.selection.claims;
  if (arguments.without) {
    auto names = parse_list(*arguments.without);
    if (!names) return tl::unexpected("--without: " + names.error());
    settings.without = std::move(*names);
    const auto left = runs::GateCalls::of({corpus::DataType::Float}, settings.without);
    if (!left) return tl::unexpected(left.error());
  }
  constexpr std::size_t longest_nonce = 128;
  settings.nonce = arguments.nonce.value_or("");
  if (settings.nonce.size() > longest_nonce) {
    return tl::unexpected(fmt::format("--nonce: of {} characters at most", longest_nonce));
  }
  settings.typical_share = [](const auto& witness, auto format, auto seed, auto until) {
    const auto typical = advice::typical_share(witness, format, std::nullopt, seed, until);
    return typical ? std::optional(typical->share) : std::nullopt;
  };
  settings.stop = &interrupted();
  return settings;
}

ExitCode code_of(GateOutcome outcome) {
  switch (outcome) {
    case GateOutcome::Accepted:
      return ExitCode::NothingDisagreed;
    case GateOutcome::Refused:
      return ExitCode::Disagreement;
    case GateOutcome::Incomplete:
      return ExitCode::Unhealthy;
    case GateOutcome::Ungated:
      return ExitCode::Ungated;
    case GateOutcome::Damaged:
      break;
  }
  return ExitCode::OwnFailure;
}

bool write_whole(int file, const std::string& text) {
  std::size_t at = 0;
  while (at < text.size()) {
    const ssize_t count = ::write(file, text.data() + at, text.size() - at);
    if (count <= 0) return false;
    at += static_cast<std::size_t>(count);
  }
  return true;
}

}  // namespace

ExitCode gate(const Arguments& arguments) {
  const auto configuration = configuration_of(arguments);
  if (!configuration) return fail(ExitCode::BadUsage, configuration.error());
  const auto settings = settings_of(arguments, *configuration);
  if (!settings) return fail(ExitCode::BadUsage, settings.error());
  // Opened before the candidate begins: the judge alone writes there.
  int file = -1;
  if (arguments.json_file) {
    constexpr int everybody_may_read = 0644;
    file = ::open(arguments.json_file->c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC,
                  everybody_may_read);
    if (file < 0) {
      return fail(ExitCode::BadUsage,
                  fmt::format("--json: {}: {}", *arguments.json_file, std::strerror(errno)));
    }
  }
  end_in_order_on_interrupt();
  const runs::GateVerdict verdict = runs::gate(*settings);
  const bool is_written = file < 0 || write_whole(file, runs::gate_json(verdict));
  if (file >= 0 && ::close(file) != 0) return fail(ExitCode::OwnFailure, "--json: not written");
  if (!is_written) return fail(ExitCode::OwnFailure, "--json: the file could not be written whole");
  fmt::print("{}\n", runs::gate_line(verdict));
  return interrupted() ? code_of_interruption() : code_of(verdict.outcome);
}

}  // namespace gradproof::cli
