"""A reader of the event stream that resumes it after each end of the daemon."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import suppress

from batch_client import line_call
from client import ConnectionLost


class EventReader:
    """What the stream says about emissions."""

    def __init__(self, socket: str) -> None:
        self._socket = socket
        self._last = ""
        # The ids of the emitted requests.
        self.emitted: set[str] = set()
        # The gaps for which the daemon cannot repeat the emissions.
        self.gaps: list[str] = []

    async def run(self) -> None:
        while True:
            headers = {"Last-Event-ID": self._last} if self._last else {}
            with suppress(ConnectionLost, OSError, TimeoutError):
                async with line_call(self._socket, "GET", "/v1/events", headers) as call:
                    await self._read(call.lines())
            await asyncio.sleep(0.02)

    async def _read(self, lines: AsyncIterator[bytes]) -> None:
        event = ""
        async for line in lines:
            name, _, value = line.decode().partition(": ")
            if name == "id":
                self._last = value
            elif name == "event":
                event = value
            elif name == "data" and event == "emitted":
                self.emitted.add(json.loads(value)["id"])
            elif name == "data" and event == "gap" and json.loads(value)["emissions"] != "repeated":
                self.gaps.append(value)
