"""What a daemon shows after a step of its clock: tokens, URLs, cached responses, repeats, and its figures."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import payloads
from client import Client, Response
from context import Context
from daemon import Daemon
from host import Host
from ledger import Ledger
from signed_tokens import TokenIssuer

# Between two steps of the clock, so that each step passes it.
HALF = 1_800
_REPEATS = 5


@dataclass
class Checks:
    """Things that are made before the steps, and compared after each of them."""

    issuer: TokenIssuer
    # An origin whose responses are fresh for `HALF` seconds.
    host: Host
    ledger: Ledger
    daemon: Daemon
    # The listener of which callers need tokens, and its client without one.
    remote: Client
    # The wall-clock time of the first requests.
    begun: int
    contents: dict[str, bytes] = field(default_factory=dict)
    # The paths of renditions whose signed URLs hold for two hours, and for half an hour.
    urls: list[str] = field(default_factory=list)
    expiring: str = ""
    cached: str = ""
    negative: list[str] = field(default_factory=list)

    async def prepare(self) -> None:
        self.cached = self.host.url()
        for number in range(_REPEATS):
            response = await self.daemon.client.post(*self._repeated(number))
            self.contents[f"again-{number}"] = response.body
            self.ledger.answer(f"again-{number}", response.body)
            self.urls.append(_public_path(response))
        headers = {"apns-expiration": str(self.begun + HALF)}
        body = json.loads(payloads.media([self.host.url()], id="expiring")) | {"headers": headers}
        self.expiring = _public_path(await self.daemon.client.post(json.dumps(body).encode()))

    def _repeated(self, number: int) -> tuple[bytes, dict[str, str]]:
        url = f"http://127.0.0.1:{self.host.port}/again.jpg?{number}"
        return payloads.media([url]), {"Idempotency-Key": f"again-{number}"}

    async def judge(self, context: Context, name: str, offset: int) -> None:
        await self._judge_repeats(context, name)
        await self._judge_access(context, name, offset)
        await self._judge_cache(context, name)
        await self.look_for_negatives()

    async def _judge_repeats(self, context: Context, name: str) -> None:
        same = whole = 0
        for number, path in enumerate(self.urls):
            id = f"again-{number}"
            response = await self.daemon.client.post(*self._repeated(number))
            is_replayed = response.headers.get("idempotency-replayed") == "true"
            same += response.status == 200 and is_replayed and response.body == self.contents[id]
            whole += (await self.remote.call("GET", path)).status == 200
        context.judge(f"{name}: a repeat gets the same response", f"{same} of {_REPEATS}", same == _REPEATS)
        context.judge(
            f"{name}: each attachment is there, by its signed URL", f"{whole} of {_REPEATS}", whole == _REPEATS)

    async def _judge_access(self, context: Context, name: str, offset: int) -> None:
        calls = {
            "a token that ends in half an hour": self.issuer.headers(exp=self.begun + HALF),
            "a token that began half an hour ago": self.issuer.headers(
                nbf=self.begun - HALF, exp=self.begun + 100 * HALF),
        }
        expected = [401 if offset > HALF else 200, 401 if offset < -HALF else 200, 403 if offset > HALF else 200]
        found = [(await self.remote.call("GET", "/v1/status", headers=headers)).status for headers in calls.values()]
        found.append((await self.remote.call("GET", self.expiring)).status)
        context.judge(
            f"{name}: tokens and signed URLs begin and end at the new time",
            f"{found} instead of {expected} for {', '.join(calls)}, and a URL that ends in half an hour",
            found == expected)

    async def _judge_cache(self, context: Context, name: str) -> None:
        found = []
        for number in range(2):
            before = self.host.requests
            response = await self.daemon.client.post(payloads.media([self.cached]))
            attachments = response.json["content"]["attachments"]
            source = attachments[0]["source"]["cache"] if attachments else response.json["reason"]
            found.append((source, self.host.requests - before))
        context.judge(
            f"{name}: a response of an hour ago is not fresh, and the new one is",
            f"{found[0][0]} with {found[0][1]} requests, then {found[1][0]} with {found[1][1]}",
            found[0] in (("miss", 1), ("revalidated", 1)) and found[1] == ("hit", 0))

    async def look_for_negatives(self) -> None:
        """Notes the negative figures of metrics, of the state, and of results."""
        text = (await self.daemon.client.call("GET", "/metrics")).body.decode()
        self.negative += [line for line in text.splitlines() if re.search(r" -[0-9]", line) and line[0] != "#"]
        for target in ("/v1/status", "/v1/hosts", "/v1/callback-targets"):
            self._look_into((await self.daemon.client.call("GET", target)).json, target)
        for content in self.ledger.contents.values():
            value = json.loads(content)
            self._look_into([value["timing"], value["verdicts"]], value["id"])

    def _look_into(self, value: Any, place: str) -> None:
        if isinstance(value, dict):
            for key, member in value.items():
                self._look_into(member, f"{place}.{key}")
        elif isinstance(value, list):
            for member in value:
                self._look_into(member, place)
        elif isinstance(value, int | float) and value < 0:
            self.negative.append(f"{place}: {value}")


def configuration(folder: Path, port: int, issuer: TokenIssuer) -> dict[str, Any]:
    """Returns the keys of a configuration with signed URLs and tokens."""
    key = folder / "media.key"
    key.touch(mode=0o600)
    key.write_text("k" * 43 + "\n")
    return {
        "publicURL": f"http://127.0.0.1:{port}", "listen": f"127.0.0.1:{port}",
        "media": {"retention": "2h", "signingKeyFile": str(key)},
        "auth": {"required": "always", "issuers": [issuer.configuration]},
    }


def _public_path(response: Response) -> str:
    """Returns the path and query of the public URL of the first attachment."""
    return "/" + response.json["content"]["attachments"][0]["publicURL"].split("/", 3)[3]
