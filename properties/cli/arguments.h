#pragma once

#include <optional>
#include <string>
#include <vector>

#include "properties/advice/explain/call_from_texts.h"
#include "properties/cli/grammar/mode.h"

namespace gradproof::cli {

/// The words of a command line, sorted by option and not yet understood.
struct Arguments {
  std::string command;
  CommandMode mode = modes::Verify;
  std::string command_line;           ///< all words, quoted for a shell
  std::vector<std::string> operands;  ///< files, names, or what to list
  std::optional<std::string> api, soc, dtype, rank, transposed, kind, law, claim, rule, recipe,
      max_macs, cube_math_type;
  std::optional<std::string> time, cases, findings, seed, jobs, shard;
  std::optional<std::string> target, profile, timeout, out, range, code, log, lang, baseline;
  std::optional<std::string> python, without, allow_library, nonce;  ///< gate
  std::optional<std::string> machine, write, set;  ///< KEY=VALUE,...; spread out below
  advice::CallTexts call;                          ///< a call typed as options
  bool quiet = false, table = false, status_only = false, json = false, no_stored = false;
  bool in_process = false, shrink = false, tolerance = false;

  // What the keys (given_options.h) and values above say.
  std::optional<std::string> machine_file, adder, hf32, specials;
  std::optional<std::string> html, markdown, junit, json_file, observations, openmetrics,
      certificate;
  bool case_line = false;  ///< --code case
  std::optional<std::string> attacks, color, domain, first, follow, max_bytes, predict, repeat,
      results, sample, tiles, views;
};

}  // namespace gradproof::cli
