# shellcheck shell=bash
# How .ci/run and .ci/nightly run their stages: sourced by both, in the project's folder.

stages=()    # of each that has run: name, result, seconds
running=''
logs=build/ci

# Tests of a minute and of half a minute, each of something that shorter ones look at too: the night's alone. Regexes of names.
of_the_night=(
  '^certificates\.are_checked_by_a_stranger$' '^drop_in\.own_library$' '^packaging\.(debian|wheel|tarball|archive)$'
  '^library\.python_(isolation|questions)$' '^LibraryOptions\.BindEveryCallThatIsAsked$' '^Options\.BindEveryCallThatAProgramIsAsked$'
  '^Gates\.(WhatChangesWithTheOrderOfShapes|LayersOfEachClass|AClaimOfBits|RefusalsThatWereNotDeclared|ALargeCallWithoutABias|WhatOnlyRegularData|LessPrecision|WhatIsKeptOfALayer|ErrorsThatAre)'
  '^EveryPrecision/SeededFaults\.' '^Faults\.OfTheSimulatedCores' '^Jobs/KilledWithJobs\..*/"1"$'
  '^Each/PlantedMachines\.' '^EveryFormat/FastGradients\.EqualThePlainOnesBitForBit/.*(11bits|E4M3FN|HIFLOAT8|DOUBLE)'
  '^Documentation/EachPage\.HasCommandsThatDoWhatItSays/docs_(zh|prove)_md' '^FailingPage\.(Sorts|Explains|LeadsFrom)'
)
of_the_night() { (IFS='|'; echo "${of_the_night[*]}"); }

# The same of what sanitizers slow down to minutes: without them these run by day.
sanitized_in_the_night=(
  'SeededFaults\.' '^Table/EachLaw\..*/(many_calls_before|alternating_calls|schedule_bound|schedule_determinism|operator_equivalence)'
  '^Table/RunsOfEachMisbehaviour\.' '^MisbehavingRuns\.ThatComputeNothing' '^Claims\.ThatDoNotHold' '^CampaignOfLaws\.HoldsAShare'
  '^(Coverage|GeneratedCalls|GeneratedLayers|LegalPairs|LegalTriples|ThresholdSizes)\.'
  '^LargeCall\.' '^OrderedBounds\.SeeOnDenseData' '^PrintedCommands\.ResumeARun' '^HostileLog\.TakesTimeInProportion'
)
sanitized_in_the_night() { (IFS='|'; echo "${of_the_night[*]}|${sanitized_in_the_night[*]}"); }

# stage NAME COMMAND...: runs the command, keeps what it says in build/ci/NAME.log too, and continues whatever comes of it.
# Exit code 77 says that the machine lacks what the stage needs: it was skipped.
stage() {
  local result=ok code=0 begin=$SECONDS
  running=$1
  shift
  printf '\n== %s: %s\n' "$running" "$*"
  mkdir -p "$logs"
  "$@" 2>&1 | tee "$logs/$running.log" || code=$?
  case $code in 0) ;; 77) result=skipped ;; *) result=FAILED ;; esac
  stages+=("$running $result $((SECONDS - begin))")
  running=''
}

# end_stages: a table of all that has run, and the exit code. For the trap EXIT, so that an interrupted run shows its own too.
end_stages() {
  local row name result seconds failed=0
  trap '' INT TERM  # a second one would end the table
  [ -z "$running" ] || stages+=("$running interrupted 0")
  printf '\n%-20s %-11s %8s  %s\n' stage result min:s 'what it said last'
  for row in "${stages[@]}" "total - $SECONDS"; do
    read -r name result seconds <<<"$row"
    printf '%-20s %-11s %5d:%02d  %s\n' "$name" "$result" $((seconds / 60)) $((seconds % 60)) "$(last_words_of "$name")"
    case $result in FAILED | interrupted) failed=1 ;; esac
  done
  [ $failed -eq 0 ] || printf 'not all stages succeeded; what each said: %s/STAGE.log\n' "$logs"
  for row in "${stages[@]}"; do
    read -r name result seconds <<<"$row"
    [ "$result" != FAILED ] || failures_of "$name"
  done
  exit $failed
}

# last_words_of STAGE: the summary that its program ended with, where it has one.
last_words_of() {
  [ -f "$logs/$1.log" ] || return 0
  grep -oE '(skipped: .*|[0-9]+% tests passed.*|(verify|lint|faults): [0-9].*|fuzz_[a-z_]+: [0-9]+ (stored|inputs).*)$' "$logs/$1.log" | tail -n 1 || true
}

# failures_of STAGE: the begin of what each failed test said, or how the stage ended. A host may keep a run's last lines only.
failures_of() {
  printf '\n== %s failed:\n' "$1"
  awk '/^ *[0-9]+\/[0-9]+ Test +#/ { left = /\*\*\*(Failed|Timeout|Exception)/ ? 40 : 0 } left-- > 0' "$logs/$1.log" | grep . || tail -n 20 "$logs/$1.log"
}
