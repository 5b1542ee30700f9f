"""A control group with a memory limit (cgroups(7))."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from context import Skipped

# Of version 1 and of version 2.
_PLACES = (("memory", "memory.limit_in_bytes"), ("", "memory.max"))


@contextmanager
def memory_group(limit: int) -> Iterator[list[str]]:
    """Makes a group. Yields the wrapper that runs a command in it. Raises `Skipped` where none can be made."""
    folder = _made(limit)
    try:
        yield ["/bin/sh", "-c", 'echo $$ > "$0/cgroup.procs" && exec "$@"', str(folder)]
    finally:
        _remove(folder)


def _made(limit: int) -> Path:
    for place, file in _PLACES:
        folder = Path("/sys/fs/cgroup", place, f"appgroupd-chaos-{os.getpid()}")
        try:
            folder.mkdir()
        except OSError:
            continue
        try:
            (folder / file).write_text(str(limit))
            return folder
        except OSError:
            folder.rmdir()
    raise Skipped("this user cannot make a control group with a memory limit")


def _remove(folder: Path) -> None:
    """Removes a group whose processes have been ended. The kernel may take a moment to notice their end."""
    for _ in range(100):
        try:
            return folder.rmdir()
        except OSError:
            time.sleep(0.02)
