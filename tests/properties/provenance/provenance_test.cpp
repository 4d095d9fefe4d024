#include <elf.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>

#include "properties/findings/provenance/provenance.h"
#include "tests/support/scratch_folder.h"

namespace gradproof::findings {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class ProvenanceTest : public testing::Test {
 protected:
  fs::path written(const std::string& name, const std::string& text) const {
    fs::create_directories((folder_.path() / name).parent_path());
    std::ofstream(folder_.path() / name, std::ios::binary) << text;
    return folder_.path() / name;
  }

  tests::ScratchFolder folder_;
};

template <typename Record>
void append(std::string& file, const Record& record) {
  file.append(reinterpret_cast<const char*>(&record), sizeof record);
}

/// An ELF file with one segment of notes: one of another owner, then the build id 0x01ab.
std::string elf_with_build_id() {
  Elf64_Ehdr head{};
  std::memcpy(head.e_ident, ELFMAG, SELFMAG);
  head.e_ident[EI_CLASS] = ELFCLASS64;
  head.e_ident[EI_DATA] = ELFDATA2LSB;
  head.e_phoff = sizeof head;
  head.e_phnum = 1;
  std::string notes;
  append(notes, Elf64_Nhdr{5, 3, NT_GNU_BUILD_ID});
  notes += std::string("Else\0\0\0\0", 8) + std::string("abc\0", 4);
  append(notes, Elf64_Nhdr{4, 2, NT_GNU_BUILD_ID});
  notes += std::string("GNU\0", 4) + std::string("\x01\xab\0\0", 4);
  Elf64_Phdr segment{};
  segment.p_type = PT_NOTE;
  segment.p_offset = sizeof head + sizeof segment;
  segment.p_filesz = notes.size();
  std::string file;
  append(file, head);
  append(file, segment);
  return file + notes;
}

TEST_F(ProvenanceTest, ALibraryIsKnownByItsHashAndItsBuildId) {
  // The published example of FIPS 180-2, appendix B.1.
  const auto text = identity_of(written("abc", "abc"));
  ASSERT_TRUE(text) << text.error();
  EXPECT_EQ(text->bytes, 3U);
  EXPECT_EQ(text->sha256, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_THAT(text->build_id, IsEmpty());
  EXPECT_TRUE(fs::path(text->path).is_absolute());
  EXPECT_EQ(identity_of(written("l.so", elf_with_build_id()))->build_id, "01ab");
}

TEST_F(ProvenanceTest, ADamagedLibraryHasNoBuildIdAndNoEndOfTheProgram) {
  const std::string whole = elf_with_build_id();
  for (std::size_t length = 0; length < whole.size(); ++length) {
    const auto cut = identity_of(written("cut.so", whole.substr(0, length)));
    ASSERT_TRUE(cut) << length;
    // The last two bytes only fill the note up.
    EXPECT_EQ(cut->build_id, length + 2 < whole.size() ? "" : "01ab") << length;
  }
}

TEST_F(ProvenanceTest, AMissingLibraryIsNamed) {
  const auto missing = identity_of(folder_.path() / "none.so");
  ASSERT_FALSE(missing);
  EXPECT_THAT(missing.error(), HasSubstr("none.so: can't be opened: No such file"));
}

TEST_F(ProvenanceTest, TheToolkitTellsItsVersionAboveItsLibraries) {
  const fs::path library = folder_.path() / "cann/lib64/libascendcl.so";
  EXPECT_EQ(toolkit_version({library}), "");
  written("cann/version.info", "# toolkit\nVersion=8.0.RC3\n");
  EXPECT_EQ(toolkit_version({library}), "8.0.RC3");
}

Provenance run_of(const std::string& started) {
  Provenance run;
  run.program = "gradproof 1";
  run.command_line = "gradproof verify --target 'a b'";
  run.host = {"here", "Linux", "x86_64", 2};
  run.libraries = {{"/l.so", 3, "ab", "cd"}};
  run.toolkit = "8";
  run.profile = "documented";
  run.seed = 18'446'744'073'709'551'615U;
  run.started = started;
  return run;
}

TEST_F(ProvenanceTest, ARunIsNotedWhenItBeginsAndOnceMoreWhenItEnds) {
  Provenance first = run_of("1");
  const Provenance killed = run_of("2");
  ASSERT_EQ(note_provenance(folder_.path(), first), std::nullopt);
  ASSERT_EQ(note_provenance(folder_.path(), killed), std::nullopt);
  first.ended = "3";
  ASSERT_EQ(note_provenance(folder_.path(), first), std::nullopt);
  const auto runs = read_provenance(folder_.path());
  ASSERT_TRUE(runs) << runs.error();
  EXPECT_THAT(*runs, ElementsAre(first, killed));
}

TEST_F(ProvenanceTest, ADamagedFileIsNamedWithItsLine) {
  ASSERT_EQ(note_provenance(folder_.path(), run_of("1")), std::nullopt);
  std::ofstream(folder_.path() / "provenance.jsonl", std::ios::app) << "{\"program\":1}\n";
  const auto runs = read_provenance(folder_.path());
  ASSERT_FALSE(runs);
  EXPECT_THAT(runs.error(), HasSubstr("provenance.jsonl:2: not the provenance of a run"));
  EXPECT_TRUE(note_provenance(folder_.path(), run_of("2")));
}

TEST(MixedBuilds, AreNamedByLibrary) {
  Provenance one = run_of("1"), other = run_of("2");
  EXPECT_THAT(mixed_builds({one, other}), IsEmpty());
  other.libraries.front().path = "/elsewhere/l.so";
  EXPECT_THAT(mixed_builds({one, other}), IsEmpty());
  other.libraries.front().sha256 = "ac";
  EXPECT_THAT(mixed_builds({one, other}),
              ElementsAre(HasSubstr("results of 2 different builds of l.so")));
}

TEST(ThisHost, TellsWhatAReportNeeds) {
  const Host host = this_host();
  EXPECT_NE(host.name, "");
  EXPECT_THAT(host.system, HasSubstr("Linux"));
  EXPECT_NE(host.processor, "");
  EXPECT_GT(host.cores, 0U);
}

}  // namespace
}  // namespace gradproof::findings
