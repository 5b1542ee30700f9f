"""Hostile calls of `POST /v1/warm`: what they cost other callers, and how much memory they take."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import payloads
from client import ConnectionLost
from context import Context
from daemon import Daemon
from measuring import Peak, Statuses, milliseconds, open_loop, quantile
from origin import Origin
from processes import ChildProcess, private_bytes
from warm_callers import BODIES

_MB = 1_000_000
_RATE = 80.0
_STUCK = 16


async def run(context: Context) -> None:
    await _hosts(context)
    await _memory(context)
    await _stuck(context)
    await _beside(context, await context.origin())


@dataclass
class _Others:
    """Requests of other callers at a steady rate: text, and every fourth with a picture that is in no cache."""

    daemon: Daemon
    origin: Origin
    texts: list[float] = field(default_factory=list)
    pictures: list[float] = field(default_factory=list)
    rich: int = 0
    statuses: Statuses = field(default_factory=Statuses)
    _count: int = 0

    async def run(self, seconds: float) -> None:
        await open_loop(_RATE, seconds, self._send)

    async def _send(self) -> None:
        self._count += 1
        has_media = self._count % 4 == 0
        body = payloads.media([self.origin.url("grey.jpg")]) if has_media else payloads.text("x")
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
            self.pictures.append(took)
            self.rich += response.json.get("outcome") == "rich"
        else:
            self.texts.append(took)

    @property
    def figure(self) -> str:
        return f"texts {_quantiles(self.texts)}; pictures {_quantiles(self.pictures)}"


def _quantiles(values: list[float]) -> str:
    return f"p50 {milliseconds(quantile(values, 0.5))}, p99 {milliseconds(quantile(values, 0.99))}"


@asynccontextmanager
async def _callers(context: Context, daemon: Daemon, how: str, count: int, body: str) -> AsyncIterator[Path]:
    """Has callers at work in another process. Yields the file of their responses."""
    output = context.folder / f"{how}-{count}-{body.replace(' ', '-')}.responses"
    program = str(Path(__file__).parents[1] / "warm_callers.py")
    process = ChildProcess(
        [sys.executable, "-B", program, how, daemon.socket, str(count), body], context.folder / "callers.log", output)
    context.stack.callback(process.kill)
    try:
        yield output
    finally:
        process.kill()


async def _hosts(context: Context) -> None:
    """A batch of `warm` whose items all have hosts of their own. Their addresses are not permitted, so nothing is sent."""
    count = 40_000 if context.is_short else 230_000
    source = context.folder / "hosts.txt"
    addresses = (f"10.{number >> 16}.{number >> 8 & 255}.{number & 255}" for number in range(count))
    source.write_text("".join(f"http://{address}/1.jpg\n" for address in addresses))
    process = ChildProcess(
        [context.programs.appgroupd, "warm", "--root", str(context.folder / "root-hosts"), "--progress", "none",
         "--tolerate", "100%", str(source)], context.folder / "hosts.log")
    context.stack.callback(process.kill)
    peak = Peak(lambda: private_bytes(process.pid))
    async with peak.running():
        status = await process.end(600)
    context.judge(
        f"warm from {count:,} hosts: at most 64 MB of private memory", f"{peak.value / _MB:.1f} MB, status {status}",
        peak.value <= 64 * _MB and status == 0)


async def _memory(context: Context) -> None:
    """One call at a time, each with another body."""
    seconds = max(1.0, context.seconds * 0.03)
    for number, body in enumerate(BODIES):
        daemon = await context.start(context.folder / f"root-memory-{number}", name=f"memory-{number}")
        await daemon.client.post(payloads.text("x"))
        before = daemon.private_bytes
        peak = Peak(lambda daemon=daemon: daemon.private_bytes)  # type: ignore[misc]
        async with peak.running(), _callers(context, daemon, "read", 1, body):
            await asyncio.sleep(seconds)
        daemon.kill()
        grown = peak.value - before
        context.judge(f"one body of {body}: at most 16 MB of private memory", f"{grown / _MB:.1f} MB", grown <= 16 * _MB)


async def _stuck(context: Context) -> None:
    """Callers that read no response, up to the end of the daemon."""
    daemon = await context.start(context.folder / "root-stuck", name="stuck")
    await daemon.client.post(payloads.text("x"))
    before = daemon.private_bytes
    peak = Peak(lambda: daemon.private_bytes)
    loop = asyncio.get_running_loop()
    async with _callers(context, daemon, "stuck", _STUCK, "empty objects"):
        async with peak.running():
            await asyncio.sleep(max(2.0, context.seconds * 0.2))
            status = (await daemon.client.call("GET", "/readyz")).status
        begun = loop.time()
        ended = await daemon.terminate(timeout=60)
        took = loop.time() - begun
    grown = peak.value - before
    context.judge(
        f"{_STUCK} callers that read nothing: at most 64 MB of private memory",
        f"{grown / _MB:.1f} MB, /readyz {status}", grown <= 64 * _MB and status == 200)
    context.judge_time(
        f"beside {_STUCK} callers that read nothing, the daemon ends within 5 s",
        f"status {ended} after {took:.1f} s", ended == 0 and took <= 5)


async def _beside(context: Context, origin: Origin) -> None:
    """Measures other callers alone and beside hostile calls, in turns, so that both have the same machine."""
    daemon = await context.start(context.folder / "root-beside", name="beside")
    attacks = [("read", 1, "empty objects"), ("read", 1, "invalid URLs"), ("stuck", _STUCK, "empty objects")]
    alone = _Others(daemon, origin)
    beside = [_Others(daemon, origin) for _ in attacks]
    rounds = 1 if context.is_short else 2
    seconds = max(1.0, context.seconds / 8)
    await _Others(daemon, origin).run(1)
    for _ in range(rounds):
        await alone.run(seconds)
        for others, (how, count, body) in zip(beside, attacks, strict=True):
            async with _callers(context, daemon, how, count, body):
                # From the reading of the body on.
                await asyncio.sleep(0.5)
                await others.run(seconds)
            await daemon.settled()
    daemon.kill()
    context.measure("other callers alone", alone.figure)
    for others, (how, count, body) in zip(beside, attacks, strict=True):
        callers = f"{count} caller{'s' if count > 1 else ''} with {body}" + (" that read nothing" if how == "stuck" else "")
        context.judge(
            f"beside {callers}: every other request is answered 200", str(others.statuses),
            others.statuses.besides(200) == 0)
        context.judge(
            f"beside {callers}: 99 % of the other callers' pictures are rich",
            f"{others.rich} of {len(others.pictures)}", others.rich >= 0.99 * len(others.pictures))
        held = all(
            quantile(now, 0.99) <= 1.3 * quantile(then, 0.99)
            for now, then in ((others.texts, alone.texts), (others.pictures, alone.pictures)))
        context.judge_time(f"beside {callers}: the p99 of others is at most 1.3 times the p99 alone", others.figure, held)
