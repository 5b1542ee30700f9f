"""Callbacks that are due while the daemon is killed, or while its disk loses its power: none is forgotten."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

from callback_target import SECRET, CallbackTarget
from context import Context
from interruptions import Interrupt, emit, interrupted

# The times from the last result to the interruption, in seconds.
_DELAYS = (0.0, 0.05, 0.3, 1.0)


async def run(context: Context) -> None:
    await interrupted(context, "callbacks", _interrupted)


async def _interrupted(context: Context, root: Path, how: str, interrupt: Interrupt) -> None:
    """Emits texts while the target refuses their callbacks, interrupts the daemon, and lets the target answer."""
    rounds = 2 if context.is_short else min(12, max(2, int(context.seconds / 30)))
    count = 300 if context.is_short else 1_000
    secret = context.folder / "gateway.whsec"
    secret.touch(mode=0o600)
    secret.write_text(SECRET)
    forgotten = invalid = doubled = repeated = 0
    least = count
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
        await emit(daemon, (_body(f"c{number}-{index}") for index in range(count)))
        await asyncio.sleep(_DELAYS[number % len(_DELAYS)])
        targets = (await daemon.client.call("GET", "/v1/callback-targets")).json["targets"]
        least = min(least, targets[0]["pending"])
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
    context.judge(
        f"{name}: all of them are pending at each interruption", f"at least {least:,} of {count:,}", least == count)
    context.judge(f"{name}: each result has its callback", f"{rounds} rounds, {forgotten} forgotten", forgotten == 0)
    context.judge(
        f"{name}: each has a valid signature and one id", f"{invalid} invalid, {doubled} with two ids, "
        f"{repeated} repeated", invalid + doubled == 0)


def _body(id: str) -> bytes:
    payload = {"aps": {"alert": {"title": "t", "body": f"text {id}"}}}
    return json.dumps({"id": id, "payload": payload}).encode()
