"""The root is removed, or renamed away, under a running daemon."""

from __future__ import annotations

import asyncio
import shutil
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import payloads
from client import Client, ConnectionLost
from context import Context
from daemon import Daemon
from measuring import Statuses

_CALLERS = 4
# How long a daemon may go on without its root. Supervisors look about as often.
_MOST = 5.0


@dataclass
class _Found:
    rounds: int = 0
    is_gone: bool = False
    # Answers to requests that were sent when the root was gone.
    statuses: Statuses = field(default_factory=Statuses)
    ended: list[float] = field(default_factory=list)
    others: Counter[str] = field(default_factory=Counter)
    silent: int = 0


async def run(context: Context) -> None:
    for how in ("removed", "renamed away"):
        found = _Found()
        for _ in range(1 if context.is_short else 10):
            await _round(context, how, found)
        others = "".join(f", {count} × {end}" for end, count in found.others.items())
        slowest = f"slowest {max(found.ended):.2f} s" if found.ended else "none"
        context.judge(
            f"{how}: nothing is acknowledged any more", f"{found.statuses}", found.statuses.of(200, 202) == 0)
        context.judge(
            f"{how}: exit status 1 within {_MOST:g} s",
            f"{len(found.ended)} of {found.rounds}, {slowest}{others}", len(found.ended) == found.rounds)
        context.judge(
            f"{how}: the log has an error about it", f"{found.silent} of {found.rounds} without", found.silent == 0)


async def _round(context: Context, how: str, found: _Found) -> None:
    found.rounds += 1
    name = f"{how.split()[0]}-{found.rounds}"
    root = context.folder / f"root-{name}"
    socket = context.folder / f"{name}.sock"
    daemon = context.launch(root, ["--socket", str(socket)], name=name)
    daemon.client = Client(str(socket))
    await daemon.ready()
    found.is_gone = False
    callers = [asyncio.create_task(_call(daemon, found)) for _ in range(_CALLERS)]
    await asyncio.sleep(0.2)
    _take(root, how)
    gone = time.monotonic()
    found.is_gone = True
    status: int | None = None
    try:
        status = await daemon.process.end(_MOST)
    except TimeoutError:
        found.others["still running"] += 1
    if status == 1:
        found.ended.append(time.monotonic() - gone)
    elif status is not None:
        found.others[f"status {status}"] += 1
    for caller in callers:
        caller.cancel()
    await asyncio.gather(*callers, return_exceptions=True)
    found.silent += not any(
        record.get("level") == "error" and str(root) in str(record) for record in daemon.log_records())
    daemon.kill()


async def _call(daemon: Daemon, found: _Found) -> None:
    while True:
        counts = found.is_gone
        try:
            response = await daemon.client.post(payloads.text("x"))
        except ConnectionLost:
            await asyncio.sleep(0.01)
            continue
        if counts:
            found.statuses.add(response.status, "retry-after" in response.headers)


def _take(root: Path, how: str) -> None:
    if how == "renamed away":
        root.rename(root.with_name(root.name + "-away"))
        return
    while root.exists():
        # The daemon may make a file while its folder is removed.
        shutil.rmtree(root, ignore_errors=True)
