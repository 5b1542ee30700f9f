"""Hostile clients of the listeners with and without TLS, beside a caller that behaves well.

Each flood is tried on one connection first, which must end with the right error. Then several connections repeat it
while the caller sends texts on connections of its own, in turns with the same caller alone.
"""

from __future__ import annotations

import asyncio
import ssl
from pathlib import Path

import hostile_clients as hostile
import hostile_floods
from client import Client
from context import Context
from flood_bench import MIB, Attack, Bench, beside, new_token
from origin import free_port
from processes import make_certificate

_FLOODERS = 8
_SLOW = 500
_IDLE = 10_000
# The large responses that no client reads, on 4,100 streams, and the memory that they may keep when all have ended.
_UNREAD = tuple(hostile.UNREAD + path for path in ("/openapi.json", "/metrics", "/v1/hosts?limit=100"))
_UNREAD_CONNECTIONS = 41
_KEPT = 32 * MIB
# Private memory that an attack with thousands of connections or streams may add.
_LARGE = 192 * MIB
# The time after which a quiet daemon has given memory back, in seconds.
_QUIET = 30


async def run(context: Context) -> None:
    certificate, key = make_certificate(context.folder)
    token, access = new_token(context)
    tls = f"tls: {{certificateFile: {certificate}, keyFile: {key}}}\n"
    plain = await _bench(context, "plain", access, token, None)
    secure = await _bench(context, "tls", access + tls, token, certificate)
    for bench in (plain, secure):
        await _refusals(bench)
    for bench in (plain, secure):
        # Starts what the first requests start.
        await bench.alone(1)
        await bench.rest()
        for attack in _attacks(bench):
            await _beside(bench, attack)
        status = await bench.daemon.terminate()
        context.judge(f"{bench.name}: SIGTERM ends it with status 0", f"status {status}", status == 0)


def _attacks(bench: Bench) -> list[Attack]:
    """Returns the attacks. A short run has some of the floods, and fewer clients."""
    is_short, is_secure = bench.context.is_short, bench.target.certificate is not None
    floods = [*(hostile_floods.HTTP2 if is_secure else []), *hostile_floods.HTTP1]
    slow = _SLOW // 5 if is_short else _SLOW
    attacks = [Attack(flood, _FLOODERS) for flood in (floods[::10] if is_short else floods)]
    if is_secure:
        attacks += [Attack("handshakes", _FLOODERS), Attack("window of zero", slow, _LARGE)]
        attacks += [Attack(unread, _UNREAD_CONNECTIONS, _LARGE, max_ratio=2.0) for unread in _UNREAD]
    attacks += [Attack("slowloris", slow), Attack("half-open", slow), Attack("half-closed", slow)]
    if not is_short or not is_secure:
        attacks.append(Attack("idle", _IDLE, _LARGE))
    return attacks


async def _bench(context: Context, name: str, configuration: str, token: str, certificate: Path | None) -> Bench:
    port = free_port("127.0.0.1")
    daemon = await context.start(
        context.folder / name, ["--listen", f"127.0.0.1:{port}", "--log-level", "error"], configuration, name)
    tls = None
    if certificate:
        tls = ssl.create_default_context(cafile=str(certificate))
        tls.set_alpn_protocols(["http/1.1"])
    client = Client(("127.0.0.1", port), tls, {"Authorization": f"Bearer {token}"})
    target = hostile_floods.Target(port, str(certificate) if certificate else None, token)
    return Bench(context, name, daemon, target, client, "hostile_clients.py")


async def _refusals(bench: Bench) -> None:
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


async def _beside(bench: Bench, attack: Attack) -> None:
    context, memory = bench.context, bench.daemon.private_bytes
    await beside(bench, attack)
    subject = f"{bench.name}, beside {attack.connections} × {attack.name}"
    if attack.name in _UNREAD and not context.is_short:
        await asyncio.sleep(_QUIET)
        kept = bench.daemon.private_bytes - memory
        context.judge(
            f"{subject}: {_QUIET} s after their end, at most {_KEPT // MIB} MiB of it are left",
            f"{kept / MIB:.0f} MiB", kept <= _KEPT)
    left = await bench.left()
    context.judge(f"{subject}: no descriptor is left", f"{left} more than before", left <= 0)
