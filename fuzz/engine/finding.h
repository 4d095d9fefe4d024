#pragma once

#include <filesystem>
#include <string_view>

#include "corpus/case.h"
#include "corpus/verdict.h"
#include "fuzz/engine/case_target.h"

namespace gradproof::fuzz {

/// The case that is being held against the target: what a crash is blamed on.
class CaseInFlight {
 public:
  CaseInFlight(const CaseTarget& target, const corpus::Case& test_case);
  ~CaseInFlight();
  CaseInFlight(const CaseInFlight&) = delete;
  CaseInFlight& operator=(const CaseInFlight&) = delete;
};

/// Stores and prints the case in flight, as large as it is, with the command that makes it small.
/// For signal handlers and sanitizers: the process is dying anyway, so it may do more than they
/// should, and an alarm ends it if that goes wrong.
void blame_case_in_flight();

/// The case with an id, and with a status expected where case files demand one: of tensors that
/// cannot exist.
corpus::Case replayable(corpus::Case test_case);

/// Prints the time that finding it took, before anything is made small: `TARGET: found after 0.41 s
/// of processor time`. For tables and for people.
void print_time_of_finding(std::string_view target);

/// A disagreement: the case is made small in this process, stored and printed with the command that
/// replays it; then the process aborts, which every engine takes for a finding.
[[noreturn]] void end_with_finding(const CaseTarget& target, const corpus::Case& test_case,
                                   const corpus::Verdict& verdict);

/// `PROGRAM --shrink FILE`: the case of an input, or of a case's JSON line, made small with every
/// try in a child process, so that crashes and hangs shrink as well; stored and printed. Returns
/// the exit code: 1 for a finding, 0 for none, 2 for a file that is no case.
int shrink_file(const CaseTarget& target, const std::filesystem::path& file);

}  // namespace gradproof::fuzz
