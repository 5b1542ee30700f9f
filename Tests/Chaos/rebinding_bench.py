"""A daemon with callback targets whose names lead to addresses that a step chooses, and servers at these addresses."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import subprocess
from collections import Counter
from collections.abc import AsyncIterator, Callable, Collection, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from callback_target import SECRET, CallbackTarget
from context import Context
from daemon import Daemon
from interruptions import emit
from name_server import TTL, NameServer

ALLOWED = "127.0.1.1"
OTHER = "127.0.0.1"
_DAEMON = "127.0.0.2"
_DOMAIN = "rebinding.example.com"
TURNS = "turns"
# The target that gets the results of requests which name its URL.
_REQUESTS = "requests"
_ALIAS = f"inner.{_DOMAIN}"
# The answers of the names, by the first label of each name, while they lead to forbidden addresses.
FORBIDDEN: dict[str, Sequence[Sequence[str]]] = {
    "loopback": [[OTHER]],
    "daemon": [[_DAEMON]],
    "private": [["10.0.0.1"]],
    "metadata": [["169.254.169.254"]],
    "unspecified": [["0.0.0.0"]],
    "both": [[ALLOWED, OTHER]],
    "both-reversed": [[OTHER, ALLOWED]],
    "ipv6": [[ALLOWED, "::1"]],
    "mapped": [[ALLOWED, f"::ffff:{OTHER}"]],
    "alias": [[_ALIAS]],
    _REQUESTS: [[OTHER]],
    # A second query gets another answer than the first one.
    TURNS: [[ALLOWED], [OTHER]],
}
_GROUP = "group.callbacks"
REASON = "not public"
# A target rests after five failures in a row. Two messages have four failures with two attempts each.
_MESSAGES = 2


@dataclass
class Tally:
    """How many callbacks were as promised, over all rounds."""

    right: int = 0
    total: int = 0
    # One that was not.
    wrong: str = ""


@dataclass
class Bench:
    daemon: Daemon
    names: NameServer
    target: CallbackTarget
    # The connections that forbidden addresses have accepted.
    accepted: Counter[str]
    # The calls of `connect`; `None` if strace cannot run here.
    trace: Path | None
    messages: int = 0
    tallies: dict[str, Tally] = field(default_factory=dict)

    async def lead(self, answers: dict[str, Sequence[Sequence[str]]]) -> None:
        """Has the names lead elsewhere, and waits until the answers before are no longer cached."""
        for label in FORBIDDEN:
            self.names.answers[f"{label}.{_DOMAIN}"] = answers.get(label, [[ALLOWED]])
        self.names.answers[_ALIAS] = [[OTHER]]
        self.names.queries.clear()
        await asyncio.sleep(TTL + 0.1)

    async def emit(self, count: int = _MESSAGES) -> list[str]:
        """Emits notifications, each of which has a message to each target. Returns their ids."""
        ids = [f"m{self.messages + number}" for number in range(count)]
        self.messages += count
        envelope = {
            "appGroup": _GROUP, "payload": {"aps": {"alert": {"title": "t", "body": "b"}}},
            "callback": f"{_url(_REQUESTS, self.target)}/of-request"}
        await emit(self.daemon, (json.dumps({"id": id, **envelope}).encode() for id in ids))
        return ids

    async def callbacks(self, ids: Sequence[str]) -> list[dict[str, Any]]:
        return [
            callback for id in ids
            for callback in (await self.daemon.client.call(
                "GET", f"/v1/callbacks?notification={id}&limit=100")).json["callbacks"]]

    async def wait(self, ids: Sequence[str], attempts: int, seconds: float) -> list[dict[str, Any]]:
        """Waits until each message is delivered or has had some attempts. Returns the messages."""
        end = asyncio.get_running_loop().time() + seconds
        while True:
            found = await self.callbacks(ids)
            pending = [one for one in found if one["state"] != "delivered" and one["attempts"] < attempts]
            if not pending or asyncio.get_running_loop().time() > end:
                return found
            await asyncio.sleep(0.05)

    def add(
        self, promise: str, callbacks: Sequence[dict[str, Any]], is_right: Callable[[dict[str, Any]], bool],
        besides: Collection[str] = ()
    ) -> None:
        """Adds the callbacks to all targets, besides some, to the tally of a promise."""
        tally = self.tallies.setdefault(promise, Tally())
        tally.total += _MESSAGES * len(FORBIDDEN.keys() - besides)
        for callback in callbacks:
            if callback["target"] in besides:
                continue
            if is_right(callback):
                tally.right += 1
            else:
                tally.wrong = f", but {callback['target']} is {callback['state']}: {callback['problem']}"

    def add_delivered(self, when: str, callbacks: Sequence[dict[str, Any]]) -> None:
        self.add(
            f"callbacks to allowed addresses are delivered {when}", callbacks,
            lambda callback: callback["state"] == "delivered")

    def add_refused(self, when: str, callbacks: Sequence[dict[str, Any]]) -> None:
        self.add(
            f"a name that leads to a forbidden address {when} is a failure, and the list has the reason", callbacks,
            lambda callback: callback["state"] == "pending" and REASON in str(callback["problem"]), {TURNS})


@asynccontextmanager
async def rebinding_bench(context: Context) -> AsyncIterator[Bench]:
    """Starts a daemon that may connect to one loopback address only, and listens on forbidden ones."""
    names, target, accepted = NameServer(), CallbackTarget(), Counter[str]()
    await names.listen()
    await target.start(host=ALLOWED)
    servers = [await _listen(host, target.port, accepted) for host in (OTHER, "::1")]
    secret = context.folder / "gateway.whsec"
    secret.touch(mode=0o600)
    secret.write_text(SECRET)
    configuration = json.dumps({
        "fetch": {"nameServers": [f"127.0.0.1:{names.port}"]},
        "callbacks": {"targets": [
            {"name": label, "url": _url(label, target), "secretFile": str(secret), "groups": [_GROUP],
             **({"requests": True, "types": ["receipt.read"]} if label == _REQUESTS else {})}
            for label in FORBIDDEN]},
    })
    trace = context.folder / "trace"
    tracer = _tracer(trace)
    try:
        daemon = await context.start(
            options=["--allow-address", ALLOWED, "--listen", f"{_DAEMON}:{target.port}"],
            configuration=configuration, wrapper=tracer)
        yield Bench(daemon, names, target, accepted, trace if tracer else None)
    finally:
        for server in filter(None, servers):
            server.close()
        target.stop()
        names.close()


def _url(label: str, target: CallbackTarget) -> str:
    return f"http://{label}.{_DOMAIN}:{target.port}/hook"


async def _listen(host: str, port: int, accepted: Counter[str]) -> asyncio.Server | None:
    """Counts the connections to a forbidden address. Returns `None` if this machine does not have the address."""

    async def accept(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        accepted[host] += 1
        writer.close()

    try:
        return await asyncio.start_server(accept, host, port)
    except OSError:
        if host == OTHER:
            raise
        return None


def _tracer(trace: Path) -> list[str]:
    """Returns a command that writes the daemon's calls of `connect` into a file; none if strace cannot run here."""
    tracer = ["strace", "-f", "--seccomp-bpf", "-ttt", "-T", "-yy", "-e", "trace=connect", "-o"]
    if not shutil.which("strace") or subprocess.run([*tracer, os.devnull, "true"], capture_output=True).returncode:
        return []
    # The daemon stays the child process, and the tracer ends with it.
    return [*tracer, str(trace), "-D"]
