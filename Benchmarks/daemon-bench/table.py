"""Rows of the table that daemon-bench writes."""

import statistics
from dataclasses import dataclass

_HEAD = """# The daemon, measured

Made by `make bench` (`daemon-bench`) with the release programs and the default configuration. Durable requests: 64 callers
in a closed loop ask over HTTP, and each 200 leaves after the request and its result are synced. Pictures: a JPEG of
2000×1333 pixels from nginx on the loopback becomes one of 1024 and one of 256 pixels, 16 callers, processor time of
daemon and workers together beside that of thumbor 7.8 with its default storages: it stores the
fetched file, and makes each picture again. Private memory is `RssAnon`. Machine: {machine}.

| what | ours | peer | measured: median (least–most) | target | met |
| --- | --- | --- | --- | --- | --- |
"""


@dataclass
class Row:
    what: str
    values: list[float]
    unit: str
    target: str = "–"
    # None: there is no target.
    is_met: bool | None = None
    ours: str = ""
    peer: str = "–"

    @property
    def line(self) -> str:
        measured = f"{_text(statistics.median(self.values))} ({_text(min(self.values))}–{_text(max(self.values))}) {self.unit}"
        met = {None: "–", True: "yes", False: "**no**"}[self.is_met]
        return f"| {self.what} | {self.ours or '–'} | {self.peer} | {measured.strip()} | {self.target} | {met} |"


def table(rows: list[Row], machine: str) -> str:
    return _HEAD.format(machine=machine) + "\n".join(row.line for row in rows) + "\n\n"


def _text(value: float) -> str:
    return f"{value:.0f}" if value >= 100 else f"{value:.2f}"
