"""Reloads of the configuration by SIGHUP, and the values that are in force after them."""

from __future__ import annotations

import asyncio
import itertools
import json
import os
import signal
from collections import Counter
from pathlib import Path
from typing import Any

from client import ConnectionLost
from context import Context
from daemon import Daemon
from ledger import Ledger

# The longest budget of a configuration, in milliseconds.
LONGEST = 8_000
_SHORTEST = 5_000
_INVALID = (
    b"budget: soon\n", b"budgett: 1s\n", b"budget: [1s\n", b"budget: 1s\nfetch: {denyHosts: 7}\n", b"\xff\xfe\n",
    b'{"budget": "1s", "callbacks": {"targets": [{"name": "gateway"}]}}\n')
_REFUSAL = "not reloaded: "


class Reloads:
    """A configuration whose file and values change. Each valid one has another budget and another title of texts."""

    def __init__(self, context: Context, ledger: Ledger, base: dict[str, Any]) -> None:
        """
        :param base: the keys that all configurations have.
        """
        self._file = context.folder / "daemon.yaml"
        self._random = context.random
        self._ledger = ledger
        self._base = base
        self._numbers = itertools.count()
        self.budget = _SHORTEST
        # Signals that were sent, and reloads that were checked.
        self.signals = self.checks = self.invalid = 0
        # What is not as the last valid configuration says.
        self.wrong: list[str] = []

    @property
    def text(self) -> str:
        """The last valid configuration."""
        title = {"*": {"title": f"{{title}} {self.budget}"}}
        return json.dumps({**self._base, "budget": f"{self.budget}ms", "texts": title})

    def write(self, content: bytes) -> None:
        """Replaces the file, so that no reload reads a part of it."""
        part = self._file.with_suffix(".part")
        part.write_bytes(content)
        os.replace(part, self._file)

    def write_valid(self) -> None:
        """Writes a configuration with values that the one before did not have."""
        self.budget = _SHORTEST + (self.budget - _SHORTEST + 1) % (LONGEST - _SHORTEST)
        self.write(self.text.encode() + b"\n")

    def send(self, daemon: Daemon, count: int = 1) -> None:
        for _ in range(count):
            daemon.process.send(signal.SIGHUP)
        self.signals += count

    async def reload(self, daemon: Daemon) -> None:
        """Reloads in one of four ways, and compares the values in force."""
        way = self.checks % 4
        if way == 0:
            self.write_valid()
            self.send(daemon)
        elif way == 1:
            await self._reload_invalid(daemon)
        elif way == 2:
            # The file is still the invalid one.
            self.write(self.text.encode() + b"\n")
            self.send(daemon)
        else:
            # Several at once, with two configurations, of which the second one counts.
            self.write_valid()
            self.send(daemon, 2)
            self.write_valid()
            self.send(daemon, 2)
        await self.check(daemon, "after a reload")

    async def _reload_invalid(self, daemon: Daemon) -> None:
        before = refusals(daemon.log)
        self.write(self._random.choice(_INVALID))
        self.send(daemon)
        self.invalid += 1
        for _ in range(500):
            if refusals(daemon.log) > before:
                break
            await asyncio.sleep(0.01)
        else:
            self.wrong.append("an invalid configuration is not logged")

    async def check(self, daemon: Daemon, when: str) -> None:
        """Sends texts until one has the values of the last valid configuration, for at most 5 s."""
        self.checks += 1
        found = (0, "")
        for _ in range(250):
            id = f"reload-{next(self._numbers)}"
            payload = {"aps": {"alert": {"title": "t", "body": "b"}}}
            try:
                response = await daemon.client.post(json.dumps({"id": id, "payload": payload}).encode())
            except (ConnectionLost, TimeoutError):
                continue
            if response.status == 200:
                self._ledger.answer(id, response.body)
                content = response.json
                found = content["timing"]["budgetMs"], content["content"]["title"]
                if found == (self.budget, f"t {self.budget}"):
                    return
            await asyncio.sleep(0.02)
        self.wrong.append(f"{when}: budget and title {found} instead of {self.budget}")


def refusals(log: Path) -> int:
    """Returns how many lines of the log refuse a configuration."""
    return log.read_bytes().count(_REFUSAL.encode())


def other_errors(daemon: Daemon) -> Counter[str]:
    """Returns the messages of the log at the level error that refuse no configuration."""
    return Counter(
        record["message"] for record in daemon.log_records()
        if record.get("level") in ("error", "critical") and not record["message"].startswith(_REFUSAL))
