"""The laboratory's origin as a process of its own: real media, and faults by path."""

from __future__ import annotations

import asyncio
import itertools
import socket
from pathlib import Path

from daemon import Programs
from processes import ChildProcess


class Origin:
    def __init__(self, programs: Programs, media: Path, log: Path, host: str = "127.0.0.1") -> None:
        self.host = host
        self.port = free_port(host)
        self._numbers = itertools.count()
        self._process = ChildProcess(
            [programs.appgroupd, "lab", "serve", str(media), "--listen", f"{host}:{self.port}"], log)

    async def ready(self) -> None:
        for _ in range(1000):
            try:
                _, writer = await asyncio.open_connection(self.host, self.port)
                writer.close()
                return
            except OSError:
                await asyncio.sleep(0.01)
        raise RuntimeError(f"the origin does not listen on {self.host}:{self.port}")

    def url(self, path: str) -> str:
        """Returns a URL that no other request has: it is neither cached nor shared."""
        return f"http://{self.host}:{self.port}/{path}?{next(self._numbers)}"

    @property
    def pid(self) -> int:
        return self._process.pid

    def kill(self) -> None:
        self._process.kill()


def free_port(host: str) -> int:
    with socket.socket() as probe:
        probe.bind((host, 0))
        return int(probe.getsockname()[1])
