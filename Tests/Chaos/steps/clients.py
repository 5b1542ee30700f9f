"""Hostile clients of the listeners with and without TLS, beside a caller that behaves well.

Each flood is tried on one connection first, which must end with the right error. Then several connections repeat it
while the caller sends texts on connections of its own, in turns with the same caller alone.
"""

from __future__ import annotations

import asyncio
import os
import ssl
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import hostile_clients as hostile
import hostile_floods
from client import Client
from context import Context
from daemon import Daemon
from measuring import Peak, milliseconds
from origin import free_port
from processes import ChildProcess, make_certificate
from text_caller import BUSY, TextCaller

_RATE = 50.0
_FLOODERS = 8
_SLOW = 500
_IDLE = 10_000
_MIB = 1 << 20
# Private memory that an attack may add to that of the daemon alone.
_MEMORY = {"idle": 192 * _MIB, "window of zero": 192 * _MIB}
_OTHER_MEMORY = 64 * _MIB
# The large responses that no client reads, on 4,100 streams, and the memory that they may keep when all have ended.
_UNREAD = tuple(hostile.UNREAD + path for path in ("/openapi.json", "/metrics", "/v1/hosts?limit=100"))
_UNREAD_CONNECTIONS = 41
_KEPT = 32 * _MIB
# The time after which a quiet daemon has given memory back, in seconds.
_QUIET = 30
_SCOPES = ("submit", "read", "cancel", "events", "warm", "admin")


@dataclass
class _Bench:
    """A daemon with one listener, and the caller that behaves well."""

    context: Context
    name: str
    daemon: Daemon
    target: hostile_floods.Target
    client: Client
    # Descriptors of the daemon without a connection.
    descriptors: int = 0

    async def alone(self, seconds: float) -> TextCaller:
        texts = TextCaller(self.client, _RATE)
        await texts.run(seconds)
        return texts


async def run(context: Context) -> None:
    certificate, key = make_certificate(context.folder)
    made = subprocess.run(
        [context.programs.appgroupd, "token", "new", "--group", "*", *(
            argument for scope in _SCOPES for argument in ("--scope", scope))],
        check=True, capture_output=True, text=True)
    access = made.stderr.replace("auth:\n", "auth:\n  required: always\n", 1)
    tls = f"tls: {{certificateFile: {certificate}, keyFile: {key}}}\n"
    plain = await _bench(context, "plain", access, made.stdout.strip(), None)
    secure = await _bench(context, "tls", access + tls, made.stdout.strip(), certificate)
    for bench in (plain, secure):
        await _refusals(bench)
    for bench in (plain, secure):
        # Starts what the first requests start.
        await bench.alone(1)
        bench.descriptors = await _resting(bench)
        for attack, connections in _attacks(bench):
            await _beside(bench, attack, connections)
        status = await bench.daemon.terminate()
        context.judge(f"{bench.name}: SIGTERM ends it with status 0", f"status {status}", status == 0)


def _attacks(bench: _Bench) -> list[tuple[str, int]]:
    """Returns the attacks and the numbers of their connections. A short run has some of the floods, and fewer clients."""
    is_short, is_secure = bench.context.is_short, bench.target.certificate is not None
    floods = [*(hostile_floods.HTTP2 if is_secure else []), *hostile_floods.HTTP1]
    slow = _SLOW // 5 if is_short else _SLOW
    attacks = [(flood, _FLOODERS) for flood in (floods[::10] if is_short else floods)]
    if is_secure:
        attacks += [("handshakes", _FLOODERS), ("window of zero", slow)]
        attacks += [(unread, _UNREAD_CONNECTIONS) for unread in _UNREAD]
    attacks += [("slowloris", slow), ("half-open", slow), ("half-closed", slow)]
    if not is_short or not is_secure:
        attacks.append(("idle", _IDLE))
    return attacks


async def _bench(context: Context, name: str, configuration: str, token: str, certificate: Path | None) -> _Bench:
    port = free_port("127.0.0.1")
    daemon = await context.start(
        context.folder / name, ["--listen", f"127.0.0.1:{port}", "--log-level", "error"], configuration, name)
    tls = None
    if certificate:
        tls = ssl.create_default_context(cafile=str(certificate))
        tls.set_alpn_protocols(["http/1.1"])
    client = Client(("127.0.0.1", port), tls, {"Authorization": f"Bearer {token}"})
    target = hostile_floods.Target(port, str(certificate) if certificate else None, token)
    return _Bench(context, name, daemon, target, client)


async def _refusals(bench: _Bench) -> None:
    """Tries each flood and each ambiguous request on one connection."""
    floods = {**hostile_floods.HTTP2, **hostile_floods.HTTP1} if bench.target.certificate else hostile_floods.HTTP1
    endings = {name: await asyncio.to_thread(hostile.tried, bench.target, flood) for name, flood in floods.items()}
    wrong = {name: ending for name, ending in endings.items() if ending not in floods[name].endings}
    bench.context.judge(
        f"{bench.name}: each flood ends its connection with the right error",
        f"{len(endings) - len(wrong)} of {len(endings)}{f', but {wrong}' if wrong else ''}", not wrong)
    read = {name: await asyncio.to_thread(hostile.smuggled, bench.target, name) for name in hostile_floods.SMUGGLING}
    wrong = {name: ending for name, ending in read.items() if ending != "1 response, status 400, closed"}
    bench.context.judge(
        f"{bench.name}: each request that can be read in two ways gets 400, and its connection ends",
        f"{len(read) - len(wrong)} of {len(read)}{f', but {wrong}' if wrong else ''}", not wrong)


async def _beside(bench: _Bench, attack: str, connections: int) -> None:
    """Measures the caller alone, and then beside an attack."""
    context, daemon = bench.context, bench.daemon
    beside = f"{bench.name}, beside {connections} × {attack}"
    output = context.folder / f"{bench.name}-{attack.replace('/', '-')}.endings"
    seconds, beginning = max(0.3, context.seconds / 20), min(1.0, max(0.3, context.seconds / 20))
    alone = await bench.alone(seconds)
    memory = daemon.private_bytes
    attackers = ChildProcess(
        [sys.executable, "-B", str(Path(__file__).parents[1] / "hostile_clients.py"), attack, str(bench.target.port),
         str(connections), "--token", bench.target.token, "--source", bench.target.elsewhere().source,
         *(["--certificate", bench.target.certificate] if bench.target.certificate else [])],
        context.folder / "attackers.log", output)
    context.stack.callback(attackers.kill)
    peak, processor = Peak(lambda: daemon.private_bytes), daemon.processor_seconds
    first, texts = TextCaller(bench.client, _RATE), TextCaller(bench.client, _RATE)
    begun = asyncio.get_running_loop().time()
    async with peak.running():
        await _ready(output)
        # The first connections of an address reach the limits of floods, and then its further connections are refused.
        await first.run(beginning)
        await texts.run(seconds)
    share = (daemon.processor_seconds - processor) / (asyncio.get_running_loop().time() - begun)
    attackers.kill()
    endings = Counter(output.read_text().splitlines())
    endings.subtract(["ready"])
    context.say(f"{beside}: {dict(+endings)}; the daemon took {share:.2f} cores")
    context.judge(
        f"{beside}: each text is answered 200", f"{first.statuses} at first, then {texts.statuses}",
        first.statuses.besides(200) + texts.statuses.besides(200) == 0)
    context.measure(f"{beside}: p99 of texts at first", milliseconds(first.p99))
    ratio = texts.p99 / alone.p99 if alone.p99 else float("inf")
    figure = f"{ratio:.2f} times, {milliseconds(texts.p99)} instead of {milliseconds(alone.p99)}"
    most_ratio = 2.0 if attack in _UNREAD else 1.3
    promise, timer = f"{beside}: p99 of texts at most {most_ratio:g} times that without", max(texts.timer, alone.timer)
    if timer > BUSY:
        context.measure(promise, f"{figure} (the machine was too busy: a timer was {milliseconds(timer)} late)")
    else:
        context.judge_time(promise, figure, ratio <= most_ratio)
    added, most = peak.value - memory, 192 * _MIB if attack in _UNREAD else _MEMORY.get(attack, _OTHER_MEMORY)
    context.judge(
        f"{beside}: it adds at most {most // _MIB} MiB of private memory", f"{added / _MIB:.0f} MiB", added <= most)
    if attack in _UNREAD and not context.is_short:
        await asyncio.sleep(_QUIET)
        kept = daemon.private_bytes - memory
        context.judge(
            f"{beside}: {_QUIET} s after their end, at most {_KEPT // _MIB} MiB of it are left",
            f"{kept / _MIB:.0f} MiB", kept <= _KEPT)
    left = await _settled(bench, bench.descriptors) - bench.descriptors
    context.judge(f"{beside}: no descriptor is left", f"{left} more than before", left <= 0)


async def _ready(output: Path) -> None:
    """Waits until the attackers have opened their connections."""
    for _ in range(6_000):
        if "ready\n" in output.read_text():
            return
        await asyncio.sleep(0.01)
    raise RuntimeError("the attackers are not ready")


async def _resting(bench: _Bench) -> int:
    """Closes the caller's connections, and returns the number of descriptors when it does not change any more."""
    bench.client.close()
    counts: list[int] = []
    while len(counts) < 20 or len(set(counts[-20:])) > 1:
        counts.append(len(os.listdir(f"/proc/{bench.daemon.pid}/fd")))
        await asyncio.sleep(0.02)
    return counts[-1]


async def _settled(bench: _Bench, most: int) -> int:
    """Closes the caller's connections, and waits until the daemon has at most some descriptors or 5 s have passed.

    Returns the number of its descriptors.
    """
    bench.client.close()
    for _ in range(500):
        if (count := len(os.listdir(f"/proc/{bench.daemon.pid}/fd"))) <= most:
            break
        await asyncio.sleep(0.01)
    return count
