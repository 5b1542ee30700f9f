"""Origins that flood their connections, beside the images of other hosts; and a daemon that is stopped for a moment."""

from __future__ import annotations

import asyncio
import signal
import sys
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import payloads
from client import ConnectionLost
from context import PROJECT, Context
from daemon import Daemon
from flooding_origin import HTTP1, HTTP2
from measuring import Statuses, milliseconds, open_loop, quantile
from origin import Origin
from processes import ChildProcess, make_certificate

_HOSTS = 8
# Requests a second to each of the other hosts, and to each flooding origin.
_RATE = 6.0
_FLOOD_RATE = 2.0
_FLOODS_AT_A_TIME = 4
_LATE_FLOODS = ["priority", "data-empty", "http1-chunk-extension", "http1-tiny-chunks"]
_BUDGET = 2.0
_FLOOD_BUDGET = 10.0


@dataclass
class _Images:
    """Small images of other hosts."""

    daemon: Daemon
    origins: list[Origin]
    latencies: list[float] = field(default_factory=list)
    outcomes: Counter[str] = field(default_factory=Counter)
    _count: int = 0

    async def run(self, seconds: float) -> None:
        await open_loop(_RATE * len(self.origins), seconds, self._send)

    async def _send(self) -> None:
        self._count += 1
        url = self.origins[self._count % len(self.origins)].url("photo-small.jpg")
        loop = asyncio.get_running_loop()
        begun = loop.time()
        try:
            response = await self.daemon.client.post(payloads.media([url], budget=f"{_BUDGET:g}s"))
        except ConnectionLost:
            self.outcomes["closed"] += 1
            return
        self.outcomes[response.json["outcome"] if response.status == 200 else str(response.status)] += 1
        self.latencies.append(loop.time() - begun)

    @property
    def rich_share(self) -> float:
        return self.outcomes["rich"] / max(1, self.outcomes.total())

    @property
    def p99(self) -> float:
        return quantile(self.latencies, 0.99)

    @property
    def figure(self) -> str:
        return f"p50 {milliseconds(quantile(self.latencies, 0.5))}, p99 {milliseconds(self.p99)}"


async def run(context: Context) -> None:
    certificate, key = make_certificate(context.folder)
    daemon = await context.start(configuration=f"fetch: {{caFile: {certificate}}}", options=["--log-level", "error"])
    origins = [await context.origin(f"127.0.0.{number + 2}") for number in range(_HOSTS)]
    alone = await _alone(context, daemon, origins)
    floods = [*HTTP2, *HTTP1]
    for first in range(0, len(floods), _FLOODS_AT_A_TIME):
        # The first floods keep libcurl reading, and run for the whole time.
        seconds = context.seconds if first == 0 else max(2.0, context.seconds / 4)
        await _beside(context, daemon, origins, floods[first:first + _FLOODS_AT_A_TIME], alone, seconds)
    # These hosts are never left alone, as most of their responses are images.
    await _beside(context, daemon, origins, _LATE_FLOODS, alone, max(2.0, context.seconds / 4), after=2)
    await _stopped(context, daemon, origins[0])
    status = await daemon.terminate()
    context.judge("SIGTERM ends it with status 0", f"status {status}", status == 0)


async def _alone(context: Context, daemon: Daemon, origins: list[Origin]) -> _Images:
    # Starts the workers.
    await _Images(daemon, origins).run(1)
    images = _Images(daemon, origins)
    await images.run(max(2.0, context.seconds / 2))
    context.judge_time(
        "other hosts alone: images ≥ 99 % rich", f"{images.rich_share:.1%} rich, {images.figure}",
        images.rich_share >= 0.99)
    return images


async def _beside(
    context: Context, daemon: Daemon, origins: list[Origin], floods: list[str], alone: _Images,
    seconds: float, after: int = 0
) -> None:
    """
    :param after: requests of a connection that get an image before the flood.
    """
    urls = [await _flooding_origin(context, flood, after) for flood in floods]
    images, outcomes, lateness = _Images(daemon, origins), Counter[str](), list[float]()
    sent = 0

    async def send() -> None:
        nonlocal sent
        sent += 1
        url = f"{urls[sent % len(urls)]}?{sent}"
        loop = asyncio.get_running_loop()
        begun = loop.time()
        response = await daemon.client.post(payloads.media([url], budget=f"{_FLOOD_BUDGET:g}s"))
        lateness.append(loop.time() - begun - _FLOOD_BUDGET)
        outcomes[response.json["reason"] or response.json["outcome"]] += 1

    processor = daemon.processor_seconds
    await asyncio.gather(images.run(seconds), open_loop(_FLOOD_RATE * len(urls), seconds, send))
    share = (daemon.processor_seconds - processor) / seconds
    beside = f"beside {', '.join(floods)}{f' after {after} images' if after else ''}"
    context.say(f"{beside}: {outcomes}; the daemon took {share:.2f} cores")
    context.judge_time(
        f"{beside}: images of other hosts ≥ 99 % rich", f"{images.rich_share:.1%} of {images.outcomes.total()}",
        images.rich_share >= 0.99)
    ratio = images.p99 / alone.p99 if alone.p99 else float("inf")
    context.judge_time(
        f"{beside}: their p99 at most 2 times that without", f"{ratio:.2f} times, {images.figure}", ratio <= 2)
    context.judge(
        f"{beside}: no flooded request is late", f"worst {milliseconds(max(lateness) + _FLOOD_BUDGET)}",
        max(lateness) <= 0.05)


async def _flooding_origin(context: Context, flood: str, after: int) -> str:
    """Starts an origin, and returns a URL of it."""
    port = context.folder / f"{flood}-{after}.port"
    program = str(Path(__file__).parents[1] / "flooding_origin.py")
    image = str(PROJECT / "fixtures" / "media" / "photo-small.jpg")
    options = [] if flood in HTTP1 else [
        "--certificate", str(context.folder / "certificate.pem"), "--key", str(context.folder / "key.pem")]
    process = ChildProcess(
        [sys.executable, "-B", program, flood, *options, "--after", str(after), "--image", image, "--for",
         f"{context.seconds + 60:g}"],
        context.folder / "floods.log", port)
    context.stack.callback(process.kill)
    for _ in range(1000):
        if (line := port.read_text() if port.exists() else "").endswith("\n"):
            return f"{'https' if options else 'http'}://127.0.0.1:{line.strip()}/image.jpg"
        await asyncio.sleep(0.01)
    raise RuntimeError(f"the origin of {flood} does not listen")


async def _stopped(context: Context, daemon: Daemon, origin: Origin) -> None:
    """A daemon without the processor for half a second finds much to read, and takes it for no flood."""
    urls = [origin.url("rate/2000000/photo-12mp.jpg") for _ in range(4)]
    calls = [asyncio.create_task(daemon.client.post(payloads.media([url]))) for url in urls]
    await asyncio.sleep(0.5)
    daemon.process.send(signal.SIGSTOP)
    await asyncio.sleep(0.5)
    daemon.process.send(signal.SIGCONT)
    responses = await asyncio.gather(*calls)
    outcomes = Counter(response.json["outcome"] for response in responses)
    context.judge(
        "no download is lost while the daemon is stopped for 0.5 s", f"{dict(outcomes)}", outcomes["rich"] == 4)
