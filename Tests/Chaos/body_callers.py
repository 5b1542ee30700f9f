"""Callers that post one large body after the other, in a process of their own: their work must not delay the client
that measures.

    python3 body_callers.py SOCKET CALLERS BYTES

Runs until it is ended. Each response is a line on standard output: its status.
"""

from __future__ import annotations

import asyncio
import sys

import payloads
from client import Client, ConnectionLost


async def caller(client: Client, body: bytes) -> None:
    while True:
        try:
            response = await client.post(body)
        except ConnectionLost:
            print("closed", flush=True)
            await asyncio.sleep(0.05)
            continue
        print(response.status, flush=True)
        if response.status != 200:
            # As a caller does that is told to come again; Retry-After has whole seconds, which is no load.
            await asyncio.sleep(0.05)


async def main() -> None:
    path, callers, size = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    client = Client(path)
    body = payloads.padded(size)
    await asyncio.gather(*(caller(client, body) for _ in range(callers)))


asyncio.run(main())
