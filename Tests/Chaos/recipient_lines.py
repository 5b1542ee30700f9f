"""The lines of recipients for an import, and of campaigns for them."""

from __future__ import annotations

import json
from collections.abc import Iterator

import batch_bodies as bodies

# The recipients whose numbers are multiples of this have opted out.
_OPT_OUTS = 10


def name(number: int, is_id: bool = True) -> str:
    """Returns the id of a recipient, or its other name."""
    return f"user-{number}" if is_id else f"user-{number}@example.com"


def has_opted_out(number: int) -> bool:
    return number % _OPT_OUTS == 0


def recipients(numbers: range) -> Iterator[bytes]:
    for number in numbers:
        yield json.dumps({
            "id": name(number), "names": [name(number, is_id=False)],
            "permissions": {"service": not has_opted_out(number)},
        }).encode()


def campaign(prefix: str, url: str, numbers: range) -> Iterator[bytes]:
    """Yields a template with a picture, and a line for each recipient."""
    yield bodies.template(url)
    for number in numbers:
        line = {"id": f"{prefix}-{number}", "recipient": name(number), "payload": {"body": f"to {number}"}}
        yield json.dumps(line).encode()
