"""Batches and campaigns: each line has one result, at a bounded price, whatever happens to client, daemon and disk."""

from __future__ import annotations

import asyncio
import itertools
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import batch_bodies as bodies
import interrupted_batches
from batch_client import Results, batch_call, line_call
from client import Client, ConnectionLost
from context import Context, Skipped
from daemon import Daemon, NotReady
from daemon_memory import DaemonMemory
from host import Host, open_host
from loop_disk import LoopDisk
from measuring import Peak
from origin import free_port
from processes import ChildProcess
from text_caller import TextCaller, judge_p99
from tokens import make_tokens

_MIB = 1 << 20
_MEMORY = 64 * _MIB
_CALLERS = 64
_RATE = 50.0
# Wrong lines of each kind.
_REPEATS = 100
# The time of a run from which batches have their full sizes, in seconds.
_LONG = 60


async def run(context: Context) -> None:
    async with open_host() as host:
        host.headers = "Cache-Control: max-age=3600\r\n"
        await _row(context, "a campaign of one picture", _campaign, host)
        await _row(context, "a client that reads nothing until its end", _unread)
        await _row(context, "a long template", _template)
        await _row(context, "a stored batch with kill -9", interrupted_batches.kills, host)
        await _row(context, "a batch beside single texts", _beside)
        await _row(context, "two batches of two tokens", _turns, host)
        await _row(context, "wrong lines", _wrong, host)
        await _row(context, "a client that leaves", _leaves)
        try:
            disk = LoopDisk(context, mebibytes=256)
        except Skipped as reason:
            context.skip("a stored batch with power cuts, batches on a full disk", str(reason))
            return
        await _row(context, "a stored batch with power cuts", interrupted_batches.power_cuts, host, disk)
        await _row(context, "batches on a full disk", interrupted_batches.full_disk, host, disk)


async def _row(context: Context, name: str, part: Callable[..., Awaitable[None]], *arguments: object) -> None:
    """Runs a part of the step. The others run also if it does not come to its end."""
    begun = asyncio.get_running_loop().time()
    try:
        await part(context, *arguments)
    except (ConnectionLost, NotReady, TimeoutError, OSError) as error:
        context.judge(f"{name}: the part comes to its end", f"{type(error).__name__}: {error}"[:200], False)
    context.say(f"{name}: {asyncio.get_running_loop().time() - begun:.1f} s")


async def _campaign(context: Context, host: Host) -> None:
    """A campaign of one picture in one daemon, and as many single calls in another."""
    count = 10_000 if context.seconds >= _LONG else 2_000
    url, before = host.url(), host.requests
    daemon = await _warmed(context, "campaign")
    lines, processor = range(2, count + 2), daemon.processor_seconds
    results, memory = Results(), DaemonMemory(daemon)
    async with memory.running(), batch_call(daemon.socket) as call:
        await call.send(
            [bodies.template(url), *(bodies.recipient(f"c-{number}", f"to {number}") for number in range(count))])
        await call.end()
        await results.read(call)
    batch = daemon.processor_seconds - processor
    requests = host.requests - before
    daemon.kill()
    name = f"a campaign of one picture for {count:,}"
    context.judge(f"{name}: its origin gets one request", f"{requests}", requests == 1)
    context.judge(
        f"{name}: each line has one result, which is rich", results.figure(lines),
        results.are_once(lines) and results.outcomes["rich"] == count)
    context.judge(f"{name}: private memory of at most 64 MiB", memory.figure, memory.mapped.value <= _MEMORY)
    single = await _single_calls(context, count, host.url())
    context.judge_time(
        f"{name}: at most half of the processor time of {_CALLERS} callers with single calls",
        f"{batch / single:.2f} times, {batch:.2f} s instead of {single:.2f} s", batch <= 0.5 * single)


async def _single_calls(context: Context, count: int, url: str) -> float:
    """Returns the processor time of a daemon for the requests of a campaign, each in a call with a key, in seconds."""
    daemon = await _warmed(context, "single")
    processor, numbers, statuses = daemon.processor_seconds, iter(range(count)), Counter[int]()

    async def caller() -> None:
        for number in numbers:
            body = bodies.envelope(f"to {number}", url)
            statuses[(await daemon.client.post(body, {"Idempotency-Key": f"c-{number}"})).status] += 1

    await asyncio.gather(*(caller() for _ in range(_CALLERS)))
    seconds = daemon.processor_seconds - processor
    daemon.kill()
    context.say(f"single calls: {dict(statuses)}")
    return seconds


async def _warmed(context: Context, name: str, options: Sequence[str] = (), configuration: str = "{}") -> Daemon:
    """Starts a daemon with a root of its own, and has it start what the first request starts."""
    daemon = await context.start(context.folder / name, options, configuration, name)
    await daemon.client.post(bodies.envelope("first"))
    return daemon


async def _unread(context: Context) -> None:
    """A client that reads no result before the daemon has processed all lines."""
    # Their results fit into the 64 MiB that one caller has for unread results.
    count = 40_000 if context.seconds >= _LONG else 10_000
    daemon = await _warmed(context, "unread")
    results, lines, memory = Results(), range(1, count + 1), DaemonMemory(daemon)
    async with memory.running(), batch_call(daemon.socket) as call:
        for start in range(0, count, 1_000):
            await call.send(bodies.texts(min(1_000, count - start)))
        await call.end()
        for _ in range(6_000):
            load = (await daemon.client.call("GET", "/v1/status")).json["load"]
            if load["accepted"] > count and load["running"] + load["queued"] == 0:
                break
            await asyncio.sleep(0.05)
        context.say(f"a client that reads nothing: {load['accepted']} accepted before it reads")
        await results.read(call)
    daemon.kill()
    name = f"a client that writes {count:,} texts before it reads"
    context.judge(f"{name}: each line has one result", results.figure(lines), _all_results(results, lines))
    context.judge(f"{name}: private memory of at most 64 MiB", memory.figure, memory.mapped.value <= _MEMORY)


async def _template(context: Context) -> None:
    """A template of 3.9 MB with short recipients: in a call whose client reads nothing, and in stored batches."""
    length, limit, one = 3_900_000, 64 * _MIB, 4 * _MIB
    daemon = await _warmed(context, "template", configuration="batches: {quota: 100MiB, maxScratch: 64MiB}")
    count = 200 if context.seconds >= _LONG else 40

    def lines(prefix: str, count: int) -> list[bytes]:
        return [bodies.long_template(length), *(bodies.recipient(f"{prefix}-{n}", "b") for n in range(count))]

    results, memory, scratch = Results(), DaemonMemory(daemon), Peak(lambda: _scratch_bytes(daemon.pid))
    async with memory.running(), scratch.running(), batch_call(daemon.socket) as call:
        await call.send(lines("t", count))
        await call.end()
        await asyncio.sleep(max(3.0, context.seconds / 10))
        await results.read(call)
    name = f"a template of 3.9 MB for {count}"
    numbers = range(2, count + 2)
    context.judge(f"{name}: each line has one result", results.figure(numbers), _all_results(results, numbers))
    context.judge(
        f"{name}: unread results take at most a quarter of batches.maxScratch, and one more",
        f"{scratch.value / _MIB:.0f} MiB", scratch.value <= limit // 4 + one)
    added = memory.mapped.value - memory.before
    context.judge(f"{name}: private memory grows by at most 32 MiB", f"{added / _MIB:.0f} MiB", added <= 32 * _MIB)
    await _quota(context, daemon, lines)
    daemon.kill()


async def _quota(context: Context, daemon: Daemon, lines: Callable[[str, int], list[bytes]]) -> None:
    """Two stored batches whose results together exceed the caller's share of the quota of 100 MiB."""
    folder, share = daemon.root / ".appgroupd" / "batches", 75 * _MIB
    peak = Peak(lambda: sum(file.stat().st_size for file in folder.glob("*/*")))

    async def store(id: str, count: int) -> None:
        headers = {"Prefer": "respond-async", "Idempotency-Key": id}
        async with batch_call(daemon.socket, headers) as call:
            await call.send(lines(id, count))
            await call.end()
            assert [line async for line in call.lines()] and call.status == 202

    async def until(id: str, member: str, value: str) -> bool:
        for _ in range(1_200):
            state = (await daemon.client.call("GET", f"/v1/batches/{id}")).json
            if state[member] == value:
                return True
            await asyncio.sleep(0.05)
        return False

    async with peak.running():
        await store("first", 6)
        ended = await until("first", "state", "ended")
        await store("second", 16)
        paused = ended and await until("second", "waitingFor", "quota")
        text = (await daemon.client.post(bodies.envelope("beside"))).status
        removed = (await daemon.client.call("DELETE", "/v1/batches/first/results")).status
        went_on = await until("second", "state", "ended")
    results = Results()
    async with line_call(daemon.socket, "GET", "/v1/batches/second/results") as call:
        await results.read(call)
    name, numbers = "two stored batches beyond the quota", range(2, 18)
    context.judge(
        f"{name}: the second one pauses, and goes on when the first one is removed",
        f"ended {ended}, paused {paused}, text {text}, removed {removed}, went on {went_on}",
        paused and went_on and (text, removed) == (200, 204))
    context.judge(f"{name}: each line has one result", results.figure(numbers), _all_results(results, numbers))
    context.judge(
        f"{name}: they take at most three quarters of batches.quota", f"{peak.value / _MIB:.0f} MiB",
        peak.value <= share)


def _scratch_bytes(pid: int) -> int:
    """Returns the bytes on the disk of the files without a name in the folder of batches."""
    total = 0
    for descriptor in Path(f"/proc/{pid}/fd").iterdir():
        try:
            if "/batches/" in str(descriptor.readlink()):
                total += descriptor.stat().st_blocks * 512
        except OSError:
            continue  # The descriptor was closed meanwhile.
    return total


def _all_results(results: Results, lines: range) -> bool:
    return results.are_once(lines) and not results.errors


async def _beside(context: Context) -> None:
    """Single texts alone, and beside the batch of another process."""
    seconds = max(1.0, context.seconds / 10)
    daemon = await _warmed(context, "beside")
    file, output = context.folder / "beside.ndjson", context.folder / "beside.results"
    file.write_bytes(b"\n".join(bodies.texts(100_000)))
    await TextCaller(daemon.client, _RATE).run(0.5)
    alone, beside = TextCaller(daemon.client, _RATE), TextCaller(daemon.client, _RATE)
    await alone.run(seconds)
    process = ChildProcess(
        [context.programs.appgroupd, "batch", "--root", str(daemon.root), str(file)], context.folder / "batch.log",
        output)
    context.stack.callback(process.kill)
    while process.status is None and not output.stat().st_size:
        await asyncio.sleep(0.01)
    await beside.run(seconds)
    has_run = process.status is None
    process.kill()
    results = output.read_bytes().count(b"\n")
    daemon.kill()
    context.judge(
        "a batch beside single texts: each text is answered 200",
        f"{alone.statuses} alone, {beside.statuses} beside {results / seconds:,.0f} lines a second",
        alone.statuses.besides(200) + beside.statuses.besides(200) == 0)
    judge_p99(
        context, "a batch beside single texts: their p99 is at most 1.3 times that without", alone, beside,
        obstacle="" if has_run else "the batch ended before the texts")


@dataclass
class _Listener:
    """A daemon with a listener on loopback that needs a token, and two tokens."""

    daemon: Daemon
    address: tuple[str, int]
    tokens: list[dict[str, str]]


async def _listener(context: Context, name: str) -> _Listener:
    configuration, tokens = make_tokens(context.programs, ["one", "two"])
    port = free_port("127.0.0.1")
    daemon = await _warmed(context, name, ["--listen", f"127.0.0.1:{port}"], configuration)
    return _Listener(daemon, ("127.0.0.1", port), tokens)


async def _turns(context: Context, host: Host) -> None:
    """Two batches at the same time, longer than the turn of a caller. Each line has a picture of its own."""
    listener = await _listener(context, "turns")
    host.delay = 0.1
    count = 1_200 if context.seconds >= _LONG else 300
    both = [Results(), Results()]
    at_end: list[int] = []

    async def send(own: int) -> None:
        async with batch_call(listener.address, listener.tokens[own]) as call:
            await call.send(bodies.envelope("with", host.url()) for _ in range(count))
            await call.end()
            await both[own].read(call)
            at_end.append(both[1 - own].numbers.total())

    await asyncio.gather(send(0), send(1))
    name = f"two batches of {count} lines of two tokens"
    lines = range(1, count + 1)
    figure = "; ".join(results.figure(lines) for results in both)
    context.judge(f"{name}: each line has one result", figure, all(_all_results(each, lines) for each in both))
    context.judge(
        f"{name}: when one ends, the other has at least 40 % of its results",
        f"{100 * at_end[0] / count:.0f} %", at_end[0] >= 0.4 * count)
    host.delay = 0
    listener.daemon.kill()


async def _wrong(context: Context, host: Host) -> None:
    """Wrong lines of each kind between good ones, in a batch and in a campaign."""
    listener = await _listener(context, "wrong")
    client = Client(listener.address, headers=listener.tokens[0])
    await client.post(bodies.envelope("another body"), {"Idempotency-Key": "taken"})
    client.close()
    numbers = itertools.count()
    large = bodies.large_wrong()
    wrong = [*bodies.WRONG] * _REPEATS
    for position in range(3):
        wrong[position * 500:position * 500] = large
    parts = (
        ("a batch", [], wrong, lambda: bodies.envelope("good")),
        ("a campaign", [bodies.template(host.url())], [*bodies.WRONG_RECIPIENTS] * _REPEATS,
         lambda: bodies.recipient(f"w-{next(numbers)}", "good")),
    )
    for name, first, wrong_lines, good in parts:
        results, expected = Results(), dict[int, str]()
        async with batch_call(listener.address, listener.tokens[0]) as call:
            reading = asyncio.create_task(results.read(call))
            if first:
                await call.send(first)
            for number, (line, kind) in enumerate(wrong_lines):
                expected[len(first) + 2 * number + 2] = kind
                await call.send([good(), line])
            await call.end()
            await reading
        lines = range(len(first) + 1, len(first) + 2 * len(wrong_lines) + 1)
        other = {number: (expected.get(number), results.errors.get(number)) for number in lines}
        other = {number: both for number, both in other.items() if both[0] != both[1]}
        figure = f"{len(wrong_lines)} wrong lines of {len(set(wrong_lines))} kinds: {results.figure(lines)}"
        if other:
            figure += f"; {len(other)} differ, such as line {next(iter(other.items()))}"
        context.judge(
            f"{name}: each wrong line has one error of its kind, and each good one a result", figure,
            results.are_once(lines) and not other)
    listener.daemon.kill()


async def _leaves(context: Context) -> None:
    """A client that leaves after half of the lines, and sends the batch again."""
    quarter, free = 30, 10
    daemon = await _warmed(context, "leaves")
    async with open_host() as host, open_host() as held:
        # Only the first pictures are done when the client leaves. The others have another host, so that none waits for
        # a connection that they hold.
        urls = [
            host.url() if number < free or number >= 2 * quarter else held.url("held/image.jpg")
            for number in range(4 * quarter)
        ]
        ids = [f"l-{number}" if number % 2 else None for number in range(len(urls))]
        batch = [bodies.envelope("with", url, id) for url, id in zip(urls, ids, strict=True)]
        emitted = (await daemon.client.call("GET", "/v1/status")).json["load"]["emitted"]
        first = Results()
        async with batch_call(daemon.socket) as call:
            await call.send(batch[:2 * quarter])
            response = call.lines()
            while first.numbers.total() < free:
                first.add(await anext(response))
            await _accepted(daemon, 2 * quarter + 1)
        unnamed = quarter - free // 2
        for _ in range(500):
            load = (await daemon.client.call("GET", "/v1/status")).json["load"]
            if load["emitted"]["cancelled"] >= unnamed:
                break
            await asyncio.sleep(0.01)
        held.gate.set()
        await daemon.settled()
        cancelled = (await daemon.client.call("GET", "/v1/status")).json["load"]["emitted"]["cancelled"]
        cancelled -= emitted["cancelled"]
        kept = [await daemon.client.call("GET", f"/v1/notifications/{id}") for id in ids[:2 * quarter] if id]
        rich = sum(response.status == 200 and response.json["outcome"] == "rich" for response in kept)
        context.judge(
            "a client that leaves: the lines with an id go on", f"{rich} of {quarter} are rich", rich == quarter)
        context.judge(
            "a client that leaves: the other lines without a result are cancelled", f"{cancelled} of {unnamed}",
            cancelled == unnamed)
        again, lines = Results(), range(1, len(batch) + 1)
        async with batch_call(daemon.socket) as call:
            await call.send(batch)
            await call.end()
            await again.read(call)
        context.judge(
            "a client that leaves: sent again, each line has one result", again.figure(lines),
            _all_results(again, lines) and again.outcomes["rich"] == len(batch))
    daemon.kill()


async def _accepted(daemon: Daemon, count: int) -> None:
    """Waits until the daemon has accepted requests."""
    for _ in range(1_000):
        if (await daemon.client.call("GET", "/v1/status")).json["load"]["accepted"] >= count:
            return
        await asyncio.sleep(0.01)
    raise TimeoutError(f"the daemon has not accepted {count} requests")
