"""A daemon with one listener and a caller that sends texts, which are measured in turns with and without attackers."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from client import Client
from context import Context
from daemon import Daemon
from hostile_floods import Target
from measuring import Peak, milliseconds
from processes import ChildProcess
from text_caller import TextCaller, judge_p99

MIB = 1 << 20
_RATE = 50.0
_SCOPES = ("submit", "read", "cancel", "events", "warm", "admin")


def new_token(context: Context) -> tuple[str, str]:
    """Makes a token with all scopes. Returns it and the configuration of a daemon that always requires it."""
    made = subprocess.run(
        [context.programs.appgroupd, "token", "new", "--group", "*", *(
            argument for scope in _SCOPES for argument in ("--scope", scope))],
        check=True, capture_output=True, text=True)
    return made.stdout.strip(), made.stderr.replace("auth:\n", "auth:\n  required: always\n", 1)


@dataclass(frozen=True)
class Attack:
    """One kind of attackers, and the limits of their effect on the daemon and on the texts."""

    name: str
    connections: int
    # Private memory that the attack may add to that of the daemon alone.
    max_memory: int = 64 * MIB
    # The largest ratio of the p99 of the texts beside the attack to that without it.
    max_ratio: float = 1.3


@dataclass
class Bench:
    """A daemon with one listener, and the caller that behaves well."""

    context: Context
    name: str
    daemon: Daemon
    target: Target
    client: Client
    # The program of the attackers, in this directory.
    attacker: str
    # Descriptors of the daemon without a connection.
    descriptors: int = 0

    async def alone(self, seconds: float) -> TextCaller:
        texts = TextCaller(self.client, _RATE)
        await texts.run(seconds)
        return texts

    async def attackers(self, attack: Attack) -> tuple[ChildProcess, Path]:
        """Starts attackers, and waits until they are ready. Returns their process and the file of their endings."""
        output = self.context.folder / f"{self.name}-{attack.name.replace('/', '-')}.endings"
        attackers = ChildProcess(
            [sys.executable, "-B", str(Path(__file__).with_name(self.attacker)), attack.name, str(self.target.port),
             str(attack.connections), "--token", self.target.token, "--source", self.target.elsewhere().source,
             *(["--certificate", self.target.certificate] if self.target.certificate else [])],
            self.context.folder / "attackers.log", output)
        self.context.stack.callback(attackers.kill)
        for _ in range(6_000):
            if "ready\n" in output.read_text():
                return attackers, output
            await asyncio.sleep(0.01)
        raise RuntimeError("the attackers are not ready")

    async def rest(self) -> None:
        """Closes the caller's connections, and counts the descriptors when their number does not change any more."""
        self.client.close()
        counts: list[int] = []
        while len(counts) < 20 or len(set(counts[-20:])) > 1:
            counts.append(len(os.listdir(f"/proc/{self.daemon.pid}/fd")))
            await asyncio.sleep(0.02)
        self.descriptors = counts[-1]

    async def left(self) -> int:
        """Closes the caller's connections, and waits until no descriptor is left of them, or until 5 s have passed.

        Returns the number of descriptors that are left.
        """
        self.client.close()
        for _ in range(500):
            if (count := len(os.listdir(f"/proc/{self.daemon.pid}/fd"))) <= self.descriptors:
                break
            await asyncio.sleep(0.01)
        return count - self.descriptors


async def beside(bench: Bench, attack: Attack) -> Counter[str]:
    """Measures the caller alone, and then beside an attack. Returns the endings of the attackers' connections."""
    context, daemon = bench.context, bench.daemon
    subject = f"{bench.name}, beside {attack.connections} × {attack.name}"
    seconds, beginning = max(0.3, context.seconds / 20), min(1.0, max(0.3, context.seconds / 20))
    alone = await bench.alone(seconds)
    memory = daemon.private_bytes
    peak, processor = Peak(lambda: daemon.private_bytes), daemon.processor_seconds
    first, texts = TextCaller(bench.client, _RATE), TextCaller(bench.client, _RATE)
    begun = asyncio.get_running_loop().time()
    async with peak.running():
        attackers, output = await bench.attackers(attack)
        # The first connections of an address reach the limits of floods, and then its further connections are refused.
        await first.run(beginning)
        await texts.run(seconds)
    share = (daemon.processor_seconds - processor) / (asyncio.get_running_loop().time() - begun)
    attackers.kill()
    endings = Counter(output.read_text().splitlines())
    endings.subtract(["ready"])
    context.say(f"{subject}: {dict(+endings)}; the daemon took {share:.2f} cores")
    context.judge(
        f"{subject}: each text is answered 200", f"{first.statuses} at first, then {texts.statuses}",
        first.statuses.besides(200) + texts.statuses.besides(200) == 0)
    context.measure(f"{subject}: p99 of texts at first", milliseconds(first.p99))
    judge_p99(
        context, f"{subject}: p99 of texts at most {attack.max_ratio:g} times that without", alone, texts,
        attack.max_ratio)
    added = peak.value - memory
    context.judge(
        f"{subject}: it adds at most {attack.max_memory // MIB} MiB of private memory", f"{added / MIB:.0f} MiB",
        added <= attack.max_memory)
    return +endings
