"""The lines of batches: texts, pictures, campaigns, and lines that cannot be used."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

_MOST_BYTES = 4 << 20
BUDGET = "120s"


def envelope(body: str, url: str | None = None, id: str | None = None) -> bytes:
    """Returns an envelope with a text, or with a picture."""
    payload: dict[str, Any] = {"title": "t", "body": body}
    if url:
        payload |= {"fallback": {"body": "without"}, "media": [{"url": url}]}
    return json.dumps({"budget": BUDGET, "payload": payload} | ({"id": id} if id else {})).encode()


def template(url: str) -> bytes:
    return b'{"template": %b}' % envelope("with", url)


def long_template(length: int) -> bytes:
    """Returns a template with a member of some bytes, which each result has too."""
    return b'{"template": {"payload": {"title": "t", "body": "b", "long": "%b"}}}' % (b"x" * length)


def recipient(id: str, body: str) -> bytes:
    return json.dumps({"id": id, "payload": {"body": body}}).encode()


def texts(count: int) -> list[bytes]:
    return [envelope(f"text {number}") for number in range(count)]


# Each line with the kind of its error. The token of the batch permits `group.default` only, and the id `taken` is that
# of an earlier request.
_PAYLOAD = b'"payload": {"title": "t", "body": "b"}'
NOT_JSON, UNUSABLE, TOO_LARGE = "not-json", "unusable-envelope", "too-large"
WRONG: Sequence[tuple[bytes, str]] = (
    (b"x", NOT_JSON),
    (b'{"payload": {"title": "t"', NOT_JSON),
    (b'{"title": "t"} {"title": "t"}', NOT_JSON),
    (b'{"title": "\xff"}', NOT_JSON),
    (b"\x00", NOT_JSON),
    (b"[" * 20_000, NOT_JSON),
    (b"[1]", NOT_JSON),
    (b'"text"', NOT_JSON),
    (b"1", NOT_JSON),
    (b"null", NOT_JSON),
    (b'{"id": "a b", %b}' % _PAYLOAD, UNUSABLE),
    (b'{"budget": "soon", %b}' % _PAYLOAD, UNUSABLE),
    (b'{"budget": 3, %b}' % _PAYLOAD, UNUSABLE),
    (b'{"profile": "none", %b}' % _PAYLOAD, UNUSABLE),
    (b'{"appGroup": "a/b", %b}' % _PAYLOAD, UNUSABLE),
    (b'{"recipient": "", %b}' % _PAYLOAD, UNUSABLE),
    (b'{"appGroup": "group.other", %b}' % _PAYLOAD, "forbidden"),
    (b'{"id": "taken", %b}' % _PAYLOAD, "id-in-use"),
)
WRONG_RECIPIENTS: Sequence[tuple[bytes, str]] = (
    (b"{}", UNUSABLE),
    (b'{"payload": {"body": "b"}}', UNUSABLE),
    (b'{"id": "r", "payload": 1}', UNUSABLE),
    (b'{"id": "r", "budget": "1s"}', UNUSABLE),
    (b'{"id": "r", "template": {}}', UNUSABLE),
    (b'{"id": 1}', UNUSABLE),
    (b"[]", NOT_JSON),
)


def large_wrong() -> Sequence[tuple[bytes, str]]:
    """Returns lines of the longest permitted length with too many values, and lines that are longer."""
    values = b'{"title": "t", "a": [' + b"1," * (_MOST_BYTES // 2 - 32) + b"1]}"
    return (values, TOO_LARGE), (b'{"title": "' + b"x" * _MOST_BYTES + b'"}', TOO_LARGE)
