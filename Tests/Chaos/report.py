"""The rows of the report: one for each promise, and the exit status that follows from them."""

from __future__ import annotations

import json
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
    figure: str
    verdict: Verdict


def judged(step: str, promise: str, figure: str, held: bool) -> Row:
    return Row(step, promise, figure, Verdict.HELD if held else Verdict.BROKEN)


def measured(step: str, promise: str, figure: str) -> Row:
    return Row(step, promise, figure, Verdict.MEASURED)


@dataclass
class Report:
    seconds: float
    seed: int
    programs: str
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
            "programs": self.programs,
            "rows": [asdict(row) | {"verdict": row.verdict.value} for row in self.rows],
        }
        path.write_text(json.dumps(value, indent=2, ensure_ascii=False) + "\n")
