#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tl/expected.hpp>

#include "properties/advice/logs/differences/differences.h"
#include "properties/advice/logs/found_call.h"
#include "properties/advice/logs/operator_names.h"
#include "properties/advice/logs/sign.h"
#include "properties/advice/logs/statements.h"

namespace gradproof::advice {

/// A rule that a message of the text states in its own words.
struct NamedRule {
  std::string rule;
  std::size_t line = 0;
  std::string quote;  ///< of the line; may be shown
};

/// What a line of the text means, as its sign says it.
struct Meaning {
  std::string words;
  std::size_t line = 0;
};

/// What a text says, what it does not, and what to do. Every string may be shown on a terminal.
struct Reading {
  std::vector<LogKind> kinds;  ///< never empty
  std::vector<NamedOperator> operators;
  std::vector<std::string> names;  ///< of convolutions, where no operator of CANN is named
  std::vector<std::string_view> paths;
  std::optional<StatedProduct> product;
  std::vector<StatedVersion> versions;
  std::vector<std::string> codes;
  std::vector<std::string> settings;  ///< that the text has made, in small letters
  std::vector<NamedRule> rules;
  std::vector<Meaning> meanings;
  Differences differences;
  std::vector<FoundCall> calls;  ///< at most `most_calls`, whole ones first
  std::size_t further_calls = 0;
  bool counts_all_calls = true;  ///< false: there may be more
  std::vector<std::string> lacking;
  std::vector<std::string> next;
};

inline constexpr std::size_t most_calls = 16;

/// What a person adds to a log.
struct Given {
  std::optional<std::string> input;  ///< shape of a layer's input, where one layer lacks it
};

/// Reads a text; nothing in it is executed, and no shape is deduced that it does not state. Errors:
/// a sentence, where the text is no log.
tl::expected<Reading, std::string> reading_of(std::string_view text, const Given& given = {});

/// Writes the reading for a person.
std::string reading_text(const Reading& reading);

/// One object, with stable keys (docs/logs.md).
std::string reading_json(const Reading& reading);

/// Settings of an advice that a text has: "ascend_launch_blocking=1".
std::vector<std::string> settings_in(std::string_view text);

/// The parts of an advice that the text's program has and that it has not done; empty: none.
std::string advice_for(std::string_view advice, const Reading& reading);

/// Quotes what messages with a code say of a parameter, its value and the reason.
void add_quotes(std::string_view text, Reading& reading);

/// Says what memory was asked for and is free, and what follows for the advice.
void add_memory(std::string_view text, Reading& reading);

/// Makes cubeMathType of the switches that the text states, as torch_npu does.
void add_switches(std::string_view text, Reading& reading);

/// True where a command is echoed: options and printed names say no more than the other call does.
bool is_echo(const FoundCall& one, const FoundCall& other);

/// Says what it means that a call's bits differ from run to run, where the text says so.
void add_repetition(Reading& reading);

/// Gives a layer the shape that was typed; calls that cannot be understood after all are parts.
void complete_calls(const Given& given, Reading& reading);

/// Adds to the calls of a reading what their numbers say: channels that seem to be last, elements
/// that no output reads, errors that a right library shows where numbers differ.
void add_notes(Reading& reading);

}  // namespace gradproof::advice
