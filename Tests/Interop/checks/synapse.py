"""Synapse calls the push gateway of docs/use/matrix-gateway.md: a message, an image, the badge, the reading of a room,
and messages while the daemon is killed and started again."""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import json
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from client import Response
from context import PROJECT, Context
from homeserver import Account, Homeserver
from server import Server

_PATH = "/_matrix/push/v1/notify"
_GROUP = "group.com.example.app"
# The pushers of one user: the daemon is called directly, and through a relay.
_DIRECT = ("com.example.app.ios.dev", "ZGlyZWN0")
_RELAYED = ("com.example.app.android", "cmVsYXllZA")
_IMAGE = PROJECT / "fixtures" / "media" / "photo-small.jpg"
# Seconds in which a result must exist. Synapse repeats a push after 1 s, 2 s, 4 s and so on.
_PATIENCE = 30


async def run(context: Context, options: argparse.Namespace) -> None:
    homeserver = await Homeserver.start(context)
    alice, bob = await homeserver.register("alice"), await homeserver.register("bob")
    room = await alice.make_room("Garden", bob)
    walk = await _Walk.start(context, homeserver, bob)
    await walk.discovery()
    relay = await _Relay.start(walk.server.port)
    try:
        await bob.set_pusher(*_DIRECT, f"{walk.server.url}{_PATH}")
        await bob.set_pusher(*_RELAYED, f"http://127.0.0.1:{relay.port}{_PATH}")
        await _messages(walk, alice, bob, room)
        await _lost_response(walk, alice, room, relay)
        await _killed_daemon(walk, alice, room)
        keys = await bob.push_keys()
        context.judge("Synapse keeps both pushers", f"{len(keys)} pushers", keys == {_DIRECT[1], _RELAYED[1]})
        await walk.count()
    finally:
        relay.close()


async def _messages(walk: _Walk, alice: Account, bob: Account, room: str) -> None:
    text = await walk.result(await alice.send_text(room, "Hello"))
    content, details = text["content"], text["details"]
    walk.context.judge(
        "a message has a result with its texts", f"{content['title']}, {content['subtitle']}, {content['body']}",
        (content["title"], content["subtitle"], content["body"]) == ("Garden", "alice", "Hello"))
    walk.context.judge(
        "the app's id names group, profile and environment",
        f"{text['appGroup']}, {text['profile']}, {details['environment']}",
        (text["appGroup"], text["profile"], details["environment"]) == (_GROUP, "ios", "development"))
    source = await alice.upload(_IMAGE, "image/jpeg")
    event = await alice.send(room, {
        "msgtype": "m.image", "body": "photo.jpg", "url": source,
        "info": {"mimetype": "image/jpeg", "size": _IMAGE.stat().st_size}})
    image = await walk.result(event)
    kinds = [each["mimeType"] for each in image["content"]["attachments"]]
    walk.context.judge(
        "an image is fetched from Synapse with its token", f"{image['outcome']}, {', '.join(kinds)}",
        image["outcome"] == "rich" and kinds == ["image/jpeg"])
    badges = [result["content"]["badge"] for result in (text, image)]
    walk.context.judge("the badge counts the unread messages", f"{badges}", badges[1] == badges[0] + 1)
    both = await walk.result(event, _RELAYED)
    walk.context.judge(
        "the same event has a result for the other device", f"{both['outcome']}, {both['profile']}",
        both["outcome"] == "rich" and both["profile"] == "android")
    await bob.read(room, event)
    badge = await walk.badge(_DIRECT[1])
    walk.context.judge(
        "the reading of the room changes the badge", f"{badge['outcome']}, badge {badge['content']['badge']}",
        badge["outcome"] == "passthrough" and badge["content"]["badge"] == 0 and not badge["content"]["body"])


async def _lost_response(walk: _Walk, alice: Account, room: str, relay: _Relay) -> None:
    relay.loses_next = True
    result = await walk.result(await alice.send_text(room, "Once"), _RELAYED)
    await walk.until(lambda: relay.calls_after_loss > 0)
    joined = await walk.joined()
    walk.context.judge(
        "a push whose response is lost is repeated, and joined", f"{result['content']['body']}, joined: {joined}",
        result["content"]["body"] == "Once" and joined == 1)


async def _killed_daemon(walk: _Walk, alice: Account, room: str) -> None:
    known = await alice.send_text(room, "Before")
    # The daemon may have answered, or only stored the push, or neither.
    walk.kill()
    missed = [await alice.send_text(room, f"Meanwhile {number}") for number in range(3)]
    await asyncio.sleep(1.5)
    await walk.restart()
    results = [await walk.result(event) for event in [known, *missed]]
    bodies = [result["content"]["body"] for result in results]
    walk.context.judge(
        "messages while the daemon is killed have results after its start", f"{len(bodies)} results",
        bodies == ["Before", "Meanwhile 0", "Meanwhile 1", "Meanwhile 2"])


@dataclass
class _Walk:
    """The daemon, and the results that its callers see."""

    context: Context
    server: Server
    events: _Events

    @classmethod
    async def start(cls, context: Context, homeserver: Homeserver, reader: Account) -> _Walk:
        token = context.folder / "homeserver-token"
        token.touch(mode=0o600)
        token.write_text(reader.token)
        fetch = {
            "allowAddresses": ["127.0.0.0/8"], "allowPorts": [homeserver.tls_port],
            "hosts": {"127.0.0.1": {"caFile": str(homeserver.certificate)}}}
        matrix = {
            "gateway": "open", "homeserver": f"https://127.0.0.1:{homeserver.tls_port}", "tokenFile": str(token),
            "apps": {"com.example.app*": {"group": _GROUP}}}
        # JSON is YAML.
        configuration = f"fetch: {json.dumps(fetch)}\nmatrix: {json.dumps(matrix)}\n"
        server = await Server.start(context, configuration)
        return cls(context, server, await _Events.follow(server.daemon.socket))

    async def discovery(self) -> None:
        answer = await self.server.client.call("GET", _PATH)
        unknown = await self.server.client.call("POST", "/_matrix/push/v2/notify", b"{}")
        self.context.judge(
            "clients of UnifiedPush discover the gateway, and an unknown path is unrecognized",
            f"{answer.status}, {unknown.status} {unknown.json.get('errcode')}",
            answer.json == {"unifiedpush": {"gateway": "matrix"}} and unknown.status == 404
            and unknown.json["errcode"] == "M_UNRECOGNIZED")

    def kill(self) -> None:
        self.events.end()
        self.server.daemon.kill()

    async def restart(self) -> None:
        daemon = self.server.daemon
        again = await self.context.start(
            root=daemon.root, options=["--listen", f"127.0.0.1:{self.server.port}"],
            configuration=(self.context.folder / f"daemon-{self.server.port}.yaml").read_text(),
            name=f"daemon-{self.server.port}-again")
        self.server = Server(again, self.server.port, self.server.token)
        self.events = await _Events.follow(again.socket, self.events.emitted)

    async def result(self, event: str, device: tuple[str, str] = _DIRECT) -> dict[str, Any]:
        """Waits for the result of an event, and returns it."""
        parts = json.dumps([event, *device, ""], separators=(",", ":"))
        identifier = f"matrix-{hashlib.sha256(parts.encode()).hexdigest()}"
        return await self._result(identifier)

    async def _result(self, identifier: str) -> dict[str, Any]:
        end = asyncio.get_running_loop().time() + _PATIENCE
        answer: Response | None = None
        while asyncio.get_running_loop().time() < end:
            answer = await self.server.daemon.client.call(
                "GET", f"/v1/notifications/{identifier}?group={_GROUP}&wait=10s")
            if answer.status == 200 and "outcome" in answer.json:
                return dict(answer.json)
            await asyncio.sleep(0.05)
        raise RuntimeError(f"there is no result: {answer.status if answer else 0}")

    async def badge(self, push_key: str) -> dict[str, Any]:
        """Waits for a result of the device that belongs to no event, and returns it."""
        found: list[str] = []
        # Events have a digest of the name in its place.
        digest = hashlib.sha256(f"{_GROUP}\n{push_key}".encode()).hexdigest()[:32]

        def is_there() -> bool:
            found[:] = [
                each["id"] for each in self.events.emitted
                if each.get("recipient") == digest and not each["id"].startswith("matrix-")]
            return bool(found)

        await self.until(is_there)
        return await self._result(found[-1])

    async def joined(self) -> int:
        for line in (await self.server.daemon.client.call("GET", "/metrics")).body.decode().splitlines():
            if line.startswith('appgroupd_matrix_devices_total{result="joined"}'):
                return int(float(line.split()[-1]))
        return 0

    async def until(self, holds: Callable[[], bool]) -> None:
        end = asyncio.get_running_loop().time() + _PATIENCE
        while not holds():
            if asyncio.get_running_loop().time() > end:
                raise RuntimeError("it does not happen")
            await asyncio.sleep(0.02)

    async def count(self) -> None:
        """Each event has one result for each device, over both runs of the daemon."""
        await self.server.daemon.settled()
        emitted = [each["id"] for each in self.events.emitted]
        twice = {each for each in emitted if emitted.count(each) > 1}
        self.context.judge(
            "each event has exactly one result for each device", f"{len(emitted)} results, {len(twice)} twice",
            not twice)


@dataclass
class _Events:
    """The emissions that the daemon reports."""

    emitted: list[dict[str, Any]]
    _task: asyncio.Task[None] | None = None

    @classmethod
    async def follow(cls, socket: str, earlier: list[dict[str, Any]] | None = None) -> _Events:
        events = cls(list(earlier or []))
        reader, writer = await asyncio.open_unix_connection(socket)
        writer.write(b"GET /v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
        await reader.readuntil(b"\r\n\r\n")
        events._task = asyncio.create_task(events._read(reader, writer))
        return events

    async def _read(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while line := await reader.readline():
                if line.startswith(b"data: ") and b'"outcome"' in line:
                    self.emitted.append(json.loads(line[6:]))
        except OSError:
            pass
        finally:
            writer.close()

    def end(self) -> None:
        if self._task:
            self._task.cancel()


@dataclass
class _Relay:
    """A relay of HTTP calls to the daemon. It can lose a response, so that Synapse does not learn of the work."""

    port: int
    loses_next: bool = False
    losses: int = 0
    calls_after_loss: int = 0
    _server: asyncio.Server | None = None

    @classmethod
    async def start(cls, target: int) -> _Relay:
        relay = cls(0)

        async def pass_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            with suppress(OSError, asyncio.IncompleteReadError, asyncio.CancelledError):
                while True:
                    call = await _message(reader)
                    inner_reader, inner_writer = await asyncio.open_connection("127.0.0.1", target)
                    try:
                        inner_writer.write(call)
                        response = await _message(inner_reader)
                    finally:
                        inner_writer.close()
                    if relay.loses_next:
                        relay.loses_next = False
                        relay.losses += 1
                        break
                    relay.calls_after_loss += relay.losses
                    writer.write(response)
                    await writer.drain()
            writer.close()

        relay._server = await asyncio.start_server(pass_on, "127.0.0.1", 0)
        relay.port = relay._server.sockets[0].getsockname()[1]
        return relay

    def close(self) -> None:
        if self._server:
            self._server.close()


async def _message(reader: asyncio.StreamReader) -> bytes:
    """Reads one HTTP message with its body."""
    head = await reader.readuntil(b"\r\n\r\n")
    fields = dict(line.lower().split(b":", 1) for line in head.split(b"\r\n")[1:] if b":" in line)
    return head + await reader.readexactly(int(fields.get(b"content-length", b"0")))
