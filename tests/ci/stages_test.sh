#!/usr/bin/env bash
# stages_test.sh PROJECT WORK BUILD: .ci/run and .ci/nightly run what they say, all of it whatever fails, and tell what came of it.
# ./dev and ctest are programs of the test's, which note how they are called and fail where they are told to.
set -euo pipefail
project=$1 work=$2 build=$3
rm -rf "$work"
mkdir -p "$work"/{bin,fuzz}
cp -r "$project/.ci" "$project/CMakePresets.json" "$work"
cp "$project/fuzz/commands.sh" "$work/fuzz"
cd "$work"
cat >dev <<'PROGRAM'
#!/usr/bin/env bash
echo "$(basename "$0") $*" >>calls
[[ $* != *"$FAILING"* ]] || { echo "${SAYING:-cannot}"; exit 1; }
[[ $* != *"$LACKING"* ]] || { echo "dev: skipped: no such machine"; exit 77; }
echo "100% tests passed, 0 tests failed out of 7"
PROGRAM
chmod +x dev
cp dev bin/ctest
# Each pattern of the tests that are left to the night is of tests that there are.
names=$(ctest --test-dir "$build" -N | sed -n 's/^ *Test *#[0-9]*: //p')
for pattern in $(source .ci/stages.sh && printf '%s\n' "${of_the_night[@]}" "${sanitized_in_the_night[@]}"); do
  grep -qE "$pattern" <<<"$names" || { echo "no test is named $pattern (.ci/stages.sh)"; exit 1; }
done
# A test that stays by day has what it needs: what sets its fixtures up is not left to the night.
ctest --test-dir "$build" --show-only=json-v1 | python3 -c '
import json, re, sys
night = re.compile(sys.argv[1])
tests = {test["name"]: {p["name"]: p["value"] for p in test.get("properties", [])} for test in json.load(sys.stdin)["tests"]}
left = {fixture for name, of in tests.items() if night.search(name) for fixture in of.get("FIXTURES_SETUP", [])}
alone = [name for name, of in tests.items() if not night.search(name) and left.intersection(of.get("FIXTURES_REQUIRED", []))]
sys.exit(f"the fixtures of {alone} are left to the night (.ci/stages.sh)" if alone else 0)' "$(source .ci/stages.sh && of_the_night)"
export PATH=$work/bin:$PATH FAILING=none LACKING=none
fail() { echo "$*"; cat output; exit 1; }

# expect CODE COMMAND...: the exit code. What was called: the file calls; what it said: the file output.
expect() {
  local code=0
  : >calls
  "${@:2}" >output 2>&1 || code=$?
  [ "$code" -eq "$1" ] || fail "${*:2} ended with code $code, not $1"
}
said() { grep -qE "$1" output || fail "it does not say '$1'"; }
called() { grep -qxE "$1" calls || fail "it did not call: $1 (it did: $(cat calls))"; }

expect 0 .ci/run
for call in 'dev build dev' 'dev test dev -E .*' 'dev lint' 'dev build (asan|tsan) sanitizer_tests' \
  'ctest --preset (asan|tsan) .*-L \^sanitizers\$ .*' 'ctest --preset (asan|tsan) .*-L \^campaign\$.*'; do
  called "$call"
done
[ "$(wc -l <calls)" -eq 9 ] || fail "not 9 calls: $(cat calls)"
said '^asan-tests +ok +[0-9]+:[0-9]{2} +100% tests passed, 0 tests failed out of 7$'
said '^total +- +[0-9]+:[0-9]{2}'

FAILING=lint expect 1 .ci/run
[ "$(wc -l <calls)" -eq 9 ] || fail "a failed stage ends the run: $(cat calls)"
said '^lint +FAILED '
said '^tsan-campaign +ok '
said '^== lint failed:$'
said '^cannot$'
grep -qx cannot build/ci/lint.log || fail "what a stage said is not kept"

SAYING=$' 3/9 Test  #3: Third .....***Failed 0.1 sec\n  expected 5\n 4/9 Test #4: Fourth ... Passed 0.2 sec' FAILING=lint expect 1 .ci/run
[ "$(sed -n '/^== lint failed:$/,$p' output | sed 's/^ *//')" = $'== lint failed:\n3/9 Test  #3: Third .....***Failed 0.1 sec\nexpected 5' ] ||
  fail "it does not end with what the failed tests said"

expect 2 .ci/nightly tests no_such_stage
[ ! -s calls ] || fail "stages run though one is unknown: $(cat calls)"
said 'no stage is named "no_such_stage"'
presets=$(cmake --list-presets=build | sed -n 's/^ *"\([^"]*\)".*/\1/p')
[ -n "$presets" ] || fail "no build presets"
for preset in $presets; do said "^build-$preset\$"; done

expect 0 .ci/nightly tests-asan build-clang package tests-aarch64 fuzz_status
for call in 'dev test asan' 'dev build clang' 'dev package' 'dev test aarch64' 'dev fuzz fuzz_status --time 10m'; do
  called "$call"
done
[ "$(wc -l <calls)" -eq 5 ] || fail "other stages than those named: $(cat calls)"
FAILING=asan expect 1 .ci/nightly tests-asan tests-tsan
said '^tests-asan +FAILED '
said '^tests-tsan +ok '
LACKING=aarch64 expect 0 .ci/nightly tests-aarch64 package
said '^tests-aarch64 +skipped .*skipped: no such machine$'
said '^package +ok '

printf '#!/bin/sh\n: >begun\nuntil [ -e ended ]; do sleep 0.1; done\n' >dev
.ci/nightly tests package >output 2>&1 &
until [ -e begun ]; do sleep 0.1; done
kill $!
! wait $! || fail "an interrupted run succeeds"
: >ended
said '^tests +interrupted '
! grep -q '^package ' output || fail "an interrupted run continues"
echo "stages run, continue past failures, and tell what came of them"
