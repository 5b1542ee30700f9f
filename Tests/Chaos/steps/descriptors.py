"""Callers who try to use up the descriptors of a daemon with a real limit: the daemon does not end, and loses nothing."""

from __future__ import annotations

import asyncio
import json
import os
import time
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

import payloads
from client import Client, ConnectionLost
from context import Context
from daemon import Daemon
from measuring import Peak
from origin import Origin, free_port

_LIMIT = 1_024
# The descriptors that no caller, origin or file can take.
_MARGIN = 32
_CALLERS = 14
_BATCHES = 64
_HALF_OPEN = 400
_BUSY = 8


@dataclass
class _Counts:
    ended: int = 0
    accepted: int = 0
    lost: int = 0
    unanswered: int = 0
    answered: int = 0
    peaks: list[float] = field(default_factory=list)


async def run(context: Context) -> None:
    origin = await context.origin()
    counts = _Counts()
    runs = 2 if context.is_short else 10
    for number in range(runs):
        await _exhaust(context, origin, context.folder / f"root-{number}", counts)
    name = f"{_LIMIT} open files, {_CALLERS} tokens with stored batches, half-open calls"
    context.judge(f"{name}: the daemon does not end", f"{counts.ended} ends in {runs} runs", counts.ended == 0)
    context.judge(
        f"{name}: no accepted batch is lost at the kill", f"{counts.lost} of {counts.accepted:,} lost",
        counts.lost == 0 and counts.accepted > 0)
    context.judge(
        f"{name}: calls on open connections are answered", f"{counts.unanswered} of {counts.answered:,} not",
        counts.unanswered == 0 and counts.answered > 0)
    peak = max(counts.peaks)
    context.judge(
        f"{name}: {_MARGIN} descriptors stay free", f"at most {peak:.0f} are open", peak <= _LIMIT - _MARGIN)


async def _exhaust(context: Context, origin: Origin, root: Path, counts: _Counts) -> None:
    port = free_port("127.0.0.1")
    tokens = [f"agd_{sha256(f'{root}{number}'.encode()).hexdigest()}" for number in range(_CALLERS)]
    configuration = json.dumps({"auth": {"required": "always", "tokens": [
        {"name": f"caller-{number}", "hash": f"sha256:{sha256(token.encode()).hexdigest()}", "groups": ["*"],
         "scopes": ["submit", "read"]} for number, token in enumerate(tokens)]}})
    wrapper = ["sh", "-c", f'ulimit -n {_LIMIT} && exec "$@"', "sh"]
    options = ["--listen", f"127.0.0.1:{port}"]
    daemon = await context.start(root, options, configuration, wrapper=wrapper)
    callers = [Client(("127.0.0.1", port), headers={"Authorization": f"Bearer {token}"}) for token in tokens]
    busy = [Client(("127.0.0.1", port), headers={"Authorization": f"Bearer {tokens[0]}"}) for _ in range(_BUSY)]
    peak = Peak(lambda: float(_descriptors(daemon)))
    half_open: list[asyncio.StreamWriter] = []
    try:
        async with peak.running():
            # Each connection is open before the others are taken.
            for client in busy:
                await client.post(payloads.text("b"))
            stored = await asyncio.gather(
                *(_store(caller, origin, number) for number, caller in enumerate(callers)))
            half_open = await _half_open(port, tokens)
            seconds = 2 if context.is_short else max(3.0, context.seconds / 12)
            results = await asyncio.gather(*(_send(client, seconds) for client in busy))
    finally:
        for writer in half_open:
            writer.transport.abort()
        for client in [*callers, *busy]:
            client.close()
    counts.peaks.append(peak.value)
    counts.ended += daemon.process.status is not None
    counts.answered += sum(answered for answered, _ in results)
    counts.unanswered += sum(unanswered for _, unanswered in results)
    counts.accepted += sum(len(ids) for ids in stored)
    daemon.kill()
    daemon = await context.start(root, options, configuration, wrapper=wrapper)
    for token, ids in zip(tokens, stored, strict=True):
        client = Client(("127.0.0.1", port), headers={"Authorization": f"Bearer {token}"})
        for id in ids:
            counts.lost += (await client.call("GET", f"/v1/batches/{id}")).status != 200
        client.close()
    daemon.kill()


async def _store(client: Client, origin: Origin, number: int) -> list[str]:
    """Stores batches whose media stall, and returns the ids of those that are accepted."""
    accepted = []
    for batch in range(_BATCHES):
        line = payloads.media([origin.url("stall/headers/photo-small.jpg")], "1h", f"line-{number}-{batch}") + b"\n"
        id = f"batch-{number}-{batch}"
        target = f"/v1/notifications:batch?group=g{number}"
        try:
            response = await client.call(
                "POST", target, line, {"Prefer": "respond-async", "Idempotency-Key": id}, timeout=20)
        except (ConnectionLost, TimeoutError):
            continue
        if response.status == 202:
            accepted.append(id)
    return accepted


async def _half_open(port: int, tokens: list[str]) -> list[asyncio.StreamWriter]:
    """Begins calls that send no body."""
    writers: list[asyncio.StreamWriter] = []
    for number in range(_HALF_OPEN):
        try:
            async with asyncio.timeout(0.2):
                _, writer = await asyncio.open_connection("127.0.0.1", port)
        except (OSError, TimeoutError):
            break
        token = tokens[number % len(tokens)]
        writer.write(
            f"POST /v1/notifications:batch HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {token}\r\n"
            "Transfer-Encoding: chunked\r\n\r\n".encode())
        writers.append(writer)
    return writers


async def _send(client: Client, seconds: float) -> tuple[int, int]:
    """Sends requests with refused media over one connection, and returns how many are answered and how many are not."""
    end = time.monotonic() + seconds
    body = payloads.media(["http://10.0.0.1/x.jpg"] * 20)
    answered = unanswered = 0
    while time.monotonic() < end:
        try:
            response = await client.post(body, {"Request-Timeout": "1"}, timeout=20)
        except (ConnectionLost, TimeoutError):
            return answered, unanswered + 1
        answered += response.status in (200, 429, 503)
        unanswered += response.status not in (200, 429, 503)
    return answered, unanswered


def _descriptors(daemon: Daemon) -> int:
    try:
        return len(os.listdir(f"/proc/{daemon.pid}/fd"))
    except OSError:
        return 0
