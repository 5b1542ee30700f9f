"""A homeserver of Matrix on loopback: Synapse of PyPI with SQLite, and its clients."""

from __future__ import annotations

import asyncio
import itertools
import json
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx

from context import Context
from origin import free_port
from processes import ChildProcess, make_certificate

NAME = "hs.example"
# Seconds in which Synapse makes its database and listens.
_START = 60


@dataclass(frozen=True)
class Homeserver:
    """
    :param port: the port of its clients, without TLS.
    :param tls_port: the port with TLS, from which the daemon fetches files.
    :param certificate: the certificate of 127.0.0.1, which is its own authority.
    """

    port: int
    tls_port: int
    certificate: Path
    log: Path

    @classmethod
    async def start(cls, context: Context) -> Homeserver:
        folder = context.folder / "synapse"
        folder.mkdir()
        certificate, key = make_certificate(folder)
        server = cls(free_port("127.0.0.1"), free_port("127.0.0.1"), certificate, folder / "synapse.log")
        file = folder / "homeserver.yaml"
        # JSON is YAML.
        file.write_text(json.dumps(server._configuration(folder, key)))
        arguments = [sys.executable, "-m", "synapse.app.homeserver", "--config-path", str(file)]
        made = ChildProcess([*arguments, "--generate-keys"], server.log)
        context.stack.callback(made.kill)
        if await made.end(_START):
            raise RuntimeError(f"Synapse makes no keys: {server.last_lines()}")
        process = ChildProcess(arguments, server.log)
        context.stack.callback(process.kill)
        await server._listens(process)
        return server

    def _configuration(self, folder: Path, key: Path) -> dict[str, Any]:
        listener = {
            "type": "http", "bind_addresses": ["127.0.0.1"], "resources": [{"names": ["client"], "compress": False}]}
        logging = folder / "log.yaml"
        logging.write_text(json.dumps({
            "version": 1, "formatters": {"lines": {"format": "%(asctime)s %(name)s %(levelname)s %(message)s"}},
            "handlers": {"errors": {"class": "logging.StreamHandler", "formatter": "lines"}},
            "root": {"level": "WARNING", "handlers": ["errors"]}, "disable_existing_loggers": False,
            "loggers": {"synapse.push": {"level": "INFO"}}}))
        unlimited = {"per_second": 1_000, "burst_count": 1_000}
        return {
            "server_name": NAME, "report_stats": False, "pid_file": str(folder / "synapse.pid"),
            "listeners": [listener | {"port": self.port}, listener | {"port": self.tls_port, "tls": True}],
            "tls_certificate_path": str(self.certificate), "tls_private_key_path": str(key),
            "database": {"name": "sqlite3", "args": {"database": str(folder / "homeserver.db")}},
            "media_store_path": str(folder / "media"), "signing_key_path": str(folder / "signing.key"),
            "log_config": str(logging), "trusted_key_servers": [], "enable_registration": True,
            "enable_registration_without_verification": True, "rc_message": unlimited, "rc_registration": unlimited,
            # The badge counts messages, and not rooms.
            "push": {"group_unread_count_by_room": False},
            # Without it, Synapse calls no push gateway on a private address.
            "ip_range_whitelist": ["127.0.0.1"]}

    async def _listens(self, process: ChildProcess) -> None:
        end = asyncio.get_running_loop().time() + _START
        async with httpx.AsyncClient(trust_env=False) as client:
            while asyncio.get_running_loop().time() < end:
                if process.status is not None:
                    raise RuntimeError(f"Synapse ended with status {process.status}: {self.last_lines()}")
                try:
                    if (await client.get(f"http://127.0.0.1:{self.port}/health")).status_code == 200:
                        return
                except httpx.TransportError:
                    pass
                await asyncio.sleep(0.05)
        raise RuntimeError(f"Synapse does not listen: {self.last_lines()}")

    def last_lines(self) -> str:
        return self.log.read_text(errors="replace")[-1_000:] if self.log.exists() else ""

    async def register(self, name: str) -> Account:
        account = Account(self, name, "")
        body = {"username": name, "password": f"{name}-secret", "auth": {"type": "m.login.dummy"}}
        made = await account.call("POST", "/v3/register", body)
        return Account(self, name, made["access_token"])


@dataclass(frozen=True)
class Account:
    """A user with one device."""

    server: Homeserver
    name: str
    token: str
    _numbers: itertools.count[int] = field(default_factory=itertools.count)

    @property
    def user(self) -> str:
        return f"@{self.name}:{NAME}"

    async def call(
        self, method: str, path: str, body: Any = None, content: bytes | None = None, kind: str = "application/json",
        api: str = "client"
    ) -> Any:
        """Calls the Client-Server API, and returns the JSON of a response with status 200, or raises an error."""
        headers = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        data = content if content is not None else json.dumps({} if body is None else body).encode()
        async with httpx.AsyncClient(trust_env=False, timeout=30) as client:
            response = await client.request(
                method, f"http://127.0.0.1:{self.server.port}/_matrix/{api}{path}", content=data,
                headers=headers | {"Content-Type": kind})
        if response.status_code != 200:
            raise RuntimeError(f"{method} {path}: {response.status_code} {response.text[:300]}")
        return response.json()

    async def make_room(self, name: str, guest: Account) -> str:
        """Makes a room in which the account and a guest are, and returns its id."""
        room = (await self.call("POST", "/v3/createRoom", {"name": name, "invite": [guest.user]}))["room_id"]
        await guest.call("POST", f"/v3/rooms/{quote(room)}/join")
        return str(room)

    async def send(self, room: str, content: dict[str, Any]) -> str:
        """Sends a message, and returns the id of its event."""
        path = f"/v3/rooms/{quote(room)}/send/m.room.message/{next(self._numbers)}"
        return str((await self.call("PUT", path, content))["event_id"])

    async def send_text(self, room: str, text: str) -> str:
        return await self.send(room, {"msgtype": "m.text", "body": text})

    async def upload(self, file: Path, kind: str) -> str:
        """Uploads a file, and returns its `mxc://` URL."""
        path = f"/v3/upload?filename={quote(file.name)}"
        return str((await self.call("POST", path, content=file.read_bytes(), kind=kind, api="media"))["content_uri"])

    async def read(self, room: str, event: str) -> None:
        """Marks the messages of a room up to an event as read."""
        await self.call("POST", f"/v3/rooms/{quote(room)}/receipt/m.read/{quote(event)}")

    async def set_pusher(self, app: str, push_key: str, url: str) -> None:
        await self.call("POST", "/v3/pushers/set", {
            "kind": "http", "app_id": app, "pushkey": push_key, "app_display_name": "Example", "lang": "de",
            "device_display_name": "A phone", "append": True, "data": {"url": url, "lang": "de-AT"}})

    async def push_keys(self) -> set[str]:
        return {pusher["pushkey"] for pusher in (await self.call("GET", "/v3/pushers"))["pushers"]}
