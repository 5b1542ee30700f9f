"""The bytes of hostile clients: floods over HTTP/2 and HTTP/1.1, and requests that two programs read in two ways."""

from __future__ import annotations

import functools
import itertools
import socket
import ssl
import struct
from collections.abc import Callable
from dataclasses import dataclass, replace

import http2_frames as h2

_addresses = (f"127.0.{number // 250 + 8}.{number % 250 + 1}" for number in itertools.count())


@dataclass(frozen=True)
class Target:
    port: int
    # The certificate of the listener; `None` for a listener without TLS.
    certificate: str | None
    # A token with all scopes.
    token: str
    # The address of the clients.
    source: str = "127.0.0.2"

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self.port}"

    def head(self, method: str, path: str) -> bytes:
        """Returns the beginning of a request, without the line that ends its head."""
        return f"{method} {path} HTTP/1.1\r\nHost: {self.host}\r\nAuthorization: Bearer {self.token}\r\n".encode()

    def elsewhere(self) -> Target:
        """Returns the target for a client with an address that no other client has."""
        return replace(self, source=next(_addresses))

    def connect(self, protocol: str = "http/1.1", handshake: bool = True) -> socket.socket:
        connection = socket.create_connection(("127.0.0.1", self.port), 20, (self.source, 0))
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if not self.certificate or not handshake:
            return connection
        return _context(self.certificate, protocol).wrap_socket(connection, server_hostname="127.0.0.1")


@functools.cache
def _context(certificate: str, protocol: str) -> ssl.SSLContext:
    context = ssl.create_default_context(cafile=certificate)
    context.set_alpn_protocols([protocol])
    return context


@dataclass(frozen=True)
class Flood:
    """Bytes of one connection: an opening, and a unit for each number from 0 on."""

    opening: Callable[[Target], bytes]
    unit: Callable[[Target, int], bytes]
    # The endings that are right.
    endings: tuple[str, ...]
    # The number of units after which the connection must have ended.
    most: int
    protocol: str = "h2"


def _nothing(target: Target) -> bytes:
    return b""


def get(
    target: Target, stream: int, flags: int = h2.END_STREAM | h2.END_HEADERS, path: str = "/healthz",
    token: str | None = None
) -> bytes:
    return h2.frame(h2.HEADERS, flags, stream, h2.request(b"GET", path.encode(), target.host.encode(), token))


def _post(target: Target) -> bytes:
    block = h2.request(b"POST", b"/v1/notifications", target.host.encode(), target.token)
    return h2.frame(h2.HEADERS, h2.END_HEADERS, 1, block)


_CALM = ("GOAWAY ENHANCE_YOUR_CALM",)
_RESET = struct.pack(">I", 8)

HTTP2: dict[str, Flood] = {
    "rapid reset": Flood(
        _nothing, lambda target, number: get(target, 2 * number + 1) + h2.frame(
            h2.RESET, 0, 2 * number + 1, _RESET), _CALM, 300),
    "CONTINUATION": Flood(
        lambda target: get(target, 1, h2.END_STREAM), lambda target, number: h2.frame(
            h2.CONTINUATION, 0, 1, h2.field(b"a", b"b" * 64)), _CALM, 300),
    "empty CONTINUATION": Flood(
        lambda target: get(target, 1, h2.END_STREAM), lambda target, number: h2.frame(h2.CONTINUATION, 0, 1),
        _CALM, 300),
    "SETTINGS": Flood(_nothing, lambda target, number: h2.frame(h2.SETTINGS, 0, 0), _CALM, 300),
    "PING": Flood(_nothing, lambda target, number: h2.frame(h2.PING, 0, 0, b"12345678"), _CALM, 300),
    "PRIORITY": Flood(
        _nothing, lambda target, number: h2.frame(h2.PRIORITY, 0, 1, struct.pack(">IB", 0, 1)), _CALM, 300),
    "WINDOW_UPDATE": Flood(
        _nothing, lambda target, number: h2.frame(h2.WINDOW_UPDATE, 0, 0, struct.pack(">I", 1)), _CALM, 20_000),
    "unknown frames": Flood(_nothing, lambda target, number: h2.frame(0xBB, 0, 0), _CALM, 20_000),
    "small DATA": Flood(
        _post, lambda target, number: h2.frame(h2.DATA, 0, 1, b" "), ("RST_STREAM CANCEL", *_CALM), 2_000),
    "padded DATA": Flood(
        _post, lambda target, number: h2.frame(h2.DATA, 8, 1, b"\xff" + bytes(256)), ("RST_STREAM CANCEL", *_CALM), 2_000),
    "empty DATA": Flood(_post, lambda target, number: h2.frame(h2.DATA, 0, 1), _CALM, 300),
    # After the reset, no frame of the stream has an effect.
    "DATA of a reset stream": Flood(
        lambda target: _post(target) + h2.frame(h2.RESET, 0, 1, _RESET), lambda target, number: h2.frame(
            h2.DATA, 0, 1, b" "), ("GOAWAY STREAM_CLOSED", "GOAWAY FLOW_CONTROL_ERROR", *_CALM), 70_000),
    "streams beyond the limit": Flood(
        _nothing, lambda target, number: h2.frame(
            h2.HEADERS, h2.END_HEADERS, 2 * number + 1,
            h2.request(b"POST", b"/v1/notifications", target.host.encode(), target.token)),
        ("RST_STREAM REFUSED_STREAM", "GOAWAY PROTOCOL_ERROR", *_CALM), 300),
    # A field of 4,000 bytes in the table of the decoder, which each index of a byte repeats (RFC 7541 §6.1).
    "large header list": Flood(
        lambda target: h2.frame(
            h2.HEADERS, h2.END_HEADERS | h2.END_STREAM, 1,
            h2.request(b"GET", b"/healthz", target.host.encode()) + h2.field(b"a", b"b" * 4_000, indexed=True)),
        lambda target, number: h2.frame(
            h2.HEADERS, h2.END_HEADERS | h2.END_STREAM, 2 * number + 3,
            h2.request(b"GET", b"/healthz", target.host.encode()) + b"\xbe" * 5),
        ("GOAWAY COMPRESSION_ERROR", "GOAWAY PROTOCOL_ERROR", *_CALM), 300),
}

HTTP1: dict[str, Flood] = {
    "empty lines": Flood(_nothing, lambda target, number: b"\r\n", ("status 400",), 100_000, "http/1.1"),
    "oversized header": Flood(
        lambda target: target.head("GET", "/healthz") + b"X-Long: ", lambda target, number: b"x" * 1_024,
        ("status 400",), 64, "http/1.1"),
    "endless headers": Flood(
        lambda target: target.head("GET", "/healthz"), lambda target, number: b"X-Name: value\r\n", ("status 400",),
        2_000, "http/1.1"),
    "oversized body": Flood(
        lambda target: target.head("POST", "/v1/notifications") + b"Content-Length: 1000000000000\r\n\r\n",
        lambda target, number: b" " * 1_024, ("status 413",), 64, "http/1.1"),
    "endless chunks": Flood(
        lambda target: target.head("POST", "/v1/notifications") + b"Transfer-Encoding: chunked\r\n\r\n",
        lambda target, number: b"1\r\n \r\n", ("closed",), 2_000, "http/1.1"),
    "endless chunk extension": Flood(
        lambda target: target.head("POST", "/v1/notifications") + b"Transfer-Encoding: chunked\r\n\r\n1;",
        lambda target, number: b"x" * 1_024, ("status 400",), 256, "http/1.1"),
    "endless trailers": Flood(
        lambda target: target.head("POST", "/v1/notifications") + b"Transfer-Encoding: chunked\r\n\r\n0\r\n",
        lambda target, number: b"X-Name: value\r\n", ("status 400",), 2_000, "http/1.1"),
}

# Requests that two parsers may read differently. Each ends with a request that must never be answered, and the right
# answer is a refusal of the first, after which the connection ends.
_INNER = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
_CHUNKED = b"Transfer-Encoding: chunked\r\n\r\n"
SMUGGLING: dict[str, bytes] = {
    "Transfer-Encoding and Content-Length": b"Content-Length: 6\r\n" + _CHUNKED + b"0\r\n\r\n" + _INNER,
    "two lengths": b"Content-Length: 2\r\nContent-Length: 45\r\n\r\n{}" + _INNER,
    "a list of lengths": b"Content-Length: 2, 45\r\n\r\n{}" + _INNER,
    "a length with a sign": b"Content-Length: +2\r\n\r\n{}" + _INNER,
    "a length in hexadecimal": b"Content-Length: 0x2\r\n\r\n{}" + _INNER,
    "a folded field": b"X-Name: value\r\n Content-Length: 45\r\nContent-Length: 2\r\n\r\n{}" + _INNER,
    "a space before the colon": b"Content-Length : 2\r\n\r\n{}" + _INNER,
    "an unknown coding": b"Transfer-Encoding: xchunked\r\nContent-Length: 2\r\n\r\n{}" + _INNER,
    "a coding after chunked": b"Transfer-Encoding: chunked, identity\r\n\r\n2\r\n{}\r\n0\r\n\r\n" + _INNER,
    "a coding before chunked": b"Transfer-Encoding: gzip, chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n" + _INNER,
    "identity before chunked": b"Transfer-Encoding: identity, chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n" + _INNER,
    "chunked in the second field":
        b"Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + _INNER,
    "two fields of codings": b"Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n" + _INNER,
    "a line feed in a chunk extension": _CHUNKED + b"2;a\nb\r\n{}\r\n0\r\n\r\n" + _INNER,
    "a chunk without its line end": _CHUNKED + b"2\r\n{}0\r\n\r\n" + _INNER,
    "a chunk size with a sign": _CHUNKED + b"+2\r\n{}\r\n0\r\n\r\n" + _INNER,
    "a chunk size of 17 digits": _CHUNKED + b"10000000000000002\r\n{}\r\n0\r\n\r\n" + _INNER,
    "a NUL in a field": b"X-Name: a\0b\r\nContent-Length: 2\r\n\r\n{}" + _INNER,
    "a carriage return in a field": b"X-Name: a\rContent-Length: 45\r\nContent-Length: 2\r\n\r\n{}" + _INNER,
}
