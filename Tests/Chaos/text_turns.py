"""Texts in turns without and beside a command that has a file with lines."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from context import Context
from daemon import Daemon
from processes import ChildProcess
from text_caller import TextCaller, judge_p99

_RATE = 100.0


def start_command(
    context: Context, daemon: Daemon, command: Sequence[str], lines: Iterable[bytes]
) -> tuple[ChildProcess, Path]:
    """Starts a command of `appgroupd` with a file of these lines. Returns its process, and the file of its output."""
    file, output = context.folder / "lines.ndjson", context.folder / "lines.results"
    with file.open("wb") as writer:
        writer.writelines(line + b"\n" for line in lines)
    output.unlink(missing_ok=True)
    process = ChildProcess(
        [context.programs.appgroupd, *command, "--root", str(daemon.root), str(file)], context.folder / "commands.log",
        output)
    context.stack.callback(process.kill)
    return process, output


class TextTurns:
    """The texts of all turns, and whether each command has run until the end of its texts."""

    def __init__(self, context: Context, daemon: Daemon, seconds: float) -> None:
        """
        :param seconds: the time of one turn.
        """
        self._context = context
        self._daemon = daemon
        self._seconds = seconds
        self._alone, self._beside = (TextCaller(daemon.client, _RATE) for _ in range(2))
        self._have_run = True

    async def run(self, command: Sequence[str], lines: Iterable[bytes]) -> tuple[int, Path]:
        """Sends texts alone and beside a command. Returns the status of the command, and the file of its output."""
        await self._alone.run(self._seconds)
        process, output = start_command(self._context, self._daemon, command, lines)
        await self._beside.run(self._seconds)
        self._have_run &= process.status is None
        return await process.end(3_600), output

    def judge(self, name: str, max_ratio: float = 1.3) -> None:
        self._context.judge(
            f"{name}: each text beside it is answered 200", f"{self._beside.statuses}, alone {self._alone.statuses}",
            self._alone.statuses.besides(200) + self._beside.statuses.besides(200) == 0)
        judge_p99(
            self._context, f"{name}: p99 of texts beside it at most {max_ratio:g} times that without", self._alone,
            self._beside, max_ratio, obstacle="" if self._have_run else "it ended before the texts")
