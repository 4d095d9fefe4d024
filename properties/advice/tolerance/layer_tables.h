#pragma once

#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "properties/advice/tolerance/gradient_tolerance.h"
#include "properties/findings/report/report_table.h"

namespace gradproof::advice {

/// A cell of the tables: one gradient of a layer in one precision mode.
struct ToleranceCell {
  std::string layer, mode;
  corpus::OutputRole role = corpus::OutputRole::GradInput;
  GradientTolerance tolerance;
};

/// Every layer in every mode that it is legal in: FLOAT, FLOAT16 and BF16 with the cubeMathTypes of
/// Ascend910B and Ascend950 that differ in what is computed. (8-bit floats have so few digits that
/// small data add without any error: no case within [-1, 1] reaches their bounds.) All gradients
/// are asked for. Errors: a sentence that names the layer.
tl::expected<std::vector<ToleranceCell>, std::string> tolerance_cells(
    const std::vector<corpus::Case>& layers, const ToleranceSettings& settings);

/// A table for each gradient, with a row for each layer and atol for each mode; then how much of
/// their bounds the constructed cases reach, and which published tolerances reject them.
std::vector<findings::ReportTable> tolerance_tables(const std::vector<ToleranceCell>& cells,
                                                    const ToleranceSettings& settings);

}  // namespace gradproof::advice
