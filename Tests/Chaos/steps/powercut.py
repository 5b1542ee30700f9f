"""A power cut: the root is on an ext4 of its own that is shut down under the daemon, and mounted again."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from dataclasses import dataclass, field

from context import Context
from ledger import Comparison, Ledger, compare
from load import Load
from loop_disk import Cut, LoopDisk
from origin import Origin

# The load: HTTP alone, which nothing but the syncs of the journal makes durable, or the spool too, whose settling syncs
# the whole file system.
_DROPS = (False, True, False)
# From the last acknowledgement to the cut, in seconds; `None` cuts under load. The kernel writes back what nobody
# synced after some 30 s: what survives 0.5 s was synced.
_DELAYS = (0.5, None, 2.0, 40.0, 1.0, None, 5.0, 20.0)
_SHORT_DELAYS = (0.5, None)
_KINDS = ("200", "202", "spool file", "unusable spool file", "media file")


@dataclass
class _Cuts:
    """The cuts with one flag."""

    count: int = 0
    acknowledged: Counter[str] = field(default_factory=Counter)
    lost: Counter[str] = field(default_factory=Counter)
    doubled: int = 0
    half: int = 0
    unsettled: int = 0

    @property
    def figure(self) -> str:
        parts = [
            f"{self.lost[kind]} of {self.acknowledged[kind]} × {kind}" for kind in _KINDS if self.acknowledged[kind]
        ]
        return f"{self.count} cuts, lost: " + ", ".join(parts)


async def run(context: Context) -> None:
    disk = LoopDisk(context, mebibytes=256)
    origin = await context.origin()
    cuts = {how: _Cuts() for how in Cut}
    end = time.monotonic() + context.seconds
    number = 0
    while time.monotonic() < end or number < 2 * len(_SHORT_DELAYS):
        delays = _SHORT_DELAYS if context.is_short else _DELAYS
        how = list(Cut)[number % 2]
        await _cut(context, disk, origin, cuts[how], how, delays[number // 2 % len(delays)], number)
        number += 1
    for how, of_flag in cuts.items():
        flag = f"{how.name} ({how.value})"
        context.judge(f"{flag}: nothing acknowledged is lost", of_flag.figure, not of_flag.lost)
        others = f"{of_flag.doubled} doubled, {of_flag.half} half-written, {of_flag.unsettled} not settled"
        context.judge(
            f"{flag}: nothing is doubled, half-written or left in claimed", others,
            of_flag.doubled + of_flag.half + of_flag.unsettled == 0)


async def _cut(
    context: Context, disk: LoopDisk, origin: Origin, cuts: _Cuts, how: Cut, delay: float | None, number: int
) -> None:
    root = disk.path / "root"
    group = root / "group.default"
    daemon = await context.start(root)
    ledger, late = Ledger(), Ledger()
    drops = _DROPS[number // 2 % len(_DROPS)]
    # Half of the cuts leave the outbox to the comparison: its files have to be there afterwards.
    load = Load(
        daemon.client, group, ledger, context.random, origin if drops else None, syncs=True,
        reads=context.random.random() < 0.5, drops=drops, longest=context.random.choice([100, 20_000]),
        prefix=f"p{number}")
    async with load.running():
        await asyncio.sleep(0.6 + 0.6 * context.random.random())
        if delay is None:
            disk.cut(how)
            # A machine without power answers nothing. Here the daemon goes on for a moment, and a sync under way then
            # may report success for what ext4 has given up: what is answered now is counted apart.
            load.ledger = late
            await asyncio.sleep(0.3)
    if delay is not None:
        await asyncio.sleep(delay)
        disk.cut(how)
    daemon.kill()
    disk.restore()
    daemon = await context.start(root)
    cuts.unsettled += not await daemon.settled()
    found = await compare(ledger, daemon.client, group)
    answered_late = await compare(late, daemon.client, group)
    daemon.kill()
    _add(cuts, ledger, found)
    when = "under load" if delay is None else f"{delay:g} s after the last answer"
    context.say(f"cut {number + 1}, {how.name}, {when}: {ledger.counts}; lost {found.losses}")
    if late.count:
        context.say(f"  answered while the power went: {late.counts}; lost {answered_late.losses}")
    for name in [*found.lost[:3], *sorted(found.doubled)[:3], *sorted(found.half_written)[:3]]:
        context.say(f"  {name}")


def _add(cuts: _Cuts, ledger: Ledger, found: Comparison) -> None:
    cuts.count += 1
    cuts.acknowledged += Counter({
        "200": len(ledger.answered), "202": len(ledger.accepted), "spool file": len(ledger.handed_in),
        "unusable spool file": len(ledger.unusable), "media file": ledger.media_count,
    })
    cuts.lost += found.lost_by_kind
    # A result that was taken from the outbox just before the cut may be there again, with the same bytes.
    cuts.doubled += len(found.doubled)
    cuts.half += len(found.half_written)
