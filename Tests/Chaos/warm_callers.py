"""Callers of `POST /v1/warm` with hostile bodies, in a process of their own.

    python3 warm_callers.py read SOCKET CALLERS BODY     sends bodies and reads the responses, one call after the other
    python3 warm_callers.py stuck SOCKET CALLERS BODY    sends a body, and reads no response

Runs until it is ended. Each response is a line on standard output: its status and the number of its lines.
"""

from __future__ import annotations

import asyncio
import socket
import sys
from collections.abc import Callable

from client import request_bytes

# As many as a body can have with the default limit of 4 MiB.
_BYTES = 4_194_000


def _repeated(line: bytes) -> bytes:
    return (line + b"\n") * (_BYTES // (len(line) + 1))


BODIES: dict[str, Callable[[], bytes]] = {
    "empty objects": lambda: _repeated(b"{}"),
    "empty lines": lambda: b"\n" * _BYTES,
    "invalid URLs": lambda: _repeated(b'{"url":"x"}'),
    "hosts": lambda: b"".join(b'{"url":"http://h%d.invalid/"}\n' % number for number in range(120_000)),
    "one array": lambda: b"[" + b"1," * (_BYTES // 2 - 1) + b"1]",
    "one string": lambda: b'{"url":"' + b"x" * _BYTES + b'"}',
    "payloads with many members": lambda: _repeated(
        b'{"payload":{' + b",".join(b'"%d":1' % number for number in range(32_000)) + b"}}"),
}


async def read(connection: socket.socket) -> str:
    """Reads a whole response in chunks, and returns its status and the number of its lines."""
    loop = asyncio.get_running_loop()
    received = await loop.sock_recv(connection, 1 << 20)
    status = received.split(b" ", 2)[1].decode()
    if status != "200":
        return f"{status} 0"
    lines, end = received.count(b"}\n"), received[-5:]
    while end != b"0\r\n\r\n":
        received = await loop.sock_recv(connection, 1 << 20)
        if not received:
            return "closed 0"
        lines += received.count(b"}\n")
        end = (end + received)[-5:]
    return f"{status} {lines}"


async def caller(how: str, path: str, request: memoryview) -> None:
    loop = asyncio.get_running_loop()
    while True:
        with socket.socket(socket.AF_UNIX) as connection:
            connection.setblocking(False)
            try:
                await loop.sock_connect(connection, path)
                await loop.sock_sendall(connection, request)
                if how == "stuck":
                    await asyncio.Event().wait()
                print(await read(connection), flush=True)
            except (OSError, IndexError):
                print("closed 0", flush=True)
        await asyncio.sleep(0.2)


async def main() -> None:
    how, path, callers, body = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4]
    request = memoryview(request_bytes("POST", "/v1/warm", BODIES[body]()))
    await asyncio.gather(*(caller(how, path, request) for _ in range(callers)))


if __name__ == "__main__":
    asyncio.run(main())
