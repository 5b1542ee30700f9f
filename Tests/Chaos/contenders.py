"""Single callers whose photos exceed the capacity of the workers, and stored batches of several owners beside them.

Each line of a batch has a picture of its own: a photo in the first third, and a small picture in the others, so that a
batch ends soon after the overload.
"""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass, field

from client import Client
from context import Context
from daemon import Daemon
from measuring import TimerProbe, closed_loop, open_loop, quantile
from origin import Origin, free_port
from picture_requests import PictureRequests
from stored_batch import StoredBatch
from text_caller import TextCaller
from tokens import make_tokens

_OWNERS = ("one", "two", "three")
# The batches that each owner stores at a time.
_BATCHES = 2
_TEXT_RATE, _SMALL_RATE = 50.0, 5.0
# Just enough callers for the capacity: each core has one photo at work and one that is fetched meanwhile.
_CALLERS = 4


@dataclass
class Singles:
    """The single requests of all turns without batches, or of all turns beside them."""

    texts: TextCaller
    photos: PictureRequests = field(default_factory=PictureRequests)
    pictures: PictureRequests = field(default_factory=PictureRequests)
    probe: TimerProbe = field(default_factory=TimerProbe)

    @property
    def timer(self) -> float:
        return quantile(self.probe.lateness, 0.999)


@dataclass
class Contenders:
    """A daemon, its single callers, and the owners of its stored batches."""

    context: Context
    options: list[str]
    configuration: str
    daemon: Daemon
    owners: list[Client]
    photos: Origin
    pictures: Origin
    # The budgets of single requests and of the lines of batches, in seconds.
    budget: float
    line_budget: float

    async def start(self) -> None:
        """Starts the daemon again."""
        self.daemon = await self.context.start(options=self.options, configuration=self.configuration)

    def singles(self) -> Singles:
        return Singles(TextCaller(self.daemon.client, _TEXT_RATE))

    async def capacity(self, seconds: float) -> float:
        """Returns how many photos a second are answered in time while no more come than can be made."""
        found, begun = PictureRequests(), asyncio.get_running_loop().time()
        await closed_loop(_CALLERS, seconds, lambda: self._photo(found))
        return found.rate(begun + seconds / 10, begun + seconds)

    async def overload(self, singles: Singles, rate: float, seconds: float) -> None:
        """Sends `rate` photos a second beside small pictures of another host and texts, and waits for all responses."""
        async with singles.probe.running():
            await asyncio.gather(
                open_loop(rate, seconds, lambda: self._photo(singles.photos)),
                open_loop(_SMALL_RATE, seconds, lambda: self._picture(singles.pictures)), singles.texts.run(seconds))

    async def store(self, name: str, count: int) -> list[StoredBatch]:
        """Stores the batches of all owners, which have `count` lines each."""
        return [
            await StoredBatch.store(owner, f"{name}-{number}", [
                self._line("photo-12mp.jpg" if line < count / 3 else "photo-small.jpg") for line in range(count)])
            for owner in self.owners for number in range(_BATCHES)]

    async def _photo(self, requests: PictureRequests) -> None:
        await requests.send(self.daemon.client, self.photos.url("photo-12mp.jpg"), self.budget)

    async def _picture(self, requests: PictureRequests) -> None:
        await requests.send(self.daemon.client, self.pictures.url("photo-small.jpg"), self.budget)

    def _line(self, path: str) -> bytes:
        payload = {
            "title": "t", "body": "with", "fallback": {"body": "without"}, "media": [{"url": self.photos.url(path)}]}
        return json.dumps({"budget": f"{self.line_budget:g}s", "payload": payload}).encode()


async def open_contenders(context: Context) -> Contenders:
    configuration, headers = make_tokens(context.programs, _OWNERS)
    port = free_port("127.0.0.1")
    options = ["--listen", f"127.0.0.1:{port}", "--log-level", "warning"]
    daemon = await context.start(options=options, configuration=configuration)
    owners = [Client(("127.0.0.1", port), headers=header) for header in headers]
    photos, pictures = await context.origin("127.0.0.1"), await context.origin("127.0.0.2")
    budgets = (2.0, 3.0) if context.is_short else (8.0, 10.0)
    return Contenders(context, options, configuration, daemon, owners, photos, pictures, *budgets)
