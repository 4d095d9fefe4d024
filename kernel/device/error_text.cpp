#include "kernel/device/error_text.h"

#include <utility>

namespace gradproof::kernel::device {
namespace {

/// A program that never asks for its error texts must not grow without bound: the oldest lines go.
constexpr std::size_t kept_error_lines = 256;

thread_local std::vector<std::string> lines;
thread_local aclError last = 0;

}  // namespace

void report_error(std::string line) {
  if (lines.size() == kept_error_lines) lines.erase(lines.begin());
  lines.push_back(std::move(line));
}

aclError refuse(aclError code, std::string line) {
  report_error(std::move(line));
  last = code;
  return code;
}

std::vector<std::string> take_error_lines() { return std::exchange(lines, {}); }

void set_last_error(aclError code) { last = code; }

aclError last_error() { return last; }

}  // namespace gradproof::kernel::device
