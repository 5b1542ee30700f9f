"""Clients that attack a listener, in a process of their own: their work must not delay the client that measures.

    python3 hostile_clients.py ATTACK PORT CONNECTIONS [--certificate FILE] [--token TOKEN] [--source 127.0.0.2]

Runs until it is ended. The clients have the lowest priority and an address of their own: the daemon refuses further
connections of an address with many floods. Each ending of a connection is a line on standard output, such as
`GOAWAY ENHANCE_YOUR_CALM`. `ready` is a line when all held connections are open.
"""

from __future__ import annotations

import argparse
import itertools
import os
import select
import socket
import ssl
import struct
import sys
import threading
import time
from collections.abc import Callable

import http2_frames as h2
from hostile_floods import HTTP1, HTTP2, SMUGGLING, Flood, Target, get

_BLOCK = 16 << 10
# Idle connections that end their handshake: fewer than the places of a listener.
_HANDSHAKES = 2_000
_STREAMS = 100
# The beginning of the name of an attack with streams that read nothing of a response, before its path.
UNREAD = "unread "


class Exchange:
    """The answer of a listener on one connection."""

    def __init__(self, connection: socket.socket, protocol: str) -> None:
        self._connection = connection
        self._is_http2 = protocol == "h2"
        self._frames = h2.FrameReader()
        self.received = b""
        self.has_ended = False
        self.goaway: str | None = None
        # The first reset of a stream.
        self.reset: str | None = None
        self.responses = 0
        connection.setblocking(False)

    @property
    def ending(self) -> str:
        if self.goaway:
            return f"GOAWAY {self.goaway}"
        if self.reset:
            return f"RST_STREAM {self.reset}"
        if not self._is_http2 and (line := self.received.partition(b"\r\n")[0]).startswith(b"HTTP/1.1 "):
            return f"status {line.split()[1].decode()}"
        return "closed" if self.has_ended else "open"

    @property
    def is_decided(self) -> bool:
        return self.has_ended or self.goaway is not None or self.reset is not None

    def send(self, data: bytes, until: float) -> None:
        """Sends all of some bytes, and reads meanwhile. Returns when they are sent or the connection has ended."""
        view = memoryview(data)
        while view and not self.has_ended and time.monotonic() < until:
            try:
                view = view[self._connection.send(view):]
            except (BlockingIOError, ssl.SSLWantReadError, ssl.SSLWantWriteError):
                select.select([self._connection], [self._connection], [], max(0.0, until - time.monotonic()))
            except OSError:
                self._read()
                self.has_ended = True
            self._read()

    def wait(self, seconds: float, is_over: Callable[[Exchange], bool] = lambda exchange: exchange.has_ended) -> None:
        """Reads until the connection has ended, at most for some seconds."""
        until = time.monotonic() + seconds
        self._read()
        while not is_over(self) and not self.has_ended and (left := until - time.monotonic()) > 0:
            select.select([self._connection], [], [], left)
            self._read()

    def _read(self) -> None:
        while not self.has_ended:
            try:
                part = self._connection.recv(65_536)
            except (BlockingIOError, ssl.SSLWantReadError, ssl.SSLWantWriteError):
                return
            except OSError:
                part = b""
            if not part:
                self.has_ended = True
            elif self._is_http2:
                for kind, _, _, payload in self._frames.frames(part):
                    if kind == h2.GOAWAY:
                        self.goaway = self.goaway or h2.ERRORS[int.from_bytes(payload[4:8], "big")]
                    elif kind == h2.RESET:
                        self.reset = self.reset or h2.ERRORS[int.from_bytes(payload[:4], "big")]
                    elif kind == h2.HEADERS:
                        self.responses += 1
            else:
                self.received += part


def begun(target: Target, protocol: str, settings: bytes = b"") -> tuple[socket.socket, Exchange]:
    """Opens a connection, and sends the preface of HTTP/2."""
    connection = target.connect(protocol)
    exchange = Exchange(connection, protocol)
    if protocol == "h2":
        exchange.send(h2.PREFACE + h2.frame(h2.SETTINGS, 0, 0, settings), time.monotonic() + 10)
    return connection, exchange


def tried(target: Target, flood: Flood, seconds: float = 5) -> str:
    """Returns the ending of one connection that gets the most units of a flood, and no more."""
    connection, exchange = begun(target.elsewhere(), flood.protocol)
    with connection:
        until = time.monotonic() + seconds
        exchange.send(flood.opening(target), until)
        number = 0
        while number < flood.most and not exchange.is_decided and time.monotonic() < until:
            units = min(16, flood.most - number)
            exchange.send(b"".join(flood.unit(target, number + index) for index in range(units)), until)
            number += units
        exchange.wait(max(0.1, until - time.monotonic()), lambda exchange: exchange.is_decided)
        if exchange.goaway:
            exchange.wait(2)
            return exchange.ending if exchange.has_ended else f"{exchange.ending}, but open"
        return exchange.ending


def smuggled(target: Target, name: str) -> str:
    """Returns the answers to a request that can be read in two ways, and to the request in its body."""
    connection, exchange = begun(target.elsewhere(), "http/1.1")
    with connection:
        exchange.send(target.head("POST", "/v1/notifications") + SMUGGLING[name], time.monotonic() + 5)
        exchange.wait(2)
        count = exchange.received.count(b"HTTP/1.1 ")
        ended = "closed" if exchange.has_ended else "open"
        return f"{count} response{'' if count == 1 else 's'}, {exchange.ending}, {ended}"


def say(line: str) -> None:
    """Prints a line in one call, because threads print at the same time."""
    os.write(1, f"{line}\n".encode())


def flood_forever(target: Target, flood: Flood) -> None:
    """Floods one connection after the other."""
    opening = flood.opening(target)
    # Longer than any connection lasts, for units with numbers of streams.
    units = b"".join(flood.unit(target, number) for number in range(1_000))
    while True:
        try:
            connection, exchange = begun(target, flood.protocol)
        except OSError as error:
            say(f"refused: {error}")
            time.sleep(0.01)
            continue
        with connection:
            exchange.send(opening, time.monotonic() + 10)
            while not exchange.is_decided:
                for start in range(0, len(units), _BLOCK):
                    exchange.send(units[start:start + _BLOCK], time.monotonic() + 10)
                    if exchange.is_decided:
                        break
            say(exchange.ending)
        if exchange.ending == "closed":
            # A refused client that came again at once would be a flood of connections.
            time.sleep(0.01)


def handshake_forever(target: Target) -> None:
    while True:
        try:
            target.connect().close()
        except OSError as error:
            say(f"refused: {error}")
            time.sleep(0.01)


def hold(target: Target, how: str, count: int) -> None:
    """Opens connections and keeps them open. `slowloris` sends a byte of a head each second on each of them."""
    head = target.head("GET", "/healthz") + b"X-Slow: "
    held = []
    for number in range(count):
        try:
            held.append(opened(target, how, head, number))
        except OSError as error:
            say(f"refused: {error}")
    say("ready")
    for position in itertools.count():
        time.sleep(1)
        if how != "slowloris":
            continue
        for connection in list(held):
            try:
                connection.sendall(head[position:position + 1] or b"x")
            except OSError:
                held.remove(connection)
                say("closed")


def opened(target: Target, how: str, head: bytes, number: int) -> socket.socket:
    if how == "idle" and number >= _HANDSHAKES:
        # The listener may have no place for the connection, which then waits in the kernel's queue.
        connection = socket.socket()
        connection.bind((target.source, 0))
        connection.setblocking(False)
        connection.connect_ex(("127.0.0.1", target.port))
        return connection
    if how == "window of zero" or how.startswith(UNREAD):
        path = how.removeprefix(UNREAD) if how.startswith(UNREAD) else "/healthz"
        connection, exchange = begun(target, "h2", struct.pack(">HI", 4, 0))
        calls = (get(target, stream, path=path, token=target.token) for stream in range(1, 2 * _STREAMS, 2))
        exchange.send(b"".join(calls), time.monotonic() + 10)
        return connection
    connection = target.connect(handshake=how != "half-open")
    if how == "half-open" and target.certificate:
        connection.sendall(b"\x16\x03\x01\x02\x00")  # The beginning of a ClientHello.
    if how == "half-closed":
        connection.sendall(head)
        connection.shutdown(socket.SHUT_WR)
    return connection


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("attack")
    parser.add_argument("port", type=int)
    parser.add_argument("connections", type=int)
    parser.add_argument("--certificate")
    parser.add_argument("--token", default="")
    parser.add_argument("--source", default="127.0.0.2")
    options = parser.parse_args()
    os.nice(19)
    target = Target(options.port, options.certificate, options.token, options.source)
    if flood := {**HTTP2, **HTTP1}.get(options.attack):
        work: Callable[[], None] = lambda: flood_forever(target, flood)
    elif options.attack == "handshakes":
        work = lambda: handshake_forever(target)
    else:
        hold(target, options.attack, options.connections)
        return
    threads = [threading.Thread(target=work, daemon=True) for _ in range(options.connections)]
    for thread in threads:
        thread.start()
    say("ready")
    for thread in threads:
        thread.join()


if __name__ == "__main__":
    sys.exit(main())
