"""The proxies of docs/operate/listen.md: their configurations are read from the page, and run in front of a daemon."""

from __future__ import annotations

import asyncio
import getpass
import json
import os
import re
import ssl
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import payloads
from client import ConnectionLost
from context import PROJECT, Context
from processes import ChildProcess
from server import Server

NAME = "push.example.com"
# The address of the client, which the proxy sees and the daemon does not.
_CLIENT = "127.0.0.3"
_PAGE = PROJECT / "docs" / "operate" / "listen.md"
CAMPAIGN_PAGE = PROJECT / "docs" / "use" / "campaign.md"
# Seconds after which an event was held back.
_LATE = 1.0


def block(language: str, page: Path = _PAGE) -> str:
    """Returns the block of a language on a page."""
    return block_with(language, "", page)


def block_with(language: str, part: str, page: Path) -> str:
    """Returns the block of a language on a page that has a text in it."""
    found = re.findall(rf"^```{language}\n(.*?)^```$", page.read_text(), re.MULTILINE | re.DOTALL)
    found = [each for each in found if part in each]
    if len(found) != 1:
        raise ValueError(f"{page} has {len(found)} blocks of {language} with {part!r}")
    return str(found[0])


def replaced(text: str, replacements: dict[str, str]) -> str:
    """Replaces the places of the page by those of the test. Raises `ValueError` for a place that the page lacks."""
    for old, new in replacements.items():
        if old not in text:
            raise ValueError(f"the page does not have {old!r} any more")
        text = text.replace(old, new)
    return text


def make_certificate(folder: Path) -> tuple[Path, Path]:
    """Makes a certificate of the proxy's name that is its own authority."""
    certificate, key = folder / "proxy.pem", folder / "proxy.key"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
         "-subj", f"/CN={NAME}", "-addext", f"subjectAltName=DNS:{NAME}", "-keyout", str(key), "-out",
         str(certificate)], check=True, capture_output=True)
    return certificate, key


def start_nginx(context: Context, program: str, port: int, configuration: str) -> tuple[ChildProcess, Path]:
    """Starts nginx with a configuration of its block `http`, and returns its process and its log."""
    folder = context.folder / f"nginx-{port}"
    folder.mkdir()
    log, file = folder / "nginx.log", folder / "nginx.conf"
    places = "".join(
        f"{kind}_temp_path {folder}/nginx-{kind};\n" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    file.write_text(
        f"daemon off;\nmaster_process off;\nuser {getpass.getuser()};\npid {folder}/nginx.pid;\nerror_log {log};\n"
        f"events {{}}\nhttp {{\naccess_log off;\n{places}{configuration}}}\n")
    process = ChildProcess([program, "-e", str(log), "-c", str(file), "-p", str(folder)], log)
    context.stack.callback(process.kill)
    return process, log


def start_caddy(context: Context, name: str, options: str, sites: str) -> tuple[ChildProcess, Path]:
    """Starts Caddy of PyPI with a configuration of its sites, and returns its process and its log.

    :param options: global options. Caddy has no server of its own for administration or for redirects in any case.
    """
    folder, log = context.folder, context.folder / f"{name}.log"
    file = folder / f"{name}.Caddyfile"
    file.write_text(
        "{\nadmin off\npersist_config off\ndefault_bind 127.0.0.1\n"
        f"storage file_system {folder}/caddy\n{options}}}\n{sites}")
    os.environ |= {"XDG_CONFIG_HOME": str(folder), "XDG_DATA_HOME": str(folder)}
    process = ChildProcess(
        [str(Path(sys.executable).parent / "caddy"), "run", "--config", str(file), "--adapter", "caddyfile"], log)
    context.stack.callback(process.kill)
    return process, log


async def listens(port: int, process: ChildProcess, log: Path) -> None:
    """Waits until a proxy answers on its port."""
    for _ in range(1_000):
        if process.status is not None:
            raise RuntimeError(f"the proxy ended with status {process.status}: {log.read_text()[-800:]}")
        try:
            _, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.close()
            return
        except OSError:
            await asyncio.sleep(0.01)
    raise RuntimeError("the proxy does not listen")


@dataclass(frozen=True)
class Proxy:
    """A proxy that listens, and the daemon that it calls."""

    context: Context
    server: Server
    port: int
    certificate: Path

    def arguments(self, path: str, options: tuple[str, ...]) -> list[str]:
        return [
            "curl", "-sS", "--max-time", "20", "--noproxy", "*", "--interface", _CLIENT, "--cacert",
            str(self.certificate), "--resolve", f"{NAME}:{self.port}:127.0.0.1", "-H",
            f"Authorization: Bearer {self.server.token}", *options, f"https://{NAME}:{self.port}{path}"]

    def call(self, path: str, *options: str) -> tuple[int, str]:
        """Returns the status and the body of the response to a call; status 0 if there was none."""
        done = subprocess.run(
            self.arguments(path, ("-w", "\n%{http_code}", *options)), capture_output=True, text=True)
        body, _, status = done.stdout.rpartition("\n")
        return int(status or 0), body


async def check(proxy: Proxy) -> None:
    context = proxy.context
    for version in ("--http2", "--http1.1"):
        status, body = proxy.call(
            "/v1/notifications", version, "-d", payloads.text("through a proxy").decode())
        outcome = json.loads(body)["outcome"] if status == 200 else body[:80]
        context.judge(f"a submit ({version[2:]}) is answered 200", f"{status} {outcome}", status == 200)
    status, _ = proxy.call("/healthz", "-H", "Host: evil.example")
    context.judge(f"another Host is refused", f"{status}", status == 421)
    await _addresses(proxy)
    await _events(proxy)
    size = 4 << 20
    large = context.folder / "large.json"
    large.write_bytes(payloads.padded(size + 1))
    status, _ = proxy.call("/v1/notifications", "--data-binary", f"@{large}")
    context.judge(f"a body beyond requests.bodyBytes gets 413", f"{status}", status == 413)
    large.write_bytes(payloads.padded(size - 1))
    status, _ = proxy.call("/v1/notifications", "--data-binary", f"@{large}", "-o", "/dev/null")
    context.judge(f"a body of requests.bodyBytes gets 200", f"{status}", status == 200)


_BATCH = "/v1/notifications:batch"


async def check_buffered_batch(proxy: Proxy) -> None:
    """A batch that the proxy collects has all of its results."""
    lines = b"".join(payloads.text("batch", id=f"buffered-{number}") + b"\n" for number in range(100))
    file = proxy.context.folder / "batch.ndjson"
    file.write_bytes(lines)
    status, body = proxy.call(_BATCH, "--data-binary", f"@{file}")
    results = [json.loads(line) for line in body.splitlines()]
    proxy.context.judge(
        "a batch that the proxy collects has all results", f"{status}, {len(results)} lines",
        status == 200 and len(results) == 101 and results[-1]["summary"]["complete"])


async def check_streamed_batch(proxy: Proxy) -> None:
    """Each result of a batch comes through the proxy before the client sends the next line."""
    trust = ssl.create_default_context(cafile=str(proxy.certificate))
    reader, writer = await asyncio.open_connection(
        "127.0.0.1", proxy.port, ssl=trust, server_hostname=NAME, local_addr=(_CLIENT, 0))
    try:
        writer.write(
            f"POST {_BATCH} HTTP/1.1\r\nHost: {NAME}\r\nAuthorization: Bearer {proxy.server.token}\r\n"
            "Transfer-Encoding: chunked\r\n\r\n".encode())
        delays = []
        for number in range(5):
            line = payloads.text("batch", id=f"streamed-{number}") + b"\n"
            writer.write(f"{len(line):x}\r\n".encode() + line + b"\r\n")
            sent = time.monotonic()
            await asyncio.wait_for(reader.readuntil(f'{{"line":{number + 1},'.encode()), 10)
            delays.append(time.monotonic() - sent)
        writer.write(b"0\r\n\r\n")
        await asyncio.wait_for(reader.readuntil(b'{"summary":{"lines":5,'), 10)
        proxy.context.judge(
            "results of a batch come within a second", f"worst of 5: {max(delays) * 1000:.0f} ms", max(delays) < _LATE)
    finally:
        writer.close()


async def _addresses(proxy: Proxy) -> None:
    """The log of the daemon has the address of the client, also if the client writes the fields of a proxy itself."""
    forged = ("-H", "X-Forwarded-For: 203.0.113.9", "-H", "Forwarded: for=203.0.113.9")
    for what, options in (("", ()), (" that forges the fields", forged)):
        known = len(proxy.server.answers)
        proxy.call("/v1/status", *options)
        addresses = [line["client"] for line in await proxy.server.answers_after(known)]
        proxy.context.judge(
            f"the log has the address of a client{what}", f"{', '.join(addresses) or 'none'}",
            addresses == [_CLIENT])


async def _events(proxy: Proxy) -> None:
    """Events come through the proxy as soon as the daemon sends them."""
    async with _stream(proxy) as lines:
        # The head of the response shows that the stream is open.
        while not (head := await asyncio.wait_for(lines.readline(), 10)).startswith(b"HTTP/2 200"):
            if not head:
                raise ConnectionLost("there is no stream")
        delays = []
        for number in range(5):
            response = await proxy.server.daemon.client.post(
                payloads.text("event", id=f"event-{number}"))
            done = time.monotonic()
            assert response.status == 200
            await _emitted(lines, f"event-{number}")
            delays.append(time.monotonic() - done)
        proxy.context.judge(
            f"events come within a second", f"worst of {len(delays)}: {max(delays) * 1000:.0f} ms",
            max(delays) < _LATE)


async def _emitted(lines: asyncio.StreamReader, identifier: str) -> None:
    """Reads the stream up to the emission of a request."""
    while line := await asyncio.wait_for(lines.readline(), 10):
        if f'"id":"{identifier}"'.encode() in line and b'"outcome"' in line:
            return
    raise ConnectionLost("the stream ended")


@asynccontextmanager
async def _stream(proxy: Proxy) -> AsyncIterator[asyncio.StreamReader]:
    process = await asyncio.create_subprocess_exec(
        *proxy.arguments("/v1/events", ("-N", "--http2", "-D", "-")), stdout=asyncio.subprocess.PIPE)
    assert process.stdout
    try:
        yield process.stdout
    finally:
        process.kill()
        await process.wait()
