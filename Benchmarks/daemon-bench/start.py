"""The start of a daemon and its memory when idle."""

import argparse
import json
import time
import urllib.request

from daemon import Daemon, private_bytes
from table import Row

_STARTS = 9
_PAYLOAD = {"aps": {"alert": "x", "mutable-content": 1}, "image": "data:image/gif;base64,R0lGODlhAQABAAAAACw="}


def rows(options: argparse.Namespace) -> list[Row]:
    starts, daemons, workers = [], [], []
    for number in range(_STARTS):
        daemon = Daemon(options.programs, f"{options.root}/start{number % 2}", options.port)
        starts.append(daemon.ready_after * 1e3)
        time.sleep(1)
        daemons.append(private_bytes(daemon.process.pid) / 1e6)
        # Workers start with the first media.
        request = urllib.request.Request(f"{daemon.address}/v1/notifications", json.dumps(_PAYLOAD).encode(),
                                         {"Content-Type": "application/json"})
        urllib.request.urlopen(request).close()
        workers += [private_bytes(worker) / 1e6 for worker in daemon.workers()]
        daemon.end()

    def most(what: str, values: list[float], unit: str, limit: float) -> Row:
        return Row(what, values, unit, f"≤ {limit:.0f} {unit}", sorted(values)[len(values) // 2] <= limit)

    return [
        most("from the start of the daemon to /readyz", starts, "ms", 50),
        most("private memory of an idle daemon", daemons, "MB", 8),
        most("private memory of an idle worker", workers, "MB", 24),
    ]
