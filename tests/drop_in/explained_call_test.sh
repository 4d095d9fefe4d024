#!/usr/bin/env bash
# explained_call_test.sh PROGRAM_FOLDER PREFIX WORK: compiles and runs the call that `gradproof explain --code c` prints.
set -euo pipefail
folder=$1 prefix=$2 work=$3
mkdir -p "$work"
"$prefix/bin/gradproof" explain --code c --input 1,2,4,4 --weight 3,2,3,3 --bias --soc Ascend910B >"$work/call.cpp"
g++ -std=c++17 -Wall -Wextra -Werror -I"$prefix/include" "$folder/run_explained_call.cpp" "$work/call.cpp" \
  -L"$prefix/lib" -lopapi -lnnopbase -lascendcl -o "$work/call"
LD_LIBRARY_PATH=$prefix/lib "$work/call" | tee "$work/output.txt"
# gradOutput is 1,3,2,2: a corner of gradInput meets 3 kernels once, an inner element each of them four times.
diff - "$work/output.txt" <<'EXPECTED'
status 0
gradInput corner 3, inside 12
gradWeight 4
gradBias 4
EXPECTED
