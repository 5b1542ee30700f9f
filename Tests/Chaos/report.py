"""The rows of the report, one for each promise, over one run or several."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from pathlib import Path


class Verdict(StrEnum):
    HELD = "held"
    BROKEN = "BROKEN"
    # The step cannot run on this machine. It is never counted as held.
    SKIPPED = "skipped"
    # A figure without a judgement: the run was too short for it, or no promise is made about it.
    MEASURED = "measured"


@dataclass(frozen=True)
class Row:
    step: str
    promise: str
    # One run's figure; of several runs their medians, each with the smallest and the largest number.
    figure: str
    verdict: Verdict
    # Whether the figure depends on how busy the machine is: the median of several runs is judged then, else each run.
    is_timed: bool = False
    # The figures of several runs, one for each run.
    figures: tuple[str, ...] = ()


def judged(step: str, promise: str, figure: str, held: bool, is_timed: bool = False) -> Row:
    return Row(step, promise, figure, Verdict.HELD if held else Verdict.BROKEN, is_timed)


def measured(step: str, promise: str, figure: str) -> Row:
    return Row(step, promise, figure, Verdict.MEASURED)


def combined(runs: Sequence[Sequence[Row]]) -> list[Row]:
    """Makes one row of the rows of several runs that have the same step and promise."""
    if len(runs) == 1:
        return list(runs[0])
    groups: dict[tuple[str, str], list[Row]] = {}
    for row in (row for run in runs for row in run):
        groups.setdefault((row.step, row.promise), []).append(row)
    return [
        Row(step, promise, _combined_figure(figures), _combined_verdict(rows), rows[0].is_timed, figures)
        for (step, promise), rows in groups.items() for figures in [tuple(row.figure for row in rows)]
    ]


# A number, and not the digits of a name such as p99.
_NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d+)?")


def _combined_figure(figures: Sequence[str]) -> str:
    """Returns the text that the figures share, with the median, the minimum and the maximum of each number.

    Figures of different texts are listed.
    """
    if len({_NUMBER.sub("0", figure) for figure in figures}) > 1:
        return "; ".join(figures)
    columns = iter(zip(*(_NUMBER.findall(figure) for figure in figures), strict=True))

    def combine(_: re.Match[str]) -> str:
        ordered = sorted(next(columns), key=float)
        return ordered[0] if ordered[0] == ordered[-1] else f"{_median(ordered)} ({ordered[0]} to {ordered[-1]})"

    return _NUMBER.sub(combine, figures[0])


def _median(ordered: Sequence[str]) -> str:
    """Returns the number in the middle; of an even count the mean of both, with as many decimals."""
    middle = len(ordered) // 2
    if len(ordered) % 2:
        return ordered[middle]
    decimals = len(ordered[middle].partition(".")[2])
    return f"{(float(ordered[middle - 1]) + float(ordered[middle])) / 2:.{decimals}f}"


def _combined_verdict(rows: Sequence[Row]) -> Verdict:
    """A timed figure holds if it holds in more than half of the judged runs, as its median does then."""
    verdicts = [row.verdict for row in rows]
    broken, held = verdicts.count(Verdict.BROKEN), verdicts.count(Verdict.HELD)
    if broken and (broken >= held or not rows[0].is_timed):
        return Verdict.BROKEN
    return Verdict.HELD if held else verdicts[0]


@dataclass
class Report:
    seconds: float
    seed: int
    programs: str
    # The number of runs whose figures the rows combine.
    runs: int
    rows: list[Row]

    @property
    def broken(self) -> list[Row]:
        return [row for row in self.rows if row.verdict is Verdict.BROKEN]

    def count(self, verdict: Verdict) -> int:
        return sum(row.verdict is verdict for row in self.rows)

    def table(self) -> str:
        """Returns the rows as a Markdown table with aligned columns."""
        head = ("step", "promise", "figure", "verdict")
        lines = [head] + [(row.step, row.promise, row.figure, row.verdict.value) for row in self.rows]
        widths = [max(len(line[column]) for line in lines) for column in range(len(head))]
        texts = [
            "| " + " | ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)) + " |"
            for line in lines
        ]
        texts.insert(1, "|" + "|".join("-" * (width + 2) for width in widths) + "|")
        return "\n".join(texts)

    def write(self, path: Path) -> None:
        value = {
            "seconds": self.seconds,
            "seed": self.seed,
            "runs": self.runs,
            "programs": self.programs,
            "rows": [asdict(row) | {"verdict": row.verdict.value} for row in self.rows],
        }
        path.write_text(json.dumps(value, indent=2, ensure_ascii=False) + "\n")
