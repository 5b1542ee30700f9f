"""Open and closed loops of callers, lateness, and quantiles."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field


def quantile(values: Sequence[float], share: float) -> float:
    """Returns the smallest value that at least `share` of the values do not exceed; 0 for no values."""
    if not values:
        return 0.0
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, max(0, int(share * len(ordered) + 0.999999) - 1))]


def milliseconds(seconds: float) -> str:
    return f"{seconds * 1000:.1f} ms" if seconds < 1 else f"{seconds * 1000:.0f} ms"


async def open_loop(rate: float, seconds: float, send: Callable[[], Coroutine[None, None, None]]) -> None:
    """Begins `rate` calls a second for `seconds`, whether earlier ones have ended or not. Waits for all of them."""
    loop = asyncio.get_running_loop()
    begun = loop.time()
    calls: set[asyncio.Task[None]] = set()
    try:
        for number in range(int(rate * seconds)):
            pause = begun + number / rate - loop.time()
            # Yields also when it is behind, so that answers are taken.
            await asyncio.sleep(max(0.0, pause))
            call = asyncio.create_task(send())
            calls.add(call)
            call.add_done_callback(calls.discard)
        if calls:
            await asyncio.gather(*calls)
    finally:
        for call in calls:
            call.cancel()


async def closed_loop(callers: int, seconds: float, send: Callable[[], Coroutine[None, None, None]]) -> None:
    """Has `callers` callers, each of which sends its next call when the one before has ended."""
    loop = asyncio.get_running_loop()
    end = loop.time() + seconds

    async def caller() -> None:
        while loop.time() < end:
            await send()

    await asyncio.gather(*(caller() for _ in range(callers)))


@dataclass
class TimerProbe:
    """How late a timer of this process is: what the client adds to every lateness that it measures."""

    lateness: list[float] = field(default_factory=list)

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        task = asyncio.create_task(self._run())
        try:
            yield
        finally:
            task.cancel()

    async def _run(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            due = loop.time() + 0.02
            await asyncio.sleep(0.02)
            self.lateness.append(max(0.0, loop.time() - due))


@dataclass
class Peak:
    """The largest value of a gauge that is read ten times a second."""

    read: Callable[[], float]
    value: float = 0

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        task = asyncio.create_task(self._run())
        try:
            yield
        finally:
            task.cancel()
            self._look()

    async def _run(self) -> None:
        while True:
            self._look()
            await asyncio.sleep(0.1)

    def _look(self) -> None:
        try:
            self.value = max(self.value, self.read())
        except OSError:
            pass  # The process has ended.


@dataclass
class CoreUse:
    """The number of cores that groups of processes use."""

    # Returns the processor time of each group, in seconds.
    read: Callable[[], dict[str, float]]
    cores: dict[str, float] = field(default_factory=dict)

    async def run(self, seconds: float) -> None:
        """Measures for some seconds."""
        before, begun = self.read(), time.monotonic()
        await asyncio.sleep(seconds)
        after, took = self.read(), time.monotonic() - begun
        self.cores = {group: (after[group] - before[group]) / took for group in after}

    def __str__(self) -> str:
        used = ", ".join(f"{group} {cores:.2f}" for group, cores in self.cores.items())
        return f"{used} of {len(os.sched_getaffinity(0))} cores"


@dataclass
class Statuses:
    """Responses by status; `None` is a connection that was closed without one."""

    counts: dict[int | None, int] = field(default_factory=dict)
    # 429 and 503 that do not say when to come again.
    without_retry_after: int = 0

    def add(self, status: int | None, retry_after: bool = True) -> None:
        self.counts[status] = self.counts.get(status, 0) + 1
        if status in (429, 503) and not retry_after:
            self.without_retry_after += 1

    def of(self, *statuses: int | None) -> int:
        return sum(self.counts.get(status, 0) for status in statuses)

    def besides(self, *statuses: int | None) -> int:
        return sum(count for status, count in self.counts.items() if status not in statuses)

    def __str__(self) -> str:
        parts = sorted((str(status or "closed"), count) for status, count in self.counts.items())
        return ", ".join(f"{count} × {status}" for status, count in parts) or "none"
