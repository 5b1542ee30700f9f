"""One run of the daemon, with an HTTP address of its own."""

import os
import re
import signal
import subprocess
import time
import urllib.request

_TICK = os.sysconf("SC_CLK_TCK")


class Daemon:
    def __init__(self, programs: str, root: str, port: int, options: list[str] | None = None,
                 before: list[str] | None = None, environment: dict[str, str] | None = None):
        """
        :param environment: further variables, as settings of the daemon.
        :param before: a program that starts the daemon, as strace.
        """
        command = [f"{programs}/appgroupd", "serve", "--root", root, "--listen", f"127.0.0.1:{port}",
                   "--log-level", "warning", *(options or [])]
        self.is_traced = before is not None
        self.address = f"http://127.0.0.1:{port}"
        start = time.monotonic()
        self.process = subprocess.Popen([*(before or []), *command], env={**os.environ, **(environment or {})})
        for _ in range(10_000):
            try:
                with urllib.request.urlopen(f"{self.address}/readyz"):
                    self.ready_after = time.monotonic() - start
                    return
            except OSError:
                time.sleep(0.001)
        self.end()
        raise SystemExit("daemon-bench: the daemon did not become ready")

    def accepted(self) -> int:
        """Returns how many requests the daemon has made durable."""
        with urllib.request.urlopen(f"{self.address}/metrics") as response:
            found = re.search(rb"^appgroupd_requests_accepted_total (\d+)", response.read(), re.MULTILINE)
        return int(found.group(1)) if found else 0

    def workers(self) -> list[int]:
        return children(self.process.pid)

    def end(self) -> None:
        """Ends the daemon as a service manager does. A tracer passes no signal on."""
        for pid in children(self.process.pid) if self.is_traced else [self.process.pid]:
            os.kill(pid, signal.SIGTERM)
        self.process.wait(timeout=60)


def children(pid: int) -> list[int]:
    found: list[int] = []
    for task in os.listdir(f"/proc/{pid}/task"):
        try:
            with open(f"/proc/{pid}/task/{task}/children") as file:
                found += [int(child) for child in file.read().split()]
        except FileNotFoundError:
            continue
    return found


def private_bytes(pid: int) -> int:
    with open(f"/proc/{pid}/status") as file:
        return 1024 * int(re.search(r"^RssAnon:\s+(\d+)", file.read(), re.MULTILINE).group(1))


def processor_seconds(pid: int) -> float:
    """Returns what a process, its ended children and its living ones have used."""
    with open(f"/proc/{pid}/stat") as file:
        fields = file.read().rpartition(")")[2].split()
    return sum(map(int, fields[11:15])) / _TICK + sum(map(processor_seconds, children(pid)))
