"""An origin that answers with an endless flood of bytes that belong to no response.

    python3 Tests/Chaos/flooding_origin.py FLOOD [--certificate FILE --key FILE] [--image FILE] [--after 0]
        [--host 127.0.0.1] [--for 600]

Prints the port, and listens for `--for` seconds. With a certificate it speaks TLS, and HTTP/2 with clients that offer
it. The floods of `HTTP2` need HTTP/2, and those of `HTTP1` are sent over HTTP/1.1. The first requests of a connection
(`--after`), and those of clients without HTTP/2 at an origin with a flood of `HTTP2`, get the image of `--image`, or no
response without one.
"""

from __future__ import annotations

import argparse
import gzip
import os
import socket
import ssl
import struct
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

from http2_frames import STATUS_103, STATUS_200, frame

_BLOCK = 1 << 20

# What is sent once, and what is then repeated, for the number of a stream. Bodies have zeros: those of no media would be
# refused after 512 bytes.
HTTP2: dict[str, Callable[[int], tuple[bytes, bytes]]] = {
    "priority": lambda stream: (b"", frame(2, 0, stream, struct.pack(">IB", 0, 1))),
    "unknown": lambda stream: (b"", frame(0xBB, 0, stream, b"z" * 16_000)),
    "unknown-empty": lambda stream: (b"", frame(0xBB, 0, 0)),
    "altsvc": lambda stream: (b"", frame(0xA, 0, 0, struct.pack(">H", 11) + b"https://x.y" + b'h2="evil:443"')),
    "window-update": lambda stream: (b"", frame(8, 0, stream, struct.pack(">I", 1))),
    "settings": lambda stream: (b"", frame(4, 0, 0)),
    "ping": lambda stream: (b"", frame(6, 0, 0, b"12345678")),
    "reset": lambda stream: (b"", frame(3, 0, stream + 2, struct.pack(">I", 8))),
    "goaway": lambda stream: (b"", frame(7, 0, 0, struct.pack(">II", stream, 0))),
    "push": lambda stream: (b"", frame(5, 4, stream, struct.pack(">I", 2) + STATUS_200)),
    "interim": lambda stream: (b"", frame(1, 4, stream, STATUS_103)),
    "continuation": lambda stream: (frame(1, 0, stream, STATUS_200), frame(9, 0, stream)),
    "trailers": lambda stream: (frame(1, 4, stream, STATUS_200), frame(1, 4, stream, b"\x00\x01a\x01b")),
    "data-empty": lambda stream: (frame(1, 4, stream, STATUS_200), frame(0, 0, stream)),
    # One byte of the body in each frame, and 255 bytes of padding.
    "data-padded": lambda stream: (frame(1, 4, stream, STATUS_200), frame(0, 8, stream, b"\xff" + b"\0" * 256)),
    # A body that is decoded to 64 KiB of zeros takes 83 bytes, and 250 KiB of frames.
    "data-encoded": lambda stream: (
        frame(1, 4, stream, STATUS_200 + b"\x0f\x0b\x04gzip"),
        frame(2, 0, stream, struct.pack(">IB", 0, 1)) * 18_000 + frame(0, 0, stream, gzip.compress(bytes(65_536)))),
    # One byte of the body in 16 kB.
    "data-rare": lambda stream: (
        frame(1, 4, stream, STATUS_200),
        frame(2, 0, stream, struct.pack(">IB", 0, 1)) * 1_150 + frame(0, 0, stream, b"\0")),
}

_OK = b"HTTP/1.1 200 OK\r\nContent-Type: image/jpeg\r\n"
HTTP1: dict[str, tuple[bytes, bytes]] = {
    "http1-interim": (b"", b"HTTP/1.1 103 Early Hints\r\n\r\n"),
    "http1-headers": (b"HTTP/1.1 200 OK\r\n", b"X-Name: value\r\n"),
    "http1-long-header": (b"HTTP/1.1 200 OK\r\nX-Name: ", b"x"),
    "http1-chunk-extension": (_OK + b"Transfer-Encoding: chunked\r\n\r\n1;", b"x"),
    "http1-small-chunks": (_OK + b"Transfer-Encoding: chunked\r\n\r\n", b"1;" + b"x" * 4_000 + b"\r\n\0\r\n"),
    "http1-tiny-chunks": (_OK + b"Transfer-Encoding: chunked\r\n\r\n", b"2\r\n\0\0\r\n"),
    "http1-trailers": (_OK + b"Transfer-Encoding: chunked\r\n\r\n0\r\n", b"X-Name: value\r\n"),
}


def requested_streams(connection: socket.socket) -> Iterator[int]:
    """Reads frames, and yields the number of each stream on which a request begins."""
    received = b""
    position = 24  # After the preface.
    while True:
        while len(received) >= position + 9:
            length = int.from_bytes(received[position:position + 3], "big")
            if len(received) < position + 9 + length:
                break
            kind, stream = received[position + 3], int.from_bytes(received[position + 5:position + 9], "big")
            position += 9 + length
            if kind == 1:
                yield stream
        if not (part := connection.recv(65_536)):
            return
        if position <= len(received):
            received, position = received[position:], 0
        received += part


def requests(connection: socket.socket) -> Iterator[None]:
    """Reads requests of HTTP/1.1 without bodies, and yields once for each."""
    received = b""
    while True:
        while b"\r\n\r\n" in received:
            received = received.partition(b"\r\n\r\n")[2]
            yield
        if not (part := connection.recv(65_536)):
            return
        received += part


def flood(connection: socket.socket, once: bytes, unit: bytes) -> None:
    block = unit * max(1, _BLOCK // len(unit))
    connection.sendall(once)
    while True:
        connection.sendall(block)


def serve(connection: socket.socket, options: argparse.Namespace) -> None:
    image = options.image.read_bytes() if options.image else b""
    with connection:
        if isinstance(connection, ssl.SSLSocket) and connection.selected_alpn_protocol() == "h2":
            connection.sendall(frame(4, 0, 0) + frame(4, 1, 0))
            for number, stream in enumerate(requested_streams(connection)):
                if number >= options.after:
                    flood(connection, *HTTP2[options.flood](stream))
                connection.sendall(frame(1, 4, stream, STATUS_200))
                parts = [image[start:start + 16_384] for start in range(0, len(image), 16_384)]
                connection.sendall(b"".join(frame(0, 0, stream, part) for part in parts) + frame(0, 1, stream))
        else:
            for number, _ in enumerate(requests(connection)):
                if number >= options.after and options.flood in HTTP1:
                    flood(connection, *HTTP1[options.flood])
                if not image:
                    return
                connection.sendall(_OK + b"Content-Length: %d\r\n\r\n" % len(image) + image)


def accept(listener: socket.socket, context: ssl.SSLContext | None, options: argparse.Namespace) -> None:
    def handle(connection: socket.socket) -> None:
        try:
            connection.settimeout(60)
            serve(context.wrap_socket(connection, server_side=True) if context else connection, options)
        except OSError:
            pass  # The client has closed the connection.

    while True:
        connection, _ = listener.accept()
        threading.Thread(target=handle, args=(connection,), daemon=True).start()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("flood", choices=[*HTTP2, *HTTP1])
    parser.add_argument("--certificate", type=Path)
    parser.add_argument("--key", type=Path)
    parser.add_argument("--image", type=Path, help="the file that requests without a flood get")
    parser.add_argument("--after", type=int, default=0, help="requests of a connection before its flood")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--for", dest="seconds", type=float, default=600)
    options = parser.parse_args()
    context = None
    if options.certificate:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(options.certificate, options.key)
        context.set_alpn_protocols(["h2", "http/1.1"] if options.flood in HTTP2 else ["http/1.1"])
    listener = socket.create_server((options.host, 0), backlog=256)
    threading.Timer(options.seconds, os._exit, [0]).start()
    threading.Thread(target=accept, args=(listener, context, options), daemon=True).start()
    print(listener.getsockname()[1], flush=True)
    threading.Event().wait()


if __name__ == "__main__":
    main()
