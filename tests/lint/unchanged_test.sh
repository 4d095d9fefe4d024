#!/usr/bin/env bash
# unchanged_test.sh PROJECT COMPILER WORK: tools/lint/tidy.sh looks at a source again whenever anything has changed that clang-tidy
# reads or is told, and whenever it was not clean; otherwise it does not. clang-tidy is a program of the test's.
set -euo pipefail
project=$1 compiler=$2 work=$3
rm -rf "$work"
mkdir -p "$work"/{bin,build/lint,cache,code,system}
cd "$work"
cat >bin/clang-tidy <<'TIDY'
#!/usr/bin/env bash
echo "$*" >>calls
[ ! -e edit_meanwhile ] || { rm edit_meanwhile; echo '// edited' >>code/used.h; }
exit "$(cat verdict)"
TIDY
chmod +x bin/clang-tidy
echo '#pragma once' | tee code/used.h code/unused.h system/library.h >/dev/null
printf '#include "code/used.h"\n#include <library.h>\n' >code/a.cpp
cp code/a.cpp code/no_command.cpp
set_command() { printf '%s\t%s\n' "$work/code/a.cpp" "$compiler -I$work -isystem $work/system $1 -o a.o -c $work/code/a.cpp" >commands; }

export PATH=$work/bin:$PATH TIDY_OPTIONS=--quiet TIDY_SETTINGS=first TIDY_COMMANDS=commands TIDY_CACHE=$work/cache
fail() { echo "$*"; exit 1; }
# expect COUNT WHEN: how often clang-tidy is called by the next run.
expect() {
  : >calls
  "$project/tools/lint/tidy.sh" "${source:-code/a.cpp}" >output 2>&1 || [ "$(cat verdict)" != 0 ] || fail "$2: $(cat output)"
  [ "$(wc -l <calls)" -eq "$1" ] || fail "$2: clang-tidy was called $(wc -l <calls) times, not $1"
}

set_command -DNDEBUG
echo 1 >verdict
expect 1 "never seen, with findings"
expect 1 "it had findings"
! "$project/tools/lint/tidy.sh" code/a.cpp || fail "findings are lost"
echo 0 >verdict
expect 1 "corrected"
expect 0 "nothing has changed"
echo '// more' >>code/unused.h
expect 0 "a file has changed that is not included"
for file in code/a.cpp code/used.h system/library.h; do
  echo '// more' >>"$file"
  expect 1 "$file has changed"
  expect 0 "nothing has changed after $file"
done
mkdir include_first && echo '#pragma once' >include_first/library.h
set_command "-DNDEBUG -I$work/include_first"
expect 1 "the command has changed"
expect 0 "nothing has changed after the command"
rm include_first/library.h
expect 1 "another file of the name is found"
TIDY_SETTINGS=second expect 1 "the settings have changed"
TIDY_OPTIONS=--load=plugin expect 1 "the options have changed"
expect 0 "everything is as it was"
echo '// more' >>code/a.cpp
touch edit_meanwhile
expect 1 "changed, and a header once more while clang-tidy runs"
sed -i '$d' code/used.h
expect 1 "the header is as it was before clang-tidy ran"
source=code/no_command.cpp
expect 1 "no command"
expect 1 "no command, again"
echo "a source is looked at again where it must be, and nowhere else"
