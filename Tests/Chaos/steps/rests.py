"""A host that fails, works again, is slow, or is down: its pictures, and those of another host beside it."""

from __future__ import annotations

import asyncio
from collections import Counter

import payloads
from context import Context
from daemon import Daemon
from host import Host, open_host
from measuring import milliseconds, quantile

_BUDGET = "30s"


async def run(context: Context) -> None:
    daemon = await context.start(options=["--log-level", "error"])
    async with open_host() as host:
        await _send(daemon, [host.url()])
        await _broken_media(context, daemon, host)
    async with open_host() as host:
        await _missing_media(context, daemon, host)
    async with open_host() as host:
        await _slow(context, daemon, host)
    async with open_host() as host:
        await _forgotten(context, daemon, host)
    async with open_host() as host, open_host() as other:
        await _down(context, daemon, host, other)
    status = await daemon.terminate()
    context.judge("SIGTERM ends it with status 0", f"status {status}", status == 0)


async def _send(daemon: Daemon, urls: list[str], budget: str = _BUDGET) -> tuple[Counter[str], list[float]]:
    """Sends a request for each URL, 3,200 a second. Returns the outcomes or reasons, and how long each one took."""
    outcomes, times = Counter[str](), list[float]()
    loop = asyncio.get_running_loop()

    async def send(number: int, url: str) -> None:
        # The queue of the listener is short.
        await asyncio.sleep(number // 64 * 0.02)
        begun = loop.time()
        response = await daemon.client.post(payloads.media([url], budget=budget))
        times.append(loop.time() - begun)
        content = response.json if response.status == 200 else {"reason": str(response.status)}
        outcomes[content["reason"] or content["outcome"]] += 1

    await asyncio.gather(*(send(number, url) for number, url in enumerate(urls)))
    return outcomes, times


def _figure(outcomes: Counter[str], times: list[float]) -> str:
    return f"{dict(outcomes)}, the slowest after {milliseconds(max(times))}"


async def _broken_media(context: Context, daemon: Daemon, host: Host) -> None:
    await _send(daemon, [host.url("broken/1"), host.url("broken/2")])
    outcomes, times = await _send(daemon, [host.url() for _ in range(10)])
    context.judge(
        "two broken pictures take none of ten others of their host", _figure(outcomes, times),
        outcomes["rich"] == 10)
    await _rest(daemon, host)
    outcomes, times = await _send(daemon, [host.url() for _ in range(10)])
    context.judge(
        "ten pictures of a host that rests wait for it", _figure(outcomes, times),
        outcomes["rich"] == 10)


async def _rest(daemon: Daemon, host: Host) -> None:
    for number in range(5):
        await _send(daemon, [host.url(f"broken/{number}")])


async def _missing_media(context: Context, daemon: Daemon, host: Host) -> None:
    await _send(daemon, [host.url("missing") for _ in range(50)])
    outcomes, times = await _send(daemon, [host.url() for _ in range(10)])
    context.judge(
        "fifty answers of 404 take none of ten pictures", _figure(outcomes, times),
        outcomes["rich"] == 10 and max(times) < 2)


async def _slow(context: Context, daemon: Daemon, host: Host) -> None:
    await _rest(daemon, host)
    host.delay = 1.0
    outcomes, times = await _send(daemon, [host.url() for _ in range(12)])
    context.judge(
        "twelve pictures wait for the one that tests a slow host", _figure(outcomes, times),
        outcomes["rich"] == 12)


async def _forgotten(context: Context, daemon: Daemon, host: Host) -> None:
    if context.is_short:
        return
    await _rest(daemon, host)
    # One test fails, so that the rest is longer.
    await asyncio.sleep(2.5)
    await _send(daemon, [host.url("broken/6")], budget="1s")
    await asyncio.sleep(61)
    outcomes, times = await _send(daemon, [host.url() for _ in range(300)])
    context.judge(
        "a minute after the last failure 300 pictures are asked for at once", _figure(outcomes, times),
        outcomes["rich"] == 300)


async def _down(context: Context, daemon: Daemon, host: Host, other: Host) -> None:
    """A host that refuses connections, with more requests than may wait for it, beside the pictures of another one."""
    await host.close()
    count = 200 if context.is_short else 3_000
    budget = 5.0
    alone, other_times = list[float](), list[float]()
    for _ in range(40):
        alone += (await _send(daemon, [other.url()]))[1]
    down = asyncio.create_task(_send(daemon, [host.url() for _ in range(count)], budget=f"{budget:g}s"))
    outcomes = Counter[str]()
    while not down.done():
        one, times = await _send(daemon, [other.url()])
        outcomes += one
        other_times += times
        await asyncio.sleep(0.05)
    reasons, times = await down
    status = (await daemon.client.call("GET", "/v1/status")).json["restingHosts"]
    context.judge(
        f"{count} requests for a host that is down: none is late", _figure(reasons, times),
        max(times) <= budget + 0.05 and reasons.total() == count)
    context.judge(
        "beside a host that is down: the pictures of another are rich", f"{outcomes['rich']} of {outcomes.total()}",
        outcomes["rich"] == outcomes.total() > 0)
    context.measure(
        "beside a host that is down, and alone: the pictures of another",
        f"p99 {milliseconds(quantile(other_times, 0.99))}, {milliseconds(quantile(alone, 0.99))}")
    context.judge(
        "/v1/status names the host that rests", f"{status}", any(f":{host.port}" in h["host"] for h in status["hosts"]))
    await host.listen()
    outcomes, times = await _send(daemon, [host.url() for _ in range(20)])
    context.judge(
        "the pictures of a host that is up again are rich", _figure(outcomes, times),
        outcomes["rich"] + outcomes["host-resting"] == 20)
