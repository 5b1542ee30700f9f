"""nginx of Debian in front of the daemon, with the configuration of docs/operate/listen.md."""

from __future__ import annotations

import argparse
import shutil
from pathlib import Path

from context import Context, Skipped
from origin import free_port
from proxies import (
    CAMPAIGN_PAGE, NAME, Proxy, block, check, check_buffered_batch, check_streamed_batch, listens, make_certificate,
    replaced, start_nginx)
from server import Server


async def run(context: Context, options: argparse.Namespace) -> None:
    program = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")
    if program is None:
        raise Skipped("nginx is missing: scripts/setup interop installs it")
    server = await Server.start(context, "http: {trustedProxies: [127.0.0.1]}\n")
    certificate, key = make_certificate(context.folder)
    proxy = await _start(context, program, server, certificate, key, block("nginx"))
    await check(proxy)
    await check_buffered_batch(proxy)
    streaming = replaced(block("nginx"), {"    location / {": block("nginx", CAMPAIGN_PAGE) + "\n    location / {"})
    proxy = await _start(context, program, server, certificate, key, streaming)
    await check_streamed_batch(proxy)


async def _start(
        context: Context, program: str, server: Server, certificate: Path, key: Path, configuration: str) -> Proxy:
    port = free_port("127.0.0.1")
    configuration = replaced(configuration, {
        "127.0.0.1:8480": f"127.0.0.1:{server.port}", "listen 443 ": f"listen 127.0.0.1:{port} ",
        f"/etc/nginx/{NAME}.pem": str(certificate), f"/etc/nginx/{NAME}.key": str(key)})
    process, log = start_nginx(context, program, port, configuration)
    proxy = Proxy(context, server, port, certificate)
    await listens(port, process, log)
    return proxy
