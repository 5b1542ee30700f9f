"""The processor time of a text request to a stored receiver, beside that without any stored receiver, in turns."""

import argparse
import re
import statistics
import subprocess
import tempfile
import time

from daemon import Daemon, processor_seconds
from table import Row

_CALLERS = 64
_RECEIVERS = 1_000_000
_MOST = 1.10
_SCRIPT = """
math.randomseed({seed})
request = function()
  local body = '{{"recipient":"user-' .. math.random(0, {last}) .. '","payload":{{"aps":{{"alert":{{"title":"Coach says hi","body":"Tap to play."}},"mutable-content":1}}}}}}'
  return wrk.format('POST', '/v1/notifications', {{['Content-Type'] = 'application/json'}}, body)
end
"""


def rows(options: argparse.Namespace) -> list[Row]:
    full = f"{options.root}/receivers"
    imported = _fill(options, full)
    costs: dict[bool, list[float]] = {False: [], True: []}
    for number in range(options.rounds):
        for is_full in costs:
            root = full if is_full else f"{options.root}/none{number}"
            costs[is_full].append(cost(options, root))
    ratios = [stored / none for none, stored in zip(costs[False], costs[True])]
    return [
        Row(f"import of {_RECEIVERS:,} receivers", [imported], "s"),
        Row(f"processor time of a text request with {_RECEIVERS:,} stored receivers, beside that with none", ratios,
            "times", f"≤ {_MOST:.2f}", statistics.median(ratios) <= _MOST,
            f"{statistics.median(costs[True]) * 1e6:.0f} µs", f"{statistics.median(costs[False]) * 1e6:.0f} µs"),
    ]


def _fill(options: argparse.Namespace, root: str) -> float:
    """Returns the time of the import in seconds."""
    daemon = Daemon(options.programs, root, options.port)
    try:
        start = time.monotonic()
        command = subprocess.Popen([f"{options.programs}/appgroupd", "recipients", "import", "--root", root, "-"],
                                   stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
        for number in range(_RECEIVERS):
            command.stdin.write(
                b'{"id":"user-%d","permissions":{"sound":false},"names":["%064x"]}\n' % (number, number * 7919))
        command.stdin.close()
        if command.wait() != 0:
            raise SystemExit("daemon-bench: the import of the receivers failed")
        return time.monotonic() - start
    finally:
        daemon.end()


def cost(options: argparse.Namespace, root: str, environment: dict[str, str] | None = None) -> float:
    """Returns the processor time of a request in seconds.

    :param environment: settings of the daemon, as variables.
    """
    daemon = Daemon(options.programs, root, options.port, environment=environment)
    try:
        _ask(daemon, 2)
        before = processor_seconds(daemon.process.pid)
        requests = _ask(daemon, options.seconds)
        return (processor_seconds(daemon.process.pid) - before) / requests
    finally:
        daemon.end()


def _ask(daemon: Daemon, seconds: int) -> int:
    """Returns the number of requests that were answered."""
    with tempfile.NamedTemporaryFile("w", suffix=".lua") as file:
        file.write(_SCRIPT.format(seed=time.monotonic_ns() % 100_000, last=_RECEIVERS - 1))
        file.flush()
        said = subprocess.run(
            ["wrk", "--threads", "1", "--connections", str(_CALLERS), "--duration", f"{seconds}s", "--script", file.name,
             daemon.address], check=True, capture_output=True, text=True).stdout
    if "Non-2xx" in said or "Socket errors" in said:
        raise SystemExit(f"daemon-bench: not every request was answered 200:\n{said}")
    return int(re.search(r"(\d+) requests in", said).group(1))
