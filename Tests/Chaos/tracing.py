"""strace on a running daemon: what its threads call, and errors put in place of their results."""

from __future__ import annotations

import asyncio
import re
import shutil
import signal
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from context import Context, Skipped
from daemon import Daemon
from processes import ChildProcess

# Lines of strace -f -ttt -T: THREAD SECONDS NAME(ARGUMENTS) = RESULT <DURATION>, in one piece or in two.
_BEGUN = re.compile(r"^(\d+) +(\d+\.\d+) (\w+)\((.*) <unfinished \.\.\.>$")
_RESUMED = re.compile(r"^(\d+) +\d+\.\d+ <\.\.\. \w+ resumed>(.*)$")
_WHOLE = re.compile(r"^(\d+) +(\d+\.\d+) (\w+)\((.*)$")
_END = re.compile(r"^(.*)\) += (-?\d+|\?)(.*?)(?: <(\d+\.\d+)>)?$")


@dataclass(frozen=True)
class Call:
    thread: int
    # When the call began and when it had returned, in seconds since 1970.
    begun: float
    ended: float
    name: str
    arguments: str
    result: str
    is_injected: bool

    @property
    def file(self) -> str:
        """The path of the first descriptor, as strace -y writes it: `23</root/journal.sqlite-wal>`."""
        found = re.match(r"\d+<([^>]*)>", self.arguments)
        return found.group(1) if found else ""

    @property
    def descriptor(self) -> int:
        found = re.match(r"\d+", self.arguments)
        return int(found.group()) if found else -1


@asynccontextmanager
async def traced(context: Context, daemon: Daemon, options: Sequence[str]) -> AsyncIterator[Path]:
    """Attaches to every thread of the daemon while the block runs. After it, the file has all calls."""
    if shutil.which("strace") is None:
        raise Skipped("strace is missing: scripts/setup chaos installs it")
    output = context.folder / "trace"
    said = context.folder / "strace.log"
    output.unlink(missing_ok=True)
    said.unlink(missing_ok=True)
    tracer = ChildProcess(
        ["strace", "-f", "-ttt", "-T", "-y", "-s", "0", "-o", str(output), *options, "-p", str(daemon.pid)], said)
    context.stack.callback(tracer.kill)
    while " attached" not in said.read_text():
        if tracer.status is not None:
            raise Skipped(f"strace cannot attach: {said.read_text().strip()}")
        await asyncio.sleep(0.01)
    try:
        yield output
    finally:
        if tracer.status is None:
            tracer.send(signal.SIGINT)
            try:
                await tracer.end(10)
            except TimeoutError:
                # strace waits for ever for a worker that ends at this moment. The kernel detaches when strace is gone.
                tracer.kill()


def calls(output: Path) -> list[Call]:
    """Returns the calls in the order in which they ended."""
    found: list[Call] = []
    unfinished: dict[str, tuple[float, str, str]] = {}
    for line in output.read_text(errors="replace").splitlines():
        if match := _BEGUN.match(line):
            thread, at, name, arguments = match.groups()
            unfinished[thread] = (float(at), name, arguments)
            continue
        if match := _RESUMED.match(line):
            thread, rest = match.groups()
            at, name, first = unfinished.pop(thread, (0.0, "", ""))
            rest = first + rest
        elif match := _WHOLE.match(line):
            thread, at, name, rest = match.groups()
        else:
            continue
        if name and (end := _END.match(rest)):
            arguments, result, remark, duration = end.groups()
            begun = float(at)
            found.append(Call(
                int(thread), begun, begun + float(duration or 0), name, arguments, result, "(INJECTED)" in remark))
    return found
