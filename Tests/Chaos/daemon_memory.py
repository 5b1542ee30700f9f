"""The private memory of a daemon while something runs."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from daemon import Daemon
from measuring import Peak
from processes import mapped_private_bytes

_MIB = 1 << 20


class DaemonMemory:
    """The private memory of a daemon: the largest, and that before."""

    def __init__(self, daemon: Daemon) -> None:
        self._before = mapped_private_bytes(daemon.pid), daemon.private_bytes
        # With the pages of the program, if no other process has it in memory.
        self.mapped = Peak(lambda: mapped_private_bytes(daemon.pid))
        self._anonymous = Peak(lambda: daemon.private_bytes)

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        async with self.mapped.running(), self._anonymous.running():
            yield

    @property
    def before(self) -> int:
        return self._before[0]

    @property
    def figure(self) -> str:
        now = self.mapped.value / _MIB, self._anonymous.value / _MIB
        before = self._before[0] / _MIB, self._before[1] / _MIB
        return (
            f"{now[0]:.0f} MiB, {now[1]:.0f} MiB of it anonymous; before: {before[0]:.0f} MiB and {before[1]:.0f} MiB")
