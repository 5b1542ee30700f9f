"""A phone's walk: a gateway sends a push through the daemon to a service like FCM, and the phone downloads the picture
of the push that the service delivers. The same through nginx and Caddy with the configurations of
docs/operate/serving-renditions.md."""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import json
import re
import shutil
from typing import Any

from context import PROJECT, Context
from origin import Origin, free_port
from proxies import block_with, listens, replaced, start_caddy, start_nginx
from server import Server

_PAGE = PROJECT / "docs" / "operate" / "serving-renditions.md"


async def run(context: Context, options: argparse.Namespace) -> None:
    origin = Origin(context.programs, PROJECT / "fixtures" / "media", context.folder / "origin.log")
    context.stack.callback(origin.kill)
    await origin.ready()
    for name, front, accel in (
            ("the daemon", None, False), ("nginx", _nginx, False), ("nginx with X-Accel-Redirect", _nginx, True),
            ("Caddy", _caddy, False)):
        port = free_port("127.0.0.1")
        server = await _server(context, f"http://127.0.0.1:{port}" if front else None, accel)
        if front:
            await front(context, server, port)
        await _walk(context, name, server, origin, accel)


async def _server(context: Context, url: str | None, accel: bool) -> Server:
    key = context.folder / "media.key"
    key.touch(mode=0o600)
    key.write_text("k" * 43)
    media = f"media: {{signingKeyFile: {key}{', accelRedirect: /renditions' if accel else ''}}}\n"
    return await Server.start(
        context, f"fetch: {{allowAddresses: [127.0.0.0/8]}}\n{media}", public_url=url, is_public=True)


class _PushService:
    """A service that takes messages as FCM does, and keeps what it would deliver."""

    def __init__(self) -> None:
        self.messages: list[dict[str, Any]] = []
        self.port = 0

    async def start(self) -> asyncio.Server:
        server = await asyncio.start_server(self._answer, "127.0.0.1", 0)
        self.port = server.sockets[0].getsockname()[1]
        return server

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        length = int(re.search(r"content-length: (\d+)", head, re.IGNORECASE)[1])
        message = json.loads(await reader.readexactly(length)).get("message", {})
        image = message.get("notification", {}).get("image", "")
        # FCM refuses a message without a receiver, and fetches no image that is not a URL.
        is_valid = "token" in message and image.startswith("http")
        if is_valid:
            self.messages.append(message)
        writer.write(f"HTTP/1.1 {'200 OK' if is_valid else '400 Bad Request'}\r\nContent-Length: 2\r\n\r\n{{}}".encode())
        await writer.drain()
        writer.close()


async def _walk(context: Context, name: str, server: Server, origin: Origin, is_accelerated: bool) -> None:
    push = {
        "message": {
            "token": "device-1", "notification": {
                "title": "Summer", "body": "Three days at sea", "image": origin.url("photo-small.jpg")}}}
    service = _PushService()
    listener = await service.start()
    try:
        # The gateway: it sends the push to the daemon, and what it gets to the service.
        envelope = {"payload": push, "profile": "android"}
        answer = await server.client.call(
            "POST", "/v1/notifications", json.dumps(envelope).encode(), headers=server.headers)
        result = answer.json
        sent = await _curl("-d", json.dumps(result["push"]["payload"]), f"http://127.0.0.1:{service.port}/send")
    finally:
        listener.close()
        await listener.wait_closed()
    context.judge(
        f"{name}: the service takes push.payload", f"{result['outcome']}, status {sent[0]}",
        result["outcome"] == "rich" and sent[0] == 200 and len(service.messages) == 1)
    if not service.messages:
        return
    # The phone: it knows the delivered message only.
    url = service.messages[0]["notification"]["image"]
    attachment = result["content"]["attachments"][0]
    status, headers, body = await _curl(url)
    context.judge(
        f"{name}: the phone gets the rendition",
        f"{status}, {headers.get('content-type')}, {len(body)} bytes",
        status == 200 and headers.get("content-type") == attachment["mimeType"]
        and len(body) == attachment["bytes"] and hashlib.sha256(body).hexdigest() == attachment["sha256"])
    wanted = {
        "x-content-type-options": "nosniff", "content-security-policy": "default-src 'none'; sandbox",
        "access-control-allow-origin": "*"}
    lacking = [field for field, value in wanted.items() if headers.get(field) != value]
    lacking += [] if "immutable" in headers.get("cache-control", "") else ["cache-control"]
    context.judge(f"{name}: the fields that protect readers", f"without {lacking}" if lacking else "all", not lacking)
    status, headers, part = await _curl("-r", "1000-1999", url)
    context.judge(
        f"{name}: a range", f"{status}, {headers.get('content-range')}", status == 206 and part == body[1000:2000]
        and headers.get("content-range") == f"bytes 1000-1999/{len(body)}")
    base = url.split("/v1/media/")[0]
    bad = {
        "unsigned": url.split("?")[0], "forged": url[:-1] + ("A" if url[-1] != "A" else "B"),
        "another end": url.replace("expires=", "expires=1"),
        "another group": url.replace("/group.default/", "/group.other/"),
        "another type": url.replace(".jpg", ".png"),
        "a file of the root": f"{base}/v1/media/group.default/..%2Findex.sqlite"}
    if is_accelerated:
        bad["an internal location"] = f"{base}/renditions/group.default/index.sqlite"
    answers = {what: (await _curl("--path-as-is", each))[0] for what, each in bad.items()}
    wrong = {what: status for what, status in answers.items() if status not in (403, 404)}
    context.judge(f"{name}: other URLs are refused", f"{len(bad)} URLs, {wrong or 'all refused'}", not wrong)


async def _curl(*arguments: str) -> tuple[int, dict[str, str], bytes]:
    """Returns the status, the header fields and the body of a response; status 0 if there was none."""
    process = await asyncio.create_subprocess_exec(
        "curl", "-sS", "-i", "--max-time", "20", "--noproxy", "*", *arguments, stdout=asyncio.subprocess.PIPE)
    output, _ = await process.communicate()
    head, _, body = output.partition(b"\r\n\r\n")
    first, *lines = head.decode("latin-1").split("\r\n")
    fields = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines)}
    return int(first.split(" ")[1]) if first else 0, fields, body


async def _nginx(context: Context, server: Server, port: int) -> None:
    program = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")
    if program is None:
        raise RuntimeError("nginx is missing: scripts/setup interop installs it")
    locations = replaced(block_with("nginx", "proxy_pass", _PAGE), {"127.0.0.1:8480": f"127.0.0.1:{server.port}"})
    locations += replaced(
        block_with("nginx", "internal;", _PAGE), {"/var/lib/appgroupd/": f"{server.daemon.root}/"})
    process, log = start_nginx(context, program, port, f"server {{\nlisten 127.0.0.1:{port};\n{locations}}}\n")
    await listens(port, process, log)


async def _caddy(context: Context, server: Server, port: int) -> None:
    site = replaced(block_with("caddyfile", "handle", _PAGE), {"127.0.0.1:8480": f"127.0.0.1:{server.port}"})
    process, log = start_caddy(
        context, "caddy-media", "auto_https off\n", f"http://127.0.0.1:{port} {{\n{site}}}\n")
    await listens(port, process, log)
