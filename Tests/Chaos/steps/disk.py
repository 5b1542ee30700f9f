"""A disk that is filled while requests come, and emptied again."""

from __future__ import annotations

import asyncio
import shutil
import time
from collections import Counter
from dataclasses import dataclass, field

import payloads
from client import ConnectionLost
from context import Context
from daemon import Daemon
from ledger import Ledger, compare
from load import Load
from loop_disk import LoopDisk
from measuring import Statuses


@dataclass
class _Found:
    rounds: int = 0
    acknowledged: int = 0
    lost: Counter[str] = field(default_factory=Counter)
    doubled: int = 0
    half: int = 0
    full: int = 0
    ready_while_full: int = 0
    recoveries: list[float] = field(default_factory=list)
    unrecovered: int = 0
    unsettled: int = 0
    statuses: Statuses = field(default_factory=Statuses)


async def run(context: Context) -> None:
    disk = LoopDisk(context, mebibytes=64)
    origin = await context.origin()
    found = _Found()
    end = time.monotonic() + context.seconds
    while time.monotonic() < end or found.rounds == 0:
        found.rounds += 1
        root = disk.path / f"root-{found.rounds}"
        daemon = await context.start(root)
        ledger = Ledger()
        load = Load(daemon.client, root / "group.default", ledger, context.random, origin, statuses=found.statuses)
        async with load.running():
            await asyncio.sleep(0.5)
            for _ in range(3):
                # The last bytes are fought for by the load itself.
                disk.fill(leaving=context.random.choice([0, 20_000, 200_000]))
                await _full(disk, daemon, ledger, found)
                disk.free()
                await _recovers(daemon, ledger, found)
        # What is acknowledged on a disk that was full has to be there when the daemon is gone.
        daemon.kill()
        daemon = await context.start(root)
        found.unsettled += not await daemon.settled()
        comparison = await compare(ledger, daemon.client, root / "group.default")
        context.say(f"round {found.rounds}: {ledger.counts}; lost {comparison.losses}; answers {found.statuses}")
        found.acknowledged += ledger.count
        found.lost += comparison.lost_by_kind
        found.doubled += len(comparison.doubled)
        found.half += len(comparison.half_written)
        daemon.kill()
        shutil.rmtree(root)
    _judge(context, found)


async def _full(disk: LoopDisk, daemon: Daemon, ledger: Ledger, found: _Found) -> None:
    """Posts until the journal takes no more, and asks then whether the daemon is ready."""
    end = time.monotonic() + 3
    refused = 0
    while time.monotonic() < end and refused < 3:
        disk.fill()
        before = await _post(daemon, ledger, found)
        ready = (await daemon.client.call("GET", "/readyz")).status
        after = await _post(daemon, ledger, found)
        if before == after == 503:
            refused += 1
            found.full += 1
            found.ready_while_full += ready == 200


async def _post(daemon: Daemon, ledger: Ledger, found: _Found) -> int | None:
    try:
        # Small enough for the journal itself: larger bodies are files of their own.
        response = await daemon.client.post(payloads.padded(40_000), {"Prefer": "respond-async"})
    except ConnectionLost:
        found.statuses.add(None)
        return None
    found.statuses.add(response.status, "retry-after" in response.headers)
    if response.status == 202:
        ledger.accepted.add(response.json["id"])
    return response.status


async def _recovers(daemon: Daemon, ledger: Ledger, found: _Found) -> None:
    begun = time.monotonic()
    while time.monotonic() < begun + 10:
        ready = (await daemon.client.call("GET", "/readyz")).status
        if await _post(daemon, ledger, found) == 202 and ready == 200:
            found.recoveries.append(time.monotonic() - begun)
            return
        await asyncio.sleep(0.05)
    found.unrecovered += 1


def _judge(context: Context, found: _Found) -> None:
    losses = ", ".join(f"{count} × {kind}" for kind, count in found.lost.items()) or "0"
    context.judge("nothing acknowledged is lost", f"{losses} of {found.acknowledged}", not found.lost)
    others = f"{found.doubled} doubled, {found.half} half-written, {found.unsettled} not settled"
    context.judge(
        "nothing is doubled, half-written or left in claimed", others,
        found.doubled + found.half + found.unsettled == 0)
    context.judge(
        "what is refused is 503 with Retry-After",
        f"{found.statuses}; {found.statuses.without_retry_after} without it",
        found.statuses.besides(200, 202, 503) + found.statuses.without_retry_after == 0 and found.full > 0)
    context.judge(
        "/readyz is 503 while the journal cannot be written", f"{found.ready_while_full} of {found.full} times 200",
        found.ready_while_full == 0 and found.full > 0)
    slowest = max(found.recoveries, default=0.0)
    context.judge(
        "it serves again when there is room", f"{found.unrecovered} times not, slowest {slowest:.2f} s",
        found.unrecovered == 0)
