"""kill -9 at random instants under load of every kind."""

from __future__ import annotations

import asyncio
import time
from collections import Counter

from context import Context
from daemon import Daemon
from ledger import Comparison, Ledger, compare
from load import Load

# Kills between two comparisons with the ledger.
_KILLS_A_ROUND = 10


async def run(context: Context) -> None:
    root = context.folder / "root"
    group = root / "group.default"
    origin = await context.origin()
    daemon = await context.start(root)
    lost: Counter[str] = Counter()
    doubled = repeated = half = stuck = kills = 0
    acknowledged = spooled = rounds = 0
    end = time.monotonic() + context.seconds
    while time.monotonic() < end or kills == 0:
        rounds += 1
        ledger = Ledger()
        load = Load(daemon.client, group, ledger, context.random, origin, prefix=f"r{rounds}")
        async with load.running():
            for _ in range(_KILLS_A_ROUND):
                # Short runs are killed while they take up what the one before left.
                await asyncio.sleep(context.random.choice([0.02, 0.2, 1.0]) * context.random.random() * 2)
                daemon.kill()
                kills += 1
                daemon = await context.start(root)
                load.client = daemon.client
                if time.monotonic() > end:
                    break
        stuck += not await daemon.settled()
        found = await compare(ledger, daemon.client, group)
        _tell(context, rounds, kills, ledger, found)
        lost += found.lost_by_kind
        doubled += len(found.doubled)
        repeated += len(found.repeated)
        half += len(found.half_written)
        acknowledged += len(ledger.answered) + len(ledger.accepted)
        spooled += len(ledger.handed_in) + len(ledger.unusable)
    total = f"{kills} kills, {acknowledged} acknowledged requests, {spooled} spool files"
    losses = ", ".join(f"{count} × {kind}" for kind, count in lost.items()) or "0"
    context.judge("nothing acknowledged is lost", f"{losses} of {total}", not lost)
    context.judge("nothing is emitted twice", f"{doubled} with other bytes, {repeated} again", doubled + repeated == 0)
    context.judge("no file is half-written", f"{half}", half == 0)
    context.judge("nothing stays in claimed or incoming", f"{stuck} of {rounds} rounds", stuck == 0)
    await _ends(context, daemon)


def _tell(context: Context, rounds: int, kills: int, ledger: Ledger, found: Comparison) -> None:
    context.say(f"round {rounds}: {kills} kills, {ledger.counts}; lost {found.losses}")
    for id in [*found.lost[:5], *sorted(found.doubled)[:5], *sorted(found.half_written)[:5]]:
        context.say(f"  {id}")


async def _ends(context: Context, daemon: Daemon) -> None:
    status = await daemon.terminate()
    context.judge("SIGTERM ends it with status 0", f"status {status}", status == 0)
