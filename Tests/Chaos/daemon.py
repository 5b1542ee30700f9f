"""One run of `appgroupd serve`: start, readiness, end."""

from __future__ import annotations

import asyncio
import json
import signal
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from client import Client, ConnectionLost
from processes import ChildProcess, private_bytes, processor_seconds


class NotReady(Exception):
    """The daemon ended before it was ready, or was not ready in time."""


@dataclass(frozen=True)
class Programs:
    """The directory that has `appgroupd`, `appgroupd-lab` and `appgroupd-transcode`."""

    folder: Path

    @property
    def appgroupd(self) -> str:
        return str(self.folder / "appgroupd")


class Daemon:
    """A running daemon. Its log and configuration are outside of its root."""

    def __init__(
        self, programs: Programs, root: Path, log: Path, options: Sequence[str] = (), wrapper: Sequence[str] = ()
    ) -> None:
        """
        :param options: further arguments of `serve`.
        :param wrapper: a command that replaces itself by the command line that follows it.
        """
        self.root = root
        self.log = log
        self.socket = str(root / "appgroupd.sock")
        self.client = Client(self.socket)
        arguments = [*wrapper, programs.appgroupd, "serve", "--root", str(root), "--log-format", "json"]
        if "--listen" not in options:
            arguments += ["--listen", "none"]
        if "--allow-address" not in options:
            arguments += ["--allow-address", "127.0.0.0/8"]
        self.process = ChildProcess([*arguments, *options], log)

    @property
    def pid(self) -> int:
        return self.process.pid

    async def ready(self, timeout: float = 30) -> None:
        """Waits until the daemon takes requests."""
        end = asyncio.get_running_loop().time() + timeout
        while asyncio.get_running_loop().time() < end:
            if self.process.status is not None:
                raise NotReady(f"appgroupd ended with status {self.process.status}: {self.last_lines()}")
            try:
                if (await self.client.call("GET", "/readyz", timeout=5)).status == 200:
                    return
            except (ConnectionLost, TimeoutError):
                pass
            await asyncio.sleep(0.01)
        raise NotReady(f"appgroupd was not ready after {timeout:g} s: {self.last_lines()}")

    async def settled(self, timeout: float = 60) -> bool:
        """Waits until nothing is in flight and nothing is claimed. Returns false after `timeout` seconds."""
        end = asyncio.get_running_loop().time() + timeout
        while asyncio.get_running_loop().time() < end:
            load = (await self.client.call("GET", "/v1/status")).json["load"]
            files = [*self.root.glob("*/claimed/*.json"), *self.root.glob("*/incoming/*.json")]
            if load["running"] + load["queued"] == 0 and not files:
                return True
            await asyncio.sleep(0.05)
        return False

    def kill(self) -> None:
        self.client.close()
        self.process.kill()

    async def terminate(self, timeout: float = 60) -> int:
        self.process.send(signal.SIGTERM)
        status = await self.process.end(timeout)
        self.client.close()
        return status

    @property
    def private_bytes(self) -> int:
        return private_bytes(self.pid)

    @property
    def processor_seconds(self) -> float:
        return processor_seconds(self.pid)

    def log_records(self) -> list[dict[str, Any]]:
        """Returns the lines of the log that are JSON objects."""
        records = []
        for line in self.log.read_text(errors="replace").splitlines():
            try:
                record = json.loads(line)
            except ValueError:
                continue
            if isinstance(record, dict):
                records.append(record)
        return records

    def last_lines(self, count: int = 3) -> str:
        return " / ".join(self.log.read_text(errors="replace").splitlines()[-count:])[-1000:]
