"""The interruptions of a daemon by kill -9 and by a power cut of its disk, and the texts before them."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from pathlib import Path

from client import ConnectionLost
from context import Context, Skipped
from daemon import Daemon
from loop_disk import Cut, LoopDisk

# Interrupts a daemon, by the number of the round.
Interrupt = Callable[[Daemon, int], Awaitable[None]]

_CALLERS = 16


async def kill(daemon: Daemon, _: int) -> None:
    daemon.kill()


def power_cut(disk: LoopDisk) -> Interrupt:
    async def cut(daemon: Daemon, number: int) -> None:
        disk.cut(list(Cut)[number % 2])
        daemon.kill()
        disk.restore()

    return cut


async def interrupted(
    context: Context, subject: str, part: Callable[[Context, Path, str, Interrupt], Awaitable[None]]
) -> None:
    """Runs a part of a step with kills, and then with power cuts if this machine permits a disk for them."""
    await part(context, context.folder / "root", "kill -9", kill)
    try:
        disk = LoopDisk(context, mebibytes=256)
    except Skipped as reason:
        context.skip(f"{subject} with power cuts", str(reason))
        return
    await part(context, disk.path / "root", "a power cut", power_cut(disk))


async def emit(daemon: Daemon, bodies: Iterable[bytes]) -> None:
    """Sends texts, several at a time, and waits for their results."""
    rest = iter(bodies)

    async def caller() -> None:
        for body in rest:
            response = await daemon.client.post(body)
            if response.status != 200:
                raise ConnectionLost(f"a text was answered {response.status}: {response.body.decode()[:150]}")

    await asyncio.gather(*(caller() for _ in range(_CALLERS)))
