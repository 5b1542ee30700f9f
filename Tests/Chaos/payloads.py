"""Payloads and envelopes."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any


def text(body: str, id: str | None = None) -> bytes:
    return _encoded({"aps": {"alert": {"title": "t", "body": body}}}, None, id)


def media(urls: Sequence[str], budget: str | None = None, id: str | None = None) -> bytes:
    return _encoded(_media(urls), budget, id)


def message(urls: Sequence[str], provider_id: str) -> bytes:
    """Returns a payload with the provider's id of its message."""
    value = {
        "aps": {"alert": {"title": "t", "body": "with"}, "mutable-content": 1},
        "appear2mee": {"id": provider_id, "stage": "alert", "fbText": "without", "urls": list(urls)},
    }
    return json.dumps(value).encode()


def padded(size: int, urls: Sequence[str] = (), budget: str | None = None, members: int = 0) -> bytes:
    """Returns a payload of `size` bytes, most of which are one text that no part of the daemon looks at.

    :param members: the number of short members beside this text.
    """
    payload: dict[str, Any] = _media(urls) if urls else {"aps": {"alert": {"title": "t", "body": "b"}}}
    if members:
        payload["data"] = {f"k{number}": number for number in range(members)}
    payload["padding"] = ""
    payload["padding"] = "x" * (size - len(_encoded(payload, budget, None)))
    return _encoded(payload, budget, None)


def values(size: int) -> bytes:
    """Returns a payload of about `size` bytes with a value for each two bytes."""
    return b'{"title": "t", "body": "b", "a": [' + b"1," * (size // 2 - 32) + b"1]}"


def _media(urls: Sequence[str]) -> dict[str, Any]:
    return {
        "title": "t", "body": "with", "fallback": {"body": "without"}, "media": [{"url": url} for url in urls],
    }


def _encoded(payload: dict[str, Any], budget: str | None, id: str | None) -> bytes:
    value = payload
    if budget or id:
        value = {"payload": payload}
        if budget:
            value["budget"] = budget
        if id:
            value["id"] = id
    return json.dumps(value).encode()
