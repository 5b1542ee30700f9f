"""The processor time of the search for the dialect of a payload."""

import argparse
import re
import subprocess

from table import Row

_MOST = 10


def rows(options: argparse.Namespace) -> list[Row]:
    found: dict[str, list[float]] = {}
    for _ in range(options.rounds):
        # Status 1 means that the target is missed, which the rows say as well.
        said = subprocess.run([f"{options.programs}/appgroupd", "lab", "bench", "dialects"],
                              stdout=subprocess.PIPE, text=True).stdout
        for cost, what in re.findall(r"^([\d.]+)  (.+) \(target", said, re.MULTILINE):
            found.setdefault(what, []).append(float(cost))
    if not found:
        raise SystemExit("daemon-bench: lab bench dialects gave no figures")
    return [
        Row(f"processor time of the search for the dialect of {what}", costs, "µs", f"≤ {_MOST} µs",
            sorted(costs)[len(costs) // 2] <= _MOST)
        for what, costs in found.items()
    ]
