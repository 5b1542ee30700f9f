"""Durable requests a second, asked by wrk. A second row adds 5 ms to each fdatasync of the daemon, by strace."""

import argparse
import os
import re
import statistics
import subprocess
import tempfile
import time

from daemon import Daemon
from table import Row

_CALLERS = 64
_PAYLOAD = '{"aps":{"alert":{"title":"Coach says hi","body":"Tap to play the message."},"mutable-content":1},"order":4711}'
_SLOW_SYNC_MILLISECONDS = 5
_STRACE = [
    "strace", "--follow-forks", "--seccomp-bpf", "--quiet=all", "--output=/dev/null", "--trace=fdatasync",
    f"--inject=fdatasync:delay_exit={_SLOW_SYNC_MILLISECONDS * 1000}",
]


def rows(options: argparse.Namespace) -> list[Row]:
    sync = _bare_sync(options.root)
    found = []
    for what, is_slow, least, latest in [
        (f"a text request over HTTP, answered 200; a bare fdatasync takes {sync:.2f} ms", False, 5_000, 50.0),
        (f"the same, each sync {_SLOW_SYNC_MILLISECONDS} ms longer", True, 2_000, None),
    ]:
        figures = []
        for number in range(options.rounds):
            daemon = Daemon(options.programs, f"{options.root}/{int(is_slow)}{number}", options.port,
                            before=_STRACE if is_slow else None)
            try:
                figures.append(_ask(daemon, options.seconds))
            finally:
                daemon.end()
        found.append(_row(what, figures, least, latest))
    return found


def _bare_sync(folder: str) -> float:
    """Returns the median of 300 fdatasync calls behind a write of 8 KiB, in milliseconds."""
    times = []
    with tempfile.TemporaryFile(dir=folder) as file:
        file.write(bytes(1 << 22))
        file.flush()
        os.fsync(file.fileno())
        for number in range(300):
            os.pwrite(file.fileno(), os.urandom(8192), number * 8192 % (1 << 22))
            start = time.perf_counter()
            os.fdatasync(file.fileno())
            times.append((time.perf_counter() - start) * 1e3)
    return statistics.median(times)


def _ask(daemon: Daemon, seconds: int) -> tuple[float, float, float]:
    """Returns answers a second, and the median and the 99th percentile of their times in milliseconds."""
    script = f"wrk.method = 'POST'\nwrk.headers['Content-Type'] = 'application/json'\nwrk.body = '{_PAYLOAD}'\n"
    with tempfile.NamedTemporaryFile("w", suffix=".lua") as file:
        file.write(script)
        file.flush()
        before = daemon.accepted()
        said = subprocess.run(
            ["wrk", "--threads", "1", "--connections", str(_CALLERS), "--duration", f"{seconds}s", "--latency",
             "--script", file.name, f"{daemon.address}/v1/notifications"],
            check=True, capture_output=True, text=True).stdout
    if "Non-2xx" in said or "Socket errors" in said:
        raise SystemExit(f"daemon-bench: not every request was answered 200:\n{said}")
    requests = int(re.search(r"(\d+) requests in", said).group(1))
    if daemon.accepted() - before < requests:
        raise SystemExit("daemon-bench: more requests were answered than accepted")
    rate = float(re.search(r"Requests/sec:\s+([\d.]+)", said).group(1))
    return rate, *(_milliseconds(re.search(rf"^ +{part}%\s+(\S+)", said, re.MULTILINE).group(1)) for part in (50, 99))


def _milliseconds(text: str) -> float:
    """Returns a time of wrk's, as `1.25ms` or `2.00s`, in milliseconds."""
    number, unit = re.fullmatch(r"([\d.]+)(us|ms|s)", text).groups()
    return float(number) * {"us": 1e-3, "ms": 1.0, "s": 1e3}[unit]


def _row(what: str, figures: list[tuple[float, float, float]], least: int, latest: float | None) -> Row:
    rate, median, tail = (statistics.median(column) for column in zip(*figures))
    target = f"≥ {least} a second" + (f", p99 ≤ {latest:.0f} ms" if latest else "")
    return Row(what, [figure[0] for figure in figures], "a second", target,
               rate >= least and (latest is None or tail <= latest), f"p50 {median:.1f} ms, p99 {tail:.1f} ms")
