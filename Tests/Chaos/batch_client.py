"""A client of the calls whose responses have a JSON object in each line."""

from __future__ import annotations

import asyncio
import json
import socket
from collections import Counter
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from client import Address, ConnectionLost

TARGET = "/v1/notifications:batch"
_PROBLEM = "/problems/"
_PIECE = 1 << 16


class LineCall:
    """One call. It reads nothing before its reader asks, so the response waits in the daemon until then."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self._received = bytearray()
        self.status = 0

    async def begin(self, method: str, target: str, headers: Mapping[str, str]) -> None:
        lines = [f"{method} {target} HTTP/1.1", "Host: localhost", *(f"{name}: {headers[name]}" for name in headers)]
        await self._send(("\r\n".join(lines) + "\r\n\r\n").encode())

    async def send(self, lines: Iterable[bytes]) -> None:
        """Sends lines of the body, and waits for the daemon while it takes none."""
        piece = b"".join(line + b"\n" for line in lines)
        await self._send(b"%x\r\n%b\r\n" % (len(piece), piece))

    async def end(self) -> None:
        """Ends the body."""
        await self._send(b"0\r\n\r\n")

    async def lines(self) -> AsyncIterator[bytes]:
        """Yields the lines of the response as they come. The body of a refusal is one line."""
        head = (await self._until(b"\r\n\r\n")).decode("latin-1").lower()
        self.status = int(head.split(" ", 2)[1])
        if "transfer-encoding: chunked" not in head:
            _, _, length = head.partition("content-length: ")
            yield await self._take(int(length.split("\r\n", 1)[0]))
            return
        rest = b""
        while size := int(await self._until(b"\r\n"), 16):
            *whole, rest = (rest + (await self._take(size + 2))[:-2]).split(b"\n")
            for line in whole:
                yield line
        await self._until(b"\r\n")
        if rest:
            yield rest

    async def _send(self, piece: bytes) -> None:
        try:
            await asyncio.get_running_loop().sock_sendall(self._connection, piece)
        except OSError as error:
            raise ConnectionLost(str(error)) from error

    async def _until(self, end: bytes) -> bytes:
        while (found := self._received.find(end)) < 0:
            await self._receive()
        return await self._take(found + len(end))

    async def _take(self, count: int) -> bytes:
        while len(self._received) < count:
            await self._receive()
        piece = bytes(self._received[:count])
        del self._received[:count]
        return piece

    async def _receive(self) -> None:
        try:
            piece = await asyncio.get_running_loop().sock_recv(self._connection, _PIECE)
        except OSError as error:
            raise ConnectionLost(str(error)) from error
        if not piece:
            raise ConnectionLost("the response has no end")
        self._received += piece


@asynccontextmanager
async def line_call(
    address: Address, method: str, target: str, headers: Mapping[str, str] = {}, timeout: float = 300
) -> AsyncIterator[LineCall]:
    """Begins a call, and closes its connection at the end of the block, whatever of the response has been read."""
    family = socket.AF_UNIX if isinstance(address, str) else socket.AF_INET
    async with asyncio.timeout(timeout):
        with socket.socket(family) as connection:
            connection.setblocking(False)
            await asyncio.get_running_loop().sock_connect(connection, address)
            call = LineCall(connection)
            await call.begin(method, target, headers)
            yield call


@asynccontextmanager
async def batch_call(address: Address, headers: Mapping[str, str] = {}) -> AsyncIterator[LineCall]:
    """Begins a batch whose lines are not sent yet."""
    async with line_call(address, "POST", TARGET, {**headers, "Transfer-Encoding": "chunked"}) as call:
        yield call


@dataclass
class Results:
    """The lines of one response or of several."""

    # How many results or errors each line of the body has.
    numbers: Counter[int] = field(default_factory=Counter)
    ids: Counter[str] = field(default_factory=Counter)
    # Outcomes, with their reasons.
    outcomes: Counter[str] = field(default_factory=Counter)
    # The kinds of the errors, by the number of the line.
    errors: dict[int, str] = field(default_factory=dict)
    summary: dict[str, Any] | None = None

    def add(self, line: bytes) -> None:
        value = json.loads(line)
        if "line" not in value:
            self.summary = value.get("summary", value)
            return
        self.numbers[value["line"]] += 1
        if "error" in value:
            self.errors[value["line"]] = value["error"]["type"].removeprefix(_PROBLEM)
        else:
            self.ids[value["id"]] += 1
            self.outcomes[value["outcome"] if not value["reason"] else f"{value['outcome']} ({value['reason']})"] += 1

    async def read(self, call: LineCall) -> None:
        """Reads the whole rest of a response."""
        async for line in call.lines():
            self.add(line)

    def lost(self, lines: Iterable[int]) -> int:
        """Returns how many of the lines have neither a result nor an error."""
        return sum(number not in self.numbers for number in lines)

    @property
    def doubled(self) -> int:
        """The number of lines and of ids that came more than once."""
        return sum(count > 1 for count in [*self.numbers.values(), *self.ids.values()])

    def are_once(self, lines: range) -> bool:
        """Whether each line, and no other, has one result or error, and the summary says that the batch is complete."""
        return (
            self.lost(lines) + self.doubled == 0 and len(self.numbers) == len(lines)
            and bool(self.summary and self.summary.get("complete")))

    def figure(self, lines: range) -> str:
        """Returns the counts for a row of the report."""
        outcomes = ", ".join(f"{count} {outcome}" for outcome, count in sorted(self.outcomes.items()))
        kinds = Counter(self.errors.values())
        errors = ", ".join(f"{count} × {kind}" for kind, count in sorted(kinds.items()))
        end = "" if self.summary and self.summary.get("complete") else f", summary {self.summary}"
        return (
            f"{self.lost(lines)} of {len(lines)} lost, {self.doubled} doubled, {outcomes or 'no results'}"
            f"{f', errors: {errors}' if errors else ''}{end}")
