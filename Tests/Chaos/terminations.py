"""Ends of daemons by SIGTERM, and the starts after them."""

from __future__ import annotations

import asyncio
import signal
import time

from context import Context
from daemon import Daemon
from reloads import LONGEST, Reloads

# The kinds of ends, in turns: drains first. With `twice`, the second SIGTERM ends the daemon at once.
DRAINS = ("once", "with SIGHUP")
SUDDEN = ("in the start", "twice")
_AT_ONCE = 5
_SIGTERM = -signal.SIGTERM
# The time after which a daemon does not end, in seconds.
_LONGEST = LONGEST / 1_000 + 60


async def started(context: Context, reloads: Reloads) -> Daemon:
    """Starts a daemon with the last valid configuration."""
    daemon = launched(context, reloads)
    await daemon.ready()
    return daemon


def launched(context: Context, reloads: Reloads) -> Daemon:
    return context.launch(options=["--log-level", "notice"], configuration=reloads.text)


class Terminations:
    """The ends of daemons by SIGTERM."""

    def __init__(self) -> None:
        self.counts = dict.fromkeys(DRAINS + SUDDEN, 0)
        # The times from the first SIGTERM to the end, in seconds.
        self.times: list[float] = []
        # Ends with another status than they should have.
        self.wrong: list[str] = []

    async def next(self, context: Context, daemon: Daemon, reloads: Reloads, kind: str) -> Daemon:
        """Ends a daemon in one of the ways, and starts another one on its root."""
        self.counts[kind] += 1
        statuses = {0, _SIGTERM} if kind in SUDDEN else {0}
        if kind == "in the start":
            await daemon.terminate(_LONGEST)
            daemon = launched(context, reloads)
            # The kernel ends a program that does not handle the signal yet.
            await asyncio.sleep(context.random.random() * 0.3)
        daemon.process.send(signal.SIGTERM)
        begun = time.monotonic()
        if kind == "twice":
            await asyncio.sleep(context.random.random() * 0.1)
            for _ in range(_AT_ONCE):
                reloads.send(daemon)
                daemon.process.send(signal.SIGTERM)
        elif kind == "with SIGHUP":
            reloads.write_valid()
            reloads.send(daemon, _AT_ONCE)
        try:
            status = await daemon.process.end(_LONGEST)
            if status not in statuses:
                self.wrong.append(f"{kind}: status {status}")
        except TimeoutError:
            self.wrong.append(f"{kind}: no end")
        self.times.append(time.monotonic() - begun)
        daemon.kill()
        return await started(context, reloads)
