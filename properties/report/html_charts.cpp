#include "properties/report/html_charts.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "properties/coverage/legal_pairs.h"
#include "properties/report/markup.h"

namespace gradproof::properties {
namespace {

constexpr std::array series{"var(--s1)", "var(--s2)", "var(--s3)"};

std::uint64_t largest(const UlpCounts& counts) { return *std::ranges::max_element(counts); }

/// 0 for none, and from one eighth for a single one to 1 for the most.
double height(std::uint64_t count, std::uint64_t most) {
  if (count == 0 || most == 0) return 0;
  constexpr double least = 0.125;
  const double top = std::log1p(static_cast<double>(most));
  return std::max(least, std::log1p(static_cast<double>(count)) / top);
}

std::string bucket_name(std::size_t bucket) {
  if (bucket == 0) return "0 ULP";
  if (bucket == 1) return "up to 1 ULP";
  const std::uint64_t low = std::uint64_t{1} << (bucket - 2);
  if (bucket + 1 == ulp_buckets) return fmt::format("above {} ULP", low);
  return fmt::format("above {} up to {} ULP", low, 2 * low);
}

/// The picture of error against length: pixels of powers of ten.
struct Plane {
  static constexpr double width = 960, height = 360, left = 64, right = 16, top = 14, bottom = 40;
  double last_decade = 4;                      ///< of products
  static constexpr double low = -6, high = 1;  ///< decades of error / bound

  double x(double products) const {
    return left + std::log10(std::max(products, 1.0)) / last_decade * (width - left - right);
  }
  double y(double ratio) const {
    const double decade = std::clamp(std::log10(ratio), low, high);
    return top + (high - decade) / (high - low) * (height - top - bottom);
  }
};

void add_axes(std::string& svg, const Plane& plane) {
  auto out = std::back_inserter(svg);
  constexpr double end_x = Plane::width - Plane::right, end_y = Plane::height - Plane::bottom;
  for (int decade = 0; decade <= static_cast<int>(plane.last_decade); ++decade) {
    const double x = plane.x(std::pow(10.0, decade));
    fmt::format_to(out,
                   "<path class=\"axis\" d=\"M{0:.1f} {1}V{2}\"/><text x=\"{0:.1f}\" y=\"{3}\" "
                   "text-anchor=\"middle\">10<tspan dy=\"-4\" font-size=\"8\">{4}</tspan></text>",
                   x, Plane::top, end_y, end_y + 16, decade);
  }
  for (int decade = static_cast<int>(Plane::low); decade <= static_cast<int>(Plane::high);
       ++decade) {
    const double y = plane.y(std::pow(10.0, decade));
    fmt::format_to(out,
                   "<path class=\"axis\" d=\"M{0} {1:.1f}H{2}\"/><text x=\"{3}\" y=\"{4:.1f}\" "
                   "text-anchor=\"end\">{5:g}</text>",
                   Plane::left, y, end_x, Plane::left - 8, y + 4, std::pow(10.0, decade));
  }
  fmt::format_to(out,
                 "<text x=\"{:.1f}\" y=\"{}\" text-anchor=\"middle\">products in the longest sum, "
                 "K</text><text transform=\"translate(13 {:.1f}) rotate(-90)\" "
                 "text-anchor=\"middle\">largest error / bound</text>",
                 (Plane::left + end_x) / 2, Plane::height - 6, (Plane::top + end_y) / 2);
}

void add_lines(std::string& svg, const Plane& plane) {
  const double end = std::pow(10.0, plane.last_decade);
  fmt::format_to(std::back_inserter(svg),
                 "<path d=\"M{0} {1:.1f}H{2}\" stroke=\"var(--bad)\" stroke-width=\"1.5\"/>"
                 "<text x=\"{2}\" y=\"{3:.1f}\" text-anchor=\"end\">the bound</text>"
                 "<path d=\"M{0} {1:.1f}L{2} {4:.1f}\" stroke=\"var(--soft)\" stroke-width=\"1.5\" "
                 "stroke-dasharray=\"5 4\"/><text x=\"{2}\" y=\"{5:.1f}\" text-anchor=\"end\">1 / "
                 "\xE2\x88\x9AK</text>",
                 Plane::left, plane.y(1), Plane::width - Plane::right, plane.y(1) - 6,
                 plane.y(1 / std::sqrt(end)), plane.y(1 / std::sqrt(end)) + 14);
}

void add_point(std::string& svg, const Plane& plane, const LengthPoint& point, double shift) {
  auto out = std::back_inserter(svg);
  const double x = plane.x(point.products) + shift;
  if (point.typical_ratio > 0) {
    fmt::format_to(out,
                   "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"2.5\" fill=\"none\" "
                   "stroke=\"var(--s2)\"/>",
                   x, plane.y(point.typical_ratio));
  }
  if (point.worst_ratio > 0) {
    fmt::format_to(out, "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"2.5\" fill=\"var(--{})\"/>", x,
                   plane.y(point.worst_ratio), point.worst_ratio > 1 ? "bad" : "s1");
  }
}

struct PairCell {
  std::string fill, words;
};

PairCell pair_cell(const Coverage& coverage, std::size_t i, std::size_t j, double most) {
  const std::uint64_t count = coverage.pairs.at(j).at(i);
  if (const auto reason = why_illegal(j, i); !reason.empty()) {
    return {"var(--mutebg)", "illegal, " + std::string(reason)};
  }
  if (count == 0) return {"var(--bad)", "legal, never met"};
  const double share = std::log1p(static_cast<double>(count)) / most;
  return {fmt::format("rgba(var(--scale),{:.2f})", 0.15 + 0.75 * share),
          fmt::format("{} calls", count)};
}

double most_pairs(const Coverage& coverage) {
  std::uint64_t most = 1;
  for (const auto& row : coverage.pairs) most = std::max(most, *std::ranges::max_element(row));
  return std::log1p(static_cast<double>(most));
}

}  // namespace

std::string filter_attributes(const Mode& mode) {
  const std::string soc =
      mode.soc.empty() ? "" : fmt::format(" data-soc=\"{}\"", escaped(mode.soc));
  return fmt::format("{} data-dtype=\"{}\" data-cube=\"{}\"", soc, escaped(mode.dtypes),
                     mode.cube_math_type);
}

std::string ulp_sparkline(const UlpCounts& counts) {
  constexpr double step = 5, full = 16;
  std::string path;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const double tall = full * height(counts.at(i), largest(counts));
    if (tall == 0) continue;
    fmt::format_to(std::back_inserter(path), "M{:g} {}v{:.1f}h4v{:.1f}z", step * double(i), full,
                   -tall, tall);
  }
  return fmt::format(
      "<svg width=\"80\" height=\"16\" viewBox=\"0 0 80 16\" aria-hidden=\"true\"><path "
      "class=\"spark\" d=\"{}\"/></svg>",
      path);
}

std::string ulp_histogram(const std::array<const UlpCounts*, 3>& gradients) {
  constexpr double step = 16, full = 64, bottom = 70;
  std::uint64_t most = 0;
  for (const UlpCounts* counts : gradients) most = std::max(most, counts ? largest(*counts) : 0);
  std::string svg =
      "<svg viewBox=\"0 0 260 86\" role=\"img\" aria-label=\"elements by distance in "
      "ULP\">";
  auto out = std::back_inserter(svg);
  for (std::size_t bucket = 0; bucket < ulp_buckets; ++bucket) {
    for (std::size_t role = 0; role < gradients.size(); ++role) {
      const std::uint64_t count = gradients.at(role) ? gradients.at(role)->at(bucket) : 0;
      if (count == 0) continue;
      const double tall = full * height(count, most);
      fmt::format_to(out,
                     "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"4\" height=\"{:.1f}\" fill=\"{}\">"
                     "<title>{}: {} elements, {}</title></rect>",
                     2 + step * static_cast<double>(bucket) + 4.5 * static_cast<double>(role),
                     bottom - tall, tall, series.at(role),
                     corpus::name_of(static_cast<corpus::OutputRole>(role)), count,
                     bucket_name(bucket));
    }
  }
  fmt::format_to(out, "<path class=\"axis\" d=\"M0 {0}H258\"/>", bottom);
  constexpr std::array<std::pair<std::size_t, std::string_view>, 5> ticks{
      {{0, "0"}, {1, "1"}, {5, "16"}, {10, "512"}, {15, "&gt;8k"}}};
  for (const auto& [bucket, name] : ticks) {
    fmt::format_to(out, "<text x=\"{}\" y=\"83\" text-anchor=\"middle\">{}</text>",
                   8.5 + step * static_cast<double>(bucket), name);
  }
  return svg + "</svg>";
}

std::string length_scatter(const std::vector<LengthPoint>& points) {
  Plane plane;
  for (const LengthPoint& point : points) {
    plane.last_decade = std::max(plane.last_decade, std::ceil(std::log10(point.products)));
  }
  std::string svg = fmt::format(
      "<svg viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"largest error divided by its bound, "
      "against the number of products in the longest sum\">",
      Plane::width, Plane::height);
  add_axes(svg, plane);
  add_lines(svg, plane);
  // Modes stand side by side within a bucket, so that none hides another.
  const Mode* mode = nullptr;
  std::size_t number = 0;
  for (const LengthPoint& point : points) {
    const bool is_next = mode == nullptr || *mode != point.mode;
    if (is_next) {
      svg += fmt::format("{}<g data-f{}>", mode ? "</g>" : "", filter_attributes(point.mode));
      mode = &point.mode;
      ++number;
    }
    const double place = static_cast<double>(number * 7 % 17) / 16 - 0.5;
    const double bucket = plane.x(std::pow(10.0, 1.0 / lengths_per_decade)) - plane.x(1);
    add_point(svg, plane, point, 0.8 * bucket * place);
  }
  return svg + (mode ? "</g></svg>" : "</svg>");
}

std::string pair_matrix(const Coverage& coverage) {
  constexpr double cell = 17, left = 104, top = 100;
  const double size = cell * static_cast<double>(call_classes.size());
  std::string svg = fmt::format(
      "<svg viewBox=\"0 0 {:g} {:g}\" role=\"img\" aria-label=\"pairs of classes of calls, and how "
      "often each was met\">",
      left + size + 2, top + size + 2);
  auto out = std::back_inserter(svg);
  const double most = most_pairs(coverage);
  for (std::size_t i = 0; i < call_classes.size(); ++i) {
    const double at = cell * static_cast<double>(i);
    fmt::format_to(out, "<text x=\"{}\" y=\"{:g}\" text-anchor=\"end\">{}</text>", left - 6,
                   top + at + 12.5, escaped(call_classes.at(i).name));
    fmt::format_to(out, "<text transform=\"translate({:g} {}) rotate(-90)\">{}</text>",
                   left + at + 12.5, top - 6, escaped(call_classes.at(i).name));
    for (std::size_t j = 0; j < i; ++j) {
      if (call_classes.at(i).dimension == call_classes.at(j).dimension) continue;
      const PairCell filled = pair_cell(coverage, i, j, most);
      fmt::format_to(out,
                     "<rect x=\"{:g}\" y=\"{:g}\" width=\"16\" height=\"16\" fill=\"{}\"><title>{} "
                     "\xC3\x97 {}: {}</title></rect>",
                     left + cell * static_cast<double>(j), top + at, filled.fill,
                     escaped(call_classes.at(i).name), escaped(call_classes.at(j).name),
                     escaped(filled.words));
    }
  }
  return svg + "</svg>";
}

}  // namespace gradproof::properties
