"""Child processes that end with the step that started them, and what /proc says about them."""

from __future__ import annotations

import asyncio
import ctypes
import os
import signal
import subprocess
from collections.abc import Sequence
from pathlib import Path

_libc = ctypes.CDLL(None, use_errno=True)
_PR_SET_PDEATHSIG = 1


def _end_with_parent() -> None:
    """Has the kernel kill the child when this process is killed before its clean-up."""
    _libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


class ChildProcess:
    """One program, ended by its own process id."""

    def __init__(self, arguments: Sequence[str], log: Path, output: Path | None = None) -> None:
        environment = {name: value for name, value in os.environ.items() if not name.startswith("APPGROUPD_")}
        with log.open("ab") as errors, (output or Path(os.devnull)).open("ab") as lines:
            self._process = subprocess.Popen(
                arguments, stdin=subprocess.DEVNULL, stdout=lines, stderr=errors, env=environment,
                preexec_fn=_end_with_parent)
        self.pid = self._process.pid

    @property
    def status(self) -> int | None:
        """The exit status, the negative signal number after a signal, or `None` while the process runs."""
        return self._process.poll()

    def send(self, number: int) -> None:
        self._process.send_signal(number)

    async def end(self, timeout: float) -> int:
        """Waits for the exit and returns its status. Raises `TimeoutError` after `timeout` seconds."""
        if (status := self.status) is not None:
            return status
        loop = asyncio.get_running_loop()
        ended = asyncio.Event()
        descriptor = os.pidfd_open(self.pid)
        try:
            loop.add_reader(descriptor, ended.set)
            async with asyncio.timeout(timeout):
                await ended.wait()
        finally:
            loop.remove_reader(descriptor)
            os.close(descriptor)
        return self._process.wait()

    def kill(self) -> None:
        """Ends the process as `kill -9` does, and returns when it is gone."""
        self._process.kill()
        self._process.wait()


def make_certificate(folder: Path) -> tuple[Path, Path]:
    """Makes a certificate for 127.0.0.1 that is its own authority, and returns the paths of it and of its key."""
    certificate, key = folder / "certificate.pem", folder / "key.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
         "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", str(key), "-out",
         str(certificate)], check=True, capture_output=True)
    return certificate, key


def private_bytes(pid: int) -> int:
    """Returns the private memory of a process that is resident, in bytes (RssAnon)."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("RssAnon:"):
            return int(line.split()[1]) * 1024
    return 0


def mapped_private_bytes(pid: int) -> int:
    """Returns the resident memory that a process shares with no other process, also that of files, in bytes."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    return sum(int(line.split()[1]) * 1024 for line in lines if line.startswith("Private_"))


def processor_seconds(pid: int) -> float:
    """Returns the processor time of a process, without its children, in seconds."""
    return _times(pid)[0]


def children_seconds(pid: int) -> float:
    """Returns the processor time of the children of a process: of those that run, and of those that have ended."""
    seconds = 0.0
    for child in child_pids(pid):
        try:
            seconds += processor_seconds(child)
        except OSError:
            continue  # The child has ended meanwhile.
    return seconds + _times(pid)[1]


def child_pids(pid: int) -> set[int]:
    children: set[int] = set()
    for task in Path(f"/proc/{pid}/task").iterdir():
        try:
            children.update(int(child) for child in (task / "children").read_text().split())
        except OSError:
            continue  # The thread has ended meanwhile.
    return children


def _times(pid: int) -> tuple[float, float]:
    """Returns the processor time of a process and that of its children that have ended, in seconds (proc_pid_stat(5))."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    user, system, children_user, children_system = (int(field) / os.sysconf("SC_CLK_TCK") for field in fields[11:15])
    return user + system, children_user + children_system
