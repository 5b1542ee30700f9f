"""A million recipients, and batches with a million lines for them: memory, the times of others, look-ups and starts."""

from __future__ import annotations

import asyncio
import json
import time
from collections import Counter

import batch_bodies as bodies
from batch_client import Results, line_call
from context import Context
from daemon import Daemon
from daemon_memory import DaemonMemory
from host import open_host
from measuring import TimerProbe, milliseconds, quantile
from recipient_lines import campaign, has_opted_out, name, recipients
from text_caller import BUSY
from text_turns import TextTurns, start_command

# The recipients of the store that the full one is compared with.
_FEW = 1_000
# The largest number of recipients of a batch, whose first line is the template.
_LINES = 99_999
_MEMORY = 64 << 20
_BATCH_MEMORY = 96 << 20
_CALLERS = 16
# The longest start in seconds.
_START = 5.0
_OPTIONS = ("--log-level", "warning")
_IMPORT, _BATCH = ("recipients", "import"), ("batch", "--quiet")
# The results of requests to recipients, by whether they have opted out.
_PERMITTED, _REFUSED = "rich", "rejected (service-not-permitted)"
_LOOK_UPS = (
    ("GET /v1/recipients/{id}", "/v1/recipients/{}"), ("GET /v1/recipients/{id}/export", "/v1/recipients/{}/export"),
    ("GET /v1/notifications?recipient={id}", "/v1/notifications?recipient={}"))
# The limit of `make bench` for a page of a list, in seconds.
_PAGE = 0.02


async def run(context: Context) -> None:
    # Shorter runs have sizes for some three minutes, and for some 15 s.
    count = 20_000 if context.is_short else 150_000 if context.seconds < 60 else 1_000_000
    many = await context.start(context.folder / "many", _OPTIONS, name="many")
    await many.client.post(bodies.envelope("first"))
    await _import(context, many, count)
    await _requests(context, many, count)
    await _batches(context, many, count // 2 if context.is_short else count)
    # This daemon starts now, because pages of the program that two daemons share are not private.
    few = await context.start(context.folder / "few", _OPTIONS, name="few")
    for command, lines in ((_IMPORT, recipients(range(_FEW))), (_BATCH, campaign("few", "http://[::1]/", range(_FEW)))):
        await start_command(context, few, command, lines)[0].end(60)
    await _look_ups(context, many, few, count)
    few.kill()
    await _starts(context, many, count)


async def _import(context: Context, daemon: Daemon, count: int) -> None:
    # A turn is shorter than the import of one half.
    turns, memory = TextTurns(context, daemon, min(4.0, count / 80_000)), DaemonMemory(daemon)
    summaries, begun = Counter[str](), time.monotonic()
    async with memory.running():
        for numbers in (range(count // 2), range(count // 2, count)):
            _, output = await turns.run(_IMPORT, list(recipients(numbers)))
            summaries.update(json.loads(output.read_bytes().splitlines()[-1])["summary"])
    subject = f"an import of {count:,} recipients"
    context.say(f"{subject}: {time.monotonic() - begun:.1f} s")
    context.judge(
        f"{subject}: each line is stored", f"{summaries['stored']} stored, {summaries['errors']} errors",
        summaries["stored"] == count and summaries["complete"] == 2)
    context.judge(f"{subject}: private memory of at most 64 MiB", memory.figure, memory.mapped.value <= _MEMORY)
    # A text waits for the sync of a transaction of the import, and then for its own.
    turns.judge(subject, 2.0)


async def _requests(context: Context, daemon: Daemon, count: int) -> None:
    """Requests to random recipients, by both of their names."""
    numbers = iter([context.random.randrange(count) for _ in range(300 if context.is_short else 3_000)])
    reasons, wrong = Counter[str](), list[str]()

    async def caller() -> None:
        for number in numbers:
            body = {"recipient": name(number, number % 2 == 0), "payload": {"title": "t", "body": "b"}}
            response = await daemon.client.post(json.dumps(body).encode())
            reason = response.json["reason"] if response.status == 200 else str(response.status)
            reasons[str(reason)] += 1
            if reason != ("service-not-permitted" if has_opted_out(number) else None):
                wrong.append(f"{body['recipient']}: {reason}")

    await asyncio.gather(*(caller() for _ in range(_CALLERS)))
    context.judge(
        f"{count:,} recipients: random ones that have opted out get nothing, and all others get their requests",
        f"reasons {dict(reasons)}{f', but {wrong[:3]}' if wrong else ''}", not wrong and len(reasons) == 2)


async def _batches(context: Context, daemon: Daemon, count: int) -> None:
    turns, memory = TextTurns(context, daemon, min(5.0, max(0.3, context.seconds / 6))), DaemonMemory(daemon)
    size = min(_LINES, count // 2)
    parts = [range(start, min(start + size, count)) for start in range(0, count, size)]
    outcomes, wrong, begun = Counter[str](), list[str](), time.monotonic()
    async with open_host() as host, memory.running():
        host.headers = "Cache-Control: max-age=86400\r\n"
        url = host.url()
        for part, numbers in enumerate(parts):
            status, output = await turns.run(_BATCH, list(campaign(f"b{part}", url, numbers)))
            results, lines = Results(), range(2, len(numbers) + 2)
            with output.open("rb") as reader:
                for line in reader:
                    results.add(line)
            outcomes += results.outcomes
            if status or results.errors or not results.are_once(lines):
                wrong.append(f"batch {part + 1}: status {status}, {results.figure(lines)}")
            context.say(f"batch {part + 1} of {len(parts)}: {time.monotonic() - begun:.1f} s, {memory.figure}")
    subject = f"{len(parts)} batches of one picture for {count:,} recipients"
    refused = sum(map(has_opted_out, range(count)))
    context.judge(
        f"{subject}: each line has one result, which is rich, or rejected after an opt-out",
        f"{dict(outcomes)}{f', but {wrong[:3]}' if wrong else ''}",
        not wrong and outcomes == {_PERMITTED: count - refused, _REFUSED: refused})
    context.judge(f"{subject}: their origin gets one request", f"{host.requests}", host.requests == 1)
    context.judge(
        f"{subject}: private memory of at most 96 MiB", memory.figure, memory.mapped.value <= _BATCH_MEMORY)
    turns.judge(subject)


async def _look_ups(context: Context, many: Daemon, few: Daemon, count: int) -> None:
    """Look-ups of random recipients of the full store and of a small one, in turns."""
    for subject, path in _LOOK_UPS:
        times: dict[Daemon, list[float]] = {many: [], few: []}
        statuses, probe = Counter[int](), TimerProbe()
        async with probe.running():
            for _ in range(200 if context.is_short else 2_000):
                for daemon, size in ((many, count), (few, _FEW)):
                    target, begun = path.format(name(context.random.randrange(size))), time.perf_counter()
                    async with line_call(daemon.socket, "GET", target) as call:
                        [_ async for _ in call.lines()]
                    times[daemon].append(time.perf_counter() - begun)
                    statuses[call.status] += 1
        subject = f"{count:,} recipients: {subject}"
        context.judge(f"{subject} is answered 200", f"{dict(statuses)}", set(statuses) == {200})
        now, then, timer = (quantile(values, 0.99) for values in (times[many], times[few], probe.lateness))
        is_page, bound = path != _LOOK_UPS[0][1], f"2 times that with {_FEW:,}"
        promise = f"{subject}: its p99 is at most {milliseconds(_PAGE) if is_page else bound}"
        figure = f"{now / then:.2f} times, {milliseconds(now)} instead of {milliseconds(then)}"
        if timer > BUSY:
            context.measure(promise, f"{figure} (the machine was too busy: a timer was {milliseconds(timer)} late)")
        else:
            context.judge_time(promise, figure, now <= (_PAGE if is_page else 2 * then))


async def _starts(context: Context, daemon: Daemon, count: int) -> None:
    """Starts after SIGTERM, and after `kill -9` in an import."""
    status = await daemon.terminate()
    context.judge(f"{count:,} recipients: SIGTERM ends the daemon with status 0", f"status {status}", status == 0)
    for how in ("SIGTERM", "kill -9 in an import"):
        begun = time.monotonic()
        daemon = await context.start(daemon.root, _OPTIONS, name="many")
        took = time.monotonic() - begun
        context.judge_time(
            f"{count:,} recipients: ready within {_START:g} s after {how}", f"{took:.2f} s", took <= _START)
        kept = [
            (await daemon.client.call("GET", f"/v1/recipients/{name(context.random.randrange(count))}")).status
            for _ in range(100)]
        context.judge(
            f"{count:,} recipients: random ones are kept after {how}", f"{kept.count(200)} of {len(kept)}",
            kept.count(200) == len(kept))
        process, _ = start_command(context, daemon, _IMPORT, recipients(range(count, count + 20_000)))
        for _ in range(1_000):
            response = await daemon.client.call("GET", f"/v1/recipients/{name(count + 1_000)}")
            if response.status == 200:
                break
            await asyncio.sleep(0.01)
        daemon.kill()
        process.kill()
