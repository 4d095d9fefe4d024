// Draws how cost grows, time against multiply-accumulates, both logarithmic:
// bench_plot OUT.svg RESULT.json, the result of growth_bench or a file with its rows.

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <fstream>
#include <iterator>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gradproof::bench {
namespace {

struct Point {
  double macs, microseconds;
};
using Series = std::map<std::string, std::vector<Point>>;

/// "growth/NAME/...": the points of each NAME.
Series series_of(const nlohmann::json& rows) {
  constexpr std::string_view prefix = "growth/";
  Series series;
  for (const auto& row : rows) {
    const std::string name = row.value("name", "");
    if (!name.starts_with(prefix) || !row.contains("MACs")) continue;
    const auto end = name.find('/', prefix.size());
    series[name.substr(prefix.size(), end - prefix.size())].push_back(
        {row["MACs"].get<double>(), row["real_time"].get<double>()});
  }
  return series;
}

/// Decades of the axes, and where they lie on the picture.
struct Frame {
  int macs_low = 2, macs_high = 10, time_low = 0, time_high = 8;
  double left = 70, top = 20, width = 560, height = 360;

  double x(double macs) const {
    return left + width * (std::log10(macs) - macs_low) / (macs_high - macs_low);
  }
  double y(double microseconds) const {
    return top + height * (time_high - std::log10(microseconds)) / (time_high - time_low);
  }
};

constexpr std::string_view colours[] = {"#1f6f8b", "#c1502e", "#5b8c3a", "#7a4f9a"};

std::string power_of_ten(int exponent) { return fmt::format("1e{}", exponent); }

std::string time_words(int exponent) {
  constexpr std::string_view words[] = {"1 us",   "10 us", "100 us", "1 ms", "10 ms",
                                        "100 ms", "1 s",   "10 s",   "100 s"};
  return std::string(words[static_cast<std::size_t>(exponent)]);
}

void draw_grid(const Frame& frame, std::string& svg) {
  auto out = std::back_inserter(svg);
  const double bottom = frame.top + frame.height;
  for (int decade = frame.macs_low; decade <= frame.macs_high; ++decade) {
    const double x = frame.x(std::pow(10, decade));
    fmt::format_to(out, "<path d='M{0:.1f} {1:.1f}V{2:.1f}' stroke='#ddd'/>", x, frame.top, bottom);
    fmt::format_to(out, "<text x='{:.1f}' y='{:.1f}' text-anchor='middle'>{}</text>\n", x,
                   bottom + 18, power_of_ten(decade));
  }
  for (int decade = frame.time_low; decade <= frame.time_high; ++decade) {
    const double y = frame.y(std::pow(10, decade));
    fmt::format_to(out, "<path d='M{:.1f} {:.1f}h{:.1f}' stroke='#ddd'/>", frame.left, y,
                   frame.width);
    fmt::format_to(out, "<text x='{:.1f}' y='{:.1f}' text-anchor='end'>{}</text>\n", frame.left - 8,
                   y + 4, time_words(decade));
  }
  fmt::format_to(out,
                 "<text x='{:.1f}' y='{:.1f}' text-anchor='middle'>multiply-accumulates of one "
                 "gradient</text>\n",
                 frame.left + frame.width / 2, bottom + 40);
}

/// What a machine would take that always did so many multiply-accumulates of three gradients.
void draw_rate(const Frame& frame, double macs_per_second, std::string_view words,
               std::string& svg) {
  const auto time = [&](double macs) { return 3 * macs / macs_per_second * 1e6; };
  const double from = std::max(std::pow(10, frame.macs_low), macs_per_second / 3e6);
  const double to = std::pow(10, frame.macs_high);
  fmt::format_to(std::back_inserter(svg),
                 "<path d='M{:.1f} {:.1f}L{:.1f} {:.1f}' stroke='#999' stroke-dasharray='4 4'/>"
                 "<text x='{:.1f}' y='{:.1f}' fill='#777' text-anchor='end'>{}</text>\n",
                 frame.x(from), frame.y(time(from)), frame.x(to), frame.y(time(to)),
                 frame.x(to) - 4, frame.y(time(to)) + 16, words);
}

void draw_series(const Frame& frame, std::string_view name, const std::vector<Point>& points,
                 std::size_t number, std::string& svg) {
  auto out = std::back_inserter(svg);
  const std::string_view colour = colours[number % std::size(colours)];
  std::string path;
  for (const Point& point : points) {
    const double x = frame.x(point.macs);
    const double y = frame.y(point.microseconds);
    fmt::format_to(std::back_inserter(path), "{}{:.1f} {:.1f}", path.empty() ? "M" : "L", x, y);
    fmt::format_to(out, "<circle cx='{:.1f}' cy='{:.1f}' r='3.5' fill='{}'/>", x, y, colour);
  }
  fmt::format_to(out, "<path d='{}' fill='none' stroke='{}' stroke-width='2'/>", path, colour);
  fmt::format_to(out, "<text x='{:.1f}' y='{:.1f}' fill='{}'>{}</text>\n", frame.left + 14,
                 frame.top + 20 + 18 * static_cast<double>(number), colour, name);
}

std::string picture(const Series& series) {
  const Frame frame;
  std::string svg =
      "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 660 440' width='660' height='440' "
      "font-family='sans-serif' font-size='12'>\n<rect width='660' height='440' fill='white'/>\n";
  draw_grid(frame, svg);
  draw_rate(frame, 1e9, "1 GMAC/s", svg);
  draw_rate(frame, 1e11, "100 GMAC/s", svg);
  std::size_t number = 0;
  for (const auto& [name, points] : series) draw_series(frame, name, points, number++, svg);
  return svg + "</svg>\n";
}

int fail(const std::string& problem) {
  fmt::print(stderr, "bench_plot: {}\n", problem);
  return 2;
}

int run(std::span<char*> arguments) {
  if (arguments.size() != 3) return fail("usage: bench_plot OUT.svg RESULT.json");
  std::ifstream file(arguments[2]);
  const auto result = nlohmann::json::parse(file, nullptr, false);
  if (result.is_discarded() || !result.contains("benchmarks")) {
    return fail(fmt::format("{}: no JSON with \"benchmarks\"", arguments[2]));
  }
  const Series series = series_of(result["benchmarks"]);
  if (series.empty()) return fail(fmt::format("{}: no rows of growth_bench", arguments[2]));
  std::ofstream out(arguments[1]);
  out << picture(series);
  out.flush();
  return out ? 0 : fail(fmt::format("{}: cannot be written", arguments[1]));
}

}  // namespace
}  // namespace gradproof::bench

int main(int count, char** arguments) try {
  return gradproof::bench::run({arguments, static_cast<std::size_t>(count)});
} catch (const std::exception& error) {
  return gradproof::bench::fail(error.what());
}
