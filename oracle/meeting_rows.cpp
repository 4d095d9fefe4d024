#include "oracle/meeting_rows.h"

namespace gradproof::oracle {

MeetingRows::MeetingRows(const Geometry& geometry, Driver driver)
    : channels_(driver == Driver::Small ? geometry.big_channels : geometry.small_channels) {
  for (std::size_t i = 0; i < geometry.axes.size(); ++i) {
    const Axis& axis = geometry.axes[i];
    positions_[i] = driver == Driver::Small ? axis.small : axis.big;
    lengths_[i] = driver == Driver::Small ? axis.big : axis.small;
    kernel_[i] = axis.kernel;
    const bool is_innermost = i + 1 == geometry.axes.size();
    runs_[i].runs.reserve(static_cast<std::size_t>(positions_[i]));
    runs_[i].ends.reserve(static_cast<std::size_t>(positions_[i]));
    for (std::int64_t position = 0; position < positions_[i]; ++position) {
      add_runs(runs_[i], axis, driver, position, is_innermost);
    }
  }
}

void MeetingRows::add_runs(AxisRuns& to, const Axis& axis, Driver driver, std::int64_t position,
                           bool joined) {
  const std::size_t begin = to.runs.size();
  for (std::int64_t place = 0; place < axis.kernel; ++place) {
    const std::int64_t tap = driver == Driver::Small ? place : axis.kernel - 1 - place;
    const auto met =
        driver == Driver::Small ? axis.big_at(position, tap) : axis.small_at(position, tap);
    if (!met) continue;
    const bool continues = joined && to.runs.size() > begin &&
                           to.runs.back().tap + to.runs.back().count == place &&
                           to.runs.back().position + to.runs.back().count == *met;
    if (continues) {
      ++to.runs.back().count;
    } else {
      to.runs.push_back({place, *met, 1});
    }
  }
  to.ends.push_back(to.runs.size());
}

const std::vector<Row>& MeetingRows::at(std::int64_t d, std::int64_t h, std::int64_t w) {
  rows_.clear();
  for (const Run& depth : runs_[0].at(d)) {
    for (const Run& height : runs_[1].at(h)) {
      const std::int64_t map_line = (depth.position * lengths_[1] + height.position) * lengths_[2];
      const std::int64_t tap_line = (depth.tap * kernel_[1] + height.tap) * kernel_[2];
      for (const Run& width : runs_[2].at(w)) {
        rows_.push_back({(map_line + width.position) * channels_,
                         (tap_line + width.tap) * channels_, width.count * channels_});
      }
    }
  }
  return rows_;
}

}  // namespace gradproof::oracle
