"""A configuration and requests with secrets in all places."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import quote

from batch_client import batch_call
from client import ConnectionLost
from daemon import Daemon
from measuring import Statuses
from origin import Origin
from planted_secrets import PlantedSecrets


def planted_configuration(folder: Path, secrets: PlantedSecrets) -> dict[str, Any]:
    """Returns a configuration with secrets in values and in files."""

    def file(name: str, content: str) -> str:
        path = folder / name
        path.touch(mode=0o600)
        path.write_text(content)
        return str(path)

    word = secrets.word
    # The keys have 43 characters at least.
    media, receipts, access = (word(f"key {number}") + word(f"end {number}") * 3 for number in range(3))
    return {
        "budget": "20s", "texts": {"*": {"title": f"{{title}} {secrets.text('template')}"}},
        "publicURL": "https://media.example",
        "log": {"level": "warning", "file": str(folder / "serve.log"), "fileLevel": "debug"},
        "fetch": {"headers": {
            "127.0.0.1": {"Authorization": f"Bearer {word('header')}"},
            "origin.example": {"X-Key": {"file": file("header", word("header file"))}}}},
        "media": {"signingKeyFile": file("media.key", media)},
        "receipts": {"publicURL": "https://receipts.example", "signingKeyFile": file("receipts.key", receipts)},
        "auth": {"tokens": [{
            "name": "gateway", "file": file("token", f"agd_{access}"), "groups": ["*"], "scopes": ["submit"]}]},
        "callbacks": {"targets": [{
            "name": "gateway", "url": f"https://127.0.0.1:1/{word('path')}?key={word('query')}",
            "secretFile": file("whsec", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")}]},
        "twomee": {"accept": secrets.text("action")},
        "homeassistant": {"baseURL": f"https://home.example/{word('base')}"},
    }


class PlantedLoad:
    """Requests with secrets in all places of a payload."""

    def __init__(self, daemon: Daemon, secrets: PlantedSecrets, origin: Origin, stalled: Origin) -> None:
        self._daemon, self._secrets, self._origin, self._stalled = daemon, secrets, origin, stalled
        self.statuses = Statuses()

    async def prepare(self, waiting: int, listed: int) -> None:
        async with batch_call(self._daemon.socket) as call:
            await call.send(self._body(f"listed-{number}", None) for number in range(listed))
            await call.end()
            async for _ in call.lines():
                pass
        rest = iter(range(waiting))

        async def caller() -> None:
            for number in rest:
                body = self._body(f"waiting-{number}", self._url(self._stalled, "stall/headers/grey.jpg"), "600s")
                await self._daemon.client.post(body, {"Prefer": "respond-async"})

        await asyncio.gather(*(caller() for _ in range(16)))
        # The bundles have the ten slowest and ten failed requests.
        paths = ["delay/100ms/grey.jpg"] * 10 + [f"{self._secrets.word('file')}.jpg"] * 10
        bodies = [self._body(f"first-{number}", self._url(self._origin, path)) for number, path in enumerate(paths)]
        await asyncio.gather(*(self._post(body) for body in bodies))

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        tasks = [asyncio.create_task(part) for part in (self._media(), self._batches())]
        try:
            yield
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _media(self) -> None:
        for number in range(1_000_000):
            path = ["delay/100ms/grey.jpg", "jpeg-444.jpg", f"{self._secrets.word('file')}.jpg"][number % 3]
            await self._post(self._body(f"media-{number}", self._url(self._origin, path)))
            await asyncio.sleep(0.1)

    async def _batches(self) -> None:
        for number in range(1_000_000):
            headers = {"Prefer": "respond-async", "Idempotency-Key": f"batch-{number}"}
            lines = [self._body(f"batch-{number}-{index}", None) for index in range(200)]
            with suppress(ConnectionLost):
                await self._daemon.client.call("POST", "/v1/notifications:batch", b"\n".join(lines), headers)
            await asyncio.sleep(2)

    async def _post(self, body: bytes) -> None:
        with suppress(ConnectionLost):
            self.statuses.add((await self._daemon.client.post(body)).status)

    def _url(self, origin: Origin, path: str) -> str:
        secrets = self._secrets
        return f"{origin.url(path)}&t={secrets.word('URL')}&u={quote(secrets.text('query of URL'))}"

    def _body(self, id: str, url: str | None, budget: str | None = None) -> bytes:
        secrets = self._secrets
        payload: dict[str, Any] = {
            "title": secrets.text("title"), "body": secrets.text("body"), secrets.text("member"): secrets.text("value"),
            "mail": f"{secrets.word('mail')}@mail.example", "fallback": {"body": secrets.text("fallback")}}
        if url:
            payload["media"] = [{"url": url}]
        value = {
            "id": f"{id}-{secrets.word('id')}", "recipient": secrets.text("recipient"),
            "labels": [secrets.text("label")], "payload": payload}
        return json.dumps(value | ({"budget": budget} if budget else {})).encode()
