"""Check that every rule of docs/rules.md and docs/challenge-rules.md has a test.

    python -m tests.tools.rules_coverage            print the counts and every problem
    python -m tests.tools.rules_coverage R-MOV-02   print the tests and scenarios that name these rules

A test names a rule in the name of its function (`r_mov_02`, `r_mov_02_03`, `r_mov_02_to_05`), in its docstring, in a
decorator, or in a table that a decorator refers to; a scenario names it under `rules`. docs/rulings.md excuses rules
in its sections "Not built yet" and "Nothing to test". Exit status 1 when a rule has neither a test nor an excuse, when
it has both, and when a test or an excuse names a rule that no document has.
"""

from __future__ import annotations

import ast
import json
import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

ROOT = Path(__file__).parents[2]
RULES = (ROOT / "docs" / "rules.md", ROOT / "docs" / "challenge-rules.md")
"""Those of the arena (R-) and those of the Melee Challenge (MC-)."""
RULINGS = ROOT / "docs" / "rulings.md"
TESTS = ROOT / "tests"
EXCUSES = ("Not built yet", "Nothing to test")

RULE_LINE = re.compile(r"^- \*{0,2}(R-[A-Z]{3}-\d\d|MC-[A-Z]+-\d\d)\b", re.MULTILINE)
WRITTEN = re.compile(r"(?<![A-Z])(R-[A-Z]{3}|MC-[A-Z]+)-(\d\d)((?:(?:-|, | to | and |/)(?:\1-)?\d\d(?!\d))*)")
SPOKEN = re.compile(r"(?:^|_)(r_[a-z]{3}|mc_[a-z]+)_(\d\d)((?:_to_\d\d|_and_\d\d|_\d\d)*)(?!\d)")


def _expand(section: str, first: str, rest: str) -> Iterator[str]:
    """R-MOV-02 and what hangs on it: `-03`, `, R-MOV-04`, ` to R-MOV-09`."""
    last = int(first)
    yield f"{section}-{last:02d}"
    for joint, number in re.findall(r"(to|and|,|-|_|/)[ _]?(?:[A-Z]+-[A-Z]+-)?(\d\d)", rest):
        now = int(number)
        for between in range(last + 1 if joint == "to" else now, now + 1):
            yield f"{section}-{between:02d}"
        last = now


def ids_in_text(text: str) -> set[str]:
    """Rules written as `R-MOV-02`, with ranges."""
    return {rule for match in WRITTEN.finditer(text) for rule in _expand(*match.groups())}


def ids_in_name(name: str) -> set[str]:
    """Rules spoken in a function's name."""
    return {
        rule
        for match in SPOKEN.finditer(name)
        for rule in _expand(match[1].upper().replace("_", "-"), match[2], match[3])
    }


def _strings(node: ast.AST) -> Iterator[str]:
    for inner in ast.walk(node):
        if isinstance(inner, ast.Constant) and isinstance(inner.value, str):
            yield inner.value


def _tables(tree: ast.Module) -> dict[str, list[str]]:
    """The strings of every table that the module defines, by the table's name."""
    found: dict[str, list[str]] = {}
    for node in tree.body:
        targets = (
            node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
        )
        value = getattr(node, "value", None)
        if value is not None:
            for target in targets:
                if isinstance(target, ast.Name):
                    found[target.id] = list(_strings(value))
    return found


def functions_in(source: str) -> Iterator[tuple[str, set[str]]]:
    """Every test function with the rules that it names."""
    tree = ast.parse(source)
    tables = _tables(tree)
    for node in ast.walk(tree):
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) or not node.name.startswith("test_"):
            continue
        named = ids_in_name(node.name) | ids_in_text(ast.get_docstring(node) or "")
        for decorator in node.decorator_list:
            for text in _strings(decorator):
                named |= ids_in_text(text)
            for inner in ast.walk(decorator):
                if isinstance(inner, ast.Name):
                    for text in tables.get(inner.id, ()):
                        named |= ids_in_text(text)
        yield node.name, named


def named_by_tests(root: Path = TESTS) -> dict[str, list[str]]:
    """The tests and scenarios under `root` that name each rule."""
    found: dict[str, list[str]] = defaultdict(list)
    for path in sorted(set(root.rglob("test_*.py")) - set(root.rglob("test_rules_coverage.py"))):
        source = path.read_text(encoding="utf-8")
        if not (WRITTEN.search(source) or SPOKEN.search(source)):
            continue
        for name, rules in functions_in(source):
            for rule in rules:
                found[rule].append(f"{path.relative_to(root)}::{name}")
    for path in sorted(root.glob("rules/scenarios/**/*.json")):
        for text in json.loads(path.read_text(encoding="utf-8")).get("rules") or []:
            for rule in ids_in_text(text):
                found[rule].append(str(path.relative_to(root)))
    return dict(found)


def stated(text: str) -> list[str]:
    """The rules that a document states, in its order."""
    return RULE_LINE.findall(text)


def excused(text: str) -> set[str]:
    """The rules that docs/rulings.md excuses: those in the first column of the tables in its last sections."""
    found: set[str] = set()
    for section in re.split(r"^## ", text, flags=re.MULTILINE):
        if section.split("\n", 1)[0].strip() in EXCUSES:
            for row in section.splitlines():
                if row.startswith("|"):
                    found |= ids_in_text(row.split("|")[1])
    return found


def problems(rules: Iterable[str], named: Mapping[str, list[str]], excuses: set[str]) -> list[str]:
    """Return a line for each problem; empty when every rule is tested or excused, and no rule is both."""
    rules = list(rules)
    found = [f"{rule} is stated twice" for rule in sorted({rule for rule in rules if rules.count(rule) > 1})]
    for rule in rules:
        if rule in named and rule in excuses:
            found.append(f"{rule} is excused, but {named[rule][0]} names it")
        elif rule not in named and rule not in excuses:
            found.append(f"{rule} has neither a test nor an excuse")
    known = set(rules)
    found.extend(f"{rule} is in no document, but {named[rule][0]} names it" for rule in sorted(set(named) - known))
    found.extend(f"{rule} is in no document, but it is excused" for rule in sorted(excuses - known))
    return found


def main(arguments: list[str]) -> int:
    """Run the command; return the exit status."""
    rules = stated("\n".join(path.read_text(encoding="utf-8") for path in RULES))
    named = named_by_tests()
    if arguments:
        for rule in arguments:
            print(rule)
            for name in named.get(rule, ["  no test"]):
                print(f"  {name.strip()}")
        return 0
    excuses = excused(RULINGS.read_text(encoding="utf-8"))
    wrong = problems(rules, named, excuses)
    held = sum(rule in named for rule in rules)
    free = sum(rule in excuses for rule in rules)
    print(f"{len(rules)} rules: {held} tested, {free} excused, {len(wrong)} problems")
    for line in wrong:
        print(line)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
