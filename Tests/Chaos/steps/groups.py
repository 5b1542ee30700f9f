"""Many app groups: descriptors, inotify watches, memory and disk stay bounded, and every group keeps its media."""

from __future__ import annotations

import asyncio
import json
import os
import resource
import shutil
import sqlite3
import time
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

import payloads
from client import ConnectionLost, Response
from context import Context
from daemon import Daemon
from measuring import Peak, Statuses, closed_loop, milliseconds, quantile
from origin import Origin
from processes import ChildProcess

_GROUPS = 10_000
_ACTIVE = 200
_ROWS = 1_000_000
_CALLERS = 4
_LIMIT = 256
_WATCHES = 16
_MOST_MEMORY = 64 * 1024 * 1024
_MOST_DISK = 64 * 1024


async def run(context: Context) -> None:
    origin = await context.origin()
    await _refused(context)
    await _few_descriptors(context, origin)
    await _few_watches(context)
    await _many_groups(context, origin)
    await _many_rows(context, origin)


@dataclass
class _Posts:
    """Requests with one media item each, for one group after the other."""

    daemon: Daemon
    origin: Origin
    latencies: list[float] = field(default_factory=list)
    statuses: Statuses = field(default_factory=Statuses)
    not_rich: int = 0
    reasons: set[str] = field(default_factory=set)
    _number: int = 0

    async def send(self, group: str) -> None:
        # Some thousand media items, so that neither the cache nor one file of a group answers all.
        self._number += 1
        body = payloads.media([self.origin.url("grey.jpg")])
        begun = time.monotonic()
        try:
            response = await self.daemon.client.call("POST", f"/v1/notifications?group={group}", body)
        except ConnectionLost:
            self.statuses.add(None)
            self.not_rich += 1
            return
        self.latencies.append(time.monotonic() - begun)
        self.statuses.add(response.status, "retry-after" in response.headers)
        content = response.json
        if response.status != 200 or content.get("outcome") != "rich":
            self.not_rich += 1
            self.reasons.add(str(content.get("reason") or content.get("type")))

    async def send_to_all(self, groups: list[str]) -> None:
        """Sends one request to each group, by some callers."""
        rest = iter(groups)

        async def caller() -> None:
            for group in rest:
                await self.send(group)

        await asyncio.gather(*(caller() for _ in range(_CALLERS)))

    @property
    def figure(self) -> str:
        reasons = f" ({', '.join(sorted(self.reasons))})" if self.reasons else ""
        return f"{self.not_rich} of {len(self.latencies)} not rich{reasons}"

    @property
    def p99(self) -> float:
        return quantile(self.latencies, 0.99)


def _count(context: Context, most: int, least: int) -> int:
    """Returns `most` in a run of ten minutes, and fewer in a shorter one."""
    return max(least, min(most, int(most * context.seconds / 600)))


def _descriptors(daemon: Daemon) -> int:
    return len(os.listdir(f"/proc/{daemon.pid}/fd"))


async def _metric(daemon: Daemon, name: str) -> float | None:
    text = (await daemon.client.call("GET", "/metrics")).body.decode()
    for line in text.splitlines():
        if line.startswith(f"{name} "):
            return float(line.rsplit(" ", 1)[1])
    return None


async def _refused(context: Context) -> None:
    log = context.folder / "refused.log"
    process = ChildProcess(
        ["sh", "-c", 'ulimit -n 64 && exec "$@"', "sh", context.programs.appgroupd, "serve", "--root",
         str(context.folder / "root-refused"), "--listen", "none"], log)
    context.stack.callback(process.kill)
    try:
        status: int | None = await process.end(10)
    except TimeoutError:
        status = None
    words = log.read_text().strip()
    held = status == 2 and words.count("\n") == 0 and "open files" in words and "raise it" in words
    context.judge("64 open files: the start is refused in one sentence", f"status {status}: {words}"[:200], held)


async def _few_descriptors(context: Context, origin: Origin) -> None:
    count = _count(context, 2_000, 60)
    daemon = await context.start(
        context.folder / "root-few", name="few", wrapper=["sh", "-c", f'ulimit -n {_LIMIT} && exec "$@"', "sh"])
    posts = _Posts(daemon, origin)
    peak = Peak(lambda: float(_descriptors(daemon)))
    async with peak.running():
        await posts.send_to_all([f"g{number}" for number in range(count)])
        others = _Posts(daemon, origin)
        for _ in range(20):
            await others.send("group.default")
    context.judge(
        f"{_LIMIT} open files: the media of {count} groups are shown", posts.figure, posts.not_rich == 0)
    context.judge(
        f"{_LIMIT} open files: the media of another group are shown afterwards", others.figure, others.not_rich == 0)
    open_indexes = await _metric(daemon, "appgroupd_group_indexes_open")
    context.judge(
        f"{_LIMIT} open files: descriptors are bounded", f"{peak.value:.0f} at most, {open_indexes:.0f} open groups"
        if open_indexes is not None else "no metric", peak.value < _LIMIT - 12 and open_indexes is not None)
    await _judge_readiness(context, daemon)
    daemon.kill()


async def _judge_readiness(context: Context, daemon: Daemon) -> None:
    """Takes the free descriptors away from a daemon, and gives them back."""
    short = 'appgroupd_resource_short{resource="descriptors"}'
    answers = [(await _ready(daemon), await _metric(daemon, short))]
    _, hard = resource.prlimit(daemon.pid, resource.RLIMIT_NOFILE)
    resource.prlimit(daemon.pid, resource.RLIMIT_NOFILE, (_descriptors(daemon) + 8, hard))
    answers.append((await _ready(daemon), await _metric(daemon, short)))
    resource.prlimit(daemon.pid, resource.RLIMIT_NOFILE, (hard, hard))
    answers.append((await _ready(daemon), await _metric(daemon, short)))
    context.judge(
        "/readyz is 503 and the metric 1 while descriptors are short, and only then",
        ", ".join(f"{status} and {value}" for status, value in answers),
        answers == [(200, 0.0), (503, 1.0), (200, 0.0)])


async def _ready(daemon: Daemon) -> int:
    return (await daemon.client.call("GET", "/readyz")).status


async def _few_watches(context: Context) -> None:
    """Has more groups than inotify watches, in a user namespace that permits few."""
    promise = f"{_WATCHES} inotify watches: files of {_WATCHES * 2} groups get their results"
    limit = "/proc/sys/user/max_inotify_watches"
    wrapper = ["unshare", "--user", "--map-root-user", "sh", "-c", f'echo {_WATCHES} > {limit} && exec "$@"', "sh"]
    probe = ChildProcess([*wrapper, "true"], context.folder / "unshare.log")
    if await probe.end(10) != 0:
        return context.skip(promise, "this user may not make user namespaces")
    root = context.folder / "root-watches"
    groups = [f"g{number}" for number in range(_WATCHES * 2)]
    for group in groups:
        (root / group / "incoming").mkdir(parents=True)
    daemon = await context.start(root, name="watches", wrapper=wrapper)
    took = []
    for round_ in range(2):
        begun = time.monotonic()
        for group in groups:
            part = root / group / f".{round_}.part"
            part.write_bytes(payloads.text("x"))
            part.rename(root / group / "incoming" / f"n-{round_}.json")
        missing = set(groups)
        while missing and time.monotonic() < begun + 20:
            await asyncio.sleep(0.05)
            missing = {group for group in missing if not (root / group / "outbox" / f"n-{round_}.json").exists()}
        took.append(time.monotonic() - begun)
    ready: Response = await daemon.client.call("GET", "/readyz")
    scanned = await _metric(daemon, "appgroupd_spool_scanned_groups") or 0
    context.judge(
        promise, f"{len(missing)} without, slowest {max(took):.1f} s, {scanned:.0f} groups are scanned",
        not missing and scanned > 0)
    context.judge(
        "/readyz is 200 and names the short watches", ready.body.decode().strip().replace("\n", ": ")[:120],
        ready.status == 200 and b"watches" in ready.body)
    daemon.kill()


async def _many_groups(context: Context, origin: Origin) -> None:
    count = _count(context, _GROUPS, 60)
    groups = [f"g{number}" for number in range(count)]
    active = groups[:: max(2, count // _ACTIVE)][:_ACTIVE]
    # The index of an active group has more rows.
    others = [group for group in groups if group not in active]
    root = context.folder / "root-many"
    daemon = await context.start(root, name="many")
    alone, made, used = (_Posts(daemon, origin) for _ in range(3))
    peak = Peak(lambda: float(daemon.private_bytes))
    async with peak.running():
        await closed_loop(_CALLERS, max(1.0, context.seconds / 30), lambda: alone.send("group.default"))
        begun = time.monotonic()
        await made.send_to_all(groups)
        took = time.monotonic() - begun
        ring = iter(active * 1_000_000)
        await closed_loop(_CALLERS, max(2.0, context.seconds / 10), lambda: used.send(next(ring)))
    context.measure(f"{count} groups with media are made", f"in {took:.0f} s, {_descriptors(daemon)} descriptors")
    context.judge(f"{count} groups: all media are shown", made.figure, made.not_rich == 0)
    context.judge(f"{count} groups: the media of {len(active)} active ones are shown", used.figure, used.not_rich == 0)
    context.measure(
        f"{count} groups: p99 of {len(active)} active ones, and of one alone before",
        f"{milliseconds(used.p99)}, {milliseconds(alone.p99)}")
    _judge_memory(context, f"{count} groups", peak.value)
    await daemon.terminate()
    disk = max(_disk(root / group) for group in others[:20])
    context.judge(
        f"{count} groups: one takes at most 64 KiB of the disk beside its media", f"{disk / 1024:.0f} KiB",
        disk <= _MOST_DISK)
    begun = time.monotonic()
    daemon = await context.start(root, name="many-again")
    context.measure(f"{count} groups: ready after a restart", f"in {time.monotonic() - begun:.2f} s")
    again, peak = _Posts(daemon, origin), Peak(lambda: float(daemon.private_bytes))
    async with peak.running():
        # Beside the check of all indexes.
        await closed_loop(_CALLERS, max(2.0, context.seconds / 20), lambda: again.send(next(ring)))
    context.judge(f"{count} groups: media are shown after a restart", again.figure, again.not_rich == 0)
    _judge_memory(context, f"{count} groups, restarted", peak.value)
    daemon.kill()
    shutil.rmtree(root)


def _judge_memory(context: Context, what: str, value: float) -> None:
    context.judge(f"{what}: private memory ≤ 64 MiB", f"{value / 1024 / 1024:.1f} MiB", value <= _MOST_MEMORY)


def _disk(group: Path) -> int:
    """Returns the bytes that a group takes of the disk, without its media, results and the directories of media."""
    media = group / "media"
    paths = [group, *(path for path in group.rglob("*") if media not in path.parents and path.suffix != ".json")]
    return sum(path.stat().st_blocks * 512 for path in paths)


async def _many_rows(context: Context, origin: Origin) -> None:
    count = _count(context, _ROWS, 10_000)
    root = context.folder / "root-rows"
    daemon = await context.start(root, name="rows-first")
    await _Posts(daemon, origin).send("big")
    await daemon.terminate()
    _insert_rows(root / "big" / "index.sqlite", count)
    daemon = await context.start(root, name="rows")
    big, other = _Posts(daemon, origin), _Posts(daemon, origin)
    numbers = iter(range(10_000_000))
    peak = Peak(lambda: float(daemon.private_bytes))
    async with peak.running():
        # Beside the check of the index, and the eviction after it.
        await closed_loop(
            _CALLERS, max(2.0, context.seconds / 10),
            lambda: big.send("big") if next(numbers) % 2 else other.send("group.default"))
        body = json.dumps({"host": "big.example"}).encode()
        purged = (await daemon.client.call("POST", "/v1/cache/purge", body, timeout=300)).status
    context.judge(f"{count} rows in one index: its media are shown", big.figure, big.not_rich == 0)
    context.judge(
        f"{count} rows in one index: the media of another group are shown",
        f"{other.figure}, p99 {milliseconds(other.p99)}", other.not_rich == 0)
    context.measure(f"{count} rows in one index: a purge of other media", f"answered {purged}")
    _judge_memory(context, f"{count} rows in one index", peak.value)
    daemon.kill()


def _insert_rows(path: Path, count: int) -> None:
    """Adds files, and the messages that show them, to an index. The files are leased, so their rows stay."""
    now = int(time.time())
    database = sqlite3.connect(path)
    with database:
        for number in range(count):
            digest = sha256(str(number).encode()).hexdigest()
            file = f"media/{digest[:2]}/{digest}.jpg"
            database.execute(
                """INSERT INTO asset (sha256, path, mimeType, bytes, width, height, frames, storedAt, usedAt, heldUntil)
                    VALUES (?, ?, 'image/jpeg', 1000, 10, 10, 1, ?, ?, ?)""", (digest, file, now, now, now + 86_400))
            database.execute("INSERT INTO message (id, emittedAt) VALUES (?, ?)", (f"r-{number}", now))
            database.execute(
                """INSERT INTO messageAsset
                    (messageId, position, kind, sha256, identifier, url, profile, sourceType, sourceBytes)
                    VALUES (?, 0, 'attachment', ?, 'media-1', ?, 'ios', 'image/jpeg', 1000)""",
                (f"r-{number}", digest, f"https://rows.example/{number}.jpg"))
    database.close()
