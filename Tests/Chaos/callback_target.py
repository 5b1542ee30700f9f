"""A server that gets callbacks, and keeps their fields and bodies."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import hmac
import json
import re
from dataclasses import dataclass
from typing import Any

SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"


@dataclass(frozen=True)
class Received:
    headers: dict[str, str]
    body: bytes

    @property
    def id(self) -> str:
        return self.headers.get("webhook-id", "")

    @property
    def content(self) -> dict[str, Any]:
        return json.loads(self.body)

    @property
    def notification(self) -> str:
        return self.content["data"]["id"]

    @property
    def is_valid(self) -> bool:
        """Whether the secret has signed the id, the time and the body."""
        signed = f"{self.id}.{self.headers.get('webhook-timestamp', '')}.".encode() + self.body
        code = hmac.new(base64.b64decode(SECRET.removeprefix("whsec_")), signed, hashlib.sha256).digest()
        return f"v1,{base64.b64encode(code).decode()}" in self.headers.get("webhook-signature", "").split(" ")


class CallbackTarget:
    def __init__(self) -> None:
        self.received: list[Received] = []
        self.status = 200
        # Further headers of answers, each with its line end.
        self.headers = ""
        self.port = 0
        self._server: asyncio.Server | None = None

    async def start(self, port: int = 0, host: str = "127.0.0.1") -> None:
        self._server = await asyncio.start_server(self._answer, host, port)
        self.port = self._server.sockets[0].getsockname()[1]

    def stop(self) -> None:
        if self._server:
            self._server.close()

    async def wait(self, count: int, timeout: float = 90) -> bool:
        """Waits until callbacks about this number of notifications have come."""
        end = asyncio.get_running_loop().time() + timeout
        while asyncio.get_running_loop().time() < end:
            if len({one.notification for one in self.received}) >= count:
                return True
            await asyncio.sleep(0.05)
        return False

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode()
                fields = dict(re.findall(r"^([^:\r\n]+): *(.*)\r$", head, re.MULTILINE))
                headers = {name.lower(): value for name, value in fields.items()}
                body = await reader.readexactly(int(headers.get("content-length", "0")))
                if self.status == 200:
                    self.received.append(Received(headers, body))
                writer.write(f"HTTP/1.1 {self.status} X\r\n{self.headers}Content-Length: 0\r\n\r\n".encode())
                await writer.drain()
        except (asyncio.IncompleteReadError, asyncio.CancelledError, ConnectionError):
            pass
        finally:
            writer.close()
