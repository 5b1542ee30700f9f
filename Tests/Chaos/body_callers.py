"""Callers with large bodies, in a process of their own: their work must not delay the client that measures.

    python3 body_callers.py post SOCKET CALLERS BYTES       posts one body after the other
    python3 body_callers.py members SOCKET CALLERS BYTES    as post, with 80,000 short members in each body
    python3 body_callers.py values SOCKET CALLERS BYTES     as post, with as many values as a body of BYTES can have
    python3 body_callers.py chunks SOCKET CALLERS BYTES     sends bodies in chunks of one byte
    python3 body_callers.py hold SOCKET CALLERS BYTES       sends all of a body but its last byte, and waits

Runs until it is ended. Each response is a line on standard output: its status, or `closed` where there was none.
"""

from __future__ import annotations

import asyncio
import re
import socket
import sys

import payloads
from client import request_bytes

_MEMBERS = 80_000
_LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)", re.IGNORECASE)


async def caller(path: str, request: memoryview) -> None:
    """Works on the socket itself: the streams of asyncio would copy each body several times."""
    loop = asyncio.get_running_loop()
    buffer = bytearray(1 << 20)
    while True:
        with socket.socket(socket.AF_UNIX) as connection:
            connection.setblocking(False)
            try:
                await loop.sock_connect(connection, path)
                while True:
                    await loop.sock_sendall(connection, request)
                    status = await response(connection, buffer)
                    print(status, flush=True)
                    if status != "200":
                        break
            except OSError:
                print("closed", flush=True)
        # As a caller does that was refused, only sooner.
        await asyncio.sleep(0.2)


async def response(connection: socket.socket, buffer: bytearray) -> str:
    """Reads a whole response and returns its status."""
    loop = asyncio.get_running_loop()
    head = b""
    while b"\r\n\r\n" not in head:
        received = await loop.sock_recv(connection, 65_536)
        if not received:
            raise ConnectionResetError
        head += received
    end = head.index(b"\r\n\r\n") + 4
    length = _LENGTH.search(head[:end])
    missing = int(length.group(1)) - (len(head) - end) if length else 0
    while missing > 0:
        received_bytes = await loop.sock_recv_into(connection, buffer)
        if not received_bytes:
            raise ConnectionResetError
        missing -= received_bytes
    return head.split(b" ", 2)[1].decode()


async def main() -> None:
    how, path, callers, size = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    body = payloads.values(size) if how == "values" else payloads.padded(size, members=_MEMBERS if how == "members" else 0)
    request = memoryview(request_bytes("POST", "/v1/notifications", body))
    if how == "chunks":
        head = b"POST /v1/notifications HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
        request = memoryview(head + b"1\r\n \r\n" * size + b"0\r\n\r\n")
    if how == "hold":
        request = request[:-1]
    await asyncio.gather(*(caller(path, request) for _ in range(callers)))


asyncio.run(main())
