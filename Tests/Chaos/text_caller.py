"""A caller that behaves well beside other load, and the times of its requests."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

import payloads
from client import Client, ConnectionLost
from measuring import Statuses, TimerProbe, open_loop, quantile

# When timers of this process are later than this, in seconds, others need the processors. A text takes about as long.
BUSY = 0.003


@dataclass
class TextCaller:
    """A caller that sends texts at a steady rate."""

    client: Client
    # Texts a second.
    rate: float
    latencies: list[float] = field(default_factory=list)
    statuses: Statuses = field(default_factory=Statuses)
    probe: TimerProbe = field(default_factory=TimerProbe)

    async def run(self, seconds: float) -> None:
        async with self.probe.running():
            await open_loop(self.rate, seconds, self._send)

    async def _send(self) -> None:
        loop = asyncio.get_running_loop()
        begun = loop.time()
        try:
            response = await self.client.post(payloads.text("x"))
        except (ConnectionLost, TimeoutError):
            self.statuses.add(None)
            return
        self.statuses.add(response.status, "retry-after" in response.headers)
        self.latencies.append(loop.time() - begun)

    @property
    def p99(self) -> float:
        return quantile(self.latencies, 0.99)

    @property
    def timer(self) -> float:
        """How late a timer of this process is, in seconds."""
        return quantile(self.probe.lateness, 0.99)
