"""An HTTP/1.1 client with keep-alive, over a unix socket or loopback TCP.

It does as little as it can: under load it shares the processor with the daemon that it measures.
"""

from __future__ import annotations

import asyncio
import json
import socket
import ssl
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

# The path of a unix socket, or a host and a port.
Address = str | tuple[str, int]


class ConnectionLost(Exception):
    """The daemon closed or refused the connection before the whole response was there."""


@dataclass(frozen=True)
class Response:
    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


class Connection:
    """One connection that carries one request at a time."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self.is_usable = True

    @classmethod
    async def open(cls, address: Address, tls: ssl.SSLContext | None = None) -> Connection:
        try:
            if isinstance(address, str):
                return cls(*await asyncio.open_unix_connection(sock=await _connected(address)))
            return cls(*await asyncio.open_connection(*address, ssl=tls))
        except OSError as error:
            raise ConnectionLost(str(error)) from error

    @property
    def has_ended(self) -> bool:
        """Whether the daemon has closed the connection."""
        return self._reader.at_eof()

    async def call(self, request: bytes) -> Response:
        """Sends one whole request and returns its response."""
        try:
            self._writer.write(request)
            await self._writer.drain()
            return await self._response()
        except (OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError) as error:
            raise ConnectionLost(str(error)) from error

    async def _response(self) -> Response:
        self.is_usable = False
        head = (await self._reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        status = int(head[0].split(" ", 2)[1])
        headers = {}
        for line in head[1:-2]:
            name, _, value = line.partition(":")
            headers[name.lower()] = value.strip()
        body = await self._reader.readexactly(int(headers.get("content-length", "0")))
        self.is_usable = headers.get("connection", "").lower() != "close"
        return Response(status, headers, body)

    def close(self) -> None:
        self.is_usable = False
        self._writer.transport.abort()


async def _connected(path: str) -> socket.socket:
    """Returns a connected unix socket, and waits while the queue of the listener is full.

    The event loop does not wait then: it takes the `EAGAIN` of a unix socket for a connection in progress, and returns a
    socket without a peer.
    """
    connection = socket.socket(socket.AF_UNIX)
    connection.setblocking(False)
    try:
        while True:
            try:
                connection.connect(path)
                return connection
            except BlockingIOError:
                await asyncio.sleep(0.005)
    except BaseException:
        connection.close()
        raise


class Client:
    """A pool of connections to one address. `call` takes an idle one, or opens another."""

    def __init__(
        self, address: Address, tls: ssl.SSLContext | None = None, headers: Mapping[str, str] = {}
    ) -> None:
        """
        :param tls: the context of TLS; `None` for a listener without TLS.
        :param headers: the fields of each request.
        """
        self.address = address
        self._tls = tls
        self.headers = dict(headers)
        self._idle: list[Connection] = []

    async def call(
        self, method: str, target: str, body: bytes = b"", headers: Mapping[str, str] = {}, timeout: float = 60
    ) -> Response:
        """Raises `ConnectionLost` when the daemon ends before the response, `TimeoutError` after `timeout` seconds."""
        request = request_bytes(method, target, body, {**self.headers, **headers})
        async with asyncio.timeout(timeout):
            connection = self._reusable() or await Connection.open(self.address, self._tls)
            try:
                response = await connection.call(request)
            except BaseException:
                connection.close()
                raise
        if connection.is_usable:
            self._idle.append(connection)
        else:
            connection.close()
        return response

    def _reusable(self) -> Connection | None:
        """Returns an idle connection that the daemon has not closed meanwhile."""
        while self._idle:
            connection = self._idle.pop()
            if not connection.has_ended:
                return connection
            connection.close()
        return None

    async def post(
        self, body: bytes, headers: Mapping[str, str] = {}, timeout: float = 60
    ) -> Response:
        return await self.call("POST", "/v1/notifications", body, headers, timeout)

    def close(self) -> None:
        for connection in self._idle:
            connection.close()
        self._idle.clear()


def request_bytes(method: str, target: str, body: bytes, headers: Mapping[str, str] = {}) -> bytes:
    lines = [f"{method} {target} HTTP/1.1", "Host: localhost", f"Content-Length: {len(body)}"]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1") + body
