#!/usr/bin/env python3
"""No call has two arguments that both draw: compilers differ in which they work out first, and a seed would give other cases.

    draws_test.py SOURCES
"""

import pathlib
import re
import sys

DRAWS = re.compile(r"\brandom_?\.\w+\(|\w\([^()]*\brandom_?\b[^()]*\)")
CALL = re.compile(r"[A-Za-z_][\w:]*(?:<[^<>;{}]*>)?\s*\(")


def arguments(text, begin):
    """The arguments of a call whose bracket opened before `begin`."""
    depth, start, found = 1, begin, []
    for i in range(begin, len(text)):
        depth += (text[i] in "([{") - (text[i] in ")]}")
        if depth == 0 or (depth == 1 and text[i] == ","):
            found.append(text[start:i])
            start = i + 1
        if depth == 0:
            return found
    return found


def unordered(text):
    """Lines and calls of the text with two arguments that draw."""
    text = re.sub(r"//[^\n]*", "", text)
    for call in CALL.finditer(text):
        drawing = [argument for argument in arguments(text, call.end()) if DRAWS.search(argument) and "[&]" not in argument]
        if len(drawing) > 1:
            yield text[: call.start()].count("\n") + 1, " ".join(call.group().split()) + ", ".join(drawing) + ")"


assert list(unordered("f(random.between(1, 2), g(x, random));")) and not list(unordered("f(x, random); S{random.bits(), g(random)};"))
sources = pathlib.Path(sys.argv[1])
files = [file for folder in ("corpus", "oracle", "properties") for file in sorted((sources / folder).rglob("*.cpp"))]
assert len(files) > 300, f"only {len(files)} sources below {sources}"
wrong = [f"{file.relative_to(sources)}:{line}: {call}" for file in files for line, call in unordered(file.read_text(encoding="utf-8"))]
if wrong:
    sys.exit("\n".join(wrong) + "\n(take the draws into variables first, in the order that is meant)")
