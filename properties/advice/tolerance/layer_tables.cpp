#include "properties/advice/tolerance/layer_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "corpus/data_type.h"
#include "corpus/product.h"
#include "oracle/arithmetic/arithmetic_model.h"
#include "properties/advice/explain/change.h"
#include "properties/advice/tolerance/gradient_tolerance.h"
#include "properties/targets/target/derived_shapes.h"

namespace gradproof::advice {
namespace {

using corpus::Case;
using corpus::DataType;
using corpus::OutputRole;

constexpr corpus::Product products[] = {corpus::Product::Ascend910B, corpus::Product::Ascend950};
constexpr std::int8_t math_types = 4;

/// A product, dtype and cubeMathType, and what they mean.
struct PrecisionMode {
  corpus::Product product = corpus::Product::Ascend910B;
  DataType dtype = DataType::Float;
  std::int8_t math_type = 0;
  std::string name;
};

Case in_mode(const Case& layer, const PrecisionMode& mode) {
  Case call = layer;
  call.soc = corpus::name_of(mode.product);
  call.cube_math_type = mode.math_type;
  for (const corpus::InputRole role : corpus::input_roles) {
    corpus::tensor(call, role)->dtype = mode.dtype;
  }
  for (const OutputRole role : corpus::output_roles) corpus::tensor(call, role).emplace();
  call.bias_sizes.emplace();
  targets::make_outputs_fit(call);
  call.output_mask = std::vector{true, true, true};
  return call;
}

/// The dtype and what is multiplied; the product's modes that compute the same are one.
std::string name_of(const PrecisionMode& mode) {
  const auto format = oracle::compute_format(mode.product, mode.dtype, mode.math_type);
  if (!format) return {};
  const auto dtype = std::string(corpus::name_of(mode.dtype));
  const std::string operands(oracle::name_of(*format));
  return dtype == operands ? dtype : fmt::format("{} as {}", dtype, operands);
}

std::vector<PrecisionMode> all_modes() {
  std::vector<PrecisionMode> modes;
  std::set<std::string> known;
  for (const corpus::Product product : products) {
    for (const DataType dtype : corpus::data_types()) {
      for (std::int8_t math_type = 0; math_type < math_types; ++math_type) {
        if (!corpus::is_wide_float(dtype)) continue;
        PrecisionMode mode{product, dtype, math_type, {}};
        mode.name = name_of(mode);
        if (!mode.name.empty() && known.insert(mode.name).second) modes.push_back(mode);
      }
    }
  }
  return modes;
}

std::vector<std::string> modes_of(const std::vector<ToleranceCell>& cells) {
  std::vector<std::string> names;
  for (const ToleranceCell& cell : cells) {
    if (std::ranges::find(names, cell.mode) == names.end()) names.push_back(cell.mode);
  }
  return names;
}

/// "37.6 / 0.0015".
std::string atol_words(const GradientTolerance& tolerance) {
  const auto& typical = tolerance.computation.typical;
  return fmt::format("{} / {}", rounded_up(tolerance.scalar.absolute),
                     typical ? rounded_up(typical->absolute) : "-");
}

/// One gradient's cells, by layer in their order.
findings::ReportTable table_of(const std::vector<ToleranceCell>& cells, OutputRole role,
                               const ToleranceSettings& settings) {
  findings::ReportTable table;
  table.title = fmt::format("{}: atol at worst / typically, data {}", corpus::name_of(role),
                            settings.data.words);
  const auto modes = modes_of(cells);
  std::map<std::string, double> relative;
  for (const ToleranceCell& cell : cells) {
    if (cell.role != role) continue;
    const bool is_new = table.rows.empty() || table.rows.back().cells.front() != cell.layer;
    const GradientComputation& computation = cell.tolerance.computation;
    if (is_new) {
      table.rows.push_back({.cells = {cell.layer, fmt::format("{}", computation.longest_sum)}});
      table.rows.back().cells.resize(2 + modes.size(), "-");
    }
    const auto column = std::ranges::find(modes, cell.mode) - modes.begin();
    table.rows.back().cells.at(to_size(column) + 2) = atol_words(cell.tolerance);
    relative[cell.mode] = cell.tolerance.scalar.relative;
  }
  table.columns = {{"layer", "", true}, {"products", "", false}};
  for (const std::string& mode : modes) {
    table.columns.push_back(
        {fmt::format("{}, rtol {}", mode, rounded_up(relative[mode])), "", false});
  }
  return table;
}

struct Count {
  std::size_t rejected = 0, judged = 0;
};

/// Table by mode: the least that a constructed case reaches of its bound, and who rejects how many.
findings::ReportTable reached_table(const std::vector<ToleranceCell>& cells) {
  findings::ReportTable table;
  table.title = "What the constructed cases reach of their bounds";
  table.columns = {{"mode", "", true},
                   {"cells", "", false},
                   {"least in order", "", false},
                   {"least of target", "", false},
                   {"median of target", "", false}};
  for (const std::string& mode : modes_of(cells)) {
    double least = 1;
    std::vector<double> of_target;
    std::size_t count = 0;
    for (const ToleranceCell& cell : cells) {
      if (cell.mode != mode) continue;
      ++count;
      const WorstRun& run = cell.tolerance.any_order;
      if (run.reached_in_order) least = std::min(least, *run.reached_in_order);
      if (run.reached) of_target.push_back(*run.reached);
    }
    std::ranges::sort(of_target);
    const auto words = [&](std::size_t index) {
      return of_target.empty() ? std::string("-") : fmt::format("{:.3f}", of_target.at(index));
    };
    table.rows.push_back({.cells = {mode, fmt::format("{}", count), fmt::format("{:.3f}", least),
                                    words(0), words(of_target.size() / 2)}});
  }
  return table;
}

findings::ReportTable standards_table(const std::vector<ToleranceCell>& cells) {
  findings::ReportTable table;
  table.title = "Published tolerances on these correct results: rejected of judged";
  const auto modes = modes_of(cells);
  std::map<std::pair<std::string, std::string>, Count> counts;
  std::vector<std::string> names;
  for (const ToleranceCell& cell : cells) {
    for (const StandardOpinion& standard : cell.tolerance.any_order.standards) {
      const std::string name(standard.name);
      if (std::ranges::find(names, name) == names.end()) names.push_back(name);
      Count& count = counts[{name, cell.mode}];
      count.judged += standard.opinion == Opinion::Abstains ? 0 : 1;
      count.rejected += standard.opinion == Opinion::Rejects ? 1 : 0;
    }
  }
  table.columns = {{"tolerance", "", true}};
  for (const std::string& mode : modes) table.columns.push_back({mode, "", false});
  for (const std::string& name : names) {
    findings::ReportTable::Row row{.cells = {name}};
    for (const std::string& mode : modes) {
      const Count& count = counts[{name, mode}];
      row.cells.push_back(count.judged == 0
                              ? std::string("-")
                              : fmt::format("{} of {}", count.rejected, count.judged));
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace

tl::expected<std::vector<ToleranceCell>, std::string> tolerance_cells(
    const std::vector<Case>& layers, const ToleranceSettings& settings) {
  std::vector<ToleranceCell> cells;
  for (const Case& layer : layers) {
    for (const PrecisionMode& mode : all_modes()) {
      const Case call = in_mode(layer, mode);
      if (!may_succeed(call, settings.judge.profile)) continue;
      auto gradients = tolerances_of(call, settings);
      if (!gradients) return tl::unexpected(layer.id + ": " + gradients.error());
      for (GradientTolerance& gradient : *gradients) {
        const OutputRole role = gradient.computation.role;
        gradient.any_order.worst = {};  // the cases of a table are many, and not kept
        cells.push_back({layer.id, mode.name, role, std::move(gradient)});
      }
    }
  }
  return cells;
}

std::vector<findings::ReportTable> tolerance_tables(const std::vector<ToleranceCell>& cells,
                                                    const ToleranceSettings& settings) {
  std::vector<findings::ReportTable> tables;
  tables.reserve(std::size(corpus::output_roles) + 2);
  for (const OutputRole role : corpus::output_roles) {
    tables.push_back(table_of(cells, role, settings));
  }
  tables.push_back(reached_table(cells));
  findings::ReportTable standards = standards_table(cells);
  if (!standards.rows.empty()) tables.push_back(std::move(standards));
  return tables;
}

}  // namespace gradproof::advice
