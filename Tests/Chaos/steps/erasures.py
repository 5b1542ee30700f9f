"""Erasures whose daemon is killed, or whose disk loses its power: they end after the restart, and leave nothing."""

from __future__ import annotations

import asyncio
import json
import re
import unicodedata
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

from client import ConnectionLost
from context import Context
from daemon import Daemon
from interruptions import Interrupt, emit, interrupted

# The times from the answer of an erasure to its interruption, in seconds.
_DELAYS = (0.0, 0.02, 0.05, 0.1, 0.2, 0.4)


async def run(context: Context) -> None:
    await interrupted(context, "erasures", _interrupted)


async def _interrupted(context: Context, root: Path, how: str, interrupt: Interrupt) -> None:
    """Erases one receiver of each round, and interrupts the daemon while it does so."""
    rounds = 2 if context.is_short else min(24, max(2, int(context.seconds / 5)))
    count = 300 if context.is_short else 2_000
    endless = found = lost = 0
    for number in range(rounds):
        daemon = await context.start(root)
        gone, kept = f"gelöscht-{number}-receiver", f"kept-{number}-receiver"
        await emit(daemon, _bodies(gone, f"gone-{number}", count))
        await emit(daemon, _bodies(kept, f"kept-{number}", 20))
        await _scatter(daemon, gone, number)
        async with _load(daemon, number):
            response = await daemon.client.call(
                "DELETE", f"/v1/notifications?recipient={quote(gone)}&suppress=true&mentions=true")
            erasure = response.json["id"]
            # The rounds end at other times of the erasure.
            await asyncio.sleep(_DELAYS[number % len(_DELAYS)])
            await interrupt(daemon, number)
        daemon = await context.start(root)
        endless += not await _is_done(daemon, erasure)
        lost += await _count(daemon, kept) != 20
        # A suppressed receiver comes again, and is refused.
        again = await daemon.client.post(_body(gone, f"again-{number}"))
        lost += again.status != 403
        daemon.kill()
        for form in _forms(gone):
            files = _files(root, form)
            found += len(files)
            for file in files[:3]:
                context.say(f"round {number + 1}: {file.relative_to(root)} has the name: {_around(file, form)!r}")
    context.say(f"erasures of {count:,} notifications with {how}: {rounds} rounds")
    name = f"an erasure of {count:,} notifications with {how}"
    context.judge(f"{name}: it ends after the restart", f"{rounds} rounds, {endless} without an end", endless == 0)
    context.judge(
        f"{name}: no file under the root has a form of the receiver's name", f"{found} files have it", found == 0)
    context.judge(
        f"{name}: the other receiver keeps its notifications, and the suppressed one is refused",
        f"{lost} of {2 * rounds} not", lost == 0)


def _forms(name: str) -> list[bytes]:
    """Returns the forms of a name that erasures search, each composed and decomposed."""
    forms: set[bytes] = set()
    for text in (unicodedata.normalize("NFC", name), unicodedata.normalize("NFD", name)):
        escaped = json.dumps(text)[1:-1]
        upper = re.sub(r"(?<=\\u)[0-9a-f]{4}", lambda digits: digits[0].upper(), escaped)
        forms |= {
            text.encode(), escaped.encode(), upper.encode(), quote(text).encode(), quote(text).lower().encode(),
            text.encode("utf-16-le"), text.encode("utf-16-be")}
    return sorted(forms)


async def _scatter(daemon: Daemon, name: str, number: int) -> None:
    """Puts a name into lines of a batch and into files of the spool, also where no request can be read."""
    decomposed = unicodedata.normalize("NFD", name)
    payload = {"aps": {"alert": "a"}}
    link = {"aps": {"alert": "a"}, "url": f"https://a.example/?u={quote(name)}"}
    lines = [
        _body(name, f"line-{number}"), json.dumps({"recipient": name, "payload": payload}, ensure_ascii=False).encode(),
        f'{{"recipient": "{name}" "payload"}}'.encode(), json.dumps({"erased": True, "recipient": name}).encode(),
        json.dumps({"recipient": "other", "payload": link}).encode(), f"no JSON {decomposed}".encode(),
        f'no JSON {json.dumps(name)} {name} {quote(name)}'.encode()]
    # The last line has no line feed.
    response = await daemon.client.call(
        "POST", "/v1/notifications:batch", b"\n".join(lines),
        {"Prefer": "respond-async", "Idempotency-Key": f"batch-{number}"})
    if response.status != 202:
        raise ConnectionLost(f"a batch was answered {response.status}")
    group = daemon.root / "group.default"
    (group / "rejected" / f"large-{number}.json").write_bytes(b" " * (5 << 20) + name.encode("utf-16-le"))
    (group / "rejected" / f"wide-{number}.error.json").write_bytes(f'{{"recipient": "{name}", broken'.encode("utf-16-be"))
    (group / "incoming" / f"note-{number}").write_bytes(decomposed.encode())


@asynccontextmanager
async def _load(daemon: Daemon, number: int) -> AsyncIterator[None]:
    """Sends texts to another receiver until the daemon ends."""
    async def send() -> None:
        for text in range(1_000_000):
            try:
                await daemon.client.post(_body(f"busy-{number}", f"busy-{number}-{text}"))
            except (ConnectionLost, TimeoutError, OSError):
                return

    tasks = [asyncio.create_task(send()) for _ in range(2)]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def _body(recipient: str, id: str) -> bytes:
    payload = {"aps": {"alert": {"title": "t", "body": f"for {recipient}"}, "thread-id": "t"}}
    return json.dumps({"id": id, "recipient": recipient, "payload": payload}).encode()


def _bodies(recipient: str, id: str, count: int) -> Iterator[bytes]:
    return (_body(recipient, f"{id}-{number}") for number in range(count))


async def _is_done(daemon: Daemon, id: str, timeout: float = 60) -> bool:
    end = asyncio.get_running_loop().time() + timeout
    while asyncio.get_running_loop().time() < end:
        response = await daemon.client.call("GET", f"/v1/erasures/{id}")
        if response.status == 200 and response.json["state"] == "done":
            return True
        await asyncio.sleep(0.02)
    return False


async def _count(daemon: Daemon, recipient: str) -> int:
    response: Any = (await daemon.client.call("GET", f"/v1/notifications?recipient={recipient}&limit=200")).json
    return len(response["notifications"])


def _files(root: Path, name: bytes) -> list[Path]:
    """Returns the files whose name or contents have a name."""
    files = [file for file in root.rglob("*") if file.is_file()]
    return [file for file in files if name in str(file).encode() or name in file.read_bytes()]


def _around(file: Path, name: bytes) -> bytes:
    """Returns the bytes around a name in a file."""
    content = file.read_bytes()
    place = content.find(name)
    return content[max(0, place - 60):place + 60]
