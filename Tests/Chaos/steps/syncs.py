"""A count of fdatasync on the journal's WAL, by strace: at least one before each answer."""

from __future__ import annotations

import asyncio
import time

import payloads
from context import Context
from daemon import Daemon
from tracing import Call, calls, traced

_REQUESTS = 50
_FILES = 20
_CALLERS = 64


async def run(context: Context) -> None:
    daemon = await context.start()
    options = ["-e", "trace=fdatasync,fsync,syncfs"]
    async with traced(context, daemon, options) as output:
        waited = [await _answered(daemon, {}) for _ in range(_REQUESTS)]
        left = [await _answered(daemon, {"Prefer": "respond-async"}) for _ in range(_REQUESTS)]
        emitted = [await _emitted(daemon, number) for number in range(_FILES)]
        together = time.time()
        count = await _closed_loop(daemon, min(5.0, context.seconds))
        ended = time.time()
    syncs = [call for call in calls(output) if call.file.endswith("journal.sqlite-wal")]
    for promise, times in (
        ("a sync of the WAL before each 200", waited), ("a sync of the WAL before each 202", left),
        ("a sync of the WAL before each spool result", emitted),
    ):
        unsynced = sum(not _has_sync(syncs, *span) for span in times)
        context.judge(promise, f"{unsynced} of {len(times)} without one", unsynced == 0)
    shared = sum(together <= call.begun <= ended for call in syncs)
    context.measure(
        f"requests to one sync at {_CALLERS} callers, traced", f"{count} answered 200, {shared} syncs")


def _has_sync(syncs: list[Call], begun: float, ended: float) -> bool:
    return any(begun <= call.begun and call.ended <= ended for call in syncs)


async def _answered(daemon: Daemon, headers: dict[str, str]) -> tuple[float, float]:
    """Returns when a request was sent and when it was answered, in seconds since 1970."""
    begun = time.time()
    response = await daemon.client.post(payloads.text("x"), headers)
    if response.status not in (200, 202):
        raise RuntimeError(f"a plain request was answered {response.status}")
    return begun, time.time()


async def _emitted(daemon: Daemon, number: int) -> tuple[float, float]:
    """Returns when a file was dropped into the spool and when its result was seen in the outbox."""
    group = daemon.root / "group.default"
    part = group / f"part-{number}"
    part.write_bytes(payloads.text("x"))
    begun = time.time()
    part.rename(group / "incoming" / f"file-{number}.json")
    while not (group / "outbox" / f"file-{number}.json").exists():
        await asyncio.sleep(0.001)
    return begun, time.time()


async def _closed_loop(daemon: Daemon, seconds: float) -> int:
    end = time.monotonic() + seconds

    async def caller() -> int:
        count = 0
        while time.monotonic() < end:
            await _answered(daemon, {})
            count += 1
        return count

    return sum(await asyncio.gather(*(caller() for _ in range(_CALLERS))))
