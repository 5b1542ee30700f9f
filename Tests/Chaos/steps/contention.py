"""Single requests with photos beyond the capacity of the workers, in turns without and beside stored batches."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Sequence

from batch_client import Results
from contenders import Contenders, Singles, open_contenders
from context import Context
from measuring import milliseconds, quantile
from picture_requests import IN_TIME
from stored_batch import StoredBatch
from text_caller import judge_p99

# Single photos a second, as a multiple of the capacity.
_LEVEL = 3.0
# The lines of a batch, for each second of an overload.
_LINES = 60
# When timers are later than this, in seconds, others need the processors beside the overload.
_BUSY = 0.05


async def run(context: Context) -> None:
    bench = await open_contenders(context)
    await bench.capacity(0.2)  # Starts the workers.
    rate = max(1.0, _LEVEL * await bench.capacity(max(1.0, min(10.0, context.seconds / 8))))
    context.say(f"{rate:.0f} photos a second, {_LEVEL:g} times the capacity")
    alone, beside = bench.singles(), bench.singles()
    seconds = max(2.0, min(15.0, context.seconds / 4))
    count = int(_LINES * seconds)
    stored: list[StoredBatch] = []
    running = 0
    for number in range(1 if context.is_short else min(8, max(2, int(context.seconds / 30)))):
        await bench.overload(alone, rate, seconds)
        batches = await bench.store(f"turn-{number}", count)
        await bench.overload(beside, rate, seconds)
        running += sum([(await batch.state())["state"] == "running" for batch in batches])
        await _end(batches)
        stored += batches
    at = f"{_LEVEL:g} times the capacity beside stored batches"
    _judge_singles(context, at, alone, beside)
    promise, figure = f"{at}: after the overload the batches go on, and end", f"{running} of {len(stored)} went on"
    if running:
        await _judge_ends(context, promise, figure, stored)
    else:
        context.measure(promise, f"{figure} (not judged: all had ended before)")
    await _judge_lines(context, at, stored)
    await _terminate(bench, rate, seconds, count)


async def _end(batches: Sequence[StoredBatch]) -> None:
    """Waits until the batches have ended."""
    for batch in batches:
        await batch.reaches(len(batch.lines) + 1)


async def _judge_ends(context: Context, promise: str, figure: str, batches: Sequence[StoredBatch]) -> None:
    ended = sum([(await batch.state()).get("state") == "ended" for batch in batches])
    context.judge(promise, f"{figure}, {ended} of {len(batches)} have ended", ended == len(batches))


def _judge_singles(context: Context, at: str, alone: Singles, beside: Singles) -> None:
    _judge_answers(context, at, beside)
    context.judge(
        f"{at}: each text is answered 200", f"{beside.texts.statuses}; without batches {alone.texts.statuses}",
        beside.texts.statuses.besides(200) + alone.texts.statuses.besides(200) == 0)
    rich = beside.pictures.outcomes["rich"]
    context.judge_time(
        f"{at}: another host's small pictures are rich", f"{rich} of {beside.pictures.sent}",
        rich == beside.pictures.sent)
    late = max(beside.photos.lateness + beside.pictures.lateness)
    context.judge_time(
        f"{at}: no single request is more than 10 ms later than a timer",
        f"{milliseconds(max(0.0, late))}, a timer {milliseconds(beside.timer)}", late <= IN_TIME + beside.timer)
    judge_p99(
        context, f"{at}: p99 of texts at most 1.3 times that without the batches", alone.texts, beside.texts,
        busy=_BUSY)
    context.measure(
        f"{at}: single photos with an attachment",
        f"{len(beside.photos.good)} of {beside.photos.sent}, without batches {len(alone.photos.good)} of "
        f"{alone.photos.sent}")


def _judge_answers(context: Context, at: str, singles: Singles) -> None:
    sent, outcomes = 0, Counter[str]()
    unanswered, refused = 0, set[str]()
    for requests in (singles.photos, singles.pictures):
        sent, outcomes = sent + requests.sent, outcomes + requests.outcomes
        unanswered, refused = unanswered + requests.unanswered, refused | requests.refused.keys()
    context.judge(
        f"{at}: each single request is answered 200 or 503", f"{unanswered} of {sent} unanswered, {dict(outcomes)}",
        unanswered == 0 and refused <= {"503"})


async def _judge_lines(context: Context, at: str, batches: Sequence[StoredBatch]) -> None:
    """Judges the results of batches that have ended."""
    wrong, outcomes, times, texts = list[str](), Counter[str](), list[float](), list[float]()
    for batch in batches:
        results = Results()
        for line in await batch.results():
            results.add(line)
            value = json.loads(line)
            if timing := value.get("timing"):
                times.append((timing["elapsedMs"] - timing["budgetMs"]) / 1_000)
                texts += [timing["elapsedMs"] / timing["budgetMs"]] if value["outcome"] == "fallback" else []
        outcomes += results.outcomes
        if not results.are_once(batch.lines) or results.errors:
            wrong.append(f"{batch.id}: {results.figure(batch.lines)}")
    lines, kinds = sum(len(batch.lines) for batch in batches), {outcome.partition(" ")[0] for outcome in outcomes}
    context.judge(
        f"{at}: each line of a batch has one result, which is rich or a text",
        f"{lines} lines of {len(batches)} batches, {dict(outcomes)}{f', but {wrong[:3]}' if wrong else ''}",
        not wrong and lines > 0 and kinds <= {"rich", "fallback"})
    late = max(times, default=float("inf"))
    context.judge_time(
        f"{at}: no line is more than 10 ms later than its budget", milliseconds(max(0.0, late)), late <= IN_TIME)
    context.measure(
        f"{at}: the part of its budget after which a line is a text",
        f"p50 {quantile(texts, 0.5):.0%}, p90 {quantile(texts, 0.9):.0%}")


async def _terminate(bench: Contenders, rate: float, seconds: float, count: int) -> None:
    """Ends the daemon in an overload while stored batches run, and starts it again."""
    context, singles = bench.context, bench.singles()
    batches = await bench.store("end", count)
    overload = asyncio.create_task(bench.overload(singles, rate, seconds))
    # The daemon has accepted all requests of the overload then.
    await asyncio.sleep(seconds + 0.5)
    left = sum([count - (await batch.state())["counts"]["lines"] for batch in batches])
    loop = asyncio.get_running_loop()
    begun = loop.time()
    status = await bench.daemon.terminate()
    took, longest = loop.time() - begun, max(bench.budget, bench.line_budget) + 5
    await overload
    at = f"SIGTERM at {_LEVEL:g} times the capacity beside stored batches"
    context.judge(f"{at}: the daemon ends with status 0", f"status {status}, {left} lines left", status == 0)
    context.judge_time(
        f"{at}: it ends within the longest budget and 5 s", f"{took:.1f} of {longest:g} s", took <= longest)
    _judge_answers(context, at, singles)
    context.judge(
        f"{at}: each text is answered 200", f"{singles.texts.statuses}", singles.texts.statuses.besides(200) == 0)
    await bench.start()
    await _end(batches)
    await _judge_ends(context, f"{at}: a restart completes the batches", f"{left} lines left", batches)
    await _judge_lines(context, at, batches)
    bench.daemon.kill()
