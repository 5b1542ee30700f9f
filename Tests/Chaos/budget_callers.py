"""Callers whose media are slow, and the times of their results by the monotonic clock of this process."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

import payloads
from client import Client, ConnectionLost
from measuring import TimerProbe, open_loop
from origin import Origin

# The budget of a request whose media never arrive, and the part of it that makes the result, in seconds.
BUDGET = 1.0
_RESERVE = 0.1
# The budget of a request whose media arrive after 0.3 s.
_LONG = "5s"
_RATE = 8.0


@dataclass
class BudgetCallers:
    """Callers at a steady rate, so that some requests are under way at each instant."""

    client: Client
    origin: Origin
    # The times of results at the end of their budget.
    times: list[float] = field(default_factory=list)
    # Results that came before their time or without their picture.
    early: list[str] = field(default_factory=list)
    count: int = 0
    probe: TimerProbe = field(default_factory=TimerProbe)

    async def run(self, seconds: float) -> None:
        async with self.probe.running():
            await asyncio.gather(
                open_loop(_RATE, seconds, self._stalled), open_loop(_RATE / 2, seconds, self._delayed))

    @property
    def lateness(self) -> float:
        return max(self.times, default=BUDGET) - BUDGET

    async def _stalled(self) -> None:
        url = self.origin.url("stall/headers/grey.jpg")
        took, outcome = await self._call(payloads.media([url], f"{BUDGET * 1_000:.0f}ms"))
        self.times.append(took)
        if took < BUDGET - _RESERVE:
            self.early.append(f"{outcome} after {took * 1_000:.0f} ms")

    async def _delayed(self) -> None:
        took, outcome = await self._call(payloads.media([self.origin.url("delay/300ms/grey.jpg")], _LONG))
        if outcome != "rich":
            self.early.append(f"{outcome} after {took * 1_000:.0f} ms")

    async def _call(self, body: bytes) -> tuple[float, str]:
        loop = asyncio.get_running_loop()
        begun = loop.time()
        self.count += 1
        try:
            response = await self.client.post(body)
        except (ConnectionLost, TimeoutError) as error:
            return loop.time() - begun, type(error).__name__
        content = response.json
        reason = content.get("reason")
        outcome = content.get("outcome", str(response.status))
        return loop.time() - begun, f"{outcome} ({reason})" if reason else outcome
