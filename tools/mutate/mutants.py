"""Mutants of C++ sources: small wrong changes, each of which a test should notice.

Lines are read as clang-format writes them: an operator between blanks has two operands.
"""

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Mutant:
    path: str
    line: int  # from 1
    kind: str
    before: str  # the whole line
    after: str

    def key(self):
        """What stays the same while other lines move."""
        return f"{self.path}: {self.before.strip()} -> {self.after.strip()}"


# kind, what is looked for, what takes its place
REPLACEMENTS = [
    ("relation", r" < ", " <= "), ("relation", r" <= ", " < "), ("relation", r" > ", " >= "), ("relation", r" >= ", " > "),
    ("relation", r" == ", " != "), ("relation", r" != ", " == "),
    ("arithmetic", r" \+ ", " - "), ("arithmetic", r" - ", " + "), ("arithmetic", r" / ", " * "), ("arithmetic", r" % ", " / "),
    ("arithmetic", r"(?<=\S) \* (?=\S)", " / "),
    ("logic", r" && ", " || "), ("logic", r" \|\| ", " && "),
    ("assignment", r" \+= ", " -= "), ("assignment", r" -= ", " += "),
    ("step", r"\+\+(?=\w)", "--"),
    ("result", r"\breturn true;", "return false;"), ("result", r"\breturn false;", "return true;"),
    ("extreme", r"\bstd::min\b", "std::max"), ("extreme", r"\bstd::max\b", "std::min"),
    ("quantifier", r"\bany_of\b", "all_of"), ("quantifier", r"\ball_of\b", "any_of"),
]
CONSTANT = re.compile(r"(?<![\w.'\"<])(\d+)(?![\w.'\">])")
CONDITION = re.compile(r"^(\s*)if \((.+)\) (return\b.*;|continue;|break;|\{)$")
STATEMENT = re.compile(r"^\s+(?!return\b|if\b|for\b|while\b|else\b|case\b|break\b|continue\b|using\b|throw\b|delete\b|const\b|auto\b)"
                       r"(?:[A-Za-z_][\w.:\[\]]*(?:->[\w.]+)*)(?:\(.*\)| [-+*/|&^]?= .*)?;$")
ARGUMENTS = re.compile(r"(?<=\()([A-Za-z_]\w*), ([A-Za-z_]\w*)(?=\))")
# Declarations and what the compiler asks, not a run.
NOT_CODE = re.compile(r"^\s*(#|//|\*|/\*|using |static_assert|namespace |template|class |struct |enum |extern |friend |public:|private:)"
                      r"|operator|R\"|<<=|>>=")


def without_text(line):
    """The line with blanks for what stands in quotes or in a comment at its end: columns stay the same."""
    masked = re.sub(r'"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])+\'', lambda m: "\0" * len(m.group()), line)
    comment = masked.find("//")
    return masked if comment < 0 else masked[:comment] + "\0" * (len(line) - comment)


def _replaced(line, match, text):
    return line[: match.start()] + match.expand(text) + line[match.end():]


def mutants_of_line(line):
    """Pairs (kind, changed line)."""
    if NOT_CODE.search(line):
        return
    code = without_text(line)
    for kind, pattern, text in REPLACEMENTS:
        for match in re.finditer(pattern, code):
            yield kind, line[: match.start()] + text + line[match.end():]
    for match in CONSTANT.finditer(code):
        yield "constant", line[: match.start()] + str(int(match.group()) + 1) + line[match.end():]
    for match in ARGUMENTS.finditer(code):
        if match.group(1) != match.group(2):
            yield "arguments", line[: match.start()] + f"{match.group(2)}, {match.group(1)}" + line[match.end():]
    condition = CONDITION.match(code)
    if condition and ";" not in condition.group(2):
        yield "condition", f"{condition.group(1)}if (!({line[condition.start(2):condition.end(2)]})) {condition.group(3)}"
    if STATEMENT.match(code) and line.count("(") == line.count(")"):
        yield "deletion", ";"


def mutants_of(path, text):
    """All mutants of a source, in its order."""
    found, is_comment = [], False
    for number, line in enumerate(text.split("\n"), 1):
        is_comment = is_comment or line.lstrip().startswith("/*")
        if not is_comment:
            found += [Mutant(path, number, kind, line, changed) for kind, changed in mutants_of_line(line)]
        is_comment = is_comment and "*/" not in line
    return found


def applied(text, mutant):
    lines = text.split("\n")
    assert lines[mutant.line - 1] == mutant.before, f"{mutant.path}:{mutant.line} has changed"
    lines[mutant.line - 1] = mutant.after
    return "\n".join(lines)
