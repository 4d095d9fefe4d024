#pragma once

#include <optional>
#include <string>
#include <vector>

#include "properties/advice/explain/call_from_words.h"

namespace gradproof::properties::cli {

/// The words of a command line, sorted by option and not yet understood.
struct Arguments {
  std::string command;
  std::string command_line;           ///< all words, quoted for a shell
  std::vector<std::string> operands;  ///< files, or what to list
  std::optional<std::string> api, soc, dtype, rank, transposed, kind, law, rule, recipe, max_macs,
      max_bytes;
  std::optional<std::string> time, cases, findings, seed, jobs, shard, first, sample, stored;
  std::optional<std::string> target, profile, adder, machine, hf32, specials, isolate, timeout,
      results;
  std::optional<std::string> views, repeat, domain;  ///< of programs behind a pipe
  std::optional<std::string> time_per_fault, fault, calls, predict, against;
  std::optional<std::string> out, color, range, code, log, torch, lang;
  std::optional<std::string> scope, mode, attacks;
  CallWords call;  ///< a call typed as options
  std::optional<std::string> html, markdown, junit, json_file, observations, baseline, certificate;
  bool quiet = false, table = false, status_only = false, json = false;
  bool case_line = false, museum = false;
};

}  // namespace gradproof::properties::cli
