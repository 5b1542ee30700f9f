"""An origin in this process whose faults a step chooses while it runs."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from context import PROJECT
from origin import free_port


class Host:
    """An origin in this process, that works, fails, or is slow as it is told."""

    def __init__(self) -> None:
        self.port = free_port("127.0.0.1")
        self.status = 200
        self.delay = 0.0
        self.requests = 0
        # Further headers of images.
        self.headers = ""
        # Requests for paths with `held` are answered when this is set.
        self.gate = asyncio.Event()
        self._image = (PROJECT / "fixtures" / "media" / "photo-small.jpg").read_bytes()
        self._numbers = itertools.count()
        self._server: asyncio.Server | None = None

    async def listen(self) -> None:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", self.port, backlog=2_048)

    async def close(self) -> None:
        if self._server:
            self._server.close()
            self._server = None

    def url(self, path: str = "image.jpg") -> str:
        return f"http://127.0.0.1:{self.port}/{path}?{next(self._numbers)}"

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while line := (await reader.readuntil(b"\r\n\r\n")).split(b"\r\n", 1)[0]:
                self.requests += 1
                await asyncio.sleep(self.delay)
                if b"/held" in line:
                    await self.gate.wait()
                status = 503 if b"/broken" in line else 404 if b"/missing" in line else self.status
                body = self._image if status == 200 else b"no"
                headers = self.headers if status == 200 else ""
                head = f"HTTP/1.1 {status} x\r\n{headers}Content-Length: {len(body)}\r\n\r\n"
                writer.write(head.encode() + body)
                await writer.drain()
        except (asyncio.IncompleteReadError, asyncio.CancelledError, ConnectionError):
            pass
        finally:
            writer.close()


@asynccontextmanager
async def open_host() -> AsyncIterator[Host]:
    host = Host()
    await host.listen()
    try:
        yield host
    finally:
        await host.close()
