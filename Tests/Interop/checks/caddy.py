"""Caddy from PyPI in front of the daemon, with the configuration of docs/operate/listen.md."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from context import Context
from origin import free_port
from processes import ChildProcess
from proxies import CAMPAIGN_PAGE, NAME, Proxy, block, check, check_streamed_batch, make_certificate, replaced
from server import Server


async def run(context: Context, options: argparse.Namespace) -> None:
    server = await Server.start(context, "http: {trustedProxies: [127.0.0.1]}\n")
    certificate, key = make_certificate(context.folder)
    port = free_port("127.0.0.1")
    site = f"https://{NAME} {{\n"
    sites = replaced(block("caddyfile"), {site: site + block("caddyfile", CAMPAIGN_PAGE)})
    sites = replaced(sites, {
        "127.0.0.1:8480": f"127.0.0.1:{server.port}", f"https://{NAME} {{": f"https://{NAME}:{port} {{",
        "https:// {": f"https://:{port} {{", f"/etc/caddy/{NAME}.pem": str(certificate),
        f"/etc/caddy/{NAME}.key": str(key)})
    folder, log = context.folder, context.folder / "caddy.log"
    file = folder / "Caddyfile"
    # No server of its own for administration, for redirects or for certificates.
    file.write_text(
        "{\nadmin off\npersist_config off\nauto_https disable_redirects\ndefault_bind 127.0.0.1\n"
        # docs/use/campaign.md names this option.
        "servers {\nenable_full_duplex\n}\n"
        f"storage file_system {folder}/caddy\n}}\n{sites}")
    os.environ |= {"XDG_CONFIG_HOME": str(folder), "XDG_DATA_HOME": str(folder)}
    process = ChildProcess(
        [str(Path(sys.executable).parent / "caddy"), "run", "--config", str(file), "--adapter", "caddyfile"], log)
    context.stack.callback(process.kill)
    proxy = Proxy(context, server, port, certificate)
    await proxy.listens(process, log)
    await check(proxy)
    await check_streamed_batch(proxy)
