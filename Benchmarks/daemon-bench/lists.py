"""Lists of a million notifications: the time of a page, the size of a row, and the processor time that lists add to a
request."""

import argparse
import hashlib
import json
import os
import random
import sqlite3
import statistics
import time
import urllib.parse
import urllib.request
import uuid

from daemon import Daemon
from receivers import cost
from table import Row

_COUNT = 1_000_000
_MOST_MILLISECONDS = 20
_MOST_COST = 1.10
_PAGES = 100


def rows(options: argparse.Namespace) -> list[Row]:
    full, empty = f"{options.root}/lists", f"{options.root}/lists-empty"
    for root in (full, empty):
        Daemon(options.programs, root, options.port).end()
    size = _fill(f"{full}/.appgroupd/journal.sqlite")
    times = _pages(options, full)
    costs: dict[str, list[float]] = {"full": [], "empty": [], "off": []}
    off = {"APPGROUPD_LISTS_MOST": "0"}
    for _ in range(options.rounds):
        costs["full"].append(cost(options, full))
        costs["empty"].append(cost(options, empty))
        costs["off"].append(cost(options, empty, off))
    result = [Row(f"disk of a row in a list of {_COUNT:,}", [size], "bytes")]
    for name, milliseconds in times.items():
        result.append(
            Row(f"page of 50 of {_COUNT:,} notifications, {name}", milliseconds, "ms", f"≤ {_MOST_MILLISECONDS}",
                statistics.median(milliseconds) <= _MOST_MILLISECONDS))
    for other, text in (("empty", "an empty list"), ("off", "no list (`lists.most: 0`)")):
        ratios = [with_rows / without for with_rows, without in zip(costs["full"], costs[other])]
        result.append(
            Row(f"processor time of a text request with {_COUNT:,} listed, beside {text}", ratios, "times",
                f"≤ {_MOST_COST:.2f}", statistics.median(ratios) <= _MOST_COST,
                f"{statistics.median(costs['full']) * 1e6:.0f} µs",
                f"{statistics.median(costs[other]) * 1e6:.0f} µs"))
    return result


def _fill(path: str) -> float:
    """Adds rows to the lists of a journal as the daemon does, and returns the bytes of a row."""
    before = os.path.getsize(path)
    database = sqlite3.connect(path)
    database.execute("PRAGMA synchronous = OFF")
    words = {}
    for word in ("group.default", "rich", "fallback", "passthrough", "comapi"):
        database.execute("INSERT OR IGNORE INTO listWord (word) VALUES (?)", (word,))
        words[word] = database.execute("SELECT number FROM listWord WHERE word = ?", (word,)).fetchone()[0]
    first = int(time.time() * 1e6) - _COUNT * 2_000
    for start in range(0, _COUNT, 50_000):
        listed, names = [], []
        for number in range(start, start + 50_000):
            place, id = first + number * 2_000, str(uuid.uuid4())
            provider, recipient, thread = f"msg-{number}", f"user-{number % 200_000}", f"thread-{number % 50_000}"
            outcome = words[("rich", "fallback", "passthrough")[number % 3]]
            labels = ',"sale"' if number % 10 == 0 else None
            listed.append((place, words["group.default"], id, outcome, None, words["comapi"], provider, recipient,
                           thread, labels))
            names += [(_key(kind, name), place)
                      for kind, name in enumerate(("", id, provider, recipient, thread))]
        with database:
            database.executemany("INSERT INTO listed VALUES (?,?,?,?,?,?,?,?,?,?)", listed)
            database.executemany("INSERT OR IGNORE INTO listedName VALUES (?,?)", names)
    with database:
        database.execute("UPDATE listTotals SET listed = listed + ?", (_COUNT,))
    database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    database.close()
    return (os.path.getsize(path) - before) / _COUNT


def _key(kind: int, name: str) -> int:
    """Returns the number of a name in `listedName`, as `ListKey` makes it."""
    digest = hashlib.sha256(bytes([kind]) + b"group.default\n" + name.encode()).digest()
    return int.from_bytes(digest[:6], "big") >> 1


def _pages(options: argparse.Namespace, root: str) -> dict[str, list[float]]:
    """Returns the times of pages in milliseconds."""
    daemon = Daemon(options.programs, root, options.port)
    choose = random.Random(7)

    def user() -> str:
        return f"user-{choose.randrange(200_000)}"

    questions = {
        "the newest": lambda: ("notifications", {}),
        "of a receiver": lambda: ("notifications", {"recipient": user()}),
        "of a thread": lambda: ("notifications", {"thread": f"thread-{choose.randrange(50_000)}"}),
        "with a label": lambda: ("notifications", {"label": "sale"}),
        "with a label that none of 5,000 has": lambda: ("notifications", {"label": "absent"}),
        "deep in the list": lambda: ("notifications", {"cursor": _deep(daemon, choose)}),
        "threads": lambda: ("threads", {}),
        "threads of a receiver": lambda: ("threads", {"recipient": user()}),
        "summary of a receiver": lambda: (f"recipients/{user()}/summary", {}),
    }
    try:
        times: dict[str, list[float]] = {}
        for name, question in questions.items():
            times[name] = []
            for _ in range(_PAGES):
                path, query = question()
                start = time.monotonic()
                _get(daemon, path, query)
                times[name].append((time.monotonic() - start) * 1e3)
        return times
    finally:
        daemon.end()


def _deep(daemon: Daemon, choose: random.Random) -> str:
    """Returns the cursor of a page that begins somewhere in the list."""
    moment = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() - choose.randrange(1_900)))
    return str(_get(daemon, "notifications", {"to": moment, "limit": "1"})["next"])


def _get(daemon: Daemon, path: str, query: dict[str, str]) -> dict[str, object]:
    with urllib.request.urlopen(f"{daemon.address}/v1/{path}?{urllib.parse.urlencode(query)}") as response:
        return dict(json.load(response))
