#!/usr/bin/env python3
"""A client of appgroupd with httpx: a submit, a submit with events, a batch, a cancel and a download.

usage: appgroupd.py PICTURE_URL SLOW_URL
  PICTURE_URL is a picture that the daemon may fetch, and SLOW_URL a picture whose origin takes long.
  APPGROUPD_URL is the address of the daemon (http://127.0.0.1:8480), and APPGROUPD_TOKEN the token, if it needs one.
"""

import hashlib
import json
import os
import sys
import time
import uuid
from collections.abc import Iterable, Iterator
from typing import Any

import httpx

RETRIES = 5


class Client:
    def __init__(self, base: str, token: str | None = None) -> None:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        # The daemon answers within the budget, so the time-out is longer than each budget.
        self._http = httpx.Client(base_url=base, headers=headers, timeout=40)

    def submit(self, payload: dict[str, Any], key: str, budget: float = 10) -> dict[str, Any]:
        """Returns the result. The answer is never later than the budget, in seconds."""
        headers = {"Idempotency-Key": key, "Request-Timeout": str(budget)}
        return self._call("POST", "/v1/notifications", json=payload, headers=headers).json()

    def submit_async(self, payload: dict[str, Any], key: str) -> None:
        """Returns as soon as the request is durable."""
        headers = {"Idempotency-Key": key, "Prefer": "respond-async"}
        self._call("POST", "/v1/notifications", json=payload, headers=headers)

    def events(self, key: str) -> Iterator[tuple[str, dict[str, Any]]]:
        """Yields the events of a request up to its emission."""
        with self._http.stream("GET", f"/v1/notifications/{key}/events") as response:
            response.raise_for_status()
            name = ""
            for line in response.iter_lines():
                field, _, value = line.partition(": ")
                if field == "event":
                    name = value
                elif field == "data":
                    yield name, json.loads(value)

    def result(self, key: str) -> dict[str, Any]:
        """Returns the result, or the state of an unfinished request."""
        return self._call("GET", f"/v1/notifications/{key}").json()

    def batch(self, lines: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
        """Yields each result as it is complete, and the summary last. The body is sent while the results are read."""
        body = (json.dumps(line).encode() + b"\n" for line in lines)
        with self._http.stream("POST", "/v1/notifications:batch", content=body) as response:
            response.raise_for_status()
            for line in response.iter_lines():
                yield json.loads(line)

    def cancel(self, key: str) -> None:
        self._call("DELETE", f"/v1/notifications/{key}")

    def _call(self, method: str, path: str, **options: Any) -> httpx.Response:
        """Repeats a call that got 429 or 503, after the time in Retry-After. The key makes the repetition harmless."""
        for attempt in range(RETRIES + 1):
            response = self._http.request(method, path, **options)
            if response.status_code not in (429, 503) or attempt == RETRIES:
                break
            time.sleep(float(response.headers.get("Retry-After", 1)))
        if response.is_error:
            problem = response.json()
            raise RuntimeError(f"{problem['type']}: {problem['detail']}")
        return response


def payload(picture: str) -> dict[str, Any]:
    return {"aps": {"alert": {"title": "Summer", "body": "Three days at sea"}, "mutable-content": 1}, "image": picture}


def main(picture: str, slow: str) -> None:
    client = Client(os.environ.get("APPGROUPD_URL", "http://127.0.0.1:8480"), os.environ.get("APPGROUPD_TOKEN"))

    result = client.submit(payload(picture), str(uuid.uuid4()))
    attachment = result["content"]["attachments"][0]
    print(f"submit: {result['outcome']}, {attachment['mimeType']}")

    key = str(uuid.uuid4())
    client.submit_async(payload(picture), key)
    for name, _ in client.events(key):
        print(f"event: {name}")
    print(f"async: {client.result(key)['outcome']}")

    recipients = [
        {"id": str(uuid.uuid4()), "recipient": name, "payload": {"aps": {"alert": {"body": f"Hello {name}"}}}}
        for name in ("anna", "ben", "clara")]
    *results, last = client.batch([{"template": {"payload": payload(picture)}}, *recipients])
    if not last["summary"]["complete"]:
        raise RuntimeError("the batch is not complete: send it again")
    print(f"batch: {sum('line' in line for line in results)} results")

    key = str(uuid.uuid4())
    client.submit_async(payload(slow), key)
    client.cancel(key)
    print(f"cancel: {client.result(key)['outcome']}")

    # A phone downloads the rendition without a token.
    rendition = httpx.get(attachment["publicURL"], timeout=40).raise_for_status().content
    if hashlib.sha256(rendition).hexdigest() != attachment["sha256"]:
        raise RuntimeError("the rendition differs from the result")
    print(f"download: {len(rendition)} bytes")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
