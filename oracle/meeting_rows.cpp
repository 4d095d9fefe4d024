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
    runs_[i].reserve(static_cast<std::size_t>(positions_[i]));
    for (std::int64_t position = 0; position < positions_[i]; ++position) {
      runs_[i].push_back(runs_of(axis, driver, position, is_innermost));
    }
  }
}

MeetingRows::Runs MeetingRows::runs_of(const Axis& axis, Driver driver, std::int64_t position,
                                       bool joined) {
  Runs runs;
  for (std::int64_t place = 0; place < axis.kernel; ++place) {
    const std::int64_t tap = driver == Driver::Small ? place : axis.kernel - 1 - place;
    const auto met =
        driver == Driver::Small ? axis.big_at(position, tap) : axis.small_at(position, tap);
    if (!met) continue;
    const bool continues = joined && !runs.empty() &&
                           runs.back().tap + runs.back().count == place &&
                           runs.back().position + runs.back().count == *met;
    if (continues) {
      ++runs.back().count;
    } else {
      runs.push_back({place, *met, 1});
    }
  }
  return runs;
}

const std::vector<Row>& MeetingRows::at(std::int64_t d, std::int64_t h, std::int64_t w) {
  rows_.clear();
  for (const Run& depth : runs_[0][static_cast<std::size_t>(d)]) {
    for (const Run& height : runs_[1][static_cast<std::size_t>(h)]) {
      const std::int64_t map_line = (depth.position * lengths_[1] + height.position) * lengths_[2];
      const std::int64_t tap_line = (depth.tap * kernel_[1] + height.tap) * kernel_[2];
      for (const Run& width : runs_[2][static_cast<std::size_t>(w)]) {
        rows_.push_back({(map_line + width.position) * channels_,
                         (tap_line + width.tap) * channels_, width.count * channels_});
      }
    }
  }
  return rows_;
}

}  // namespace gradproof::oracle
