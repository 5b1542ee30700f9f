"""Stored batches whose daemon is killed, whose disk loses its power, or whose disk is full."""

from __future__ import annotations

import asyncio
import json
import time
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import batch_bodies as bodies
import payloads
from batch_client import Results, batch_call
from client import ConnectionLost
from context import Context
from daemon import Daemon
from host import Host
from interruptions import Interrupt, kill, power_cut
from loop_disk import LoopDisk
from stored_batch import StoredBatch

_DELAY = 0.1
_MIB = 1 << 20


@dataclass
class _Followed(StoredBatch):
    """A stored batch, and what its client has read of its results."""

    read: list[bytes] = field(default_factory=list)
    # How often the results that were read before a restart were others afterwards.
    changed: int = 0
    # How often some of these results were missing in the first response after a restart.
    missing_at_first: int = 0

    async def read_on(self) -> None:
        """Reads the results that are new, as a client does that continues after those it has."""
        self.read += [line for line in await self.results(len(self.read)) if line.startswith(b'{"line"')]

    async def follow(self, count: int, timeout: float = 120) -> None:
        """Reads the results as they come, until some have been read."""
        end = time.monotonic() + timeout
        while len(self.read) < count:
            if time.monotonic() > end:
                raise TimeoutError(f"the batch has not reached {count} results")
            await self.read_on()

    async def compare(self) -> None:
        """Compares the results that were read earlier with those of the daemon of now."""
        first = await self.results()
        self.missing_at_first += len(first) < len(self.read)
        await self.reaches(len(self.read))
        self.changed += (await self.results())[:len(self.read)] != self.read

    async def differing(self) -> int:
        """Returns how many requests with an id have another result than their line."""
        count = 0
        for line in self.read:
            value = json.loads(line)
            if value.get("id", "").startswith(self.id):
                response = await self.client.call("GET", f"/v1/notifications/{value['id']}")
                del value["line"]
                count += response.status != 200 or response.json != value
        return count


def _mixed(id: str, host: Host, count: int) -> list[bytes]:
    """Returns lines of which each second has an id, and each tenth a picture that takes its time."""
    return [
        bodies.envelope(
            f"line {number}", None if number % 10 else host.url(), f"{id}-{number}" if number % 2 else None)
        for number in range(count)
    ]


def _interruptions(context: Context) -> int:
    return 2 if context.is_short else min(20, int(context.seconds / 10))


async def kills(context: Context, host: Host) -> None:
    await _interrupted(context, host, context.folder / "stored", "kill -9", kill)


async def power_cuts(context: Context, host: Host, disk: LoopDisk) -> None:
    await _interrupted(context, host, disk.path / "cut", "a power cut", power_cut(disk))


async def _interrupted(
    context: Context, host: Host, root: Path, how: str, interrupt: Interrupt
) -> None:
    """Interrupts the daemon at even shares of the results of a batch, and starts it again."""
    count, interruptions = (10_000 if context.seconds >= 60 else 2_000), _interruptions(context)
    host.delay = _DELAY
    daemon = await context.start(root)
    stored = await _Followed.store(daemon.client, "stored", _mixed("stored", host, count))
    done: list[int] = []
    for number in range(interruptions):
        await stored.follow(count * (number + 1) // (interruptions + 1))
        # The daemon is interrupted just after its client has read results.
        done.append(len(stored.read))
        await interrupt(daemon, number)
        daemon = await context.start(root)
        stored.client = daemon.client
        await stored.compare()
    state = await stored.reaches(count + 1)
    await stored.read_on()
    results = await stored.all()
    host.delay = 0
    differing = await stored.differing()
    paged = Results()
    for line in stored.read:
        paged.add(line)
    daemon.kill()
    name = f"a stored batch of {count:,} lines with {how}"
    context.say(f"{name}: at {done} results")
    context.judge(
        f"{name}: each line has one result, and the batch has ended",
        f"{len(done)} × {how}, {results.figure(stored.lines)}, state {state['state']}",
        results.are_once(stored.lines) and not results.errors and state["state"] == "ended" and len(done) > 0)
    context.judge(
        f"{name}: a client that reads on after each restart has each result once",
        f"{paged.lost(stored.lines)} lost, {paged.doubled} doubled, {stored.changed} of {len(done)} times changed",
        paged.lost(stored.lines) + paged.doubled + stored.changed == 0)
    context.judge(
        f"{name}: a GET of each request with an id has the same result", f"{differing} of {count // 2} differ",
        differing == 0)
    context.judge(
        f"{name}: the first response after a restart has all results that were there before",
        f"{stored.missing_at_first} of {len(done)} times not", stored.missing_at_first == 0)
    errors = state["plan"]["errors"] if state["plan"] else "no plan"
    context.judge(f"{name}: its plan has no error", f"{errors}", errors == 0)


async def full_disk(context: Context, host: Host, disk: LoopDisk) -> None:
    root = disk.path / "full"
    daemon = await context.start(root)
    await daemon.client.post(payloads.text("first"))
    await _too_large(context, daemon, disk)
    await _full_while_running(context, daemon, host, disk)
    daemon.kill()


async def _too_large(context: Context, daemon: Daemon, disk: LoopDisk) -> None:
    """A body that the disk has no room for."""
    lines = [payloads.padded(40_000)] * 400
    headers = {"Prefer": "respond-async", "Idempotency-Key": "large"}
    before = _batch_files(daemon.root)
    disk.fill(leaving=4 * _MIB)
    async with batch_call(daemon.socket, headers) as call:
        # The daemon may close the connection before it has taken the body.
        with suppress(ConnectionLost):
            for line in lines:
                await call.send([line])
            await call.end()
        refusal = [line async for line in call.lines()]
    left = sorted(_batch_files(daemon.root) - before)
    disk.free()
    kind = json.loads(refusal[0]).get("type", "no type") if refusal else "no body"
    context.judge(
        "a stored batch that does not fit: 503, and no file is left",
        f"{call.status}, {kind}, {len(left)} files left{f', such as {left[0]}' if left else ''}",
        call.status == 503 and not left)
    stored = await StoredBatch.store(daemon.client, "large", lines)
    state = await stored.reaches(len(lines) + 1)
    results = await stored.all()
    context.judge(
        "a stored batch that does not fit: sent again when there is room, each line has one result",
        f"{results.figure(stored.lines)}, state {state['state']}",
        results.are_once(stored.lines) and not results.errors and state["state"] == "ended")


def _batch_files(root: Path) -> set[str]:
    return {str(file.relative_to(root)) for file in (root / ".appgroupd" / "batches").rglob("*")}


async def _full_while_running(context: Context, daemon: Daemon, host: Host, disk: LoopDisk) -> None:
    """A batch whose client waits, and a stored one. The disk is full after a part of both."""
    count = 2_000
    host.delay = _DELAY
    stored = await StoredBatch.store(daemon.client, "running", _mixed("running", host, count))
    results, lines = Results(), range(1, count + 1)
    async with batch_call(daemon.socket) as call:
        reading = asyncio.create_task(results.read(call))
        await call.send([payloads.padded(4_000)] * (count // 2))
        while results.numbers.total() < count // 8:
            await asyncio.sleep(0.01)
        await stored.reaches(count // 8)
        disk.fill()
        sending = asyncio.create_task(call.send([payloads.padded(4_000)] * (count // 2)))
        await asyncio.sleep(min(10.0, max(2.0, context.seconds / 10)))
        disk.fill()
        while_full = results.numbers.total()
        stored_while_full = (await stored.state())["counts"]["lines"]
        ready = (await daemon.client.call("GET", "/readyz")).status
        await asyncio.sleep(0.5)
        disk.free()
        await sending
        await call.end()
        await reading
    name = "a batch on a disk that is full for a while"
    context.say(
        f"{name}: {while_full} and {stored_while_full} of {count} results while it was full, /readyz {ready}")
    context.judge(
        f"{name}: each line has one result or error", results.figure(lines), results.are_once(lines))
    state = await stored.reaches(count + 1)
    own = await stored.all()
    host.delay = 0
    context.judge(
        f"{name}: each line of a stored batch has one result",
        f"{own.figure(stored.lines)}, state {state['state']}",
        own.are_once(stored.lines) and not own.errors and state["state"] == "ended")
    status = (await daemon.client.post(payloads.text("after"))).status
    context.judge(
        f"{name}: the daemon goes on", f"a text gets {status}, exit status {daemon.process.status}",
        status == 200 and daemon.process.status is None)
