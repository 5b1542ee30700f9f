"""Caddy from PyPI in front of the daemon, with the configuration of docs/operate/listen.md."""

from __future__ import annotations

import argparse

from context import Context
from origin import free_port
from proxies import (
    CAMPAIGN_PAGE, NAME, Proxy, block, check, check_streamed_batch, listens, make_certificate, replaced, start_caddy)
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
    # docs/use/campaign.md names the option of the servers.
    options = "auto_https disable_redirects\nservers {\nenable_full_duplex\n}\n"
    process, log = start_caddy(context, "caddy", options, sites)
    proxy = Proxy(context, server, port, certificate)
    await listens(port, process, log)
    await check(proxy)
    await check_streamed_batch(proxy)
