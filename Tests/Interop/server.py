"""A daemon on loopback whose callers need a token, as behind a proxy of the same machine."""

from __future__ import annotations

import asyncio
import subprocess
from dataclasses import dataclass
from typing import Any

from client import Client
from context import Context
from daemon import Daemon
from origin import free_port

_SCOPES = ("submit", "read", "cancel", "events", "warm", "admin")


@dataclass(frozen=True)
class Server:
    daemon: Daemon
    port: int
    token: str

    @classmethod
    async def start(
        cls, context: Context, configuration: str = "", is_public: bool = False, public_url: str | None = None
    ) -> Server:
        """
        :param is_public: whether the daemon serves renditions.
        :param public_url: the beginning of the URLs of renditions; `None` for the address of the daemon.
        """
        scopes = [argument for scope in _SCOPES for argument in ("--scope", scope)]
        made = subprocess.run(
            [context.programs.appgroupd, "token", "new", "--group", "*", *scopes], check=True, capture_output=True,
            text=True)
        access = made.stderr.replace("auth:\n", "auth:\n  required: always\n", 1)
        port = free_port("127.0.0.1")
        url = public_url or f"http://127.0.0.1:{port}"
        public = f"publicURL: {url}\n" if is_public else ""
        daemon = await context.start(
            root=context.folder / f"root-{port}", options=["--listen", f"127.0.0.1:{port}"],
            configuration=f"{access}{public}{configuration}", name=f"daemon-{port}")
        return cls(daemon, port, made.stdout.strip())

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"}

    @property
    def client(self) -> Client:
        return Client(("127.0.0.1", self.port))

    @property
    def answers(self) -> list[dict[str, Any]]:
        """The lines of the log about calls over TCP."""
        return [line for line in self.daemon.log_records() if line.get("message") == "answered" and "client" in line]

    async def answers_after(self, known: int) -> list[dict[str, Any]]:
        """Waits for lines after the known lines, and returns them. A line is written after its response."""
        for _ in range(500):
            if len(self.answers) > known:
                break
            await asyncio.sleep(0.01)
        return self.answers[known:]
