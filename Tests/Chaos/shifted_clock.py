"""A real-time clock of a daemon that can be set: the clock of the machine stays as it is."""

from __future__ import annotations

import ctypes
import mmap
import shutil
import subprocess
import time
from pathlib import Path

from context import Context, Skipped

_LIBRARY = Path(__file__).with_name("shifted_clock.c")


class ShiftedClock:
    """The clock of all programs that `wrapper` starts.

    Raises `Skipped` where the library cannot be compiled or has no effect.
    """

    def __init__(self, context: Context) -> None:
        compiler = next((path for name in ("cc", "clang", "gcc") if (path := shutil.which(name))), None)
        if compiler is None:
            raise Skipped("a C compiler is missing: cc, clang or gcc")
        library, file = context.folder / "shifted_clock.so", context.folder / "shifted_clock"
        made = subprocess.run(
            [compiler, "-O2", "-shared", "-fPIC", "-o", str(library), str(_LIBRARY), "-ldl"], capture_output=True,
            text=True)
        if made.returncode:
            raise Skipped(f"the library for the clock cannot be compiled: {made.stderr.strip()[:200]}")
        file.write_bytes(bytes(8))
        with file.open("r+b") as opened:
            self._offset = ctypes.c_int64.from_buffer(mmap.mmap(opened.fileno(), 8))
        self.wrapper = ["/usr/bin/env", f"LD_PRELOAD={library}", f"SHIFTED_CLOCK={file}"]
        # A static program, or another C library, does not load it.
        self.set(3_600)
        shown = subprocess.run([*self.wrapper, "date", "+%s"], check=True, capture_output=True, text=True).stdout
        self.set(0)
        if abs(int(shown) - time.time() - 3_600) > 60:
            raise Skipped("LD_PRELOAD does not change the clock of a program")

    def set(self, seconds: int) -> None:
        """Sets the clock to a number of seconds after the time of the machine."""
        self._offset.value = seconds

    def is_loaded(self, pid: int) -> bool:
        return _LIBRARY.stem in Path(f"/proc/{pid}/maps").read_text()
