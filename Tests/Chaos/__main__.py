"""Attacks the release programs from outside and compares what they did with what they promise.

    python3 Tests/Chaos [--seconds 600] [--runs 1] [--only kills,powercut] [--programs .build/release] [--seed N]
        [--report FILE]

Ends with status 1 when a promise does not hold, with 2 for wrong usage. A step that cannot run here is reported as
skipped, with the reason. docs/operate/reliability.md says what each step does.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import resource
import signal
import sys
import time
import traceback
from contextlib import ExitStack
from importlib import import_module
from pathlib import Path
from random import Random

from context import PROJECT, Context, Skipped, make_folder
from daemon import Programs
from report import Report, Row, Verdict, combined

STEPS = (
    "syncs", "kills", "powercut", "errors", "disk", "root", "damage", "bodies", "cancel", "frames", "rests", "groups",
    "descriptors", "warm", "clients", "certificates", "batches", "callbacks", "rebinding", "erasures", "upgrade",
    "signals", "support", "clock", "contention", "millions", "overload")


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python3 Tests/Chaos", description="Attacks the release programs.")
    parser.add_argument("--seconds", type=float, default=600, help="how long a step loads the daemon (600)")
    parser.add_argument("--runs", type=int, default=1, help="how often each step runs; figures are medians then (1)")
    parser.add_argument("--only", default=",".join(STEPS), help=f"steps, with commas between them: {', '.join(STEPS)}")
    parser.add_argument("--programs", type=Path, default=PROJECT / ".build" / "release", help="the programs' folder")
    parser.add_argument("--seed", type=int, default=int.from_bytes(os.urandom(4), "big"), help="of random choices")
    parser.add_argument("--report", type=Path, help="a file for the rows as JSON")
    options = parser.parse_args()
    options.only = options.only.split(",")
    for step in options.only:
        if step not in STEPS:
            parser.error(f"--only: {step} is no step; the steps are {', '.join(STEPS)}")
    if options.runs < 1:
        parser.error("--runs: at least one run")
    for program in ("appgroupd", "appgroupd-lab", "appgroupd-transcode"):
        if not os.access(options.programs / program, os.X_OK):
            parser.error(f"--programs: {options.programs} has no {program}: run make build")
    return options


async def run_step(step: str, number: int, options: argparse.Namespace) -> list[Row]:
    """Runs one step. Whatever it started has ended when this returns or raises."""
    with ExitStack() as stack:
        context = Context(
            step, Programs(options.programs.resolve()), options.seconds, Random(f"{options.seed} {step} {number}"),
            make_folder(stack), stack)
        try:
            await import_module(f"steps.{step}").run(context)
        except Skipped as reason:
            context.skip("the whole step", str(reason))
        except Exception as error:
            traceback.print_exc()
            context.judge("the step comes to its end", f"{type(error).__name__}: {error}"[:200], False)
        return context.rows


async def run(options: argparse.Namespace) -> Report:
    print(f"seed {options.seed}, {options.seconds:g} s a step, programs in {options.programs}", flush=True)
    runs: list[list[Row]] = []
    for number in range(options.runs):
        if options.runs > 1:
            print(f"run {number + 1} of {options.runs}", flush=True)
        runs.append([])
        for step in options.only:
            begun = time.monotonic()
            runs[-1] += await run_step(step, number, options)
            print(f"{step}: ended after {time.monotonic() - begun:.1f} s", flush=True)
    return Report(options.seconds, options.seed, str(options.programs), options.runs, combined(runs))


def main() -> int:
    options = arguments()
    # Thousands of connections: the daemon inherits the limit.
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    # SIGTERM ends as ^C does, with everything undone.
    signal.signal(signal.SIGTERM, lambda *_: signal.raise_signal(signal.SIGINT))
    try:
        report = asyncio.run(run(options))
    except KeyboardInterrupt:
        print("chaos: interrupted; what was started has been ended", file=sys.stderr)
        return 130
    print(f"\n{report.table()}\n")
    if options.report:
        report.write(options.report)
    # Once more at the end, which is all that some logs keep.
    for row in report.broken:
        print(f"BROKEN: {row.step}: {row.promise}: {row.figure}")
    # Closing line in the form that other test runners print.
    print(
        f"{report.count(Verdict.HELD)} passed, {report.count(Verdict.BROKEN)} failed, "
        f"{report.count(Verdict.SKIPPED)} skipped")
    return 1 if report.broken else 0


if __name__ == "__main__":
    sys.exit(main())
