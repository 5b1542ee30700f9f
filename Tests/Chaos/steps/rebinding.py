"""Callback targets whose names lead to other addresses in the middle: no forbidden address gets a connection.

Each target has a name of its own. The names lead to the allowed address, then to forbidden ones, and then to the
allowed one again: between two messages, between an attempt and the next one, and between two queries of one name.
"""

from __future__ import annotations

import asyncio
import re
from collections import Counter

from context import Context
from measuring import milliseconds
from rebinding_bench import ALLOWED, FORBIDDEN, OTHER, REASON, TURNS, Bench, rebinding_bench
from text_caller import TextCaller
from tracing import calls

# The longest time from one attempt to the next one, in seconds.
_RETRY = 5.5
_TEXTS = 20.0
# The longest time of a text beside the callbacks, in seconds.
_LATE = 1.0


async def run(context: Context) -> None:
    async with rebinding_bench(context) as bench:
        texts, has_ended = TextCaller(bench.daemon.client, _TEXTS), asyncio.Event()

        async def send_texts() -> None:
            while not has_ended.is_set():
                await texts.run(1)

        caller = asyncio.create_task(send_texts())
        try:
            for _ in range(min(20, max(1, int(context.seconds / 15)))):
                await _between_messages(bench)
                await _between_attempts(bench)
        finally:
            has_ended.set()
            await caller
        await _judge(context, bench, texts)


async def _between_messages(bench: Bench) -> None:
    """Leads the names to forbidden addresses after messages that are delivered, and back before the next attempt."""
    await bench.lead({})
    first = await bench.emit()
    bench.add_delivered("at first", await bench.wait(first, 1, 5))
    await bench.lead(FORBIDDEN)
    second = await bench.emit()
    bench.add_refused("between two messages", await bench.wait(second, 1, 5))
    await bench.lead({})
    bench.add_delivered("in the next attempt after that", await bench.wait(second, 3, 2 * _RETRY))


async def _between_attempts(bench: Bench) -> None:
    """Leads the names to forbidden addresses after a first attempt that is answered with a redirect to one."""
    bench.target.status = 307
    # The next attempt needs a new connection.
    bench.target.headers = f"Location: http://{OTHER}:{bench.target.port}/\r\nConnection: close\r\n"
    ids = await bench.emit()
    bench.add("a redirect to a forbidden address is a failed attempt", await bench.wait(ids, 1, 5),
              lambda callback: callback["status"] == 307)
    bench.target.status, bench.target.headers = 200, ""
    await bench.lead(FORBIDDEN)
    bench.add_refused("between two attempts", await bench.wait(ids, 2, 2 * _RETRY))
    await bench.lead({})
    for callback in await bench.callbacks(ids):
        if callback["state"] == "pending":
            await bench.daemon.client.call("POST", f"/v1/callbacks/{callback['id']}/resend")
    bench.add_delivered("when they are sent again after that", await bench.wait(ids, 1, 5))


async def _judge(context: Context, bench: Bench, texts: TextCaller) -> None:
    for promise, tally in bench.tallies.items():
        context.judge(promise, f"{tally.right} of {tally.total}{tally.wrong}", tally.right == tally.total)
    ids = [f"m{number}" for number in range(bench.messages)]
    expected = {callback["id"] for callback in await bench.callbacks(ids)}
    received = Counter(one.id for one in bench.target.received)
    repeated = sum(count > 1 for count in received.values())
    context.judge(
        "each callback is delivered once, with a valid signature",
        f"{len(expected)} ids, {len(expected - set(received))} missing, {repeated} repeated, "
        f"{sum(not one.is_valid for one in bench.target.received)} invalid",
        len(expected) == len(ids) * len(FORBIDDEN) and received == Counter(expected)
        and all(one.is_valid for one in bench.target.received))
    refused = FORBIDDEN.keys() - {TURNS}
    named = refused & {
        record["target"] for record in bench.daemon.log_records() if REASON in str(record.get("problem"))}
    context.judge(
        "the log names the reason for each forbidden name", f"{len(named)} of {len(refused)}", named == refused)
    context.judge(
        "each text beside the callbacks is answered 200", str(texts.statuses), texts.statuses.besides(200) == 0)
    worst, timer = max(texts.latencies, default=0.0), max(texts.probe.lateness, default=0.0)
    context.judge_time(
        f"no text takes longer than {_LATE:g} s", f"the longest {milliseconds(worst)}, a timer {milliseconds(timer)}",
        worst <= _LATE + timer)
    context.judge(
        "forbidden addresses accept no connection", f"{bench.accepted.total()} accepted", not bench.accepted)
    await bench.daemon.terminate()
    if not bench.trace:
        context.skip("the daemon calls connect for no forbidden address", "strace cannot run here")
        return
    addresses = Counter(
        match.group(1) for call in calls(bench.trace)
        if (match := re.search(r'^\d+<TCP.*?inet_(?:addr|pton)\((?:AF_INET6, )?"([^"]+)"', call.arguments)))
    context.judge(
        "the daemon calls connect for no forbidden address", ", ".join(
            f"{count} × {address}" for address, count in addresses.items()), set(addresses) == {ALLOWED})
