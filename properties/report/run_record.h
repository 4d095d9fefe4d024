#pragma once

#include <string>

#include "corpus/case.h"
#include "corpus/verdict.h"

namespace gradproof::properties {

/// One run: the case with its data recipe, what the oracle said, and how to do it again.
struct RunRecord {
  corpus::Case problem;
  corpus::Verdict verdict;
  std::string repro;               ///< a command line
  bool first_run = true;           ///< false for further runs of the same case with other data
  bool ended_the_process = false;  ///< so it must not be run again in this one
};

}  // namespace gradproof::properties
