// Weaves seeded faults into a copy of the kernel's sources: weave KERNEL FAULT_FOLDER OUTPUT.
// Each place that a fault names becomes an expression that asks, at run time, which fault is
// seeded; OUTPUT/kernel is the copy, OUTPUT/fault_table.cpp the list of all faults.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace {

namespace fs = std::filesystem;

struct Fault {
  std::string name, quantity, file, after, here, faulty;
  std::string profile = "documented";
  std::string api;    ///< functions to ask for, apart by commas
  std::string where;  ///< FILE:LINE of the description, for errors
};

[[noreturn]] void fail(const std::string& where, const std::string& problem) {
  std::fprintf(stderr, "%s: error: %s\n", where.c_str(), problem.c_str());
  std::exit(1);
}

std::string read_file(const fs::path& path) {
  std::ifstream file(path);
  if (!file) fail(path.string(), "can't be read");
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

void write_file(const fs::path& path, const std::string& text) {
  fs::create_directories(path.parent_path());
  std::ofstream file(path);
  if (!(file << text).flush()) fail(path.string(), "can't be written");
}

std::string trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return std::string(text.substr(first, text.find_last_not_of(" \t\r") - first + 1));
}

void set_field(Fault& fault, const std::string& key, const std::string& value) {
  const std::map<std::string, std::string*> fields = {
      {"fault", &fault.name},      {"names", &fault.quantity}, {"file", &fault.file},
      {"after", &fault.after},     {"here", &fault.here},      {"faulty", &fault.faulty},
      {"profile", &fault.profile}, {"api", &fault.api}};
  const auto field = fields.find(key);
  if (field == fields.end()) fail(fault.where, "unknown key '" + key + "'");
  *field->second = value;
}

void add(std::vector<Fault>& faults, const Fault& fault) {
  if (fault.name.empty()) return;
  if (fault.file.empty() || fault.here.empty() || fault.faulty.empty()) {
    fail(fault.where, fault.name + " needs file, here and faulty");
  }
  if (fault.profile != "documented" && fault.profile != "released") {
    fail(fault.where, "profile is documented or released, not " + fault.profile);
  }
  const auto same = std::ranges::find(faults, fault.name, &Fault::name);
  if (same != faults.end()) fail(fault.where, fault.name + " was described at " + same->where);
  faults.push_back(fault);
}

/// Paragraphs of `key value` lines; `file`, `names` and `after` hold for the paragraph alone.
void read_faults(const fs::path& path, std::vector<Fault>& faults) {
  std::istringstream text(read_file(path));
  Fault fault;
  int number = 0;
  for (std::string line; std::getline(text, line);) {
    ++number;
    line = trimmed(line);
    if (line.starts_with('#')) continue;
    if (line.empty()) {
      add(faults, fault);
      fault = {};
      continue;
    }
    const auto blank = std::min(line.find(' '), line.size());
    fault.where = path.string() + ":" + std::to_string(number);
    set_field(fault, line.substr(0, blank), trimmed(std::string_view(line).substr(blank)));
  }
  add(faults, fault);
}

constexpr std::string_view opening = "«", closing = "»";

/// The expression of a source file that a fault replaces.
struct Place {
  std::size_t begin = 0, end = 0;

  friend bool operator>(const Place& left, const Place& right) { return left.begin > right.begin; }
};

std::size_t only_occurrence(const std::string& source, const std::string& text, std::size_t from,
                            const Fault& fault) {
  const auto found = source.find(text, from);
  if (found == std::string::npos) fail(fault.where, fault.file + " has no '" + text + "'");
  if (fault.after.empty() && source.find(text, found + 1) != std::string::npos) {
    fail(fault.where, fault.file + " has '" + text + "' more than once: say `after`");
  }
  return found;
}

Place place_of(const Fault& fault, const std::string& source) {
  const auto begin = fault.here.find(opening), end = fault.here.find(closing);
  if (begin == std::string::npos || end == std::string::npos || end < begin) {
    fail(fault.where, "here must have « and » around the expression");
  }
  const std::string expression =
      fault.here.substr(begin + opening.size(), end - begin - opening.size());
  const std::string plain =
      fault.here.substr(0, begin) + expression + fault.here.substr(end + closing.size());
  auto from = source.find(fault.after);
  if (from == std::string::npos) fail(fault.where, fault.file + " has no '" + fault.after + "'");
  from += fault.after.size();
  const auto first = only_occurrence(source, plain, from, fault) + begin;
  return {first, first + expression.size()};
}

/// Returns the expression with its faults: the first that is seeded replaces the expression.
std::string woven(const std::string& expression, const std::vector<std::size_t>& ids,
                  const std::vector<Fault>& faults) {
  std::string text = "(";
  for (const std::size_t id : ids) {
    text +=
        "::gradproof::kernel::seeded(" + std::to_string(id) + ") ? (" + faults[id].faulty + ") : ";
  }
  return text + "(" + expression + "))";
}

std::string weave(std::string source, const std::string& file, const std::vector<Fault>& faults,
                  std::set<std::string>& unused) {
  std::map<Place, std::vector<std::size_t>, std::greater<>> places;
  for (std::size_t id = 1; id < faults.size(); ++id) {
    if (faults[id].file != file) continue;
    places[place_of(faults[id], source)].push_back(id);
    unused.erase(faults[id].name);
  }
  if (places.empty()) return source;
  std::size_t behind = source.size();  // from the last place to the first
  for (const auto& [place, ids] : places) {
    if (place.end > behind) {
      fail(faults[ids.front()].where, "overlaps the place of another fault, but is not the same");
    }
    behind = place.begin;
    const std::string expression = source.substr(place.begin, place.end - place.begin);
    source.replace(place.begin, expression.size(), woven(expression, ids, faults));
  }
  return "#include \"kernel/with_faults/seeded.h\"\n" + source;
}

bool is_source(const fs::path& path) {
  return path.extension() == ".h" || path.extension() == ".cpp";
}

std::string table_of(const std::vector<Fault>& faults) {
  std::string text =
      "#include \"kernel/with_faults/seeded.h\"\n\n"
      "namespace gradproof::kernel {\n\n"
      "extern const SeededFault seeded_faults[] = {\n";
  for (std::size_t id = 1; id < faults.size(); ++id) {
    text += "    {\"" + faults[id].name + "\", \"" + faults[id].quantity + "\", \"" +
            faults[id].file + "\", \"" + faults[id].profile + "\", \"" + faults[id].api + "\"},\n";
  }
  return text + "};\nextern const std::size_t seeded_fault_count = std::size(seeded_faults);\n\n" +
         "}  // namespace gradproof::kernel\n";
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 4) fail("weave", "usage: weave KERNEL FAULT_FOLDER OUTPUT");
  const fs::path kernel = arguments[1], output = arguments[3];
  std::vector<Fault> faults(1);  // number 0 is no fault
  std::set<fs::path> descriptions;
  for (const auto& entry : fs::directory_iterator(arguments[2])) descriptions.insert(entry.path());
  for (const auto& path : descriptions) read_faults(path, faults);
  std::set<std::string> unused;
  for (std::size_t id = 1; id < faults.size(); ++id) unused.insert(faults[id].name);

  for (const char* folder : {"api", "ascendc", "cube", "device", "numeric", "operators"}) {
    for (const auto& entry : fs::recursive_directory_iterator(kernel / folder)) {
      if (!entry.is_regular_file() || !is_source(entry.path())) continue;
      const std::string file = fs::relative(entry.path(), kernel).generic_string();
      write_file(output / "kernel" / file, weave(read_file(entry.path()), file, faults, unused));
    }
  }
  if (!unused.empty()) fail(arguments[2], *unused.begin() + " names a file that is not there");
  write_file(output / "fault_table.cpp", table_of(faults));
}
