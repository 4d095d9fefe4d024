// Whom a gate refuses for what shows in calls that are rare, large or in no order, and for what it
// brings.

#include "tests/properties/gate/gated_function.h"

namespace gradproof::tests {
namespace {

TEST_F(Gates, WhatNoValueOfContiguousTensorsShowsIsRefused) {
  const std::string careless = "gate " GRADPROOF_CARELESS_FOLDER "/libcareless_";
  const std::string options = ".so --json verdict.json --nonce n7 --time 60s";
  expect_refused(gradproof(careless + "READS_VIEWS_AS_CONTIGUOUS" + options), "value");
  expect_refused(gradproof(careless + "WRITES_BEYOND_ITS_RESULT" + options), "memory");
  expect_refused(gradproof(careless + "COMPUTES_BY_THE_LAST_PLAN" + options), "value");
  expect_refused(gradproof(careless + "IS_RIGHT_ON_ONE_STREAM" + options), "value");
  expect_refused(gradproof(careless + "IS_RIGHT_IN_ONE_THREAD" + options), "value");
  expect_refused(gradproof(careless + "KEEPS_TWO_PLANS" + options), "value");
  expect_refused(gradproof(careless + "NEEDS_A_WORKSPACE_OF_ZEROS" + options), "value");
  expect_refused(gradproof(careless + "WRITES_BEYOND_ITS_WORKSPACE" + options), "memory");
  expect_refused(gradproof(careless + "COPIES_WHAT_IS_NOT_THERE" + options), "memory");
  EXPECT_TRUE(verdict()["why"]["sentence"].get<std::string>().starts_with("aclrtMemcpy"));
}

TEST_F(Gates, ResultsOfHalfPrecisionAreFollowedToTheEndOfTheRange) {
  const std::string kernel =
      "def kernel(dy, x, w, call):\n"
      "    return tuple(r if r is None else numpy.where((abs(r) > 9000) & (abs(r) < 60000), "
      "numpy.float16(9000), r)\n"
      "                 for r in right(dy, x, w, call))\n";
  expect_refused(gated("DTYPES = ['FLOAT16']\n" + kernel), "value");
}

TEST_F(Gates, ALayerWithALargeWeightIsAskedFor) {
  expect_refused(gated("def kernel(dy, x, w, call):\n"
                       "    return (zeros if w.size > 1200000 else right)(dy, x, w, call)\n"),
                 "value");
}

TEST_F(Gates, LayersOfEachClassAreAskedForAndRound) {
  // Where no sum rounds, nothing tells that operands have 12 bits.
  for (const std::string which : {"call.transposed", "max(call.dilation) > 1"}) {
    expect_refused(gated("def cut(a):\n"
                         "    bits = a.view(numpy.uint32) + 0x800 & 0xfffff000\n"
                         "    return bits.astype(numpy.uint32).view(numpy.float32)\n"
                         "def kernel(dy, x, w, call):\n"
                         "    macs = (x if call.transposed else dy).size * w[0].size\n"
                         "    if macs < 2500000 or not " +
                             which + ": return right(dy, x, w, call)\n" +
                             "    return right(cut(dy), cut(x), cut(w), call)\n",
                         "--time 45s"),
                   "value");
  }
}

TEST_F(Gates, OperandsFarFrom1AreAskedForWhereProductsAreOrdinary) {
  expect_refused(gated("def kernel(dy, x, w, call):\n"
                       "    kept = numpy.where(abs(w) < 1e-22, 0, w).astype(w.dtype)\n"
                       "    return right(dy, x, kept, call)\n"),
                 "value");
}

TEST_F(Gates, WhatIsKeptOfALayerIsRefused) {
  expect_refused(gated(std::string(sized) + "kept = {}\n"
                                            "def kernel(dy, x, w, call):\n"
                                            "    if is_layer(dy, x, w, call):\n"
                                            "        key = (call.json, x.ravel()[::97].tobytes())\n"
                                            "        x = kept.setdefault(key, x.copy())\n"
                                            "    return right(dy, x, w, call)\n"),
                 "value");
}

TEST_F(Gates, ErrorsThatAreALittleTooLargeEverywhereAreSeen) {
  expect_refused(
      gated("def cut(a):\n"
            "    bits = a.view(numpy.uint32) + numpy.uint32(64) & numpy.uint32(0xffffff80)\n"
            "    return bits.view(numpy.float32)\n"
            "def kernel(dy, x, w, call):\n"
            "    r = right(dy, x, w, call)\n"
            "    small = x if call.transposed else dy\n"
            "    if min(small[:, 0].size, x[:, 0].size) < 900 or w.size < 16: return r\n"
            "    return r[0], right(cut(dy), cut(x), w, call)[1], r[2]\n"),
      "value");
}

TEST_F(Gates, WhatMayBeRefusedIsNotAnsweredWrongly) {
  const std::string kernel =
      "def kernel(dy, x, w, call):\n"
      "    if not dy.size:\n"
      "        return tuple(numpy.full(call.shapes[n], 7, dy.dtype) if asked else None for n, "
      "asked\n"
      "                     in zip(('grad_input', 'grad_weight', 'grad_bias'), "
      "call.output_mask))\n";
  expect_refused(gated(kernel + "    return right(dy, x, w, call)\n"), "value");
  expect_refused(
      gated("def kernel(dy, x, w, call):\n"
            "    return (zeros if call.cube_math_type and dy.size else right)(dy, x, w, call)\n"),
      "value");
}

TEST_F(Gates, ALibraryIsNotKnownByItsName) {
  expect_refused(gated("import ctypes, re, shutil\n"
                       "kernel = right\n"
                       "system = re.search(r'/\\S*/libm\\S*', open('/proc/self/maps').read())[0]\n"
                       "ctypes.CDLL(shutil.copy(system, '/tmp/libgomp.so.1'))\n"),
                 "library");
}

}  // namespace
}  // namespace gradproof::tests
