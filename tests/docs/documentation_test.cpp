// Every page: its commands run, its excerpts and links are true. And the test itself, on pages that
// are wrong.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "tests/docs/expected_output.h"
#include "tests/docs/page.h"
#include "tests/docs/session.h"

namespace gradproof::docs {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::IsEmpty;

const fs::path project = GRADPROOF_SOURCES;
const Build build{project, GRADPROOF_BINARIES, GRADPROOF_PROGRAM};

std::string text_of(const fs::path& file) {
  std::ifstream stream(file);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// Relative to the project.
std::vector<std::string> pages() {
  std::vector<std::string> found{"README.md",
                                 "README.zh.md",
                                 "CHANGELOG.md",
                                 "CONTRIBUTING.md",
                                 "SECURITY.md",
                                 "kernel/README.md",
                                 "kernel/with_faults/README.md"};
  for (const auto& entry : fs::recursive_directory_iterator(project / "docs")) {
    if (entry.path().extension() == ".md") {
      found.push_back(fs::relative(entry.path(), project).string());
    }
  }
  std::ranges::sort(found);
  return found;
}

/// What went wrong with the commands of a page, a paragraph each.
struct PageRun {
  std::vector<std::string> failures;
  std::vector<std::string> not_run;
  std::size_t commands = 0;
};

struct Step {
  Command command;
  Numbers numbers = Numbers::Exact;
  bool shows_output = false;
};

std::string failure_of(const Step& step, const Ran& ran) {
  std::string text;
  if (ran.code != step.command.exit_code) {
    text = "exit code " + std::to_string(ran.code) + " instead of " +
           std::to_string(step.command.exit_code) + "\n";
    if (!step.shows_output) {
      for (const std::string& line : ran.output) text += "    " + line + "\n";
    }
  }
  if (step.shows_output) text += difference(step.command.expected, ran.output, step.numbers);
  return text;
}

std::string reason_to_leave_out(const Block& block, const Session& session) {
  const std::string path = needed_path(block);
  if (!path.empty() && !session.has(path)) return "there is no " + path;
  return reason_not_run(block);
}

PageRun run_page(const Page& page, const std::string& before = {}) {
  const Session session(build);
  PageRun result;
  std::vector<Step> steps;
  std::vector<std::string> texts{before};
  for (const Block& block : page.blocks) {
    if (!holds_commands(block)) continue;
    const std::string reason = reason_to_leave_out(block, session);
    if (!reason.empty()) {
      result.not_run.push_back("line " + std::to_string(block.line) + ": " + reason);
      continue;
    }
    for (const Command& command : commands_of(block)) {
      steps.push_back({command, numbers_vary(block) ? Numbers::Vary : Numbers::Exact,
                       block.language == "console"});
      texts.push_back(command.text);
    }
  }
  result.commands = steps.size();
  const auto ran = session.run(texts);
  if (ran.front().code != 0) {
    result.failures.push_back("what comes before the page fails:\n" +
                              testing::PrintToString(ran.front().output));
  }
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const std::string failure = failure_of(steps[i], ran[i + 1]);
    if (failure.empty()) continue;
    result.failures.push_back("line " + std::to_string(steps[i].command.line) + ": " +
                              steps[i].command.text + "\n" + failure);
  }
  return result;
}

class EachPage : public testing::TestWithParam<std::string> {
 protected:
  EachPage() : page_(page_of(text_of(project / GetParam()))) {}

  /// A link's file, and the anchor behind its #.
  void expect_target_of(const Link& link) const {
    if (link.target.find("://") != std::string::npos) return;
    const auto hash = link.target.find('#');
    const std::string file = link.target.substr(0, hash);
    const fs::path here = project / GetParam();
    const fs::path target = file.empty() ? here : here.parent_path() / file;
    EXPECT_TRUE(fs::exists(target)) << "line " << link.line << ": " << link.target;
    if (hash == std::string::npos || target.extension() != ".md") return;
    EXPECT_THAT(page_of(text_of(target)).anchors, testing::Contains(link.target.substr(hash + 1)))
        << "line " << link.line << ": " << link.target;
  }

  Page page_;
};

INSTANTIATE_TEST_SUITE_P(Documentation, EachPage, testing::ValuesIn(pages()), [](const auto& info) {
  std::string name = info.param;
  std::ranges::replace_if(
      name, [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
});

TEST_P(EachPage, IsWellFormedAndHidesNoCommand) { EXPECT_THAT(page_.problems, IsEmpty()); }

TEST_P(EachPage, HasCommandsThatDoWhatItSays) {
  std::string name = GetParam();
  std::ranges::replace(name, '/', '_');
  const PageRun run = run_page(
      page_, text_of(project / "tests/docs/before" / fs::path(name).replace_extension(".sh")));
  for (const std::string& failure : run.failures) ADD_FAILURE() << GetParam() << ", " << failure;
  for (const std::string& reason : run.not_run) {
    std::cout << GetParam() << ", not run: " << reason << "\n";
  }
}

/// What is run of a page's Python ends with this where a package of Debian is missing.
constexpr int code_of_skipped = 77;

Ran run_python(const std::string& program, const std::string& name) {
  const Session session(build);
  return session
      .run({"cat >test_" + name + ".py <<'END OF PAGE'\n" + program +
            "END OF PAGE\npython_of_a_page test_" + name + ".py"})
      .front();
}

TEST_P(EachPage, HasPythonThatRuns) {
  const std::string program = python_of(page_);
  if (program.empty()) return;
  std::string name = fs::path(GetParam()).filename().replace_extension().string();
  std::ranges::replace_if(
      name, [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  const Ran ran = run_python(program, name);
  if (ran.code == code_of_skipped) GTEST_SKIP() << ran.output.back();
  EXPECT_EQ(ran.code, 0) << testing::PrintToString(ran.output);
}

TEST_P(EachPage, QuotesTheSourcesToTheLetter) {
  for (const Block& block : page_.blocks) {
    const std::string path = excerpted_path(block);
    if (path.empty()) continue;
    std::string excerpt;
    for (const std::string& line : block.lines) excerpt += line + "\n";
    EXPECT_THAT(text_of(project / path), HasSubstr(excerpt)) << "line " << block.line;
  }
}

TEST_P(EachPage, LinksToWhatIsThere) {
  for (const Link& link : page_.links) expect_target_of(link);
}

/// The option `--shard` of the word `[--shard` or `--shard=1/2`.
std::string option_in(const std::string& word) {
  const auto begin = word.find("--");
  if (begin == std::string::npos) return {};
  const auto is_part = [](unsigned char c) { return std::isalnum(c) != 0 || c == '-'; };
  const auto first = word.begin() + static_cast<std::ptrdiff_t>(begin);
  return {first, std::find_if_not(first, word.end(), is_part)};
}

/// The help of a subcommand; empty where there is none of this name.
std::string help_of(const Session& session, const std::string& subcommand) {
  const Ran ran = session.run({"gradproof " + subcommand + " --help-all"}).front();
  if (ran.code != 0) return {};
  std::string text;
  for (const std::string& line : ran.output) text += line + "\n";
  return text;
}

TEST_P(EachPage, NamesSubcommandsAndOptionsThatExist) {
  const Session session(build);
  std::map<std::string, std::string> helps;
  for (const InlineCommand& command : page_.inline_commands) {
    std::istringstream words(command.text);
    std::string program, subcommand, word;
    words >> program >> subcommand;
    if (subcommand.starts_with("-")) continue;
    const auto [help, is_new] = helps.try_emplace(subcommand);
    if (is_new) help->second = help_of(session, subcommand);
    EXPECT_FALSE(help->second.empty()) << "line " << command.line << ": " << command.text;
    while (words >> word) {
      EXPECT_THAT(help->second, HasSubstr(option_in(word)))
          << "line " << command.line << ": " << command.text;
    }
  }
}

TEST(Index, ListsEveryPage) {
  std::set<std::string> linked;
  for (const Link& link : page_of(text_of(project / "docs/README.md")).links) {
    linked.insert(fs::path("docs/" + link.target).lexically_normal().string());
  }
  for (const std::string& page : pages()) {
    const bool is_index = fs::path(page).filename() == "README.md" || !page.starts_with("docs/");
    EXPECT_TRUE(is_index || linked.contains(page)) << page;
  }
}

// The tests below test this test itself.

PageRun run_text(const std::string& text) { return run_page(page_of(text)); }

TEST(Documentation, FailsWhereACommandFails) {
  EXPECT_THAT(run_text("```sh\ngradproof verify --no-such-option\n```\n").failures,
              testing::ElementsAre(HasSubstr("line 2: gradproof verify --no-such-option")));
  EXPECT_THAT(run_text("```sh\nno-such-program\n```\n").failures, testing::SizeIs(1));
  EXPECT_THAT(run_text("```sh\n./dev no-such-command\n```\n").failures, testing::SizeIs(1));
  EXPECT_THAT(run_text("```sh\nif; then\ntrue\n```\n").failures, testing::SizeIs(1));
  EXPECT_THAT(run_text("```sh\ntrue  # exit code 1\n```\n").failures, testing::SizeIs(1));
  EXPECT_THAT(run_text("```sh\nfalse  # exit code 1\n```\n").failures, IsEmpty());
}

TEST(Documentation, FailsWhereTheOutputIsAnother) {
  EXPECT_THAT(run_text("```console\n$ echo one\ntwo\n```\n").failures, testing::SizeIs(1));
  EXPECT_THAT(run_text("```console\n$ echo one\n```\n").failures, testing::SizeIs(1));
  EXPECT_THAT(run_text("```console\n$ true\none\n```\n").failures, testing::SizeIs(1));
  EXPECT_THAT(run_text("```console\n$ echo one\none\n```\n").failures, IsEmpty());
}

TEST(Documentation, RunsAPageAsOneSession) {
  const PageRun run = run_text(
      "```sh\nexport A=1\ncat >file <<'END'\nx y\nEND\n```\n"
      "```console\n$ echo \"$A\" \\\n  and \"$(cat file)\"\n1 and x y\n```\n");
  EXPECT_THAT(run.failures, IsEmpty());
  EXPECT_EQ(run.commands, 3U);
}

TEST(Documentation, SaysWhatItDoesNotRun) {
  const PageRun run = run_text(
      "```sh not run: needs an Ascend host\nfalse\n```\n```sh needs no/such/file\nfalse\n```\n"
      "```sh needs docs/README.md\ntrue\n```\n");
  EXPECT_THAT(run.failures, IsEmpty());
  EXPECT_THAT(run.not_run, testing::ElementsAre("line 1: needs an Ascend host",
                                                "line 4: there is no no/such/file"));
  EXPECT_EQ(run.commands, 1U);
}

TEST(Documentation, CutsBudgetsAndNothingElse) {
  const PageRun run = run_text(
      "```console\n$ GRADPROOF_REAL=echo\n$ gradproof verify --seed 1\nverify --seed 1 --time 2s\n"
      "$ gradproof verify --time 5m --out x\nverify --time 2s --out x\n"
      "$ gradproof verify --time 1s --cases 20000\nverify --time 1s --cases 300\n"
      "$ gradproof faults --time 10s\n"
      "faults --time 2s dilation_for_stride_in_w\n"
      "$ gradproof replay a.json 'b c.json'\nreplay a.json b c.json\n```\n");
  EXPECT_THAT(run.failures, IsEmpty());
}

TEST(Documentation, RunsPythonAsOneProgramOfThePage) {
  const Page page = page_of(
      "# Title\n```python\nx = 1\n```\ntext\n```python not run: needs a device\nfalse\n```\n"
      "```python\nassert x == 1\n```\n");
  EXPECT_EQ(python_of(page), "\n\nx = 1\n\n\n\n\n\n\nassert x == 1\n");
  EXPECT_THAT(page.problems, IsEmpty());
  const auto code_of = [](const std::string& program) { return run_python(program, "t").code; };
  if (code_of("import pytest\n") == code_of_skipped) GTEST_SKIP() << "python3-pytest is missing";
  EXPECT_EQ(code_of(python_of(page)), 0);
  EXPECT_NE(code_of("x = 1\nassert x == 2\n"), 0);
  EXPECT_EQ(code_of("def test_it():\n    assert True\n"), 0);
  EXPECT_NE(code_of("def test_it():\n    assert False\n"), 0);
  EXPECT_NE(code_of("import no_such_module\n"), 0);
}

TEST(Documentation, RefusesCommandsInBlocksThatNoTestRuns) {
  EXPECT_THAT(page_of("```\ngradproof verify\n```\n").problems, testing::SizeIs(1));
  EXPECT_THAT(page_of("```text\n$ true\n```\n").problems, testing::SizeIs(1));
  EXPECT_THAT(page_of("```sh\ntrue\n").problems, testing::SizeIs(1));
  EXPECT_THAT(page_of("```\nfinding x\n  gradproof replay x\n```\n").problems, IsEmpty());
}

TEST(Documentation, KnowsHeadingsAndLinks) {
  const Page page =
      page_of("# Why two `fills`, twice?\nsee [a](b.md#c), `no [link](d)` and `gradproof x --y`\n");
  EXPECT_THAT(page.anchors, testing::ElementsAre("why-two-fills-twice"));
  ASSERT_EQ(page.links.size(), 1U);
  EXPECT_EQ(page.links[0].target, "b.md#c");
  ASSERT_EQ(page.inline_commands.size(), 1U);
  EXPECT_EQ(page.inline_commands[0].text, "gradproof x --y");
  EXPECT_EQ(option_in("[--shard"), "--shard");
}

}  // namespace
}  // namespace gradproof::docs
