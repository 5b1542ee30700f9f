"""A stored batch: its state, and its results so far."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

from batch_client import TARGET, Results, line_call
from client import Client, ConnectionLost


@dataclass
class StoredBatch:
    client: Client
    id: str
    lines: range

    @classmethod
    async def store(cls, client: Client, id: str, lines: Sequence[bytes]) -> Self:
        headers = {"Prefer": "respond-async", "Idempotency-Key": id}
        response = await client.call("POST", TARGET, b"\n".join(lines), headers)
        if response.status != 202:
            raise ConnectionLost(f"the batch was answered {response.status}: {response.body.decode()[:150]}")
        return cls(client, id, range(1, len(lines) + 1))

    async def state(self) -> dict[str, Any]:
        return dict((await self.client.call("GET", f"/v1/batches/{self.id}")).json)

    async def reaches(self, count: int, timeout: float = 120) -> dict[str, Any]:
        """Waits until the batch has some results or has ended, and returns its state."""
        end = time.monotonic() + timeout
        while time.monotonic() < end:
            state = await self.state()
            if state["state"] != "running" or state["counts"]["lines"] >= count:
                return state
            await asyncio.sleep(0.01)
        raise TimeoutError(f"the batch has not reached {count} results: {state}")

    async def results(self, after: int = 0) -> list[bytes]:
        target = f"/v1/batches/{self.id}/results?after={after}"
        async with line_call(self.client.address, "GET", target, self.client.headers) as call:
            return [line async for line in call.lines()]

    async def all(self) -> Results:
        results = Results()
        for line in await self.results():
            results.add(line)
        return results
