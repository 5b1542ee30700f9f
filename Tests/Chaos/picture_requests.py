"""Requests with a picture and a budget: what became of them, and how late they were."""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import dataclass, field

import payloads
from client import Client, ConnectionLost

# The lateness in seconds up to which a response is in time.
IN_TIME = 0.01


@dataclass
class PictureRequests:
    """Requests of one kind in one phase."""

    # When each request with an attachment was answered in time; those with a reduced one apart.
    good: list[float] = field(default_factory=list)
    reduced: list[float] = field(default_factory=list)
    lateness: list[float] = field(default_factory=list)
    outcomes: Counter[str] = field(default_factory=Counter)
    sent: int = 0

    async def send(self, client: Client, url: str, budget: float) -> None:
        self.sent += 1
        loop = asyncio.get_running_loop()
        begun = loop.time()
        try:
            response = await client.post(payloads.media([url], budget=f"{budget:g}s"))
        except (ConnectionLost, TimeoutError):
            self.outcomes["closed"] += 1
            return
        answered = loop.time()
        if response.status != 200:
            self.outcomes[str(response.status)] += 1
            return
        late = answered - begun - budget
        self.lateness.append(late)
        content = response.json
        self.outcomes[f"{content['outcome']} {content['reason'] or ''}".strip()] += 1
        if content["content"]["attachments"] and late <= IN_TIME:
            self.good.append(answered)
            if any(verdict["result"] == "shown" and verdict["reason"] for verdict in content["verdicts"]):
                self.reduced.append(answered)

    def rate(self, begun: float, ended: float) -> float:
        return sum(begun <= at < ended for at in self.good) / (ended - begun)

    @property
    def reduced_share(self) -> float:
        return len(self.reduced) / max(1, len(self.good))

    @property
    def refused(self) -> dict[str, int]:
        """The number of responses by each status other than 200."""
        return {outcome: count for outcome, count in self.outcomes.items() if outcome.isdigit()}

    @property
    def unanswered(self) -> int:
        return self.sent - sum(self.outcomes.values()) + self.outcomes["closed"]
