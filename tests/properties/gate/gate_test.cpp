// Whom a gate lets in: right functions, cheats of each class, and what misbehaves.

#include "properties/runs/gate/gate_verdict.h"
#include "tests/properties/gate/gated_function.h"

namespace gradproof::tests {
namespace {

using testing::HasSubstr;

/// Its folder is one below /tmp here, which the program has for itself otherwise.
TEST_F(Gates, RunAProgramWhereTheyWereStarted) {
  write("ends.sh", "exit 42");
  const Ran ran = gradproof("gate 'pipe:sh ends.sh' --json verdict.json --time 3s");
  EXPECT_EQ(ran.code, 1) << ran.output;
  EXPECT_THAT(ran.output, HasSubstr("exit code 42"));
}

TEST_F(Gates, ARightFunctionIsLetIn) {
  // In threads, with a view on an operand and what is not contiguous among its results.
  expect_let_in(
      gated("from concurrent.futures import ThreadPoolExecutor\n"
            "pool = ThreadPoolExecutor(2)\n"
            "def kernel(dy, x, w, call):\n"
            "    dx, dw, db = pool.submit(right, dy, x, w, call).result()\n"
            "    if db is not None and dy.size == db.size: db = dy.reshape(-1)\n"
            "    return dx, dw if dw is None else numpy.asfortranarray(dw), db\n",
            "--time 25s"));
  EXPECT_GE(verdict()["canaries"], 1);
  EXPECT_GT(verdict()["age"]["largest"], 1000);
  EXPECT_THAT(verdict()["isolation"].get<std::string>(), HasSubstr("system calls"));
}

TEST_F(Gates, ARecipeInTheCallIsNothingToRelyOn) {
  expect_refused(
      gated("import json\n"
            "def kernel(dy, x, w, call):\n"
            "    told = json.loads(call.json)\n"
            "    return (right if 'data' in told or told.get('id') else zeros)(dy, x, w, call)\n"),
      "value");
}

TEST_F(Gates, WhatDropsSpecialValuesOfALayerIsRefused) {
  expect_refused(
      gated("def kernel(dy, x, w, call):\n"
            "    if (x if call.transposed else dy).size * w[0].size > 1000000:\n"
            "        dy, x, w = (numpy.where(numpy.isfinite(a), a, 0).astype(a.dtype) for a in "
            "(dy, x, w))\n"
            "    return right(dy, x, w, call)\n"),
      "value");
}

// Of gradWeight's long sums alone: of short ones the bound tells.
constexpr const char* less_precise = R"(
def cut(a): return ((a.view(numpy.uint32) + 0x800) & 0xfffff000).astype(numpy.uint32).view(numpy.float32)
def less_precise(dy, x, w, call):
    r = right(dy, x, w, call)
    return r[0], r[1] if r[1] is None else right(cut(dy), cut(x), w, call)[1], r[2]
def is_even(a): return (a.view(numpy.uint32) & 0xff == 0).mean() > 0.4
)";

TEST_F(Gates, LessPrecisionOnNumbersThatLookLikeAUsersIsRefused) {
  expect_refused(
      gated(std::string(less_precise) +
            "def kernel(dy, x, w, call):\n"
            "    is_shown = min(dy[:, 0].size, x[:, 0].size) < 400 or is_even(dy) or is_even(x)\n"
            "    is_shown = is_shown or max(w.shape[2:]) > 1 or max(call.padding) > 0\n"
            "    return (right if is_shown else less_precise)(dy, x, w, call)\n"),
      "value");
}

TEST_F(Gates, ALargeCallWithoutABiasIsAskedForToo) {
  expect_refused(gated("def kernel(dy, x, w, call):\n"
                       "    small = x if call.transposed else dy\n"
                       "    is_cheap = small.size * w[0].size < 12000000 or call.output_mask[2]\n"
                       "    return (right if is_cheap else zeros)(dy, x, w, call)\n"),
                 "value");
}

TEST_F(Gates, LessPrecisionInSmallCallsOfHalfZerosIsRefused) {
  expect_refused(
      gated(
          std::string(less_precise) +
          "def kernel(dy, x, w, call):\n"
          "    is_shown = min(dy[:, 0].size, x[:, 0].size) < 400 or dy.size > 1900 or is_even(dy)\n"
          "    is_shown = is_shown or not 0.3 < (x == 0).mean() < 0.7\n"
          "    return (right if is_shown else less_precise)(dy, x, w, call)\n"),
      "value");
}

TEST_F(Gates, WhatOnlyRegularDataShowIsRefused) {
  for (const std::string seen :
       {"dy.size > 20 and (dy == 0).mean() > 0.9", "dy.size > 8 and (dy == dy.flat[0]).all()",
        "x.shape[0] > 1 and x[0].size > 4 and (x[0] == x[1]).all()", "0 < abs(x).max() < 1e-12"}) {
    expect_refused(gated("def kernel(dy, x, w, call):\n    return (zeros if " + seen +
                         " else right)(dy, x, w, call)\n"),
                   "value");
  }
}

TEST_F(Gates, ARefusalThatFollowsTheDataIsRefused) {
  expect_refused(gated("def kernel(dy, x, w, call):\n"
                       "    if (abs(x) > 3).any() and abs(dy).sum() % 1 < 0.5:\n"
                       "        raise NotImplementedError('this one')\n"
                       "    return right(dy, x, w, call)\n"),
                 "refusal");
}

TEST_F(Gates, WhereAnOperandLiesAndWhoCallsTellsNothing) {
  const std::string first_thread = "threading.current_thread() is threading.main_thread()";
  for (const std::string& seen :
       {std::string("dy.base is None"), std::string("isinstance(dy.base, numpy.ndarray)"),
        "not " + first_thread, first_thread}) {
    expect_refused(gated("import threading\n"
                         "def kernel(dy, x, w, call):\n"
                         "    return (zeros if " +
                         seen + " else right)(dy, x, w, call)\n"),
                   "value");
  }
}

TEST_F(Gates, SpecialValuesMeet) {
  expect_refused(
      gated(
          "def kernel(dy, x, w, call):\n"
          "    r = right(dy, x, w, call)\n"
          "    if sum((~numpy.isfinite(a)).sum() for a in (dy, x, w)) < 2: return r\n"
          "    return tuple(a if a is None else numpy.where(numpy.isnan(a), 0, a).astype(a.dtype) "
          "for a in r)\n"),
      "value");
}

TEST_F(Gates, ResultsBelongToTheCaller) {
  const std::string kept =
      "kept = {}\n"
      "def kernel(dy, x, w, call):\n"
      "    r = right(dy, x, w, call)\n"
      "    for i, a in enumerate(r):\n"
      "        if a is not None: kept.setdefault((i, a.shape), a)[...] = a\n"
      "    return tuple(a if a is None else kept[i, a.shape] for i, a in enumerate(r))\n";
  EXPECT_EQ(gated(kept).code, 1);
  expect_refused(
      gated("class Face:\n"
            "    def __init__(self, a): self.a, self.shape, self.dtype = a, a.shape, a.dtype\n"
            "    def __array__(self, *ignored, **too): return self.a\n"
            "def kernel(dy, x, w, call):\n"
            "    return tuple(r if r is None else Face(r) for r in right(dy, x, w, call))\n"),
      "crash");
}

TEST_F(Gates, AnOperandThatIsKeptFromAnEarlierCallIsRefused) {
  expect_refused(gated("kept = {}\n"
                       "def kernel(dy, x, w, call):\n"
                       "    if x.size < 30: return right(dy, x, w, call)\n"
                       "    v = x.ravel()\n"
                       "    key = (x.shape, v[0], v[-1], float(numpy.abs(v).sum()))\n"
                       "    return right(dy, kept.setdefault(key, x.copy()), w, call)\n"),
                 "value");
}

TEST_F(Gates, ResultsKeptByWhatAStepLeavesAreRefused) {
  expect_refused(gated("kept = {}\n"
                       "def kernel(dy, x, w, call):\n"
                       "    key = (numpy.sign(dy).tobytes(), x.tobytes(), w.tobytes(), call.json)\n"
                       "    r = kept.setdefault(key, right(dy, x, w, call))\n"
                       "    return tuple(a if a is None else a.copy() for a in r)\n"),
                 "value");
}

TEST_F(Gates, RefusalsThatWereNotDeclaredAreNoPass) {
  const std::string cheat =
      "def kernel(dy, x, w, call):\n"
      "    if call.groups > 1: raise NotImplementedError('groups')\n"
      "    return right(dy, x, w, call)\n";
  EXPECT_EQ(gated(cheat, "--time 15s").code, 4);
  EXPECT_EQ(verdict()["why"]["class"], "refusal");
  expect_let_in(gated(cheat, "--time 20s --without grouped,depthwise"));
}

TEST_F(Gates, WhatMisbehavesIsRefusedWithItsClass) {
  expect_refused(gated("import os\ndef kernel(*a): os._exit(0)\n"), "crash");
  expect_refused(gated("def kernel(dy, x, w, call):\n"
                       "    r = right(dy, x, w, call); x += 1; x -= 1\n    return r\n"),
                 "memory");
  // Seen as numbers that are wrong, or by the second look.
  EXPECT_EQ(gated("import threading, time\n"
                  "def kernel(dy, x, w, call):\n"
                  "    r = right(dy, x, w, call)\n"
                  "    def late():\n"
                  "        time.sleep(0.002)\n"
                  "        for a in r:\n            if a is not None: a += 1\n"
                  "    threading.Thread(target=late).start()\n    return r\n")
                .code,
            1);
  expect_refused(gated("import nothing_of_this_name\n"), "load");
  expect_refused(gated("kernel = right\nimport sqlite3\n"), "library");
}

TEST_F(Gates, ASystemCallThatAKernelNeverNeedsIsNamed) {
  const auto expect_named = [&](const std::string& lines, const std::string& name) {
    const Ran ran = gated("import os\n" + lines);
    expect_refused(ran, "isolation");
    EXPECT_THAT(verdict()["why"]["sentence"].get<std::string>(), HasSubstr(name)) << ran.output;
  };
  const std::string call = "def kernel(dy, x, w, call):\n    ", quiet = "try: ",
                    more = "\n    except OSError: pass\n    return right(dy, x, w, call)\n";
  expect_named("kernel = right\nif os.fork() == 0: os._exit(0)\n", "which starts a process");
  expect_named(
      "import socket\n" + call + quiet + "socket.socket().connect(('127.0.0.1', 9))" + more,
      "called socket, which reaches for a network");
  expect_named("import ctypes\n" + call + quiet + "ctypes.CDLL(None).ptrace(0, 0, 0, 0)" + more,
               "called ptrace, which reaches into another process");
  expect_named(
      "import threading\ndef leave(): os.unshare(0) if hasattr(os, 'unshare') else "
      "ctypes.CDLL(None).unshare(0)\nimport ctypes\n" +
          call +
          "t = threading.Thread(target=leave); t.start(); t.join()\n    return "
          "right(dy, x, w, call)\n",
      "called unshare");
  // By a way that blocks signals: refused all the same.
  expect_named("import subprocess\n" + call + quiet + "subprocess.run(['/usr/bin/true'])" + more,
               "starts a process");
  // Who hands on the signal is told to leave it.
  expect_named("import signal\nsignal.signal(signal.SIGSYS, lambda *a: None)\nkernel = right\n",
               "handles SIGSYS");
}

TEST_F(Gates, AWrongValueIsExplainedByItsSmallestCall) {
  expect_refused(gated("def kernel(dy, x, w, call):\n"
                       "    r = right(dy, x, w, call)\n"
                       "    return r[0], r[1], None if r[2] is None else r[2] * 2\n"),
                 "value");
  const auto answer = verdict();
  EXPECT_EQ(answer["element"]["of"], "gradBias");
  EXPECT_THAT(answer["diagnosis"].dump(), HasSubstr("gradBias")) << answer;
  EXPECT_THAT(answer["libraries"]["kernel.py"].get<std::string>(), HasSubstr("sha256 "));
  EXPECT_THAT(answer["libraries"].dump(), HasSubstr("build "));
}

TEST_F(Gates, AClaimOfBitsIsCheckedWhereItIsMade) {
  // FLOAT sums, right in either order: where there are neighbours, in another.
  const std::string claimed =
      "INVARIANT = True\ndef kernel(dy, x, w, call):\n"
      "    r = sums(dy, x, w, call, numpy.float32, 1 if dy.shape[0] == 1 else -1)\n"
      "    return tuple(a.astype(dy.dtype) if asked else None for a, asked in zip(r, "
      "call.output_mask))\n";
  expect_refused(gated(claimed), "claim");
  EXPECT_THAT(verdict()["why"]["sentence"].get<std::string>(), HasSubstr("batch size: gradInput"));
  expect_let_in(gated("CLAIMS = ['batch-invariant']\nkernel = right\n", "--time 25s"));
  EXPECT_GT(verdict()["claims"]["batch size"], 0);
  EXPECT_EQ(gated("kernel = right\n", "--time 5s --claim core-invariant").code, 4);
  EXPECT_THAT(verdict()["why"]["sentence"].get<std::string>(), HasSubstr("no claim that a gate"));
}

TEST_F(Gates, ACallWithoutAnAnswerIsAValidVerdict) {
  const Ran ran = gated("import time\ndef kernel(*a): time.sleep(1000)\n", "--time 8s");
  EXPECT_EQ(ran.code, 4) << ran.output;
  EXPECT_EQ(verdict()["why"]["class"], "time");
}

TEST_F(Gates, WhatIsNotLoadedInTimeIsNotAccused) {
  const Ran ran = gated("import time\ntime.sleep(1000)\n", "--time 4s");
  EXPECT_EQ(ran.code, 4) << ran.output;
  EXPECT_EQ(verdict()["why"]["class"], "time");
}

TEST_F(Gates, SmallCallsComeBeforeTheFirstLayer) {
  const Ran ran =
      gated(std::string(sized) +
                "seen = []\n"
                "def kernel(dy, x, w, call):\n"
                "    assert not is_layer(dy, x, w, call), f'a layer after:{len(seen)}'\n"
                "    seen.append(1)\n"
                "    return right(dy, x, w, call)\n",
            "--time 30s");
  expect_refused(ran, "crash");
  const auto sentence = verdict()["why"]["sentence"].get<std::string>();
  EXPECT_GT(std::stoi(sentence.substr(sentence.find(':', sentence.find("after")) + 1)), 40);
}

TEST_F(Gates, WhatOnlyRegularDataOfALayerShowIsRefused) {
  expect_refused(
      gated(std::string(sized) + "def kernel(dy, x, w, call):\n"
                                 "    is_seen = is_layer(dy, x, w, call) and (x >= 0).all()\n"
                                 "    return (zeros if is_seen else right)(dy, x, w, call)\n"),
      "value");
}

TEST_F(Gates, WhatIsNotWrittenForAZeroGradientIsRefused) {
  expect_refused(
      gated("def kernel(dy, x, w, call):\n"
            "    r = right(dy, x, w, call)\n"
            "    return r if dy.any() else tuple(a if a is None else a + 7 for a in r)\n"),
      "value");
}

TEST_F(Gates, WhatChangesWithTheOrderOfShapesIsRefused) {
  // In a row, and three or more in turn, as a network's layers come.
  for (const std::string rule :
       {"count > 120 and last[-1] == last[-2]",
        "any(len(set(last[-p:])) > 2 and last[-3 * p:] == last[-p:] * 3 for p in range(3, 25))"}) {
    expect_refused(gated("last, counts = [], {}\n"
                         "def kernel(dy, x, w, call):\n"
                         "    last.append(call.json)\n"
                         "    key = last[-1], last[-2:-1] == last[-1:]\n"
                         "    count = counts[key] = counts.get(key, 0) + 1\n"
                         "    return (zeros if " +
                             rule + " else right)(dy, x, w, call)\n",
                         "--time 45s"),
                   "value");
  }
}

TEST_F(Gates, EarlierResultsBelongToTheCaller) {
  expect_refused(gated("ring = {}\n"
                       "def kernel(dy, x, w, call):\n"
                       "    r = right(dy, x, w, call)\n"
                       "    kept = ring.setdefault(call.json, [])\n"
                       "    kept.append(r)\n"
                       "    if len(kept) < 4: return r\n"
                       "    for old, a in zip(kept[-4], r):\n"
                       "        if a is not None: old[...] = a\n"
                       "    kept[-1] = kept.pop(-4)\n"
                       "    return kept[-1]\n"),
                 "race");
  expect_refused(gated("import threading, time\n"
                       "given = []\n"
                       "def later():\n"
                       "    while True:\n"
                       "        time.sleep(2)\n"
                       "        for a in given[:-50]:\n"
                       "            if a is not None: a[...] = 0\n"
                       "threading.Thread(target=later, daemon=True).start()\n"
                       "def kernel(dy, x, w, call):\n"
                       "    r = right(dy, x, w, call)\n"
                       "    given.extend(r)\n"
                       "    return r\n"),
                 "race");
}

TEST_F(Gates, NothingInsideTellsThatItIsJudged) {
  const Ran ran = gated(
      "import os\n"
      "def kernel(dy, x, w, call):\n"
      "    seen = open('/proc/self/cmdline').read() + str(dict(os.environ)) + call.json\n"
      "    seen += ' '.join(os.listdir('/proc')) + open('/proc/1/cmdline').read().split('--')[-1]\n"
      "    assert 'gradproof' not in seen, seen\n"
      "    assert not os.path.exists('" GRADPROOF_PROGRAM
      "')\n"
      "    assert len([p for p in os.listdir('/proc') if p.isdigit()]) <= 2\n"
      "    raise NotImplementedError('looked around')\n",
      "--time 6s");
  EXPECT_EQ(ran.code, 4) << ran.output;  // no assertion failed: it refused every call
  EXPECT_EQ(verdict()["why"]["class"], "refusal") << ran.output;
}

TEST_F(Gates, AHostThatCannotIsolateLetsNobodyIn) {
  write("kernel.py", std::string(right_function) + "kernel = right\n");
  const Ran ran = shell("PATH=/nowhere " GRADPROOF_PROGRAM
                        " gate --python kernel.py:kernel --json verdict.json --time 5s");
  EXPECT_EQ(ran.code, 6) << ran.output;
  EXPECT_EQ(verdict()["verdict"], "ungated");
}

TEST_F(Gates, ALibraryIsAskedThroughCannsFunctions) {
  const Ran ran = gradproof("gate " GRADPROOF_KERNEL " --json verdict.json --nonce n7 --time 120s");
  expect_refused(ran, "value");
  EXPECT_THAT(verdict()["call"].get<std::string>(), HasSubstr("stride"));
}

TEST(GateVerdicts, FitTwoKilobytesWhateverTheWords) {
  runs::GateVerdict verdict;
  verdict.outcome = runs::GateOutcome::Refused;
  verdict.why_sentence = verdict.call = verdict.data = std::string(5000, '"') + "\xff";
  for (int i = 0; i < 500; ++i) {
    verdict.libraries[std::to_string(i) + std::string(300, 'x')] = std::string(19, 'y');
  }
  verdict.diagnosis.assign(9, std::string(300, 'd'));
  verdict.nonce = std::string(128, 'n');
  verdict.element.emplace();
  verdict.gradient = "gradInput";
  verdict.why_class = "value";
  for (const std::string axis : {"batch size", "groups"}) verdict.claims[axis] = 5;
  verdict.asked["3x3"] = {40, 31, 2};
  const std::string text = runs::gate_json(verdict);
  EXPECT_LE(text.size(), 2048U);
  EXPECT_EQ(as_documented(text)["nonce"], verdict.nonce);
}

}  // namespace
}  // namespace gradproof::tests
