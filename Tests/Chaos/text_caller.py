"""A caller that behaves well beside other load, and the times of its requests."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

import payloads
from client import Client, ConnectionLost
from context import Context
from measuring import Statuses, TimerProbe, milliseconds, open_loop, quantile

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


def judge_p99(
    context: Context, promise: str, alone: TextCaller, beside: TextCaller, most: float = 1.3, busy: float = BUSY,
    obstacle: str = ""
) -> None:
    """Judges the p99 beside other load as a multiple of the p99 without it.

    :param most: the largest multiple that holds.
    :param busy: the lateness of timers in seconds from which the machine is too busy for a judgement.
    :param obstacle: another reason for which the figure is not judged.
    """
    ratio, timer = beside.p99 / alone.p99 if alone.p99 else float("inf"), max(alone.timer, beside.timer)
    figure = f"{ratio:.2f} times, {milliseconds(beside.p99)} instead of {milliseconds(alone.p99)}"
    if timer > busy:
        obstacle = f"the machine was too busy: a timer was {milliseconds(timer)} late"
    if obstacle:
        context.measure(promise, f"{figure} (not judged: {obstacle})")
    else:
        context.judge_time(promise, figure, ratio <= most)
