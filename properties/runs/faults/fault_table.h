#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "properties/findings/report/report_table.h"
#include "properties/runs/faults/fault_trial.h"

namespace gradproof::runs {

/// Summary of the trials of a run.
struct FaultTrials {
  std::vector<Trial> seeded;
  Trial clean;  ///< the kernel without a fault, for as long as all others together

  std::size_t found() const;
  std::size_t false_alarms() const;  ///< findings on the clean kernel
  std::size_t named() const;         ///< whose diagnosis names the faulty quantity
  double median_seconds() const;     ///< to find; 0 where nothing was found
  double median_non_zeros() const;
};

/// One row of a fault, with its line end; the heading of such rows.
std::string fault_heading();
std::string fault_row(const Trial& trial);

std::string faults_as_markdown(const FaultTrials& trials);
std::string faults_as_json(const FaultTrials& trials);

/// The table that reports show, of what faults_as_json wrote. Errors: what is not as it writes it.
tl::expected<findings::ReportTable, std::string> fault_report_table(const std::string& json_text);

/// "faults: 60 seeded, 60 found, 0 missed, 0 false alarms; median 0.4 s to find".
std::string faults_last_line(const FaultTrials& trials);

}  // namespace gradproof::runs
