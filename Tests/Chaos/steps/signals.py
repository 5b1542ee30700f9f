"""SIGHUP and SIGTERM at random instants while calls of every kind are under way."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Sequence
from pathlib import Path

from callback_target import SECRET, CallbackTarget, Received
from context import Context
from host import open_host
from ledger import Ledger, compare
from measuring import milliseconds
from mixed_load import MixedLoad
from reloads import LONGEST, Reloads, other_errors
from terminations import DRAINS, SUDDEN, Terminations, launched, started


async def run(context: Context) -> None:
    hups, terms = (12, 6) if context.is_short else (50, 20)
    seconds = min(context.seconds, 60.0)
    target, ledger = CallbackTarget(), Ledger()
    await target.start()
    context.stack.callback(target.stop)
    reloads = Reloads(context, ledger, _configuration(context.folder, target.port))
    async with open_host() as host:
        host.delay = 0.5
        load = MixedLoad(context, await started(context, reloads), ledger, await context.origin(), host)
        lines = range(1, (100 if context.is_short else 1_200) + 1)
        await load.store_batch(len(lines))
        ends = Terminations()
        async with load.running():
            while reloads.signals < hups:
                await asyncio.sleep(context.random.random() * seconds / hups)
                await reloads.reload(load.daemon)
            context.say(f"{reloads.signals} SIGHUP, {ledger.counts}")
            for kinds, count in ((DRAINS, terms - terms // 3), (SUDDEN, terms // 3)):
                for number in range(count):
                    await asyncio.sleep(context.random.choice([0.0, 0.1, 1.0]) * context.random.random() * 2)
                    load.daemon = await ends.next(context, load.daemon, reloads, kinds[number % len(kinds)])
                    await reloads.check(load.daemon, "after a restart")
                if kinds is DRAINS:
                    await _reload_in_starts(context, load, reloads, 2 if context.is_short else 8)
                    # Only these callbacks are of daemons that had time to take the answers.
                    drained = list(target.received)
        await _judge(context, load, reloads, ends, lines)
        await _judge_callbacks(context, ledger, target, drained)
        status = await load.daemon.terminate()
        context.judge("SIGTERM ends it with status 0", f"status {status}", status == 0)


def _configuration(folder: Path, port: int) -> dict[str, object]:
    secret = folder / "gateway.whsec"
    secret.touch(mode=0o600)
    secret.write_text(SECRET)
    gateway = {
        "name": "gateway", "url": f"http://127.0.0.1:{port}/hook", "secretFile": str(secret), "concurrent": 16}
    return {"callbacks": {"targets": [gateway]}}


async def _reload_in_starts(context: Context, load: MixedLoad, reloads: Reloads, count: int) -> None:
    """Changes the configuration and sends SIGHUP before the daemon is ready, at different times of its start."""
    wrong: list[str] = []
    for number in range(count):
        await load.daemon.terminate()
        daemon = launched(context, reloads)
        while not _handles_hup(daemon.pid):
            await asyncio.sleep(0.001)
        await asyncio.sleep(0.08 * number / count)
        reloads.write_valid()
        reloads.send(daemon)
        await daemon.ready()
        load.daemon = daemon
        known = len(reloads.wrong)
        await reloads.check(daemon, "after SIGHUP in the start")
        wrong += reloads.wrong[known:]
        del reloads.wrong[known:]
    context.judge(
        "a SIGHUP in the start is not lost: the values are those of the last configuration",
        f"{len(wrong)} of {count} lost{f', such as {wrong[0]}' if wrong else ''}", not wrong)
    reloads.send(load.daemon)


def _handles_hup(pid: int) -> bool:
    """Whether SIGHUP does not end a process any more."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    masks = [int(line.split()[1], 16) for line in lines if line.startswith(("SigIgn:", "SigCgt:"))]
    return any(mask & 1 << signal.SIGHUP - 1 for mask in masks)


async def _judge(context: Context, load: MixedLoad, reloads: Reloads, ends: Terminations, lines: range) -> None:
    daemon, ledger = load.daemon, load.ledger
    results = await load.stored_results(90)
    has_settled = await daemon.settled()
    context.judge(
        "each line of the stored batch has one result", results.figure(lines),
        results.are_once(lines) and not results.errors)
    found = await compare(ledger, daemon.client, daemon.root / "group.default")
    for line in [*found.lost[:5], *sorted(found.doubled)[:5]]:
        context.say(line)
    counts = ", ".join(f"{count} {kind}" for kind, count in ends.counts.items())
    context.judge(
        "no acknowledged request is lost",
        f"{found.losses} of {ledger.counts}, {reloads.signals} SIGHUP, SIGTERM: {counts}", not found.lost)
    context.judge(
        "no result is emitted twice", f"{len(found.doubled)} with other bytes, {len(found.repeated)} again",
        not found.doubled and not found.repeated)
    context.judge(
        "each SIGTERM ends the daemon with status 0, or in the start and at a second one by the signal",
        f"wrong: {ends.wrong[:3] or 0}", not ends.wrong)
    longest = max(ends.times)
    context.judge_time(
        "each SIGTERM ends the daemon within the longest budget and 5 s",
        f"{milliseconds(longest)} of {milliseconds(LONGEST / 1_000 + 5)}", longest <= LONGEST / 1_000 + 5)
    context.judge(
        "after each reload and restart, the values are those of the last valid configuration",
        f"{reloads.checks} checks, {reloads.invalid} invalid configurations, wrong: {reloads.wrong[:3] or 0}",
        not reloads.wrong)
    left = [*daemon.root.glob("*/claimed/*.json"), *found.half_written]
    context.judge(
        "no file is left in claimed, and none is half-written", f"{len(left)}, settled {has_settled}",
        has_settled and not left)
    context.judge(
        f"{load.batches} streaming batches: each line of a complete response has one result",
        f"wrong: {load.wrong_batches[:3] or 0}", not load.wrong_batches)
    wrong = await load.wrong_cancels()
    context.judge("each answer to a cancel is true", f"{len(load.cancels)} cancels, {wrong[:3] or 0} not", not wrong)
    wrong = await load.endless_erasures()
    context.judge(
        "each erasure ends, and leaves nothing", f"{len(load.erasures)} erasures, {wrong[:3] or 0} not", not wrong)
    missing, gaps = sorted((ledger.answered | ledger.accepted) - load.events.emitted), load.events.gaps
    context.judge(
        "the event stream has each emission, over all restarts",
        f"{len(missing)} missing, such as {missing[:2]}, {len(gaps)} gaps", not missing and not gaps)
    errors = other_errors(daemon)
    context.judge(
        "the log has no error besides those of the invalid configurations", f"{dict(errors) or 0}", not errors)


async def _judge_callbacks(
    context: Context, ledger: Ledger, target: CallbackTarget, drained: Sequence[Received]
) -> None:
    due = ledger.answered | ledger.accepted | ledger.handed_in
    for _ in range(600):
        if due <= {received.notification for received in target.received}:
            break
        await asyncio.sleep(0.1)
    ids: dict[str, set[str]] = {}
    for received in target.received:
        ids.setdefault(received.notification, set()).add(received.id)
    forgotten, doubled = len(due - ids.keys()), sum(len(names) > 1 for names in ids.values())
    context.judge(
        "each result has a callback under one id", f"{len(due)} results, {forgotten} forgotten, {doubled} with two ids",
        forgotten + doubled == 0)
    repeated = len(drained) - len({received.id for received in drained})
    context.judge_time(
        "no callback comes twice while each daemon drains", f"{repeated} of {len(drained)} repeated", repeated == 0)
