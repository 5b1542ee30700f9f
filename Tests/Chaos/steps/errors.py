"""System calls that fail: each call with each error, put in place of its result by strace."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from dataclasses import dataclass, field

import payloads
from client import ConnectionLost
from context import Context
from daemon import Daemon, NotReady
from ledger import Ledger, compare
from load import Load
from measuring import Statuses
from origin import Origin
from tracing import Call, calls, traced

_SYNC = "fdatasync,fsync,syncfs"


@dataclass(frozen=True)
class Fault:
    calls: str
    error: str
    # Which calls of each thread fail, as strace's `when=`; none for all of them.
    when: str = ""

    def __str__(self) -> str:
        return f"{self.calls} {self.error} {self.when or 'always'}"

    @property
    def options(self) -> list[str]:
        when = f":when={self.when}" if self.when else ""
        return ["-e", f"trace={self.calls},close,{_SYNC}", "-e", f"inject={self.calls}:error={self.error}{when}"]


# Those first that a short run has to make.
_FIRST = [Fault("fdatasync", "EIO"), Fault("fdatasync", "EIO", "2"), Fault("pwrite64", "ENOSPC", "2+3")]
_OTHERS = [
    Fault(name, error, when)
    for name, errors in {
        "fdatasync": ("EIO", "ENOSPC"), "fsync": ("EIO", "ENOSPC"), "syncfs": ("EIO",), "pwrite64": ("EIO", "ENOSPC"),
        "openat": ("EMFILE", "ENOMEM"), "rename": ("EIO", "ENOSPC", "ENOMEM"), "renameat2": ("EIO", "ENOSPC"),
        "linkat": ("EIO", "ENOSPC", "ENOMEM"), "unlink": ("EIO",), "ftruncate": ("EIO", "ENOSPC"),
        "mkdir": ("ENOSPC",), "fallocate": ("ENOSPC",), "accept4": ("EMFILE", "ENOMEM"),
    }.items()
    for error in errors
    for when in ("", "1", "2+3")
]


@dataclass
class _Found:
    cases: int = 0
    acknowledged: int = 0
    lost: Counter[str] = field(default_factory=Counter)
    doubled: int = 0
    half: int = 0
    crashes: list[str] = field(default_factory=list)
    ended: list[str] = field(default_factory=list)
    unrecovered: list[str] = field(default_factory=list)
    statuses: Statuses = field(default_factory=Statuses)
    unsettled: int = 0
    injected: int = 0
    # Requests that were sent while no sync of the journal could succeed, and those of them that were acknowledged.
    asked: int = 0
    unsynced: int = 0
    failed_syncs: int = 0
    retried_syncs: int = 0


async def run(context: Context) -> None:
    origin = await context.origin()
    found = _Found()
    others = context.random.sample(_OTHERS, len(_OTHERS))
    end = time.monotonic() + context.seconds
    for fault in _FIRST + others:
        if time.monotonic() > end and found.cases >= len(_FIRST):
            break
        await _case(context, fault, origin, found)
    _judge(context, found)


async def _case(context: Context, fault: Fault, origin: Origin, found: _Found) -> None:
    found.cases += 1
    root = context.folder / f"root-{found.cases}"
    name = f"daemon-{found.cases}"
    daemon = await context.start(root, name=name)
    ledger = Ledger()
    load = Load(daemon.client, root / "group.default", ledger, context.random, origin, statuses=Statuses())
    async with load.running():
        await asyncio.sleep(0.2)
        async with traced(context, daemon, fault.options) as output:
            await _during(daemon, fault, found)
    await _recovers(context, daemon, fault, found)
    daemon.kill()
    failed = [call for call in calls(output) if call.is_injected]
    found.injected += len(failed)
    _count_syncs(calls(output), found)
    try:
        daemon = await context.start(root, name=name)
    except NotReady as error:
        found.unrecovered.append(f"{fault}: {error}")
        return
    found.unsettled += not await daemon.settled()
    comparison = await compare(ledger, daemon.client, root / "group.default")
    daemon.kill()
    context.say(f"{fault}: {len(failed)} failed; {ledger.counts}; lost {comparison.losses}; answers {load.statuses}")
    found.acknowledged += ledger.count
    found.lost += comparison.lost_by_kind
    found.doubled += len(comparison.doubled)
    found.half += len(comparison.half_written)
    for status, count in load.statuses.counts.items():
        found.statuses.counts[status] = found.statuses.counts.get(status, 0) + count
    found.statuses.without_retry_after += load.statuses.without_retry_after


async def _during(daemon: Daemon, fault: Fault, found: _Found) -> None:
    """Counts what is acknowledged though every sync fails, and lets the load go on for a moment."""
    if fault.calls == "fdatasync" and not fault.when:
        for _ in range(20):
            found.asked += 1
            try:
                found.unsynced += (await daemon.client.post(payloads.text("x"), timeout=5)).status in (200, 202)
            except (ConnectionLost, TimeoutError):
                pass
    await asyncio.sleep(0.4)


async def _recovers(context: Context, daemon: Daemon, fault: Fault, found: _Found) -> None:
    """A plain request is answered again, or the daemon has ended by itself, as a supervisor sees it."""
    end = time.monotonic() + 15
    while time.monotonic() < end:
        status = daemon.process.status
        if status is not None:
            (found.crashes if status < 0 else found.ended).append(f"{fault}: status {status}")
            context.say(f"{fault}: ended with status {status}: {daemon.last_lines(20)}")
            return
        try:
            if (await daemon.client.post(payloads.text("x"), timeout=5)).status == 200:
                return
        except (ConnectionLost, TimeoutError):
            pass
        await asyncio.sleep(0.05)
    found.unrecovered.append(str(fault))


def _count_syncs(traced_calls: list[Call], found: _Found) -> None:
    """Counts the descriptors of the WAL that are synced once more after a failed sync, without having been closed."""
    failed: set[int] = set()
    for call in traced_calls:
        if call.name == "close":
            failed.discard(call.descriptor)
        elif call.name == "fdatasync" and call.file.endswith("journal.sqlite-wal"):
            if call.descriptor in failed:
                found.retried_syncs += 1
            if call.is_injected:
                found.failed_syncs += 1
                failed.add(call.descriptor)


def _judge(context: Context, found: _Found) -> None:
    losses = ", ".join(f"{count} × {kind}" for kind, count in found.lost.items()) or "0"
    context.judge(
        "nothing acknowledged is lost",
        f"{losses} of {found.acknowledged}; {found.injected} failed calls in {found.cases} cases", not found.lost)
    others = f"{found.doubled} doubled, {found.half} half-written, {found.unsettled} not settled"
    context.judge(
        "nothing is doubled, half-written or left in claimed", others,
        found.doubled + found.half + found.unsettled == 0)
    context.judge(
        "nothing is acknowledged while every fdatasync fails", f"{found.unsynced} of {found.asked}",
        found.unsynced == 0)
    context.judge(
        "a failed fdatasync of the WAL is not tried again on its descriptor",
        f"{found.retried_syncs} after {found.failed_syncs} failed ones",
        found.retried_syncs == 0 and found.failed_syncs > 0)
    context.judge(
        "it serves again when the error is gone", "; ".join(found.unrecovered)[:300] or "each time",
        not found.unrecovered)
    crashes = "; ".join(found.crashes)[:300] or f"none, {len(found.ended)} ended by themselves"
    context.judge("no crash", crashes, not found.crashes)
    context.judge(
        "what is refused is 503 with Retry-After",
        f"{found.statuses}; {found.statuses.without_retry_after} without it",
        found.statuses.besides(200, 202, 503, None) + found.statuses.without_retry_after == 0)
