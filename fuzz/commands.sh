# ./dev fuzz: sourced by dev, whose functions (need, build, die, jobs) it uses.

fuzz_targets=(fuzz_values fuzz_status fuzz_case_json fuzz_texts fuzz_layouts fuzz_call_sequence fuzz_ascendc)
fuzz_coverage_packages=(clang libclang-rt-dev llvm)
fuzz_size_budget=1048576   # bytes of all kept inputs, unpacked
fuzz_archive=fuzz/inputs.tar.zst  # of the kept inputs, a folder for each target
# What --faults inserts, of kernel/with_faults/faults: index relation, rounding, memory, statuses, the runtime.
fuzz_faults=(dilation_for_stride_in_w groups_ignored_in_dx padding_off_by_one kernel_not_rotated strides_of_input_ignored
  hf32_for_float bfloat16_ties_away one_element_past_the_output_written half_the_workspace_asked_for rule_stride_01_missing
  rule_shape_02_missing repeatable_executor_dies_after_its_first_use)
# Leaks are the business of the law no_leak and of the tests under AddressSanitizer: libFuzzer's own search for them after
# nearly every input takes a third of the time. So does its entropic schedule with features as many as ours.
fuzz_options=(-detect_leaks=0 -entropic=0 -max_len=4096 -timeout=25 -rss_limit_mb=4096)

fuzz_usage() {
  cat <<'USAGE'
usage: ./dev fuzz [TARGET]... [--time 60s] [--jobs 2] [--engine libfuzzer|afl]
       ./dev fuzz [TARGET]... --merge       keep of all inputs found those that reach something, the smallest of each
       ./dev fuzz [TARGET]... --coverage    which lines of kernel/ the kept and found inputs reach, as HTML
       ./dev fuzz [TARGET]... --faults      how long each target takes to find faults seeded in the kernel

Without TARGET: all of them (--faults: three), one after the other. Inputs found are in build/fuzz/TARGET, findings in
build/fuzz/TARGET/findings, each as a case that `gradproof replay` takes. Exit code: 0 nothing found, 1 findings.
USAGE
}

seconds_of() {
  case $1 in
    *[!0-9smh]* | '' | [smh]*) die "--time $1: expected a duration such as 60s, 5m or 2h" ;;
    *s) echo "${1%s}" ;;
    *m) echo $((${1%m} * 60)) ;;
    *h) echo $((${1%h} * 3600)) ;;
    *) echo "$1" ;;
  esac
}

unpack_inputs() {
  rm -rf build/fuzz/kept
  mkdir -p build/fuzz/kept
  cmake -E chdir build/fuzz/kept cmake -E tar xf "$PWD/$fuzz_archive" || die "$fuzz_archive cannot be unpacked (above)"
}

# make_seeds PRESET: seeds and dictionaries of stored cases, made again by a build's fuzz_seeds; the kept inputs with them.
make_seeds() {
  unpack_inputs
  "build/$1/bin/fuzz_seeds" corpus/cases build/fuzz/seeds >/dev/null || die "no seeds were made (above)"
}

# Folders of inputs that are there: kept, found, seeds.
inputs_of() {
  local folder
  for folder in "build/fuzz/kept/$1" "build/fuzz/$1/found" "build/fuzz/seeds/$1"; do
    [ ! -d "$folder" ] || echo "$folder"
  done
}

# The case of each file that an engine left, made small; says nothing of files that do not fail again.
report_findings() {
  local program=$1 folder=$2 file
  shift 2
  for file in "$folder"/crash-* "$folder"/timeout-* "$folder"/oom-* "$folder"/id:* "$@"; do
    [ -f "$file" ] || continue
    printf '%s\n' "--- $file" >&2
    GRADPROOF_FUZZ_FINDINGS=$folder "$program" --shrink "$file" || true
  done
}

# fuzz_with_libfuzzer TARGET SECONDS JOBS: 0 if nothing was found.
fuzz_with_libfuzzer() {
  local target=$1 seconds=$2 workers=$3 folder=build/fuzz/$1 worker failed=0 pids=() profile
  local program=build/libfuzzer/bin/$target
  mkdir -p "$folder/found" "$folder/findings"
  local options=("${fuzz_options[@]}" -max_total_time="$seconds" -reload=1 -print_final_stats=1
    -artifact_prefix="$folder/findings/" -dict="build/fuzz/seeds/$target.dict")
  local folders
  mapfile -t folders < <(inputs_of "$target" | grep -vx "$folder/found")
  for ((worker = 0; worker < workers; ++worker)); do
    profile=documented   # every other worker fuzzes the other profile of the rules
    [ $((worker % 2)) -eq 0 ] || profile=released
    GRADPROOF_PROFILE=$profile GRADPROOF_FUZZ_FINDINGS=$folder/findings \
      "$program" "${options[@]}" "$folder/found" "${folders[@]}" >"$folder/worker-$worker.log" 2>&1 &
    pids+=($!)
  done
  for ((worker = 0; worker < workers; ++worker)); do
    wait "${pids[worker]}" || failed=1
  done
  grep -h -E '^stat::(number_of_executed_units|average_exec_per_sec)' "$folder"/worker-*.log |
    awk -v target="$target" -v workers="$workers" '/executed/ {runs += $2} /average/ {rate += $2}
      END {printf "%s: %d inputs, %d a second and worker, %d workers\n", target, runs, rate / workers, workers}'
  [ $failed -eq 0 ] && return 0
  for ((worker = 0; worker < workers; ++worker)); do
    grep -h -E '^(fuzz_[a-z_]*|step|ERROR|SUMMARY|==[0-9]+==ERROR): ' "$folder/worker-$worker.log" >&2 || true
  done
  report_findings "$program" "$folder/findings"
  return 1
}

# fuzz_with_afl TARGET SECONDS JOBS: 0 if nothing was found. The first worker is the main one.
fuzz_with_afl() {
  local target=$1 seconds=$2 workers=$3 folder=build/fuzz/$1/afl worker role pids=() profile
  local program=build/afl/bin/$target seeds=build/fuzz/$1/afl-seeds
  rm -rf "$folder" "$seeds"
  mkdir -p "$folder" "$seeds" "build/fuzz/$1/found"
  local source
  for source in $(inputs_of "$target"); do cp -n "$source"/* "$seeds"/ 2>/dev/null || true; done
  for ((worker = 0; worker < workers; ++worker)); do
    role=-S
    [ $worker -gt 0 ] || role=-M
    profile=documented
    [ $((worker % 2)) -eq 0 ] || profile=released
    GRADPROOF_PROFILE=$profile GRADPROOF_FUZZ_FINDINGS=$folder AFL_NO_UI=1 AFL_SKIP_CPUFREQ=1 AFL_NO_AFFINITY=1 \
      AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES=1 \
      afl-fuzz "$role" "worker$worker" -V "$seconds" -G 4096 -i "$seeds" -o "$folder" -x "build/fuzz/seeds/$target.dict" \
      -- "$program" >"build/fuzz/$target/afl-worker-$worker.log" 2>&1 &
    pids+=($!)
  done
  for ((worker = 0; worker < workers; ++worker)); do
    wait "${pids[worker]}" || die "afl-fuzz failed: build/fuzz/$target/afl-worker-$worker.log"
  done
  cat "$folder"/worker*/fuzzer_stats | awk -v target="$target" -v workers="$workers" '/^execs_done/ {runs += $3}
    /^execs_per_sec/ {rate += $3} /^saved_(crashes|hangs)/ {found += $3}
    END {printf "%s: %d inputs, %d a second and worker, %d workers, %d findings\n", target, runs, rate / workers, workers, found
         exit found > 0}' && return 0
  report_findings "$program" "$folder" "$folder"/worker*/crashes/id:* "$folder"/worker*/hangs/id:*
  return 1
}

# Inputs found by AFL++ count as found.
gather_afl_inputs() {
  local queue
  mkdir -p "build/fuzz/$1/found"
  for queue in build/fuzz/"$1"/afl/worker*/queue; do
    [ ! -d "$queue" ] || find "$queue" -maxdepth 1 -type f -exec cp -t "build/fuzz/$1/found" {} +
  done
}

# The same bytes for the same inputs: names in order, no owners, no times.
pack_inputs() {
  tar --create --sort=name --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX --mtime=@0 --directory=build/fuzz/kept \
    --use-compress-program='zstd -19 --quiet' --file="$fuzz_archive" "${fuzz_targets[@]}" || die "$fuzz_archive was not packed (above)"
}

fuzz_merge() {
  need zstd
  build libfuzzer
  make_seeds libfuzzer
  local target kept folders size
  for target in "$@"; do
    gather_afl_inputs "$target"
    kept=$(mktemp -d)
    mapfile -t folders < <(inputs_of "$target")
    "build/libfuzzer/bin/$target" -set_cover_merge=1 -use_counters=0 -max_len=4096 "$kept" "${folders[@]}" >"build/fuzz/$target/merge.log" 2>&1 ||
      die "merging failed: build/fuzz/$target/merge.log"
    rm -rf "build/fuzz/kept/$target"
    cp -r "$kept" "build/fuzz/kept/$target"
    rm -rf "$kept"
    echo "$target: $(find "build/fuzz/kept/$target" -type f | wc -l) inputs kept"
  done
  size=$(find build/fuzz/kept -type f -printf '%s\n' | awk '{sum += $1} END {print sum + 0}')
  echo "kept inputs: $size of $fuzz_size_budget bytes"
  [ "$size" -le "$fuzz_size_budget" ] || die "build/fuzz/kept is over its budget; delete the largest of the least use and pack them: pack_inputs"
  pack_inputs
}

# kernel_coverage COMMAND PROFILE PROGRAM...: llvm-cov's COMMAND on kernel/, from the runs of the profile. It takes the first
# program by itself and the others as objects, and knows files by the names they were compiled under.
kernel_coverage() {
  local command=$1 profile=$2 objects=("$3") program elsewhere="(\.\./\.\.|$PWD)/(corpus|fuzz|oracle|properties)/"
  for program in "${@:4}"; do objects+=(-object "$program"); done
  # shellcheck disable=SC2086  # a command and its options
  llvm-cov $command -instr-profile="$profile" -ignore-filename-regex="$elsewhere" "${objects[@]}"
}

# coverage_of PROFILE PROGRAM...: shares of kernel/ that the runs of the profile reached.
coverage_of() {
  kernel_coverage report "$@" | tail -n 1 |
    awk '{print $(NF - 3) " of the lines of kernel/, " $NF " of the branches"}'
}

fuzz_coverage() {
  need "${fuzz_coverage_packages[@]}"
  build fuzz-coverage
  unpack_inputs
  local target program programs=() profiles=build/fuzz/profiles
  mkdir -p $profiles
  rm -f $profiles/*
  for target in "$@"; do
    gather_afl_inputs "$target"
    program=build/fuzz-coverage/bin/$target
    # shellcheck disable=SC2046  # folders of ours have no blanks
    LLVM_PROFILE_FILE=$profiles/$target.profraw "$program" $(inputs_of "$target") || die "an input of $target fails (above)"
    llvm-profdata merge -sparse "$profiles/$target.profraw" -o "$profiles/$target.profdata"
    echo "$target: $(coverage_of "$profiles/$target.profdata" "$program")"
    programs+=("$program")
  done
  llvm-profdata merge -sparse $profiles/*.profraw -o $profiles/all
  kernel_coverage "show -format=html -output-dir=build/fuzz/coverage" $profiles/all "${programs[@]}"
  echo "together: $(coverage_of $profiles/all "${programs[@]}"); build/fuzz/coverage/index.html"
}

# time_to_find TARGET FAULT SECONDS [FOLDER...]: processor seconds until the target finds the fault, from the inputs in the
# folders; `-` where it takes longer than SECONDS by the clock. What it said is left in build/fuzz/faults.
time_to_find() {
  local target=$1 fault=$2 seconds=$3 new log
  shift 3
  new=$(mktemp -d)
  log=build/fuzz/faults/$target-$fault-$#.log
  GRADPROOF_FAULT=$fault GRADPROOF_FUZZ_FINDINGS=$new \
    "build/libfuzzer/bin/${target}_with_faults" "${fuzz_options[@]}" -max_total_time="$seconds" -seed=1 -artifact_prefix="$new/" \
    "$new" "$@" >"$log" 2>&1 || true
  rm -rf "$new"
  awk '/: found after / {print $4; found = 1; exit} END {if (!found) print "-"}' "$log"
}

# fuzz_find_faults SECONDS TARGET...: a table row for each fault; two times for each target: from kept inputs, from nothing.
fuzz_find_faults() {
  local seconds=$1 target fault row folders
  shift
  build libfuzzer fuzz_seeds "${@/%/_with_faults}"
  make_seeds libfuzzer
  mkdir -p build/fuzz/faults
  echo "| fault | $(printf '%s, kept inputs | from nothing | ' "$@")"
  echo "|---|$(printf '%s---|---|' "${@/*/}")"
  for fault in "${fuzz_faults[@]}"; do
    row="| \`$fault\` |"
    for target in "$@"; do
      mapfile -t folders < <(inputs_of "$target" | grep -v '/found$')
      row+=" $(time_to_find "$target" "$fault" "$seconds" "${folders[@]}") | $(time_to_find "$target" "$fault" "$seconds") |"
    done
    echo "$row"
  done
}

fuzz() {
  local targets=() seconds=60 workers engine=libfuzzer action=run target found=0
  workers=$(jobs)
  while [ $# -gt 0 ]; do
    case $1 in
      --time) seconds=$(seconds_of "${2:-}") || exit 1; shift ;;
      --jobs) workers=${2:-}; shift ;;
      --engine) engine=${2:-}; shift ;;
      --merge) action=merge ;;
      --coverage) action=coverage ;;
      --faults) action=faults ;;
      -h | --help) fuzz_usage; return 0 ;;
      -*) fuzz_usage >&2; die "fuzz: unknown option '$1'" ;;
      *)
        [[ " ${fuzz_targets[*]} " == *" $1 "* ]] || die "fuzz: no target is named '$1'; there are: ${fuzz_targets[*]}"
        targets+=("$1")
        ;;
    esac
    shift
  done
  [[ $workers =~ ^[1-9][0-9]*$ ]] || die "fuzz: --jobs $workers: expected a number of processes"
  if [ $action = faults ] && [ ${#targets[@]} -eq 0 ]; then targets=(fuzz_values fuzz_status fuzz_call_sequence); fi
  [ ${#targets[@]} -gt 0 ] || targets=("${fuzz_targets[@]}")
  case $action in
    merge) fuzz_merge "${targets[@]}"; return ;;
    coverage) fuzz_coverage "${targets[@]}"; return ;;
    faults) fuzz_find_faults "$seconds" "${targets[@]}"; return ;;
  esac
  [[ $engine =~ ^(libfuzzer|afl)$ ]] || die "fuzz: --engine $engine: expected libfuzzer or afl"
  build "$engine"
  make_seeds "$engine"
  for target in "${targets[@]}"; do
    "fuzz_with_$engine" "$target" "$seconds" "$workers" || found=1
  done
  return $found
}
