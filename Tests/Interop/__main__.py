"""Has programs of others call the daemon, and compares what they get with what the documents promise.

    .build/interop/bin/python3 Tests/Interop
        [--only description,schemathesis,nginx,caddy,media,clients,webhooks,synapse,metrics]
        [--programs .build/release] [--examples 8]

`make interop` runs it, after scripts/setup has made the environment with the pinned packages. Ends with status 1 when a
promise does not hold, with 2 for wrong usage. All servers listen on loopback, and end with the check that started them.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import signal
import sys
import time
import traceback
from contextlib import ExitStack
from importlib import import_module
from pathlib import Path
from random import Random

sys.path.insert(1, str(Path(__file__).resolve().parents[1] / "Chaos"))

from context import PROJECT, Context, make_folder
from daemon import Programs
from report import Report, Row, Verdict

CHECKS = ("description", "schemathesis", "nginx", "caddy", "media", "clients", "webhooks", "synapse", "metrics")


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="Tests/Interop", description=__doc__.splitlines()[0])
    parser.add_argument("--only", default=",".join(CHECKS), help=f"checks, with commas: {', '.join(CHECKS)}")
    parser.add_argument("--programs", type=Path, default=PROJECT / ".build" / "release", help="the programs' folder")
    parser.add_argument("--examples", type=int, default=8, help="random calls of each kind by schemathesis (8)")
    options = parser.parse_args()
    options.only = options.only.split(",")
    for check in options.only:
        if check not in CHECKS:
            parser.error(f"--only: {check} is no check; the checks are {', '.join(CHECKS)}")
    if not os.access(options.programs / "appgroupd", os.X_OK):
        parser.error(f"--programs: {options.programs} has no appgroupd: run make build")
    return options


async def run_check(check: str, options: argparse.Namespace) -> list[Row]:
    """Runs one check. Everything that it started has ended when this returns or raises."""
    with ExitStack() as stack:
        # The seconds are those of the attack, and no check uses them.
        context = Context(
            check, Programs(options.programs.resolve()), 0, Random(0), make_folder(stack), stack)
        try:
            await import_module(f"checks.{check}").run(context, options)
        except Exception as error:
            traceback.print_exc()
            context.judge("the check comes to its end", f"{type(error).__name__}: {error}"[:200], False)
        return context.rows


async def run(options: argparse.Namespace) -> Report:
    rows: list[Row] = []
    for check in options.only:
        begun = time.monotonic()
        rows += await run_check(check, options)
        print(f"{check}: ended after {time.monotonic() - begun:.1f} s", flush=True)
    return Report(0, 0, str(options.programs), 1, rows)


def main() -> int:
    options = arguments()
    # SIGTERM ends as ^C does, with everything undone.
    signal.signal(signal.SIGTERM, lambda *_: signal.raise_signal(signal.SIGINT))
    try:
        report = asyncio.run(run(options))
    except KeyboardInterrupt:
        print("interop: interrupted; what was started has been ended", file=sys.stderr)
        return 130
    print(f"\n{report.table()}\n")
    print(
        f"{report.count(Verdict.HELD)} passed, {report.count(Verdict.BROKEN)} failed, "
        f"{report.count(Verdict.SKIPPED)} skipped")
    return 1 if report.broken else 0


if __name__ == "__main__":
    sys.exit(main())
