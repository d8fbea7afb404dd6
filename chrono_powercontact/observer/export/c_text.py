"""A tape as C: straight lines, and a branch where a number is needed on one side of a condition only."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from .traced_numbers import FUNCTIONS, Entry, Line, Operand, Tape, Traced

INFIX = ("+", "-", "*", "/", "<", "<=", ">", ">=", "==", "!=")


def number(x: float) -> str:
    """A number as C reads it back exactly."""
    text = repr(float(x))
    if text in ("inf", "-inf", "nan"):
        return {"inf": "INFINITY", "-inf": "-INFINITY", "nan": "NAN"}[text]
    return f"({text})" if x < 0.0 else text


def _word(x: Operand) -> str:
    return f"v{x.number}" if isinstance(x, Line) else number(x)


def formula(entry: Entry) -> str:
    """The right-hand side of a line."""
    if entry.operation == "input":
        return str(entry.operands[0])
    words = [_word(x) for x in entry.operands]
    if entry.operation in INFIX:
        return f"{words[0]} {entry.operation} {words[1]}"
    if entry.operation == "neg":
        return f"-{words[0]}"
    assert entry.operation in FUNCTIONS
    return f"{entry.operation}({', '.join(words)})"


class CText:
    """Writes the lines that some results need."""

    def __init__(self, tape: Tape, results: Iterable[Operand]) -> None:
        self._entries = tape.entries
        self._lines: list[str] = []
        wanted = {result.line for result in results if isinstance(result, Traced)}
        self._users = self._needed(wanted)

    def _needed(self, wanted: set[int]) -> dict[int, set[int]]:
        """Each line that is needed, with the lines that use it; -1 is the outside."""
        users: dict[int, set[int]] = {line: {-1} for line in wanted}
        for line in range(len(self._entries) - 1, -1, -1):
            if line in users:
                for x in self._entries[line].operands:
                    if isinstance(x, Line):
                        users.setdefault(x.number, set()).add(line)
        return users

    def text(self, indent: str = "    ") -> str:
        """All lines, in order."""
        self._write(sorted(self._users), indent)
        return "\n".join(self._lines)

    def _only_for(self, side: Operand, choice: int, scope: Sequence[int]) -> list[int]:
        """Lines of a scope that nothing needs but one side of a choice."""
        if not isinstance(side, Line) or self._users[side.number] != {choice}:
            return []
        own = {side.number}
        for line in reversed(scope):
            if line < side.number and self._users[line] <= own:
                own.add(line)
        return sorted(own & set(scope))

    def _write(self, scope: Sequence[int], indent: str) -> None:
        inner: dict[int, tuple[list[int], list[int]]] = {}
        moved: set[int] = set()
        for line in reversed(scope):
            entry = self._entries[line]
            if entry.operation == "?" and line not in moved:
                _, yes, no = entry.operands
                sides = self._only_for(yes, line, scope), self._only_for(no, line, scope)
                inner[line] = sides
                moved |= {*sides[0], *sides[1]}
        for line in scope:
            if line in moved:
                continue
            if line in inner:
                self._choose(line, inner[line], indent)
            else:
                self._lines.append(f"{indent}const double v{line} = {formula(self._entries[line])};")

    def _choose(self, line: int, sides: tuple[list[int], list[int]], indent: str) -> None:
        condition, yes, no = self._entries[line].operands
        self._lines.append(f"{indent}double v{line};")
        for head, result, own in ((f"if ({_word(condition)} != 0.0)", yes, sides[0]), ("else", no, sides[1])):
            self._lines.append(f"{indent}{head} {{")
            self._write(own, indent + "    ")
            self._lines.append(f"{indent}    v{line} = {_word(result)};")
            self._lines.append(f"{indent}}}")


def assignments(tape: Tape, name: str, results: Sequence[Operand]) -> str:
    """C that writes some results into an array."""
    lines = [CText(tape, results).text()]
    for i, result in enumerate(results):
        value = f"v{result.line}" if isinstance(result, Traced) else number(float(result))
        lines.append(f"    {name}[{i}] = {value};")
    return "\n".join(line for line in lines if line)
