"""Cancels at the instant of emission, and kill -9 after they are answered."""

from __future__ import annotations

import asyncio
import signal
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path

import payloads
from client import Client, ConnectionLost, Response
from context import Context
from daemon import Daemon
from ledger import outcome_in
from measuring import milliseconds, quantile
from origin import Origin

# Cancels of each kind in 30 s.
_CANCELS = 1_000
_CALLERS = 4
# Requests of one provider's id.
_SIBLINGS = 3
# Requests that are cancelled together before a kill.
_KILLED = 64
_DELAYS = (5, 10, 20)


@dataclass
class _Found:
    """Cancels of one kind."""

    kind: str
    answers: Counter[str] = field(default_factory=Counter)
    # Answers that do not agree with the result.
    untrue: list[str] = field(default_factory=list)
    # States that do not agree with an earlier answer or with the outbox.
    stale: list[str] = field(default_factory=list)
    # Seconds from a cancel to its answer.
    times: list[float] = field(default_factory=list)

    def add(self, id: str, status: int, outcome: str) -> None:
        """Counts the answer to one cancel. A request that is not accepted yet is unknown, and is not cancelled."""
        self.answers[f"{status} {outcome}"] += 1
        if (status == 204) != (outcome == "cancelled") or status not in (204, 404, 409):
            self.untrue.append(f"{id}: {status} and {outcome}")

    @property
    def count(self) -> int:
        return sum(self.answers.values())

    @property
    def figure(self) -> str:
        counts = ", ".join(f"{count} × {answer}" for answer, count in sorted(self.answers.items()))
        return f"{len(self.untrue)} of {self.count} are not ({counts})"


@dataclass
class _Aim:
    """Seconds from a request to its result: a cancel that is in time makes the next one later, and the other way."""

    context: Context
    seconds: dict[int, float] = field(default_factory=dict)

    def pause(self, delay: int) -> float:
        return max(0.0, self.seconds.setdefault(delay, delay / 1000 + 0.01) + self.context.random.gauss(0, 0.0015))

    def correct(self, delay: int, was_in_time: bool) -> None:
        self.seconds[delay] += 0.001 if was_in_time else -0.001


async def run(context: Context) -> None:
    root = context.folder / "root"
    origin = await context.origin()
    daemon = await context.start(root)
    for kind, cancel, since in (
        ("by id", _by_id, "the answer"), ("by provider", _by_provider, "the answer"),
        ("of spool files", _of_file, "the result is in the outbox"),
    ):
        found = await _cancelled(context, kind, cancel, daemon.client, origin, root / "group.default")
        _judge(context, found, since)
    await _killed(context, daemon, origin)


async def _cancelled(
    context: Context, kind: str, cancel: Callable[[_Attempt], Awaitable[None]], client: Client, origin: Origin,
    group: Path
) -> _Found:
    """Makes requests and cancels them, some at a time."""
    found, aim = _Found(kind), _Aim(context)
    numbers = iter(range(max(60, round(_CANCELS * context.seconds / 30))))

    async def caller() -> None:
        for number in numbers:
            await cancel(_Attempt(client, origin, group, found, aim, number))

    async with asyncio.TaskGroup() as callers:
        for _ in range(_CALLERS):
            callers.create_task(caller())
    return found


def _judge(context: Context, found: _Found, since: str) -> None:
    for line in (found.untrue + found.stale)[:5]:
        context.say(f"  {line}")
    context.judge(
        f"{found.kind}: 204 means that the result is `cancelled`, and 409 that it is not", found.figure,
        not found.untrue)
    context.judge(
        f"{found.kind}: after {since} the state is the result", f"{len(found.stale)} of {found.count} states are not",
        not found.stale)
    p50, p99 = (milliseconds(quantile(found.times, share)) for share in (0.5, 0.99))
    context.measure(f"{found.kind}: time of a cancel", f"p50 {p50}, p99 {p99}")


@dataclass
class _Attempt:
    """One cancel at the instant of emission."""

    client: Client
    origin: Origin
    group: Path
    found: _Found
    aim: _Aim
    number: int

    @property
    def delay(self) -> int:
        return _DELAYS[self.number % len(_DELAYS)]

    def body(self, provider_id: str) -> bytes:
        return payloads.message([self.origin.url(f"delay/{self.delay}ms/photo-small.jpg")], provider_id)

    async def post(self, id: str, provider_id: str) -> str:
        """Returns the outcome of a new request."""
        response = await self.client.post(self.body(provider_id), {"Idempotency-Key": id})
        return str(response.json["outcome"])

    async def cancel(self, target: str) -> Response:
        loop = asyncio.get_running_loop()
        begun = loop.time()
        response = await self.client.call("DELETE", f"/v1/notifications/{target}")
        self.found.times.append(loop.time() - begun)
        return response

    async def state(self, id: str) -> str:
        """Returns what a GET says: the outcome, else the state, else the status."""
        response = await self.client.call("GET", f"/v1/notifications/{id}")
        if response.status != 200:
            return str(response.status)
        return str(response.json.get("outcome") or response.json["state"])


async def _by_id(attempt: _Attempt) -> None:
    id = f"id-{attempt.number}"
    post = asyncio.create_task(attempt.post(id, id))
    await asyncio.sleep(attempt.aim.pause(attempt.delay))
    status = (await attempt.cancel(id)).status
    state = await attempt.state(id)
    outcome = await post
    attempt.aim.correct(attempt.delay, status == 204)
    attempt.found.add(id, status, outcome)
    if status != 404 and state != outcome:
        attempt.found.stale.append(f"{id}: {state} after the answer {status}, then {outcome}")


async def _by_provider(attempt: _Attempt) -> None:
    provider_id = f"provider-{attempt.number}"
    ids = [f"{provider_id}-{sibling}" for sibling in range(_SIBLINGS)]
    posts = [asyncio.create_task(attempt.post(id, provider_id)) for id in ids]
    await asyncio.sleep(attempt.aim.pause(attempt.delay))
    response = await attempt.cancel(f"{provider_id}?by=provider")
    cancelled = {request["id"] for request in response.json["cancelled"]} if response.status == 200 else set()
    states = [await attempt.state(id) for id in ids]
    outcomes = await asyncio.gather(*posts)
    attempt.aim.correct(attempt.delay, len(cancelled) > _SIBLINGS / 2)
    for id, state, outcome in zip(ids, states, outcomes, strict=True):
        attempt.found.add(id, 204 if id in cancelled else 409, outcome)
        if id in cancelled and state != outcome:
            attempt.found.stale.append(f"{id}: {state} after the cancel, then {outcome}")


async def _of_file(attempt: _Attempt) -> None:
    """Asks for the state all the time: it is no longer `running` when the result is in the outbox."""
    id = f"file-{attempt.number}"
    part, result = attempt.group / "incoming" / f".{id}", attempt.group / "outbox" / f"{id}.json"
    part.write_bytes(attempt.body(id))
    part.rename(attempt.group / "incoming" / f"{id}.json")

    async def watch() -> str:
        while True:
            is_there = result.exists()
            state = await attempt.state(id)
            if is_there:
                return state

    watching = asyncio.create_task(watch())
    await asyncio.sleep(attempt.aim.pause(attempt.delay))
    status = (await attempt.cancel(id)).status
    state = await watching
    outcome = outcome_in(result.read_bytes())
    result.unlink()
    attempt.aim.correct(attempt.delay, status == 204)
    attempt.found.add(id, status, outcome)
    if state != outcome:
        attempt.found.stale.append(f"{id}: {state} with the result in the outbox, which is {outcome}")


async def _killed(context: Context, daemon: Daemon, origin: Origin) -> None:
    """Kills the daemon while it answers cancels, and compares the answers with the results of the next start."""
    found = _Found("kill -9 after the answer")
    rounds = 2 if context.is_short else 20
    for number in range(rounds):
        ids = [f"kill-{number}-{index}" for index in range(_KILLED)]
        body = payloads.media([origin.url("stall/headers/grey.jpg")])
        for id in ids:
            await daemon.client.post(body, {"Idempotency-Key": id, "Prefer": "respond-async"})
        # The first answers come before the other requests are decided.
        answered = await _cancel_and_kill(daemon, ids, after=context.random.choice([1, 2, 8, 32]))
        daemon.kill()
        daemon = await context.start(daemon.root)
        for id in ids:
            status = answered.get(id)
            if status is None:
                # Not answered: either outcome is right, and the request must not wait for its deadline.
                await daemon.client.call("DELETE", f"/v1/notifications/{id}")
                continue
            response = await daemon.client.call("GET", f"/v1/notifications/{id}")
            found.add(id, status, str(response.json.get("outcome") or response.json.get("state")))
    for line in found.untrue[:5]:
        context.say(f"  {line}")
    context.judge(f"{found.kind}: the answer is still true", found.figure, not found.untrue)
    status = await daemon.terminate()
    context.judge("SIGTERM ends it with status 0", f"status {status}", status == 0)


async def _cancel_and_kill(daemon: Daemon, ids: list[str], after: int) -> dict[str, int]:
    """Cancels requests together, kills the daemon after some answers, and returns the answers by id."""
    answered: dict[str, int] = {}

    async def cancel(id: str) -> None:
        try:
            answered[id] = (await daemon.client.call("DELETE", f"/v1/notifications/{id}")).status
        except ConnectionLost:
            return
        if len(answered) == after:
            daemon.process.send(signal.SIGKILL)

    await asyncio.gather(*(cancel(id) for id in ids))
    return answered
