// `fuzz_seeds CASES OUT`: the stored cases of a folder as inputs of each target, a file each in
// OUT/<target>/, and dictionaries of the values that decide, OUT/<target>.dict.

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "corpus/case_json.h"
#include "fuzz/ascendc/ascendc_tiling.h"
#include "fuzz/records/boundary_values.h"
#include "fuzz/records/case_from_bytes.h"
#include "fuzz/records/choices.h"
#include "properties/advice/logs/call_table.h"

namespace gradproof::fuzz {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const std::string& problem) {
  fmt::print(stderr, "fuzz_seeds: {}\n", problem);
  std::exit(2);
}

std::vector<corpus::Case> cases_in(const fs::path& folder) {
  std::vector<corpus::Case> cases;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.path().extension() != ".jsonl") continue;
    const auto read = corpus::read_cases(entry.path());
    if (!read) fail(read.error().text());
    cases.insert(cases.end(), read->begin(), read->end());
  }
  return cases;
}

template <typename Bytes>
void store(const fs::path& file, const Bytes& bytes) {
  fs::create_directories(file.parent_path());
  std::ofstream out(file, std::ios::binary);
  out.write(reinterpret_cast<const char*>(bytes.data()),
            static_cast<std::streamsize>(bytes.size()));
  if (!out.flush()) fail(file.string() + ": cannot be written");
}

void store_case(const corpus::Case& test_case, std::size_t number, const fs::path& out) {
  const std::string name = fmt::format("stored-{:04}", number);
  store(out / "fuzz_case_json" / name, corpus::to_json_line(test_case));
  if (test_case.api != corpus::Api::ConvolutionBackward) return;
  store(out / "fuzz_status" / name, bytes_of_case(test_case, any_size));
  corpus::Case small = test_case;
  if (!small.data) small.data.emplace().distribution = recipes[number % recipes.size()];
  const auto bytes = bytes_of_case(small, small_calls);
  store(out / "fuzz_values" / name, bytes);
  store(out / "fuzz_layouts" / name, bytes);
  if (!small.input || small.input->shape.size() != 5) return;
  CaseGenes genes = genes_from_bytes(bytes);
  genes.flags &= static_cast<std::uint8_t>(~program_flag);
  store(out / "fuzz_ascendc" / (name + "-tiling"), bytes_of_genes(genes));
  genes.flags |= program_flag;
  genes.edits.clear();
  store(out / "fuzz_ascendc" / (name + "-program"), bytes_of_genes(genes));
}

/// A line of a libFuzzer dictionary.
std::string entry(std::string_view bytes) {
  std::string line = "\"";
  for (const char byte : bytes) line += fmt::format("\\x{:02x}", static_cast<unsigned char>(byte));
  return line + "\"\n";
}

std::string record_dictionary() {
  std::string text =
      "# Numbers at which rules, types and tiles change their mind, as edits hold them.\n";
  for (const std::int64_t value : boundary_values()) {
    const auto bits = static_cast<std::uint64_t>(value);
    std::string bytes;
    for (int i = 0; i < 8; ++i) bytes += static_cast<char>(bits >> (8 * i));
    text += entry(bytes);
  }
  return text;
}

/// Keys, names and numbers of case files: every token of the stored cases, once.
std::string text_dictionary(const std::vector<corpus::Case>& cases) {
  std::vector<std::string> tokens{"true", "false", "null", "1e999", "-0", "\\u0000"};
  for (const corpus::Case& test_case : cases) {
    const std::string line = corpus::to_json_line(test_case);
    for (std::size_t end = 0, begin = 0; (begin = line.find('"', end)) != std::string::npos;) {
      end = line.find('"', begin + 1) + 1;
      if (line[end] == ':') tokens.push_back(line.substr(begin, end + 1 - begin));
    }
  }
  for (const auto type : data_types) tokens.push_back(fmt::format("\"{}\"", corpus::name_of(type)));
  for (const auto format : formats)
    tokens.push_back(fmt::format("\"{}\"", corpus::name_of(format)));
  for (const std::int64_t value : boundary_values()) tokens.push_back(std::to_string(value));
  std::ranges::sort(tokens);
  tokens.erase(std::unique(tokens.begin(), tokens.end()), tokens.end());
  std::string text = "# Keys, names and numbers of case files.\n";
  for (const std::string& token : tokens) text += entry(token);
  return text;
}

/// A call of each notation, and the words that the reader of texts knows.
void store_texts(const fs::path& out) {
  std::size_t number = 0;
  for (const auto& row : advice::call_rows())
    store(out / "fuzz_texts" / fmt::format("notation-{:02}", number++), row.looks_like);
  std::string dictionary;
  for (const std::string& key : advice::known_keys()) dictionary += entry(key);
  store(out / "fuzz_texts.dict", dictionary);
}

}  // namespace
}  // namespace gradproof::fuzz

int main(int argc, char** argv) {
  using namespace gradproof::fuzz;
  if (argc != 3) fail("usage: fuzz_seeds CASES OUT");
  const fs::path out = argv[2];
  const auto cases = cases_in(argv[1]);
  for (std::size_t i = 0; i < cases.size(); ++i) store_case(cases[i], i, out);
  const std::string record = record_dictionary();
  for (const char* target :
       {"fuzz_values", "fuzz_status", "fuzz_layouts", "fuzz_call_sequence", "fuzz_ascendc"}) {
    store(out / (std::string(target) + ".dict"), record);
  }
  store_texts(out);
  store(out / "fuzz_case_json.dict", text_dictionary(cases));
  fmt::print("fuzz_seeds: {} cases in {}\n", cases.size(), out.string());
  return 0;
}
