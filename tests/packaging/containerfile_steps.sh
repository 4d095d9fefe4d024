# Sourced by the tests of the Containerfile.

# steps FILE: a line for each instruction, without comments, continued lines joined.
steps() { sed -e '/^ *#/d' -e ':next' -e '/\\$/{N;s/\\\n */ /;b next}' -e '/^$/d' "$1" | tr -s ' '; }
