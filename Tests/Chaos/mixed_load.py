"""Load of every kind of call at once: single requests, the spool, batches, cancels, erasures, and an event stream."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any

import batch_bodies as bodies
import payloads
from batch_client import Results, batch_call, line_call
from client import ConnectionLost
from context import Context
from daemon import Daemon
from event_reader import EventReader
from host import Host
from ledger import Ledger, outcome_in
from load import Load
from origin import Origin

# The lines of a streaming batch.
_LINES = 60
_STORED = "stored"
_CLOSING = "closing"


class MixedLoad:
    """Callers that go on, also while the daemon is down. All requests that the ledger has are unique in it."""

    def __init__(self, context: Context, daemon: Daemon, ledger: Ledger, origin: Origin, host: Host) -> None:
        """
        :param host: the origin of the pictures of the batches.
        """
        self._daemon = daemon
        self._host = host
        self._random = context.random
        self._single = Load(
            daemon.client, daemon.root / "group.default", ledger, context.random, origin, longest=5_000, pause=0.1)
        self.ledger = ledger
        # The answers to cancels, by the id of the request.
        self.cancels: dict[str, int] = {}
        # The recipients that were erased, by the id of the erasure.
        self.erasures: dict[str, str] = {}
        self.events = EventReader(daemon.socket)
        self.batches = 0
        # Streaming batches whose last response does not have each line once.
        self.wrong_batches: list[str] = []

    @property
    def daemon(self) -> Daemon:
        return self._daemon

    @daemon.setter
    def daemon(self, daemon: Daemon) -> None:
        self._daemon = daemon
        self._single.client = daemon.client

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        reader = asyncio.create_task(self.events.run())
        parts = [asyncio.create_task(part) for part in (self._stream(), self._cancel(), self._erase())]
        try:
            async with self._single.running():
                yield
        finally:
            await _ended(parts)
            # The emissions of the last requests still come.
            with suppress(TimeoutError):
                async with asyncio.timeout(30):
                    while (self.ledger.answered | self.ledger.accepted) - self.events.emitted:
                        await asyncio.sleep(0.05)
            await _ended([reader])

    async def store_batch(self, count: int) -> None:
        headers = {"Prefer": "respond-async", "Idempotency-Key": _STORED}
        async with batch_call(self.daemon.socket, headers) as call:
            await call.send(_line(f"stored-{number}", self._host.url()) for number in range(count))
            await call.end()
            if not [line async for line in call.lines()] or call.status != 202:
                raise ConnectionLost(f"the stored batch was answered {call.status}")

    async def stored_results(self, timeout: float) -> Results:
        """Waits for the end of the stored batch, and returns its results."""
        with suppress(TimeoutError):
            async with asyncio.timeout(timeout):
                while (await self.daemon.client.call("GET", f"/v1/batches/{_STORED}")).json["state"] != "ended":
                    await asyncio.sleep(0.05)
        results = Results()
        async with line_call(self.daemon.socket, "GET", f"/v1/batches/{_STORED}/results") as call:
            await results.read(call)
        return results

    async def wrong_cancels(self) -> list[str]:
        """Returns the requests whose results do not agree with the answers to their cancels."""
        wrong = []
        for id, status in self.cancels.items():
            content = (await self.daemon.client.call("GET", f"/v1/notifications/{id}")).body
            if (outcome_in(content) == "cancelled") != (status == 204):
                wrong.append(f"{id}: {status}, {outcome_in(content)}")
        return wrong

    async def endless_erasures(self) -> list[str]:
        """Returns the erasures that do not end, and those that leave a notification."""
        wrong = []
        for id, recipient in self.erasures.items():
            state = ""
            for _ in range(400):
                state = (await self.daemon.client.call("GET", f"/v1/erasures/{id}")).json["state"]
                if state == "done":
                    break
                await asyncio.sleep(0.05)
            listed = (await self.daemon.client.call("GET", f"/v1/notifications?recipient={recipient}")).json
            if state != "done" or listed["notifications"]:
                wrong.append(f"{recipient}: {state}, {len(listed['notifications'])} left")
        return wrong

    async def _stream(self) -> None:
        """Sends a batch again until its response has all lines and none is refused by a daemon that ends."""
        while True:
            self.batches += 1
            ids = [f"stream-{self.batches}-{number}" for number in range(_LINES)]
            batch = [_line(id, self._host.url() if number % 2 else None) for number, id in enumerate(ids)]
            results = Results()
            while not (results.summary or {}).get("complete") or _CLOSING in results.errors.values():
                results = Results()
                with suppress(ConnectionLost, OSError, TimeoutError):
                    async with batch_call(self.daemon.socket) as call:
                        await call.send(batch)
                        await call.end()
                        async for line in call.lines():
                            if call.status == 200:
                                self._add(line, results)
                await asyncio.sleep(0.1)
            lines = range(1, _LINES + 1)
            if not results.are_once(lines) or results.errors:
                self.wrong_batches.append(results.figure(lines))

    def _add(self, line: bytes, results: Results) -> None:
        results.add(line)
        value = json.loads(line)
        if "outcome" in value:
            # Without its number, a line is the result.
            self.ledger.answer(value["id"], b"{" + line.partition(b",")[2])

    async def _cancel(self) -> None:
        for number in range(1_000_000):
            id = f"cancel-{number}"
            with suppress(ConnectionLost, TimeoutError):
                body = payloads.media([self._host.url("held/image.jpg")], budget="1s", id=id)
                response = await self.daemon.client.post(body, {"Prefer": "respond-async"})
                if response.status == 202:
                    self.ledger.accepted.add(id)
                    await asyncio.sleep(self._random.choice([0.0, 0.01, 0.9, 1.0]))
                    status = (await self.daemon.client.call("DELETE", f"/v1/notifications/{id}")).status
                    if status in (204, 409):
                        self.cancels[id] = status
            await asyncio.sleep(self._random.random() * 0.4)

    async def _erase(self) -> None:
        for number in range(1_000_000):
            recipient = f"erased-{number}"
            with suppress(ConnectionLost, TimeoutError):
                for _ in range(5):
                    payload = {"aps": {"alert": {"title": "t", "body": f"for {recipient}"}}}
                    await self.daemon.client.post(json.dumps({"recipient": recipient, "payload": payload}).encode())
                response = await self.daemon.client.call("DELETE", f"/v1/notifications?recipient={recipient}")
                if response.status == 202:
                    self.erasures[response.json["id"]] = recipient
            await asyncio.sleep(1 + self._random.random())


def _line(id: str, url: str | None) -> bytes:
    """Returns a line whose budget is that of the configuration."""
    value: dict[str, Any] = json.loads(bodies.envelope(f"text {id}", url, id))
    del value["budget"]
    return json.dumps(value).encode()


async def _ended(tasks: list[asyncio.Task[None]]) -> None:
    for task in tasks:
        task.cancel()
    for ended in await asyncio.gather(*tasks, return_exceptions=True):
        if isinstance(ended, Exception):
            raise ended
