// Files as they are, and those that are none.

#include "corpus/words/file_contents.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/support/scratch_folder.h"

namespace gradproof::corpus {
namespace {

using testing::HasSubstr;

TEST(FileContents, AreAllBytesOrTheFirst) {
  const tests::ScratchFolder folder;
  const std::string text = std::string(200'000, 'x') + std::string("\0\n\xff", 3);
  const auto file = folder.write("file", text);
  EXPECT_EQ(file_contents(file), text);
  EXPECT_EQ(file_contents(file, 70'000), text.substr(0, 70'000));
  EXPECT_EQ(file_contents(folder.write("empty", "")), "");
  EXPECT_EQ(file_contents("/dev/null"), "");
}

TEST(FileContents, AreRefusedWhereNoFileIs) {
  const tests::ScratchFolder folder;
  const std::pair<std::filesystem::path, const char*> none[] = {
      {folder.path(), "is a folder"},
      {folder.path() / "absent", "can't be opened: No such file"},
      {"/dev/zero", "is a device"},
      {"/dev/full", "is a device"},
      {"/proc/self/mem", "can't be read: "}};
  for (const auto& [file, words] : none) {
    const auto contents = file_contents(file);
    ASSERT_FALSE(contents) << file;
    EXPECT_THAT(contents.error(), HasSubstr(words));
  }
}

}  // namespace
}  // namespace gradproof::corpus
