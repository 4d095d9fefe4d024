#include "properties/targets/dictionary/dictionary.h"

#include <elf.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>
#include <initializer_list>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <string_view>

#include "properties/cases/generators/random_case.h"
#include "properties/cases/generators/thresholds/threshold.h"
#include "properties/cases/generators/thresholds/threshold_sizes.h"
#include "properties/targets/target/simulated_backend.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/shell.h"

namespace gradproof::properties {
namespace {

using testing::AnyOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using tests::Ran;
using tests::run_in_shell;

class DictionaryTest : public testing::Test {
 protected:
  Dictionary of_library(const std::string& elf) const {
    const std::array libraries{std::filesystem::path(folder_.write("lib.so", elf))};
    return dictionary_of(libraries, false);
  }
  std::string error_of(const std::string& text) const {
    const auto words = read_dictionary(folder_.write("words", text));
    return words ? "" : words.error();
  }
  Ran gradproof(const std::string& arguments) const {
    return run_in_shell(GRADPROOF_PROGRAM " " + arguments, folder_.path());
  }
  Ran verify_threshold_library(const std::string& options) const {
    return gradproof("verify --target " GRADPROOF_THRESHOLD_LIBRARY
                     " --stored no --seed 3 --jobs 1 --findings 1 " +
                     options);
  }
  nlohmann::json recorded_dictionary() const {
    return nlohmann::json::parse(folder_.read("gradproof-out/provenance.jsonl")).at("dictionary");
  }

  tests::ScratchFolder folder_;
};

template <typename Record>
void append(std::string& file, const Record& record) {
  file.append(reinterpret_cast<const char*>(&record), sizeof record);
}

/// A library whose only function is the code.
std::string elf(Elf64_Half machine, const std::string& code,
                const std::string& function = "aclnnConvolutionBackward") {
  const std::string names = '\0' + function + '\0';
  Elf64_Sym symbol{};
  symbol.st_name = 1;
  symbol.st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC);
  symbol.st_shndx = 1;
  std::string symbols;
  append(symbols, Elf64_Sym{});
  append(symbols, symbol);

  constexpr unsigned sections = 4;
  Elf64_Ehdr head{};
  std::memcpy(head.e_ident, ELFMAG, SELFMAG);
  head.e_ident[EI_CLASS] = ELFCLASS64;
  head.e_ident[EI_DATA] = ELFDATA2LSB;
  head.e_machine = machine;
  head.e_shoff = sizeof head;
  head.e_shnum = sections;
  std::array<Elf64_Shdr, sections> rows{};
  rows[1].sh_type = SHT_PROGBITS;
  rows[1].sh_flags = SHF_EXECINSTR;
  rows[2].sh_type = SHT_DYNSYM;
  rows[2].sh_link = 3;
  rows[3].sh_type = SHT_STRTAB;
  std::string contents;
  const std::uint64_t first = sizeof head + sizeof rows;
  const std::array<const std::string*, 3> texts{&code, &symbols, &names};
  for (std::size_t i = 0; i < texts.size(); ++i) {
    rows.at(i + 1).sh_offset = first + contents.size();
    rows.at(i + 1).sh_size = texts.at(i)->size();
    contents += *texts.at(i);
  }
  std::string file;
  append(file, head);
  append(file, rows);
  return file + contents;
}

std::string code_of(std::initializer_list<unsigned> bytes) { return {bytes.begin(), bytes.end()}; }

const std::string x86_code =
    code_of({0x48, 0x3D, 0x01, 0x10, 0x00, 0x00,        // cmp rax, 4097
             0x77, 0x00,                                // ja
             0x3C, 0x2C,                                // cmp al, ','
             0xA9, 0x34, 0x12, 0x00, 0x00,              // test eax, 4660
             0x48, 0x81, 0xEC, 0x98, 0x00, 0x00, 0x00,  // sub rsp, 152
             0x48, 0x89, 0xD8,                          // mov rax, rbx
             0x81, 0xE9, 0xBC, 0x02, 0x00, 0x00,        // sub ecx, 700
             0x74, 0x00,                                // je
             0x83, 0xFB, 0x02,                          // cmp ebx, 2
             0x48, 0x8D, 0x90, 0x75, 0xEC, 0xFF, 0xFF,  // lea rdx, [rax - 5003]
             0x48, 0x83, 0xFA, 0x63,                    // cmp rdx, 99
             0x76, 0x00});                              // jbe

TEST_F(DictionaryTest, HoldsWhatCodeForX86ComparesWith) {
  EXPECT_THAT(of_library(elf(EM_X86_64, x86_code)), ElementsAre(99, 700, 4097, 5003));
}

TEST_F(DictionaryTest, LeavesOutWhatIsComparedWithEverywhere) {
  const std::string compare = code_of({0x83, 0xF8, 0x30});  // cmp eax, 48
  std::string code = x86_code;
  for (int i = 0; i < 16; ++i) code += compare;
  EXPECT_THAT(of_library(elf(EM_X86_64, code)), Contains(48));
  EXPECT_THAT(of_library(elf(EM_X86_64, code + compare)), ElementsAre(99, 700, 4097, 5003));
}

TEST_F(DictionaryTest, HoldsWhatCodeForAarch64ComparesWith) {
  std::string code;
  for (const std::uint32_t instruction :
       {0xF101001FU,                            // cmp x0, #64
        0x52820022U, 0x6B02003FU,               // mov w2, #4097; cmp w1, w2
        0x5290D403U, 0x72A00023U, 0x6B03003FU,  // mov w3, #0x86A0; movk w3, #1, lsl #16; cmp
        0xF1019084U,                            // subs x4, x4, #100
        0x910C2400U,                            // add x0, x0, #777
        0x52817705U}) {                         // mov w5, #3000
    append(code, instruction);
  }
  EXPECT_THAT(of_library(elf(EM_AARCH64, code)), ElementsAre(64, 100, 4097, 100'000));
}

TEST_F(DictionaryTest, OfOtherFilesIsEmpty) {
  EXPECT_THAT(of_library(elf(EM_RISCV, x86_code)), IsEmpty());
  EXPECT_THAT(of_library(elf(EM_X86_64, x86_code, "aclrtMalloc")), IsEmpty());
  EXPECT_THAT(of_library("text"), IsEmpty());
  const std::string whole = elf(EM_X86_64, x86_code);
  for (std::size_t length = 0; length < whole.size(); ++length) {
    EXPECT_THAT(of_library(whole.substr(0, length)), IsEmpty()) << length;
  }
}

TEST_F(DictionaryTest, OfTheOwnKernelIsReadWhereItIsAskedForAlone) {
  const auto libraries = simulated_libraries();
  ASSERT_FALSE(libraries.empty());
  EXPECT_THAT(dictionary_of(libraries, false), IsEmpty());
  EXPECT_THAT(dictionary_of(libraries, true), Not(IsEmpty()));
}

TEST(ListedDictionary, IsALineOfIntegers) {
  EXPECT_EQ(listed_dictionary("63,5,63"), (Dictionary{5, 63}));
  EXPECT_EQ(listed_dictionary("5"), Dictionary{5});
  for (const char* text : {"", "5,", ",5", "0", "5,x", "words", "5,,6"}) {
    EXPECT_FALSE(listed_dictionary(text)) << text;
  }
}

TEST_F(DictionaryTest, IsReadFromAFileAnIntegerALine) {
  const auto words = read_dictionary(folder_.write("words", "# rows\n300\n\n 17 # batch\r\n300\n"));
  ASSERT_TRUE(words) << words.error();
  EXPECT_THAT(*words, ElementsAre(17, 300));
  EXPECT_THAT(error_of("17\n0x40\n"), HasSubstr("words:2: \"0x40\" is not an integer from 1"));
  EXPECT_THAT(error_of("0"), HasSubstr("words:1: \"0\""));
  EXPECT_THAT(error_of("2147483649"), HasSubstr("words:1: \"2147483649\""));
  EXPECT_EQ(error_of("2147483648"), "");
  EXPECT_THAT(error_of("# nothing\n"), HasSubstr("words: holds no integer"));
  EXPECT_THAT(read_dictionary(folder_.path() / "none").error(), HasSubstr("none: cannot be read"));
}

/// Each size that a call can have so large.
TEST(DictionarySizes, ReachTheIntegerAndTheNextOne) {
  const auto frames = frames_of({});
  ASSERT_TRUE(frames);
  const std::array<std::int64_t, 1> dictionary{1'009};
  std::map<std::string_view, std::set<std::int64_t>> reached;
  for (std::uint64_t i = 0; i < 60'000; ++i) {
    corpus::RandomSource random(35, i);
    const Convolution sizes =
        draw_dictionary_convolution(draw_frame(*frames, random), 1'000'000, dictionary, random);
    for (const auto& row : threshold_quantities()) reached[row.name].insert(row.of(sizes));
  }
  const std::set<std::string_view> shorter{"stride", "kernel", "padding", "dilation",
                                           "channels of both maps"};
  for (const auto& [name, values] : reached) {
    if (shorter.contains(name)) continue;
    EXPECT_THAT(values, Contains(1'009)) << name;
    EXPECT_THAT(values, Contains(1'010)) << name;
  }
}

TEST(DictionarySizes, AreAShareOfTheCasesAndAFunctionOfTheSeed) {
  Selection selection;
  selection.kind = Kind::Valid;
  const auto plain = CaseSource::of(selection);
  selection.dictionary = {1'009};
  const auto first = CaseSource::of(selection), second = CaseSource::of(selection);
  ASSERT_TRUE(plain && first && second);
  int with_word = 0, without = 0;
  const auto has_word = [](const corpus::Case& test_case) {
    const auto& shape = test_case.grad_output->shape;
    return std::ranges::find(shape, 1'009) != shape.end();
  };
  for (std::uint64_t i = 0; i < 5'000; ++i) {
    EXPECT_EQ((*first)(1, i), (*second)(1, i)) << i;
    with_word += has_word((*first)(1, i)) ? 1 : 0;
    without += has_word((*plain)(1, i)) ? 1 : 0;
  }
  EXPECT_GE(with_word, 50);
  EXPECT_LE(without, 2);
}

TEST_F(DictionaryTest, IsDefaultForAForeignLibraryAndRecorded) {
  const Ran found = verify_threshold_library("--cases 20000");
  EXPECT_EQ(found.code, 1) << found.output;
  // Compilers write "> 4097" as such or as ">= 4098".
  const auto words = recorded_dictionary();
  ASSERT_THAT(words, Contains(AnyOf(4'097, 4'098)));
  const bool is_plain = std::find(words.begin(), words.end(), 4'097) != words.end();
  EXPECT_THAT(folder_.read("gradproof-out/report.json"), HasSubstr(is_plain ? "4097" : "4098"));
}

TEST_F(DictionaryTest, IsLeftOutOrGivenByAnOption) {
  verify_threshold_library("--dictionary no --cases 10");
  EXPECT_THAT(recorded_dictionary(), IsEmpty());
  std::filesystem::remove_all(folder_ / "gradproof-out");
  folder_.write("words", "23\n");
  verify_threshold_library("--dictionary words --cases 10");
  EXPECT_THAT(recorded_dictionary(), ElementsAre(23));
}

/// What a line says of its case and the verdict on it, whichever run it is of.
std::map<std::string, nlohmann::json> by_case(const std::string& results) {
  std::map<std::string, nlohmann::json> lines;
  std::istringstream text(results);
  for (std::string line; std::getline(text, line);) {
    auto json = nlohmann::json::parse(line);
    const std::string name = json.at("id").get<std::string>() + json.value("recipe", "");
    for (const char* key : {"line", "milliseconds", "repro", "drawn", "seed"}) json.erase(key);
    lines.emplace(name, std::move(json));
  }
  return lines;
}

TEST_F(DictionaryTest, IsSaidByTheCommandThatMakesACaseAgain) {
  const Ran run = gradproof("verify --target " GRADPROOF_THRESHOLD_LIBRARY
                            " --stored no --seed 3 --cases 1100 --law exactness --soc Ascend910B");
  ASSERT_THAT(recorded_dictionary(), Not(IsEmpty())) << run.output;
  std::istringstream text(folder_.read("gradproof-out/results.jsonl"));
  std::set<std::string> commands, numbers;
  std::string replay;
  for (std::string line; std::getline(text, line);) {
    const auto json = nlohmann::json::parse(line);
    const auto repro = json.at("repro").get<std::string>();
    const std::size_t pipe = repro.find(" | "), first = repro.find(" --first ");
    if (pipe == std::string::npos || repro.find(" --recipe ") != std::string::npos) continue;
    const std::size_t options = repro.find(' ', first + 9);
    numbers.insert(repro.substr(first, options - first));
    commands.insert(repro.substr(0, first) + repro.substr(options, pipe - options));
    replay = repro.substr(repro.find("gradproof replay"));
  }
  ASSERT_GE(numbers.size(), 500U);
  ASSERT_EQ(commands.size(), 1U) << "the commands differ in the case's number alone";
  // All of them at once, and some as they are written.
  std::string command = commands.begin()->substr(std::string("gradproof").size());
  const std::string one = "--cases 1 ";
  const auto made = gradproof(command.replace(command.find(one), one.size(),
                                              "--cases " + std::to_string(numbers.size()) + " "));
  folder_.write("made.jsonl", made.output);
  for (const int number : {0, 7, 499}) {
    const Ran alone = gradproof(commands.begin()->substr(9) + " --first " + std::to_string(number));
    EXPECT_THAT(made.output, HasSubstr(alone.output)) << number;
  }
  gradproof("replay made.jsonl --out again --target " GRADPROOF_THRESHOLD_LIBRARY " --seed 3");
  const auto first = by_case(folder_.read("gradproof-out/results.jsonl"));
  std::size_t same = 0;
  for (const auto& [name, line] : by_case(folder_.read("again/results.jsonl"))) {
    const auto found = first.find(name);
    if (found == first.end()) continue;
    EXPECT_EQ(line, found->second) << name;
    ++same;
  }
  EXPECT_GE(same, 500U);
}

TEST_F(DictionaryTest, NamesWhatItCannotRead) {
  folder_.write("words", "23\nmany\n");
  for (const auto& [arguments, culprit] :
       {std::pair("verify --dictionary words", "--dictionary: words:2: \"many\""),
        std::pair("verify --dictionary none", "--dictionary: none: cannot be read: No such file"),
        std::pair("generate --cases 1 --dictionary auto", "--dictionary: auto reads a target")}) {
    const Ran ran = gradproof(arguments);
    EXPECT_EQ(ran.code, 2) << ran.output;
    EXPECT_THAT(ran.output, HasSubstr(culprit));
  }
}

}  // namespace
}  // namespace gradproof::properties
