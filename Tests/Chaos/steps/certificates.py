"""Hostile clients of a listener that requires client certificates, beside a caller with a valid certificate.

Each attack is tried on connections of its own first. Then several connections repeat it while the caller sends texts,
in turns with the same caller alone. At the end the authority of the clients is replaced during a flood.
"""

from __future__ import annotations

import asyncio
import shutil
import signal
import ssl
from collections import Counter

import hostile_certificates as hostile
import openssl_client as openssl
from client import Client
from client_certificates import damage_session, make_clients
from context import Context, Skipped
from flood_bench import Attack, Bench, beside, new_token
from hostile_floods import Target
from origin import free_port
from processes import make_certificate

_FLOODERS = 8
_VERSIONS = 2


async def run(context: Context) -> None:
    if not shutil.which("openssl"):
        raise Skipped("the program openssl is not installed")
    bench = await _bench(context)
    await asyncio.to_thread(_steal, bench.target)
    await _refusals(bench)
    # Starts what the first requests start.
    await bench.alone(1)
    await bench.rest()
    # A short run has every fifth flood.
    for name in hostile.ATTACKS[::5] if context.is_short else hostile.ATTACKS:
        attack = Attack(name, _FLOODERS)
        endings = await beside(bench, attack)
        subject = f"{bench.name}, beside {attack.connections} × {name}"
        _judge_responses(bench, f"{subject}: no hostile client gets a response", endings)
        left = await bench.left()
        context.judge(f"{subject}: no descriptor is left", f"{left} more than before", left <= 0)
    await _reload(bench)
    status = await bench.daemon.terminate()
    context.judge(f"{bench.name}: SIGTERM ends it with status 0", f"status {status}", status == 0)


async def _bench(context: Context) -> Bench:
    certificate, key = make_certificate(context.folder)
    make_clients(context.folder)
    authorities = context.folder / "authorities.pem"
    authorities.write_text((context.folder / "ca.pem").read_text())
    token, access = new_token(context)
    port = free_port("127.0.0.1")
    tls = f"tls: {{certificateFile: {certificate}, keyFile: {key}, clientCAFile: {authorities}}}\n"
    daemon = await context.start(
        options=["--listen", f"127.0.0.1:{port}", "--log-level", "error"], configuration=access + tls)
    target = Target(port, str(certificate), token)
    return Bench(context, "client certificates", daemon, target, _client(target), "hostile_certificates.py")


def _client(target: Target) -> Client:
    """Returns the caller with a valid certificate."""
    tls = ssl.create_default_context(cafile=target.certificate)
    tls.set_alpn_protocols(["http/1.1"])
    tls.load_cert_chain(openssl.file(target, "client.pem"))
    return Client(("127.0.0.1", target.port), tls, {"Authorization": f"Bearer {target.token}"})


def _session(target: Target, version: ssl.TLSVersion) -> str:
    return openssl.file(target, f"client-{version.name}.session")


def _steal(target: Target) -> None:
    """Makes sessions of the valid client, and the same ones without their secrets for another client."""
    valid = openssl.file(target, "client.pem")
    for number in range(_VERSIONS):
        version = hostile.version_of(number)
        session = _session(target, version)
        ending = openssl.call(target, version, ["-cert", valid, "-key", valid, "-sess_out", session])
        if ending != openssl.RESPONSE:
            raise RuntimeError(f"the valid client got no response over {version.name}: {ending}")
        damage_session(session, openssl.file(target, f"stolen-{version.name}.session"))


async def _refusals(bench: Bench) -> None:
    """Tries each attack on one connection of each version of TLS."""
    numbers = [(name, number) for name in hostile.ATTACKS for number in range(_VERSIONS)]
    endings = await asyncio.gather(*(
        asyncio.to_thread(hostile.tried, bench.target.elsewhere(), name, number) for name, number in numbers))
    for (name, number), ending in zip(numbers, endings):
        bench.context.say(f"{name}, {hostile.version_of(number).name}: {ending}")
    _judge_responses(
        bench, f"{bench.name}: no hostile client gets a response, and each connection ends", Counter(endings))
    resumed = [
        await asyncio.to_thread(openssl.call, bench.target, version, ["-sess_in", _session(bench.target, version)])
        for version in map(hostile.version_of, range(_VERSIONS))]
    bench.context.judge(
        f"{bench.name}: a client that resumes its own session gets a response", ", ".join(resumed),
        set(resumed) == {openssl.RESPONSE})


def _judge_responses(bench: Bench, promise: str, endings: Counter[str]) -> None:
    wrong = endings[openssl.RESPONSE], endings[openssl.OPEN]
    bench.context.judge(
        promise, f"{endings.total()} connections, {wrong[0]} responses, {wrong[1]} open", not any(wrong))


async def _reload(bench: Bench) -> None:
    """Replaces the authority of the clients during a flood, and tries the clients of both."""
    context, target = bench.context, bench.target
    attackers, _ = await bench.attackers(Attack("no certificate", _FLOODERS))
    folder = context.folder
    (folder / "authorities.pem").write_text((folder / "next-ca.pem").read_text())
    bench.daemon.process.send(signal.SIGHUP)

    async def ending(name: str, number: int, *options: str) -> str:
        certificate = str(folder / f"{name}.pem")
        return await asyncio.to_thread(
            openssl.call, target, hostile.version_of(number), ["-cert", certificate, "-key", certificate, *options])

    # Until the daemon has read the file.
    for _ in range(100):
        if await ending("next", 0) == openssl.RESPONSE:
            break
    new = [await ending("next", number) for number in range(_VERSIONS)]
    old = [await ending("client", number) for number in range(_VERSIONS)]
    resumed = [await ending("client", number, "-sess_in", _session(target, hostile.version_of(number)))
               for number in range(_VERSIONS)]
    attackers.kill()
    subject = f"{bench.name}, after SIGHUP with another authority during a flood"
    context.judge(f"{subject}: its clients get responses", ", ".join(new), set(new) == {openssl.RESPONSE})
    context.judge(
        f"{subject}: a client of the old one gets none, also with its old session", ", ".join(old + resumed),
        openssl.RESPONSE not in old + resumed)
