// `main` of a fuzz target without an engine, for any compiler: replays files, and makes inputs by
// itself, guided by nothing. Under AFL++ the persistent loop.
//
//   PROGRAM [--runs N] [--seed S] [--time SECONDS] [FILE|FOLDER]...
//   PROGRAM --shrink FILE

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "corpus/random_source.h"
#include "fuzz/engine/engine.h"
#include "fuzz/engine/finding.h"

#ifdef __AFL_FUZZ_TESTCASE_LEN
__AFL_FUZZ_INIT();
#endif

namespace gradproof::fuzz {

/// Returns whether AFL++ drove this process. Its macros declare functions of its runtime where they
/// stand: in an unnamed namespace these would be others.
static bool run_under_afl() {
#ifdef __AFL_FUZZ_TESTCASE_LEN
  if (std::getenv("__AFL_SHM_ID") == nullptr) return false;
  __AFL_INIT();  // before the library is started: its threads would not survive a fork
  const unsigned char* data = __AFL_FUZZ_TESTCASE_BUF;
  constexpr int inputs_of_a_process = 10'000;
  while (__AFL_LOOP(inputs_of_a_process)) {
    LLVMFuzzerTestOneInput(data, to_size(__AFL_FUZZ_TESTCASE_LEN));
  }
  return true;
#else
  return false;
#endif
}

namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;
using Input = std::vector<std::uint8_t>;

constexpr std::size_t most_bytes_of_input = 4096;

struct Options {
  std::uint64_t runs = 0, seed = 1;
  std::chrono::seconds time{0};  ///< 0: until all runs are done
  std::vector<fs::path> inputs;
};

constexpr const char* usage =
    "usage: {0} [--runs N] [--seed S] [--time SECONDS] [FILE|FOLDER]...   inputs to run, then N "
    "made ones\n"
    "       {0} --shrink FILE                                        the smallest case that "
    "fails alike\n";

[[noreturn]] void refuse(const char* program, const std::string& problem) {
  fmt::print(stderr, "{}: {}\n", program, problem);
  fmt::print(stderr, usage, program);
  std::exit(2);
}

std::optional<std::uint64_t> number(const std::string& text) {
  if (text.empty() || text.find_first_not_of("0123456789") != std::string::npos) {
    return std::nullopt;
  }
  return std::strtoull(text.c_str(), nullptr, 10);
}

Options read_options(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    const bool has_number = word == "--runs" || word == "--seed" || word == "--time";
    if (word.starts_with("--") && !has_number) refuse(argv[0], fmt::format("{}: no option", word));
    if (!has_number) {
      options.inputs.emplace_back(word);
      continue;
    }
    const auto value = i + 1 < argc ? number(argv[++i]) : std::nullopt;
    if (!value) refuse(argv[0], fmt::format("{} needs a number", word));
    if (word == "--runs") options.runs = *value;
    if (word == "--seed") options.seed = *value;
    if (word == "--time") options.time = std::chrono::seconds(*value);
  }
  if (options.time.count() > 0 && options.runs == 0) options.runs = UINT64_MAX;
  return options;
}

Input read_file(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// Files, and those of folders, in the order of their names.
std::vector<fs::path> files_of(const char* program, const std::vector<fs::path>& inputs) {
  std::vector<fs::path> files;
  for (const fs::path& input : inputs) {
    if (!fs::exists(input)) refuse(program, input.string() + ": no such file or folder");
    if (!fs::is_directory(input)) {
      files.push_back(input);
      continue;
    }
    const std::size_t before = files.size();
    for (const auto& entry : fs::recursive_directory_iterator(input)) {
      if (entry.is_regular_file()) files.push_back(entry.path());
    }
    std::sort(files.begin() + static_cast<std::ptrdiff_t>(before), files.end());
  }
  return files;
}

/// A new input from one of those that are there.
Input made(const std::vector<Input>& pool, corpus::RandomSource& random) {
  static Input room(most_bytes_of_input);
  const Input& from = random.one_of(std::span(pool));
  const std::size_t size = std::min(from.size(), most_bytes_of_input);
  std::copy_n(from.begin(), size, room.begin());
  const auto seed = static_cast<unsigned>(random.next());
  const std::size_t made_size = LLVMFuzzerCustomMutator != nullptr
                                    ? LLVMFuzzerCustomMutator(room.data(), size, room.size(), seed)
                                    : LLVMFuzzerMutate(room.data(), size, room.size());
  return {room.begin(), room.begin() + static_cast<std::ptrdiff_t>(made_size)};
}

/// Made inputs are made from again, so that changes pile up.
constexpr std::size_t largest_pool = 512;

std::uint64_t run_made(const Options& options, std::vector<Input> pool) {
  if (pool.empty()) pool.emplace_back();
  corpus::RandomSource random(options.seed, 0);
  const auto begin = Clock::now();
  std::uint64_t run = 0;
  for (; run < options.runs; ++run) {
    constexpr std::uint64_t now_and_then = 64;
    const bool timed = options.time.count() > 0 && run % now_and_then == 0;
    if (timed && Clock::now() - begin >= options.time) break;
    Input input = made(pool, random);
    LLVMFuzzerTestOneInput(input.data(), input.size());
    if (pool.size() < largest_pool) {
      pool.push_back(std::move(input));
    } else if (random.chance(20)) {
      pool[to_size(random.between(0, largest_pool - 1))] = std::move(input);
    }
  }
  return run;
}

extern "C" void die_with_words(int signal) {
  std::signal(signal, SIG_DFL);
  blame_case_in_flight();
  std::raise(signal);
}

void watch_for_death() {
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) {
    std::signal(signal, die_with_words);
  }
}

int run(int argc, char** argv) {
  if (LLVMFuzzerInitialize != nullptr) LLVMFuzzerInitialize(&argc, &argv);
  if (run_under_afl()) return 0;
  const Options options = read_options(argc, argv);
  watch_for_death();
  const auto begin = Clock::now();
  std::vector<Input> pool;
  for (const fs::path& file : files_of(argv[0], options.inputs)) {
    pool.push_back(read_file(file));
    LLVMFuzzerTestOneInput(pool.back().data(), pool.back().size());
  }
  const std::size_t stored = pool.size();
  const std::uint64_t made_ones = run_made(options, std::move(pool));
  const std::chrono::duration<double> seconds = Clock::now() - begin;
  fmt::print("{}: {} stored and {} made inputs, {:.0f} a second, no finding\n",
             fs::path(argv[0]).filename().string(), stored, made_ones,
             static_cast<double>(stored + made_ones) / seconds.count());
  return 0;
}

}  // namespace
}  // namespace gradproof::fuzz

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size,
                                        std::size_t max_size) {
  static gradproof::corpus::RandomSource random(0x6D757461, 0);
  const auto place = [&](std::size_t count) {
    return gradproof::to_size(random.between(0, static_cast<std::int64_t>(count) - 1));
  };
  const std::int64_t kind = random.between(0, 3);
  if (size == 0 || (kind == 0 && size < max_size)) {  // one more byte
    if (size == max_size) return size;
    const std::size_t at = place(size + 1);
    std::copy_backward(data + at, data + size, data + size + 1);
    data[at] = static_cast<std::uint8_t>(random.next());
    return size + 1;
  }
  const std::size_t at = place(size);
  if (kind == 1) {  // one less
    std::copy(data + at + 1, data + size, data + at);
    return size - 1;
  }
  data[at] = static_cast<std::uint8_t>(kind == 2 ? data[at] ^ (1U << place(8)) : random.next());
  return size;
}

int main(int argc, char** argv) { return gradproof::fuzz::run(argc, argv); }
