"""What a step is given: the programs, its time, its folder, its seed; and where it leaves its rows."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from daemon import Daemon, Programs
from origin import Origin
from report import Row, Verdict, judged, measured

PROJECT = Path(__file__).resolve().parents[2]


class Skipped(Exception):
    """This machine lacks something that the step needs."""


@dataclass
class Context:
    step: str
    programs: Programs
    # How long the step may load the daemon, in seconds. Its set-up and its comparison come on top.
    seconds: float
    random: Random
    # Removed at the end of the step.
    folder: Path
    # Undone in reverse order at the end of the step: processes, mounts.
    stack: ExitStack
    rows: list[Row] = field(default_factory=list)

    @property
    def is_short(self) -> bool:
        """Whether the run is too short for figures about time: they are then printed and not judged."""
        return self.seconds < 30

    def say(self, text: str) -> None:
        print(f"{self.step}: {text}", flush=True)

    def judge(self, promise: str, figure: str, held: bool, is_timed: bool = False) -> None:
        self.rows.append(judged(self.step, promise, figure, held, is_timed))
        self.say(f"{promise}: {figure}: {self.rows[-1].verdict.value}")

    def judge_time(self, promise: str, figure: str, held: bool) -> None:
        """As `judge`, but a short run on a busy machine leaves the figure without a judgement."""
        if self.is_short:
            self.measure(promise, figure)
        else:
            self.judge(promise, figure, held, is_timed=True)

    def measure(self, promise: str, figure: str) -> None:
        self.rows.append(measured(self.step, promise, figure))
        self.say(f"{promise}: {figure}")

    def skip(self, promise: str, reason: str) -> None:
        self.rows.append(Row(self.step, promise, reason, Verdict.SKIPPED))
        self.say(f"{promise}: skipped: {reason}")

    async def start(
        self, root: Path | None = None, options: Sequence[str] = (), configuration: str = "{}",
        name: str = "daemon", wrapper: Sequence[str] = ()
    ) -> Daemon:
        """Starts a daemon, by default in the folder `root` of the step, and waits until it is ready."""
        daemon = self.launch(root, options, configuration, name, wrapper)
        await daemon.ready()
        return daemon

    def launch(
        self, root: Path | None = None, options: Sequence[str] = (), configuration: str = "{}",
        name: str = "daemon", wrapper: Sequence[str] = ()
    ) -> Daemon:
        file = self.folder / f"{name}.yaml"
        file.write_text(configuration + "\n")
        daemon = Daemon(
            self.programs, root or self.folder / "root", self.folder / f"{name}.log",
            ["--config", str(file), *options], wrapper)
        self.stack.callback(daemon.kill)
        return daemon

    async def origin(self, host: str = "127.0.0.1") -> Origin:
        origin = Origin(self.programs, PROJECT / "fixtures" / "media", self.folder / f"origin-{host}.log", host)
        self.stack.callback(origin.kill)
        await origin.ready()
        return origin


def make_folder(stack: ExitStack) -> Path:
    """Makes a folder with a short path, for the path of a unix socket has at most 107 bytes."""
    folder = Path(tempfile.mkdtemp(prefix="chaos-"))
    stack.callback(shutil.rmtree, folder, ignore_errors=True)
    return folder
