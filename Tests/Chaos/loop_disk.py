"""An ext4 file system in a file, whose power can be cut and whose room can be filled."""

from __future__ import annotations

import errno
import fcntl
import os
import shutil
import struct
import subprocess
import time
from enum import IntEnum
from pathlib import Path

from context import Context, Skipped

# _IOR('X', 125, __u32), linux/fs/ext4/ext4.h.
_EXT4_IOC_SHUTDOWN = 0x8004587D


class Cut(IntEnum):
    """What of ext4's own journal is still written when the power goes: all of it, or what is on the disk already."""

    LOG_FLUSH = 1
    NO_LOG_FLUSH = 2


class LoopDisk:
    """Mounted until the step ends. Raises `Skipped` where root or loop devices are not to be had."""

    def __init__(self, context: Context, mebibytes: int) -> None:
        if os.geteuid() != 0:
            raise Skipped("a loop-mounted file system needs root")
        for program in ("mkfs.ext4", "mount", "umount"):
            if shutil.which(program) is None:
                raise Skipped(f"{program} is missing: scripts/setup chaos installs it")
        self._image = context.folder / "disk.img"
        self.path = context.folder / "disk"
        self.path.mkdir()
        self._is_mounted = False
        with self._image.open("wb") as image:
            image.truncate(mebibytes << 20)
        # No blocks are reserved for root, which the daemon may be here.
        _run("mkfs.ext4", "-q", "-F", "-b", "4096", "-m", "0", str(self._image))
        context.stack.callback(self._unmount)
        try:
            self._mount()
        except subprocess.CalledProcessError as error:
            raise Skipped(f"a loop device cannot be mounted: {error.stderr.strip()}") from error

    def restore(self) -> None:
        """Mounts after a cut what the disk has. What was in the page cache alone is gone."""
        self._unmount()
        # A copy: as long as another mount namespace holds the file system that was shut down, its image would be that.
        copy = self._image.with_name(f"disk-{time.monotonic_ns()}.img")
        _run("cp", "--sparse=always", str(self._image), str(copy))
        self._image.unlink()
        self._image = copy
        self._mount()

    def _mount(self) -> None:
        # `mount -o loop` takes a free loop device, and gives it back when the file system is unmounted.
        _run("mount", "-o", "loop", str(self._image), str(self.path))
        self._is_mounted = True

    def _unmount(self) -> None:
        # `os.path.ismount` is no help: it cannot look at a file system that has been shut down.
        if not self._is_mounted:
            return
        end = time.monotonic() + 10
        while True:
            try:
                _run("umount", str(self.path))
                break
            except subprocess.CalledProcessError:
                # The workers of a daemon that was killed end by themselves, a moment after it.
                if time.monotonic() > end:
                    raise
                time.sleep(0.02)
        self._is_mounted = False

    def cut(self, how: Cut) -> None:
        """Cuts the power: from now on nothing reaches the disk, and every write fails."""
        descriptor = os.open(self.path, os.O_RDONLY | os.O_DIRECTORY)
        try:
            fcntl.ioctl(descriptor, _EXT4_IOC_SHUTDOWN, struct.pack("I", int(how)))
        finally:
            os.close(descriptor)

    @property
    def _ballast(self) -> Path:
        return self.path / "ballast"

    def fill(self, leaving: int = 0) -> None:
        """Takes all the room but `leaving` bytes."""
        descriptor = os.open(self._ballast, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        try:
            for size in (1 << 20, 4096):
                while True:
                    free = os.fstatvfs(descriptor)
                    if free.f_bavail * free.f_frsize - leaving < size:
                        break
                    try:
                        os.posix_fallocate(descriptor, os.fstat(descriptor).st_size, size)
                    except OSError as error:
                        if error.errno != errno.ENOSPC:
                            raise
                        break
        finally:
            os.close(descriptor)

    def free(self) -> None:
        self._ballast.unlink(missing_ok=True)


def _run(*command: str) -> None:
    subprocess.run(command, check=True, capture_output=True, text=True)
