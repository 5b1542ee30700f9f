"""Databases that are overwritten, truncated or replaced, while the daemon is stopped and, the index, while it runs."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import sqlite3
import subprocess
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from random import Random

import payloads
from context import Context
from daemon import Daemon, NotReady
from origin import Origin

Damage = Callable[[Path, Random], None]
_MEND = re.compile(r"\b(mend|move|remove|delete|restore|put|copy)\b", re.IGNORECASE)


def _garbage(file: Path, random: Random) -> None:
    _overwrite(file, 0, file.stat().st_size, random)


def _middle(file: Path, random: Random) -> None:
    """Leaves the first page, so that the header is good."""
    _overwrite(file, 4096, max(4096, file.stat().st_size - 4096), random)


def _truncated(file: Path, random: Random) -> None:
    os.truncate(file, max(100, file.stat().st_size // 2 + 50))


def _directory(file: Path, random: Random) -> None:
    file.unlink()
    file.mkdir()


def _overwrite(file: Path, offset: int, size: int, random: Random) -> None:
    with file.open("r+b") as opened:
        opened.seek(offset)
        opened.write(random.randbytes(size))


_JOURNAL: dict[str, Damage] = {"garbage": _garbage, "truncated": _truncated, "a directory": _directory}
_WAL: dict[str, Damage] = {"garbage": _garbage, "garbage in its middle": _middle}
_INDEX: dict[str, Damage] = {
    "garbage": _garbage, "garbage in its middle": _middle, "truncated": _truncated, "a directory": _directory,
}
_RUNNING: dict[str, Damage] = {"garbage": _garbage, "garbage in its middle": _middle, "truncated": _truncated}


async def run(context: Context) -> None:
    origin = await context.origin()
    # One root with everything in it, copied for each kind of damage.
    clean, killed = context.folder / "clean", context.folder / "killed"
    await _fill(context, origin, clean, killed)
    for kind, damage in _JOURNAL.items():
        await _journal(context, _copy(context, clean, f"journal {kind}"), kind, damage)
    for kind, damage in _WAL.items():
        await _wal(context, _copy(context, killed, f"wal {kind}"), kind, damage)
    for kind, damage in _INDEX.items():
        await _index(context, origin, _copy(context, clean, f"index {kind}"), kind, damage)
    for kind, damage in _RUNNING.items():
        await _running(context, origin, _copy(context, clean, f"running {kind}"), kind, damage)


async def _fill(context: Context, origin: Origin, clean: Path, killed: Path) -> None:
    daemon = await context.start(clean)
    for _ in range(20 if context.is_short else 200):
        await _shown(daemon, origin)
        await daemon.client.post(payloads.text("x" * 2000), {"Prefer": "respond-async"})
    # As `kill -9` leaves it, with a WAL.
    daemon.kill()
    shutil.copytree(clean, killed, ignore=shutil.ignore_patterns("*.sock"))
    daemon = await context.start(clean)
    await daemon.terminate()


def _copy(context: Context, root: Path, name: str) -> Path:
    copy = context.folder / re.sub(r"\W+", "-", name)
    shutil.copytree(root, copy, ignore=shutil.ignore_patterns("*.sock"))
    return copy


async def _shown(daemon: Daemon, origin: Origin) -> str | None:
    """Has a picture shown, and returns the id of its message; `None` when it is not shown."""
    response = await daemon.client.post(payloads.media([origin.url("jpeg-444.jpg")]))
    is_shown = response.status == 200 and response.json["outcome"] == "rich"
    return response.json["id"] if is_shown else None


async def _journal(context: Context, root: Path, kind: str, damage: Damage) -> None:
    file = root / ".appgroupd" / "journal.sqlite"
    damage(file, context.random)
    daemon = context.launch(root, name=root.name)
    try:
        await daemon.ready(timeout=10)
        figure, held = "it starts", False
        daemon.kill()
    except NotReady:
        said = daemon.last_lines(1)
        held = daemon.process.status == 1 and str(file) in said and _MEND.search(said) is not None
        figure = f"status {daemon.process.status}: {_short(said, root)}"
    context.judge(f"journal.sqlite is {kind}: status 1, with path and mend", figure, held)
    doctor = _doctor(context, root)
    lines = [line for line in doctor.stdout.splitlines() if "journal" in line and not line.startswith("ok")]
    context.judge(
        f"journal.sqlite is {kind}: doctor says it", f"status {doctor.returncode}: {_short(' '.join(lines), root)}",
        doctor.returncode == 1 and bool(lines))


def _doctor(context: Context, root: Path) -> subprocess.CompletedProcess[str]:
    configuration = context.folder / "doctor.yaml"
    configuration.write_text("{}\n")
    return subprocess.run(
        [context.programs.appgroupd, "doctor", "--root", str(root), "--config", str(configuration)],
        capture_output=True, text=True, timeout=60)


async def _wal(context: Context, root: Path, kind: str, damage: Damage) -> None:
    file = root / ".appgroupd" / "journal.sqlite-wal"
    damage(file, context.random)
    daemon = context.launch(root, name=root.name)
    try:
        await daemon.ready()
        records = [str(record) for record in daemon.log_records() if file.name in str(record)]
        figure = _short(records[0], root) if records else "it starts, silent"
        held = bool(records)
    except NotReady as error:
        figure = _short(str(error), root)
        held = daemon.process.status == 1 and file.name in figure
    daemon.kill()
    context.judge(f"journal.sqlite-wal is {kind}: the log says it", figure, held)


async def _index(context: Context, origin: Origin, root: Path, kind: str, damage: Damage) -> None:
    file = root / "group.default" / "index.sqlite"
    damage(file, context.random)
    daemon = context.launch(root, name=root.name)
    try:
        await daemon.ready()
        shown = [await _shown(daemon, origin) for _ in range(5)]
        found = await _found_soon(file, shown)
        figure, held = f"{found} of 5 shown and found in it", found == 5
        await daemon.terminate()
    except NotReady as error:
        figure, held = _short(str(error), root), False
    context.judge(f"index.sqlite is {kind} at a start: made anew", figure, held)


async def _running(context: Context, origin: Origin, root: Path, kind: str, damage: Damage) -> None:
    file = root / "group.default" / "index.sqlite"
    daemon = await context.start(root, name=root.name)
    await _shown(daemon, origin)
    damage(file, context.random)
    shown = [await _shown(daemon, origin) for _ in range(20)]
    # The first ones may have found the damage, and have gone with the old index.
    found = await _found_soon(file, shown[10:])
    status = await daemon.terminate()
    daemon = await context.start(root, name=root.name)
    after = [await _shown(daemon, origin) for _ in range(10)]
    again = await _found_soon(file, after[5:])
    daemon.kill()
    context.judge(
        f"index.sqlite becomes {kind} while it runs: all is shown, and it is made anew by the next start",
        f"{len(shown) - shown.count(None)} of 20 shown, status {status}, {again} of the last 5 found after the next start",
        None not in shown and again == 5 and status == 0)
    # SQLite notices the damage when it reads a page from the file, and until then it has its own copy in memory.
    context.measure(
        f"index.sqlite becomes {kind} while it runs: made anew at once", f"{found} of the last 10 found in it")


async def _found_soon(index: Path, ids: list[str | None]) -> int:
    """Waits up to 2 s for the rows of all messages: a row is written after the answer. Returns how many there are."""
    found = 0
    for _ in range(40):
        found = _found_in(index, ids)
        if found == len(ids):
            break
        await asyncio.sleep(0.05)
    return found


def _found_in(index: Path, ids: list[str | None]) -> int:
    """Returns how many of the messages a reader of the index finds, 0 when it is damaged."""
    try:
        with closing(sqlite3.connect(f"file:{index}?mode=ro", uri=True)) as database:
            if database.execute("PRAGMA integrity_check").fetchone() != ("ok",):
                return 0
            found = "SELECT COUNT(*) > 0 FROM messageFile WHERE messageId = ?"
            return sum(database.execute(found, (id,)).fetchone()[0] for id in ids if id)
    except sqlite3.Error:
        return 0


def _short(text: str, root: Path) -> str:
    return text.replace(str(root), "ROOT").replace("|", "/").replace("\n", " ")[:200]
