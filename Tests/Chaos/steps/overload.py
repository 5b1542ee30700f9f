"""More 12-megapixel photos than the workers can make, beside another host's small pictures.

At 1.5 and 3 times the capacity the goodput is compared with the capacity. At 10 times, most of what the machine does is
to send and to take requests that are refused. So the goodput is compared there with the goodput at 1.0 times while a
second client sends requests that get 404, at 9 times the rate: the machine sends and takes as many requests.
"""

from __future__ import annotations

import asyncio
import itertools
import os
import re
from collections import Counter
from collections.abc import Callable, Coroutine, Iterator
from dataclasses import dataclass, field

from client import Client, ConnectionLost
from context import Context
from daemon import Daemon
from measuring import CoreUse, TimerProbe, closed_loop, milliseconds, open_loop, quantile
from origin import Origin, free_port
from picture_requests import IN_TIME, PictureRequests
from processes import child_pids, children_seconds, processor_seconds

_LEVELS = (1.5, 3.0, 10.0)
# From this level on the goodput is compared with that beside requests that get 404.
_BESIDE_404 = 10.0
_BUDGET = 8.0
# Just enough callers for the capacity: each core has one photo at work and one that is fetched meanwhile.
_CALLERS = 4
_SMALL_RATE = 5.0
# When timers are later than this, in seconds, others need the processors, and no figure says anything about the daemon.
_BUSY = 0.5


@dataclass
class _Bench:
    """One daemon, two hosts, and the callers."""

    context: Context
    daemon: Daemon
    clients: list[Client]
    photos: Origin
    pictures: Origin
    budget: float
    workers: set[int] = field(default_factory=set)
    # Responses to the requests to a path that does not exist, by status; 0 is a connection that was closed.
    missed: Counter[int] = field(default_factory=Counter)
    _turns: Iterator[int] = field(default_factory=itertools.count)

    async def photo(self, tally: PictureRequests) -> None:
        await self._send(self.photos.url("photo-12mp.jpg"), tally)

    async def picture(self, tally: PictureRequests) -> None:
        await self._send(self.pictures.url("photo-small.jpg"), tally)

    async def missing(self) -> None:
        """Asks for a path that does not exist: no request costs the daemon less."""
        client = self.clients[next(self._turns) % len(self.clients)]
        try:
            self.missed[(await client.call("GET", "/v1/none")).status] += 1
        except ConnectionLost:
            self.missed[0] += 1

    def processor_seconds(self) -> dict[str, float]:
        """Returns the processor time of the client, which is this process, and of what it started."""
        times = os.times()
        return {
            "client": times.user + times.system,
            "origins": processor_seconds(self.photos.pid) + processor_seconds(self.pictures.pid),
            "daemon": processor_seconds(self.daemon.pid),
            "workers": children_seconds(self.daemon.pid),
        }

    async def _send(self, url: str, tally: PictureRequests) -> None:
        # Each listener takes 4,096 connections.
        await tally.send(self.clients[tally.sent % len(self.clients)], url, self.budget)

    async def workers_started(self) -> int:
        """Returns the daemon's own count, or that of those that were seen where it has none."""
        metrics = (await self.daemon.client.call("GET", "/metrics")).body.decode()
        count = re.search(r"^appgroupd_workers_started_total (\d+)", metrics, re.MULTILINE)
        return int(count.group(1)) if count else len(self.workers)

    async def look_for_workers(self) -> None:
        """Looks for new workers as long as it is not cancelled: one that lives for less than 20 ms may be missed."""
        while True:
            self.workers |= child_pids(self.daemon.pid)
            await asyncio.sleep(0.02)


async def run(context: Context) -> None:
    bench = await _bench(context)
    watch = asyncio.create_task(bench.look_for_workers())
    try:
        await bench.photo(PictureRequests())  # Starts a worker.
        pause = max(1.0, min(30.0, context.seconds / 4))
        before = await _capacity(bench, pause)
        for level in _LEVELS[-1:] if context.is_short else _LEVELS:
            base: _Overload | None = None
            if level >= _BESIDE_404:
                base = await _beside_404(bench, level, before, max(1.0, context.seconds / 2))
            beyond = await _overloaded(bench, level, before, context.seconds)
            after = await _capacity(bench, pause)
            _judge(context, level, beyond, base, (before + after) / 2)
            before = after
    finally:
        watch.cancel()
    status = await bench.daemon.terminate()
    context.judge("SIGTERM ends it with status 0", f"status {status}", status == 0)


async def _bench(context: Context) -> _Bench:
    port = free_port("127.0.0.1")
    daemon = await context.start(options=["--listen", f"127.0.0.1:{port}", "--log-level", "warning"])
    photos, pictures = await context.origin("127.0.0.1"), await context.origin("127.0.0.2")
    budget = 2.0 if context.is_short else _BUDGET
    return _Bench(context, daemon, [daemon.client, Client(("127.0.0.1", port))], photos, pictures, budget)


async def _capacity(bench: _Bench, seconds: float) -> float:
    """Returns how many photos a second are answered in time with an attachment while no more come than can be made."""
    photos, pictures = PictureRequests(), PictureRequests()
    loop = asyncio.get_running_loop()
    begun = loop.time()
    await asyncio.gather(
        closed_loop(_CALLERS, seconds, lambda: bench.photo(photos)),
        open_loop(_SMALL_RATE, seconds, lambda: bench.picture(pictures)))
    rate = photos.rate(begun + seconds / 10, begun + seconds)
    bench.context.say(f"capacity {rate:.1f}/s; small pictures {dict(pictures.outcomes)}")
    return rate


@dataclass
class _Overload:
    photos: PictureRequests
    pictures: PictureRequests
    goodput: float
    timer: float
    workers: int
    rate: float
    seconds: float
    use: CoreUse


async def _beside_404(bench: _Bench, level: float, capacity: float, seconds: float) -> _Overload:
    """Returns the goodput at the capacity while the other requests get 404."""
    missing = open_loop(max(1.0, (level - 1) * capacity), seconds, bench.missing)
    found = await _overloaded(bench, 1.0, capacity, seconds, missing)
    bench.context.say(f"1 time the capacity beside {dict(bench.missed)}: {found.goodput:.1f}/s; {found.use}")
    return found


async def _overloaded(
    bench: _Bench, level: float, capacity: float, seconds: float, *others: Coroutine[None, None, None]
) -> _Overload:
    photos, pictures, probe, use = PictureRequests(), PictureRequests(), TimerProbe(), CoreUse(bench.processor_seconds)
    loop = asyncio.get_running_loop()
    begun, known = loop.time(), await bench.workers_started()
    rate = max(1.0, level * capacity)
    async with probe.running():
        await asyncio.gather(
            open_loop(rate, seconds, lambda: bench.photo(photos)),
            open_loop(_SMALL_RATE, seconds, lambda: bench.picture(pictures)), use.run(seconds), *others)
    # The queue fills during the first budget, and what is left of it at the end is no goodput of this phase.
    goodput = photos.rate(begun + min(bench.budget, seconds / 2), begun + seconds)
    workers = await bench.workers_started() - known
    return _Overload(photos, pictures, goodput, quantile(probe.lateness, 0.999), workers, rate, seconds, use)


def _measure_busy(context: Context) -> Callable[[str, str, bool], None]:
    return lambda promise, figure, held: context.measure(promise, f"{figure} (the machine was too busy)")


def _judge(
    context: Context, level: float, found: _Overload, base: _Overload | None, capacity: float
) -> None:
    at = f"{level:g} times the capacity"
    context.say(f"{at}: {found.rate:.0f}/s sent: {dict(found.photos.outcomes)}")
    judge: Callable[[str, str, bool], None] = context.judge_time
    if found.timer > _BUSY:
        context.say(f"{at}: not judged: timers of this process are {milliseconds(found.timer)} late")
        judge = _measure_busy(context)
    share = found.goodput / capacity if capacity else 0.0
    figure = f"{found.goodput:.1f} of {capacity:.1f}/s, {share:.0%}"
    if base is None:
        judge(f"{at}: goodput ≥ 90 % of it", figure, share >= 0.9)
    else:
        context.measure(f"{at}: goodput of it", figure)
        share = found.goodput / base.goodput if base.goodput else 0.0
        judge(
            f"{at}: goodput ≥ 90 % of that at 1.0 times beside requests that get 404",
            f"{found.goodput:.1f} of {base.goodput:.1f}/s, {share:.0%}", share >= 0.9)
        context.measure("1.0 times the capacity beside requests that get 404: processor time", f"{base.use}")
    context.measure(f"{at}: processor time", f"{found.use}")
    judge(
        f"{at}: at most a fifth is reduced", f"{found.photos.reduced_share:.0%}", found.photos.reduced_share <= 0.2)
    rich = found.pictures.outcomes["rich"]
    judge(
        f"{at}: another host's small pictures are rich", f"{rich} of {found.pictures.sent}",
        rich == found.pictures.sent)
    lateness = found.photos.lateness + found.pictures.lateness
    late = quantile(lateness, 0.999)
    judge(
        f"{at}: p99.9 at most 10 ms later than a timer",
        f"{milliseconds(max(0.0, late))}, a timer {milliseconds(found.timer)}", late <= IN_TIME + found.timer)
    context.judge(
        f"{at}: each request is answered 200 or 503", f"{found.photos.unanswered} unanswered, refused: {found.photos.refused}",
        found.photos.unanswered == 0 and set(found.photos.refused) <= {"503"})
    judge(
        f"{at}: at most one worker a second has to be started", f"{found.workers} in {found.seconds:g} s",
        found.workers <= found.seconds)
