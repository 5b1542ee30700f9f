"""Erasures whose daemon is killed, or whose disk loses its power: they end after the restart, and leave nothing."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

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
        gone, kept = f"erased-{number}-receiver", f"kept-{number}-receiver"
        await emit(daemon, _bodies(gone, count))
        await emit(daemon, _bodies(kept, 20))
        response = await daemon.client.call("DELETE", f"/v1/notifications?recipient={gone}&suppress=true")
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
        files = _files(root, gone.encode())
        found += len(files)
        for file in files[:3]:
            context.say(f"round {number + 1}: {file.relative_to(root)} has the name: {_around(file, gone.encode())!r}")
    context.say(f"erasures of {count:,} notifications with {how}: {rounds} rounds")
    name = f"an erasure of {count:,} notifications with {how}"
    context.judge(f"{name}: it ends after the restart", f"{rounds} rounds, {endless} without an end", endless == 0)
    context.judge(
        f"{name}: no file under the root has the name of the receiver", f"{found} files have it", found == 0)
    context.judge(
        f"{name}: the other receiver keeps its notifications, and the suppressed one is refused",
        f"{lost} of {2 * rounds} not", lost == 0)


def _body(recipient: str, id: str) -> bytes:
    payload = {"aps": {"alert": {"title": "t", "body": f"for {recipient}"}, "thread-id": "t"}}
    return json.dumps({"id": id, "recipient": recipient, "payload": payload}).encode()


def _bodies(recipient: str, count: int) -> Iterator[bytes]:
    return (_body(recipient, f"{recipient}-{number}") for number in range(count))


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
