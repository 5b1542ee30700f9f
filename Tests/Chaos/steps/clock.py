"""Steps of the real-time clock by an hour, forwards, backwards and back, under load and with kill -9 after each."""

from __future__ import annotations

import asyncio
import json
import time
from dataclasses import dataclass
from typing import Any

import batch_bodies as bodies
import clock_checks
from batch_client import Results, batch_call, line_call
from budget_callers import BUDGET, BudgetCallers
from callback_target import SECRET, CallbackTarget
from client import Client
from context import Context
from daemon import Daemon
from host import open_host
from ledger import Ledger, compare
from load import Load
from measuring import milliseconds
from origin import Origin, free_port
from shifted_clock import ShiftedClock
from signed_tokens import TokenIssuer
from text_caller import BUSY, TextCaller

_HOUR = 3_600
# The offsets of the clock, one after the other.
_STEPS = (_HOUR, -_HOUR, 0)
# The group whose callbacks fail at first.
_GROUP = "group.callbacks"
_CALLBACKS = 3
# The second attempt comes 5 s after the first one, with up to a tenth more.
_RETRY = 8.0
_LINES = 20
# The daemon looks for old data each minute. The longest time until it has removed them, in seconds.
_REMOVAL = 70


@dataclass
class _Bench:
    context: Context
    clock: ShiftedClock
    daemon: Daemon
    ledger: Ledger
    origin: Origin
    # The origin of media that never arrive.
    slow: Origin
    target: CallbackTarget
    configuration: str
    checks: clock_checks.Checks

    async def restart(self) -> None:
        self.daemon.kill()
        await self.start()

    async def start(self) -> None:
        self.daemon = self.checks.daemon = await _started(self.context, self.clock, self.configuration)

    def load(self, prefix: str) -> Load:
        return Load(
            self.daemon.client, self.daemon.root / "group.default", self.ledger, self.context.random, self.origin,
            longest=2_000, pause=0.1, names=True, prefix=prefix)


async def run(context: Context) -> None:
    clock, target, issuer = ShiftedClock(context), CallbackTarget(), TokenIssuer(context.folder)
    await target.start()
    context.stack.callback(target.stop)
    secret, port = context.folder / "gateway.whsec", free_port("127.0.0.1")
    secret.touch(mode=0o600)
    secret.write_text(SECRET)
    callbacks = {
        "name": "gateway", "url": f"http://127.0.0.1:{target.port}/hook", "secretFile": str(secret),
        "groups": [_GROUP]}
    configuration = json.dumps({
        **clock_checks.configuration(context.folder, port, issuer), "callbacks": {"targets": [callbacks]},
        "batches": {"retention": "30m"}, "fetch": {"circuitBreaker": "off"}})
    daemon = await _started(context, clock, configuration)
    if not clock.is_loaded(daemon.pid):
        context.skip("the whole step", "the daemon does not load the library for the clock")
        return
    async with open_host() as host:
        host.headers = f"Cache-Control: max-age={clock_checks.HALF}\r\n"
        ledger = Ledger()
        checks = clock_checks.Checks(
            issuer, host, ledger, daemon, Client(("127.0.0.1", port)), int(time.time()))
        bench = _Bench(
            context, clock, daemon, ledger, await context.origin(), await context.origin("127.0.0.2"), target,
            configuration, checks)
        await checks.prepare()
        await _store_batch(bench, "before")
        for number, offset in enumerate(_STEPS):
            await _step(bench, number, offset)
        context.judge(
            "no metric, state or time of a result is negative",
            f"{len(checks.negative)}, such as {checks.negative[:3]}", not checks.negative)
        status = await bench.daemon.terminate()
        context.judge("SIGTERM ends it with status 0", f"status {status}", status == 0)


async def _started(context: Context, clock: ShiftedClock, configuration: str) -> Daemon:
    # The configuration names the listener.
    port = json.loads(configuration)["listen"]
    return await context.start(
        options=["--listen", port, "--log-level", "warning"], configuration=configuration, wrapper=clock.wrapper)


async def _step(bench: _Bench, number: int, offset: int) -> None:
    context, name = bench.context, f"a step to {offset // _HOUR:+d} h" if offset else "a step back to the real time"
    seconds = min(30.0, max(1.0, context.seconds / 6))
    texts, slow = TextCaller(bench.daemon.client, 20), BudgetCallers(bench.daemon.client, bench.slow)
    await _fail_callbacks(bench, number)
    async with bench.load(f"s{number}").running():
        calls = asyncio.gather(texts.run(seconds), slow.run(seconds))
        await _store_batch(bench, f"during-{number}", waits=False)
        await asyncio.sleep(seconds / 2)
        bench.clock.set(offset)
        stepped = time.monotonic()
        await calls
    context.judge(f"{name}: each text is answered 200", f"{texts.statuses}", texts.statuses.besides(200) == 0)
    _judge_budgets(context, name, slow, texts)
    await _judge_idle(bench, name)
    # A short run leaves out the attempts that a step forwards cannot delay.
    if offset or not context.is_short:
        await _judge_callbacks(bench, name, number, stepped)
    async with bench.load(f"k{number}").running():
        await asyncio.sleep(context.random.random())
        await bench.restart()
    await bench.daemon.settled()
    await bench.checks.judge(context, name, offset)
    await _judge_batches(bench, name, number, offset)
    found = await compare(bench.ledger, bench.daemon.client, bench.daemon.root / "group.default")
    for line in found.lost[:5]:
        context.say(line)
    context.judge(
        f"{name}, and kill -9: no acknowledged request and no medium is lost, and none is emitted twice",
        f"lost {found.losses}, {len(found.doubled)} doubled, {len(found.repeated)} again of {bench.ledger.counts}, "
        f"{bench.ledger.media_count} files", not found.lost and not found.doubled and not found.repeated)


def _judge_budgets(context: Context, name: str, slow: BudgetCallers, texts: TextCaller) -> None:
    context.judge(
        f"{name}: no result comes before its budget or its picture", f"{len(slow.early)} of {slow.count}, such as "
        f"{slow.early[:3]}", not slow.early)
    timer = max(slow.probe.lateness)
    figure = f"{milliseconds(max(0.0, slow.lateness))} late, a timer {milliseconds(timer)}"
    promise = f"{name}: no result is more than 10 ms later than a timer"
    if texts.timer > BUSY:
        context.measure(promise, f"{figure} (the machine was too busy)")
    else:
        context.judge_time(promise, figure, slow.lateness <= 0.01 + timer)
    context.judge(
        f"{name}: no budget changes by a second", f"at most {milliseconds(max(slow.times))} of {milliseconds(BUDGET)}",
        slow.lateness < 1 + timer)


async def _fail_callbacks(bench: _Bench, number: int) -> None:
    """Emits texts whose callbacks fail once."""
    bench.target.status = 503
    for index in range(_CALLBACKS):
        payload = {"aps": {"alert": {"title": "t", "body": "b"}}}
        envelope = {"id": f"callback-{number}-{index}", "appGroup": _GROUP, "payload": payload}
        await bench.daemon.client.post(json.dumps(envelope).encode())
    for _ in range(500):
        pending: Any = (await bench.daemon.client.call("GET", "/v1/callbacks?state=pending")).json
        if sum(callback["attempts"] > 0 for callback in pending["callbacks"]) >= _CALLBACKS:
            bench.target.status = 200
            return
        await asyncio.sleep(0.01)
    raise TimeoutError(f"no callback fails: {pending}")


async def _judge_callbacks(bench: _Bench, name: str, number: int, stepped: float) -> None:
    due = {f"callback-{number}-{index}" for index in range(_CALLBACKS)}
    while missing := due - {received.notification for received in bench.target.received}:
        if time.monotonic() > stepped + _RETRY:
            break
        await asyncio.sleep(0.05)
    bench.context.judge_time(
        f"{name}: each failed callback is sent again after 5 s", f"{len(missing)} of {len(due)} not", not missing)


async def _judge_idle(bench: _Bench, name: str) -> None:
    """Measures the processor time of the daemon without calls."""
    seconds = min(30.0, max(0.5, bench.context.seconds / 6))
    await bench.daemon.settled()
    # The data of the last requests are written within a second.
    await asyncio.sleep(1)
    before, begun = bench.daemon.processor_seconds, time.monotonic()
    await asyncio.sleep(seconds)
    share = (bench.daemon.processor_seconds - before) / (time.monotonic() - begun)
    bench.context.judge_time(
        f"{name}: an idle daemon takes at most 2 % of a core", f"{share:.1%} in {seconds:.0f} s", share <= 0.02)


async def _store_batch(bench: _Bench, id: str, waits: bool = True) -> None:
    async with batch_call(bench.daemon.socket, {"Prefer": "respond-async", "Idempotency-Key": id}) as call:
        await call.send(
            bodies.envelope(f"text {number}", bench.origin.url("delay/300ms/grey.jpg"), f"{id}-{number}")
            for number in range(_LINES))
        await call.end()
        if not [line async for line in call.lines()] or call.status != 202:
            raise RuntimeError(f"a stored batch was answered {call.status}")
    for _ in range(600 if waits else 0):
        if (await bench.daemon.client.call("GET", f"/v1/batches/{id}")).json["state"] == "ended":
            return
        await asyncio.sleep(0.05)


async def _judge_batches(bench: _Bench, name: str, number: int, offset: int) -> None:
    """Judges the batch that ran during the step, and the removal of the one from before the steps."""
    lines, results = range(1, _LINES + 1), Results()
    async with line_call(bench.daemon.socket, "GET", f"/v1/batches/during-{number}/results") as call:
        await results.read(call)
    bench.context.judge(
        f"{name}: each line of a stored batch has one result", results.figure(lines), results.are_once(lines))
    if offset != _HOUR or bench.context.is_short:
        return
    for _ in range(_REMOVAL * 5):
        status = (await bench.daemon.client.call("GET", "/v1/batches/before")).status
        if status == 404:
            break
        await asyncio.sleep(0.2)
    bench.context.judge(
        f"{name}: a stored batch is removed after its retention of half an hour", f"status {status}", status == 404)
