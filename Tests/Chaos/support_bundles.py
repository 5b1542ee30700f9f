"""Runs of `appgroupd support-bundle`, and what their files have."""

from __future__ import annotations

import asyncio
import json
import tarfile
import time
from dataclasses import dataclass, field
from pathlib import Path

from processes import ChildProcess, private_bytes

_FOLDER = "appgroupd-support"
_REPORTS = ("status.json", "hosts.json")
_ALWAYS = {"about.json", "configuration.json", "doctor.json", *_REPORTS, "metrics.txt", "log.txt"}
_SCENARIOS = {f"scenarios/{kind}-{number:02}.json" for kind in ("slow", "failed") for number in range(1, 11)}
# The last lines of the log that a bundle has.
_LOG_LINES = 500


@dataclass
class Bundle:
    """The end of one run of the command."""

    path: Path
    status: int
    # The largest private memory of the command, in bytes.
    memory: int
    # How long it took, in seconds.
    seconds: float
    files: list[tuple[str, bytes]] = field(default_factory=list)
    # What is wrong with the file; empty if nothing is.
    problem: str = ""

    @property
    def size(self) -> int:
        return self.path.stat().st_size


class BundleCommand:
    def __init__(self, program: str, root: Path, configuration: Path, log: Path) -> None:
        self._arguments = [program, "support-bundle", "--root", str(root), "--config", str(configuration)]
        self.log = log

    def start(self, path: Path) -> ChildProcess:
        return ChildProcess([*self._arguments, str(path)], self.log)

    async def run(self, path: Path) -> Bundle:
        """Runs the command to its end. A file that it has written is read."""
        return await self.ended(self.start(path), path)

    async def ended(self, process: ChildProcess, path: Path) -> Bundle:
        end, memory, begun = asyncio.create_task(process.end(120)), 0, time.monotonic()
        while not end.done():
            try:
                memory = max(memory, private_bytes(process.pid))
            except OSError:
                pass  # The command has ended.
            await asyncio.wait([end], timeout=0.02)
        bundle = Bundle(path, end.result(), memory, time.monotonic() - begun)
        if bundle.status == 0:
            _read(bundle)
        return bundle


def _read(bundle: Bundle) -> None:
    try:
        with tarfile.open(bundle.path, "r:gz") as archive:
            for member in archive:
                content = archive.extractfile(member)
                bundle.files.append((member.name.removeprefix(f"{_FOLDER}/"), content.read() if content else b""))
        for name, content in bundle.files:
            content.decode()
            if name.endswith(".json"):
                json.loads(content)
    except (tarfile.TarError, OSError, EOFError, ValueError) as error:
        bundle.problem = f"{type(error).__name__}: {error}"


def incomplete(bundle: Bundle, has_daemon: bool) -> str:
    """Returns what a bundle lacks; empty if nothing.

    :param has_daemon: whether a daemon has answered, so that the bundle has its reports and scenarios.
    """
    if bundle.status or bundle.problem:
        return f"status {bundle.status} {bundle.problem}"
    files = dict(bundle.files)
    if missing := (_ALWAYS | (_SCENARIOS if has_daemon else set())) - files.keys():
        return f"no {', '.join(sorted(missing))}"
    if json.loads(files["about.json"])["files"] != [name for name, _ in bundle.files if name != "about.json"]:
        return "about.json lists other files"
    if (lines := files["log.txt"].count(b"\n")) > _LOG_LINES:
        return f"{lines} lines of the log"
    return "a report of the daemon is missing" if has_daemon and not has_reports(bundle) else ""


def has_reports(bundle: Bundle) -> bool:
    """Whether the daemon has answered all calls of the command."""
    files = dict(bundle.files)
    has_answers = all("problem" not in json.loads(files[name]) for name in _REPORTS)
    return has_answers and b"\nappgroupd_" in files["metrics.txt"]
