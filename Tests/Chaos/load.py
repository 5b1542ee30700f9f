"""Load of every kind that the daemon acknowledges, written into a ledger."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import payloads
from client import Client, ConnectionLost
from ledger import Ledger, identifier_in
from measuring import Statuses
from origin import Origin

# What the daemon gives a request that names no budget, in seconds.
_BUDGET = 30.0


@dataclass
class Load:
    """Callers and writers that go on, also while the daemon is down, until they are cancelled."""

    client: Client
    # The folder of the app group.
    group: Path
    ledger: Ledger
    random: Random
    # Where media are; without one all payloads are text.
    origin: Origin | None
    # The longest text, in bytes.
    longest: int = 20_000
    # The longest pause of one caller between two requests, in seconds.
    pause: float = 0.02
    # Whether the writer of a spool file syncs it: else a power cut may take it before the daemon has seen it.
    syncs: bool = False
    # Whether results are taken out of the outbox.
    reads: bool = True
    # Whether files are dropped into the spool.
    drops: bool = True
    # Whether all requests have an id: the result of a request without one is kept for ten minutes only.
    names: bool = False
    prefix: str = "c"
    statuses: Statuses = field(default_factory=Statuses)
    _number: int = 0

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Loads the daemon for as long as the block runs. A request under way at its end is given up."""
        work = [self._wait(), self._wait(), self._wait(), self._retry(), self._retry(), self._leave()]
        if self.drops:
            work.append(self._drop())
        if self.reads:
            work.append(self._read())
        tasks = [asyncio.create_task(part) for part in work]
        try:
            yield
        finally:
            for task in tasks:
                task.cancel()
            for ended in await asyncio.gather(*tasks, return_exceptions=True):
                if isinstance(ended, Exception):
                    raise ended

    async def _wait(self) -> None:
        """POST, answered 200 with the content."""
        while True:
            await self._call(self._payload(), {"Idempotency-Key": self._id("wait")} if self.names else {})

    async def _retry(self) -> None:
        """POST with a key, and the same again and again, as a caller does that is not sure."""
        sent: list[tuple[str, bytes]] = []
        while True:
            if not sent or self.random.random() < 0.5:
                sent.append((self._id("key"), self._payload()))
            key, body = self.random.choice(sent[-20:])
            await self._call(body, {"Idempotency-Key": key})

    async def _leave(self) -> None:
        """POST that is answered 202 as soon as it is durable."""
        while True:
            headers = {"Prefer": "respond-async"}
            if self.names or self.random.random() < 0.5:
                headers["Idempotency-Key"] = self._id("async")
            await self._call(self._payload(may_stall=True), headers)

    async def _call(self, body: bytes, headers: dict[str, str]) -> None:
        await asyncio.sleep(self.random.random() * self.pause)
        begun = asyncio.get_running_loop().time()
        try:
            response = await self.client.post(body, headers)
        except ConnectionLost:
            self.statuses.add(None)
            return
        self.statuses.add(response.status, "retry-after" in response.headers)
        took = asyncio.get_running_loop().time() - begun
        if response.status == 200 and took < _BUDGET - 1:
            self.ledger.answer(identifier_in(response.body) or "no content", response.body)
        elif response.status in (200, 202):
            # A caller gets the result at its deadline also when the disk does not take it: it may be made once more.
            self.ledger.accepted.add(identifier_in(response.body) or response.json["id"])

    async def _drop(self) -> None:
        """Files written elsewhere on the file system and renamed into the spool; one in ten is unusable."""
        incoming = self.group / "incoming"
        while True:
            await asyncio.sleep(self.random.random() * self.pause)
            name = self._id("file")
            is_usable = self.random.random() < 0.9
            part = self.group / "incoming" / f".{name}.part"
            try:
                self._write(part, self._payload(may_stall=True) if is_usable else b"{")
                part.rename(incoming / f"{name}.json")
                if self.syncs:
                    _sync(incoming)
            except OSError:
                # The disk is full or its power is cut: the file was not handed in.
                with suppress(OSError):
                    part.unlink()
                continue
            (self.ledger.handed_in if is_usable else self.ledger.unusable).add(name)

    def _write(self, path: Path, content: bytes) -> None:
        with path.open("wb") as file:
            file.write(content)
            if self.syncs:
                file.flush()
                os.fsync(file.fileno())

    async def _read(self) -> None:
        while True:
            await asyncio.sleep(0.02)
            # The power of the disk may have been cut.
            with suppress(OSError):
                self.ledger.read_outbox(self.group / "outbox")

    def _payload(self, may_stall: bool = False) -> bytes:
        """
        :param may_stall: whether the request may go on to its deadline, which is sooner than that of the others.
        """
        choice = self.random.random()
        if self.origin is None or choice < 0.7:
            return payloads.text("x" * int(self.longest ** self.random.random()))
        if choice < 0.9 or not may_stall:
            path = self.random.choice(["jpeg-444.jpg", "delay/100ms/grey.jpg", "delay/300ms/palette.png"])
            return payloads.media([self.origin.url(path)])
        return payloads.media([self.origin.url("stall/headers/grey.jpg")], budget="1s")

    def _id(self, kind: str) -> str:
        self._number += 1
        return f"{self.prefix}-{kind}-{self._number}"


def _sync(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
