"""Callbacks that libraries of others verify: standardwebhooks and svix the signatures v1, and cryptography v1a."""

from __future__ import annotations

import argparse
import base64
import json

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from standardwebhooks.webhooks import Webhook as StandardWebhook
from svix.webhooks import Webhook as SvixWebhook

from callback_target import SECRET, CallbackTarget, Received
from context import Context

_OTHER_SECRET = "whsec_" + base64.b64encode(bytes(range(32))).decode()
_SIGNING_KEY = "whsk_" + base64.b64encode(bytes(range(32))).decode()


async def run(context: Context, _: argparse.Namespace) -> None:
    target = CallbackTarget()
    await target.start()
    secret = context.folder / "gateway.whsec"
    secret.touch(mode=0o600)
    secret.write_text("\n".join([_OTHER_SECRET, SECRET, _SIGNING_KEY]))
    daemon = await context.start(configuration=json.dumps({
        "callbacks": {
            "targets": [
                {"name": "gateway", "url": f"http://127.0.0.1:{target.port}/hook", "secretFile": str(secret)}
            ]
        }
    }))
    texts = ["plain", "Grüße \U0001F600", "a \"quoted\" \\ text", "x" * 30_000]
    for number, text in enumerate(texts):
        payload = {"aps": {"alert": {"title": "t", "body": text}}}
        response = await daemon.client.post(json.dumps({"id": f"r{number}", "payload": payload}).encode())
        if response.status != 200:
            raise RuntimeError(f"a text was answered {response.status}")
    await target.wait(len(texts), timeout=20)
    targets = (await daemon.client.call("GET", "/v1/callback-targets")).json["targets"]
    public_key = base64.b64decode(targets[0]["publicKeys"][0].removeprefix("whpk_"))
    verifiers = {
        "standardwebhooks": lambda one: StandardWebhook(SECRET).verify(one.body.decode(), one.headers),
        "svix": lambda one: SvixWebhook(SECRET).verify(one.body.decode(), one.headers),
        "standardwebhooks with another key of a rotation": lambda one: StandardWebhook(_OTHER_SECRET).verify(
            one.body.decode(), one.headers),
        "cryptography": lambda one: _verify(Ed25519PublicKey.from_public_bytes(public_key), one),
    }
    for name, verify in verifiers.items():
        accepted = sum(_accepts(verify, one) for one in target.received)
        changed = [Received(one.headers, one.body[:-1] + b" ") for one in target.received]
        renamed = [Received({**one.headers, "webhook-id": "msg_other"}, one.body) for one in target.received]
        wrong = sum(_accepts(verify, one) for one in changed + renamed)
        context.judge(
            f"{name} verifies each callback, and no changed one",
            f"{accepted} of {len(texts)} accepted, {wrong} of {2 * len(texts)} changed ones",
            accepted == len(texts) == len(target.received) and wrong == 0)
    target.stop()


def _accepts(verify, one: Received) -> bool:
    try:
        verify(one)
        return True
    except Exception:
        return False


def _verify(key: Ed25519PublicKey, one: Received) -> None:
    signed = f"{one.id}.{one.headers['webhook-timestamp']}.".encode() + one.body
    for signature in one.headers["webhook-signature"].split(" "):
        version, _, text = signature.partition(",")
        if version == "v1a":
            return key.verify(base64.b64decode(text), signed)
    raise InvalidSignature
