"""Large bodies: what they cost those who send small ones, and how much memory they take."""

from __future__ import annotations

import asyncio
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import payloads
from client import ConnectionLost
from context import Context, Skipped
from daemon import Daemon
from measuring import Peak, Statuses, TimerProbe, milliseconds, open_loop, quantile
from memory_group import memory_group
from origin import Origin
from processes import ChildProcess

_BODY = int(3.9 * 1024 * 1024)
_CALLERS = 64
_HELD = 464
_CHUNKED = 16
_LIMIT = 200_000_000
_WAITING = 10_000
_MIB = 1024 * 1024
_RATE = 20.0


async def run(context: Context) -> None:
    origin = await context.origin()
    await _alone(context, origin)
    await _beside(context, origin, "post", _CALLERS, f"{_CALLERS} callers with bodies of 3.9 MiB")
    await _beside(
        context, origin, "members", _CALLERS, f"{_CALLERS} callers with bodies of 3.9 MiB and 80,000 members")
    await _beside(context, origin, "hold", _HELD, f"{_HELD} bodies held one byte before their end")
    await _beside(context, origin, "chunks", _CHUNKED, f"{_CHUNKED} callers with chunks of one byte")
    await _limited(context)
    await _waiting(context, origin)


@dataclass
class _Small:
    """Small requests at a steady rate: text, and every fourth with media that never come and a budget of a second."""

    daemon: Daemon
    origin: Origin
    latencies: list[float] = field(default_factory=list)
    lateness: list[float] = field(default_factory=list)
    statuses: Statuses = field(default_factory=Statuses)
    probe: TimerProbe = field(default_factory=TimerProbe)
    _count: int = 0

    async def run(self, seconds: float) -> None:
        async with self.probe.running():
            await open_loop(_RATE, seconds, self._send)

    async def _send(self) -> None:
        self._count += 1
        has_media = self._count % 4 == 0
        body = payloads.text("x")
        if has_media:
            body = payloads.media([self.origin.url("stall/headers/grey.jpg")], budget="1s")
        loop = asyncio.get_running_loop()
        begun = loop.time()
        try:
            response = await self.daemon.client.post(body)
        except ConnectionLost:
            self.statuses.add(None)
            return
        took = loop.time() - begun
        self.statuses.add(response.status, "retry-after" in response.headers)
        if has_media:
            self.lateness.append(took - 1)
        else:
            self.latencies.append(took)

    @property
    def late(self) -> int:
        """Requests later than 10 ms beyond what a timer of this process is late."""
        return sum(late > 0.01 + quantile(self.probe.lateness, 0.999) for late in self.lateness)

    @property
    def figure(self) -> str:
        return f"p50 {milliseconds(quantile(self.latencies, 0.5))}, p99 {milliseconds(quantile(self.latencies, 0.99))}"

    @property
    def late_figure(self) -> str:
        worst = max(self.lateness, default=0.0)
        timer = quantile(self.probe.lateness, 0.999)
        return f"{self.late} of {len(self.lateness)}, worst {milliseconds(worst)}, a timer {milliseconds(timer)}"


async def _alone(context: Context, origin: Origin) -> None:
    daemon = await context.start(context.folder / "root-alone", name="alone")
    small = _Small(daemon, origin)
    await small.run(max(1.0, context.seconds / 10))
    daemon.kill()
    context.measure("small requests alone", small.figure)


async def _beside(context: Context, origin: Origin, how: str, callers: int, beside: str) -> None:
    """Measures small requests while other callers post, or hold, large bodies."""
    daemon = await context.start(context.folder / f"root-{how}", name=how)
    small, output = _Small(daemon, origin), context.folder / f"{how}.statuses"
    program = str(Path(__file__).parents[1] / "body_callers.py")
    others = ChildProcess(
        [sys.executable, "-B", program, how, daemon.socket, str(callers), str(_BODY)],
        context.folder / "callers.log", output)
    context.stack.callback(others.kill)
    peak = Peak(lambda: daemon.private_bytes)
    async with peak.running():
        # From the first of the others' bytes on.
        await asyncio.sleep(0.5)
        await small.run(max(2.0, context.seconds * 0.4))
    others.kill()
    statuses = Counter(output.read_text().split())
    daemon.kill()
    context.judge(
        f"beside {beside}: every small request is answered 200", f"{small.statuses}", small.statuses.besides(200) == 0)
    p99 = quantile(small.latencies, 0.99)
    context.judge_time(f"beside {beside}: small requests have p99 ≤ 50 ms", small.figure, p99 <= 0.05)
    context.judge_time(f"beside {beside}: none with a budget of 1 s is late", small.late_figure, small.late == 0)
    context.judge(
        f"beside {beside}: private memory ≤ 256 MiB", f"{peak.value / _MIB:.0f} MiB", peak.value <= 256 * _MIB)
    answers = ", ".join(f"{count} × {status}" for status, count in sorted(statuses.items())) or "none"
    if how in ("post", "members"):
        context.judge_time(f"{beside}: some are answered 200, the others 503", answers, statuses["200"] > 0)
    else:
        context.measure(f"{beside}: answers", answers)


async def _limited(context: Context) -> None:
    """Large bodies for a daemon in a control group with little memory, which the kernel ends if it takes more."""
    promise = (
        f"{_CALLERS} callers with bodies of 3.9 MiB, and one with 2 million values, in a control group of"
        f" {_LIMIT // 1_000_000} MB: the daemon lives")
    try:
        with memory_group(_LIMIT) as wrapper:
            await _beside_limit(context, promise, wrapper)
    except Skipped as reason:
        context.skip(promise, str(reason))


async def _beside_limit(context: Context, promise: str, wrapper: Sequence[str]) -> None:
    daemon = await context.start(context.folder / "root-limited", name="limited", wrapper=wrapper)
    program = str(Path(__file__).parents[1] / "body_callers.py")
    answers: Counter[str] = Counter()
    for how, callers in (("post", _CALLERS), ("members", _CALLERS), ("values", 1)):
        output = context.folder / f"limited-{how}.statuses"
        others = ChildProcess(
            [sys.executable, "-B", program, how, daemon.socket, str(callers), str(_BODY)],
            context.folder / "callers.log", output)
        context.stack.callback(others.kill)
        await asyncio.sleep(max(3.0, context.seconds * 0.1))
        others.kill()
        answers.update(output.read_text().split())
    status = daemon.process.status
    ready = 0 if status is not None else (await daemon.client.call("GET", "/readyz")).status
    daemon.kill()
    figure = ", ".join(f"{count} × {answer}" for answer, count in sorted(answers.items()))
    context.judge(
        promise, f"{figure}; /readyz {ready}" if status is None else f"ended with status {status}; {figure}",
        ready == 200 and answers["503"] > 0 and answers["413"] > 0)


async def _waiting(context: Context, origin: Origin) -> None:
    """Requests whose media never come: two in five of their callers wait on a connection."""
    # They wait for as long as this takes, and not until their origin is given up.
    patience = "fetch: {firstByteTimeout: 10m}"
    daemon = await context.start(context.folder / "root-waiting", configuration=patience, name="waiting")
    count = 1_000 if context.is_short else _WAITING
    statuses = Statuses()
    waiters: list[asyncio.Task[None]] = []
    places = asyncio.Semaphore(256)

    async def leave() -> None:
        async with places:
            body = payloads.media([origin.url("stall/headers/grey.jpg")], budget="10m")
            response = await daemon.client.post(body, {"Prefer": "respond-async"})
            statuses.add(response.status, "retry-after" in response.headers)

    async def wait() -> None:
        await daemon.client.post(payloads.media([origin.url("stall/headers/grey.jpg")], budget="10m"), timeout=700)

    peak = Peak(lambda: daemon.private_bytes)
    async with peak.running():
        await asyncio.gather(*(leave() for _ in range(count * 3 // 5)))
        for _ in range(count * 2 // 5):
            waiters.append(asyncio.create_task(wait()))
            if len(waiters) % 64 == 0:
                await asyncio.sleep(0.02)
        end = asyncio.get_running_loop().time() + 30
        while await _in_flight(daemon) < count and asyncio.get_running_loop().time() < end:
            await asyncio.sleep(0.1)
        await asyncio.sleep(min(10, context.seconds / 10))
        waiting = await _in_flight(daemon)
    # Of a few requests most are in progress, which need more memory than queued ones.
    limit = 105e6 if context.is_short else 250e6
    context.judge(
        f"{count:,} waiting requests with media: private memory ≤ {limit / 1e6:.0f} MB",
        f"{peak.value / 1e6:.0f} MB with {waiting} waiting", peak.value <= limit and waiting >= count)
    daemon.kill()
    for waiter in waiters:
        waiter.cancel()
    await asyncio.gather(*waiters, return_exceptions=True)


async def _in_flight(daemon: Daemon) -> int:
    status = (await daemon.client.call("GET", "/v1/status")).json["load"]
    return int(status["running"] + status["queued"])
