"""Callbacks that are due while the daemon is killed, or while its disk loses its power: none is forgotten."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path

from callback_target import SECRET, CallbackTarget
from client import ConnectionLost
from context import Context, Skipped
from daemon import Daemon
from loop_disk import Cut, LoopDisk

_CALLERS = 16
# The times from the last result to the interruption, in seconds.
_DELAYS = (0.0, 0.05, 0.3, 1.0)


async def run(context: Context) -> None:
    async def kill(daemon: Daemon, _: int) -> None:
        daemon.kill()

    await _interrupted(context, context.folder / "root", "kill -9", kill)
    try:
        disk = LoopDisk(context, mebibytes=256)
    except Skipped as reason:
        context.skip("callbacks with power cuts", str(reason))
        return

    async def cut(daemon: Daemon, number: int) -> None:
        disk.cut(list(Cut)[number % 2])
        daemon.kill()
        disk.restore()

    await _interrupted(context, disk.path / "root", "a power cut", cut)


async def _interrupted(
    context: Context, root: Path, how: str, interrupt: Callable[[Daemon, int], Awaitable[None]]
) -> None:
    """Emits texts while the target refuses their callbacks, interrupts the daemon, and lets the target answer."""
    rounds = 2 if context.is_short else min(12, max(2, int(context.seconds / 30)))
    count = 300 if context.is_short else 1_000
    secret = context.folder / "gateway.whsec"
    secret.touch(mode=0o600)
    secret.write_text(SECRET)
    forgotten = invalid = doubled = repeated = 0
    for number in range(rounds):
        target = CallbackTarget()
        await target.start()
        target.status = 503
        configuration = json.dumps({
            "callbacks": {
                "targets": [{
                    "name": "gateway", "url": f"http://127.0.0.1:{target.port}/hook", "secretFile": str(secret),
                    "concurrent": 16,
                }]
            }
        })
        daemon = await context.start(root, configuration=configuration)
        await _emit(daemon, f"c{number}", count)
        await asyncio.sleep(_DELAYS[number % len(_DELAYS)])
        await interrupt(daemon, number)
        target.status = 200
        daemon = await context.start(root, configuration=configuration)
        await target.wait(count)
        daemon.kill()
        target.stop()
        ids: dict[str, set[str]] = {}
        for received in target.received:
            ids.setdefault(received.notification, set()).add(received.id)
        forgotten += count - len(ids)
        invalid += sum(not received.is_valid for received in target.received)
        doubled += sum(len(names) > 1 for names in ids.values())
        repeated += len(target.received) - len(ids)
    name = f"{count:,} callbacks with {how}"
    context.judge(f"{name}: each result has its callback", f"{rounds} rounds, {forgotten} forgotten", forgotten == 0)
    context.judge(
        f"{name}: each has a valid signature and one id", f"{invalid} invalid, {doubled} with two ids, "
        f"{repeated} repeated", invalid + doubled == 0)


async def _emit(daemon: Daemon, prefix: str, count: int) -> None:
    numbers = iter(range(count))

    async def caller() -> None:
        for number in numbers:
            payload = {"aps": {"alert": {"title": "t", "body": f"text {number}"}}}
            body = json.dumps({"id": f"{prefix}-{number}", "payload": payload}).encode()
            response = await daemon.client.post(body)
            if response.status != 200:
                raise ConnectionLost(f"a text was answered {response.status}: {response.body.decode()[:150]}")

    await asyncio.gather(*(caller() for _ in range(_CALLERS)))
