"""Support bundles of a loaded daemon: each is complete, none has a secret, and the daemon does not notice them."""

from __future__ import annotations

import asyncio
import itertools
import json
import os
import subprocess
from pathlib import Path

from context import Context, Skipped
from daemon import Daemon
from measuring import Peak
from planted_load import PlantedLoad, planted_configuration
from planted_secrets import PlantedSecrets
from support_bundles import Bundle, BundleCommand, has_reports, incomplete
from text_caller import TextCaller, judge_p99

_MIB = 1 << 20
_RATE = 50.0
_AT_ONCE, _RUNS, _TURNS = 4, 10, 3
_GROWTH, _COMMAND = 16 * _MIB, 64 * _MIB
# Runs during which the daemon is killed.
_KILLS = 6


async def run(context: Context) -> None:
    secrets = PlantedSecrets(context.random)
    configuration = json.dumps(planted_configuration(context.folder, secrets))
    daemon = await context.start(configuration=configuration)
    command = BundleCommand(
        context.programs.appgroupd, daemon.root, context.folder / "daemon.yaml", context.folder / "bundles.log")
    load = PlantedLoad(daemon, secrets, await context.origin(), await context.origin("127.0.0.2"))
    waiting, listed = (100, 1_000) if context.is_short else (1_000, 10_000)
    await load.prepare(waiting, listed)
    name = f"beside {listed:,} listed notifications and {waiting:,} waiting requests"
    async with load.running():
        bundles = await _beside(context, daemon, command, name)
        context.say(f"planted requests: {load.statuses}")
    lacks = [problem for bundle in bundles if (problem := incomplete(bundle, has_daemon=True))]
    context.judge(
        f"{name}: each bundle is complete and can be read", f"{len(lacks)} of {len(bundles)} not: {lacks[:2]}",
        not lacks)
    bundles += await _kills(context, daemon, command, configuration)
    await _files(context, command)
    found = {place for bundle in bundles for place in secrets.found_in(bundle.files)}
    context.judge(f"{name}: no bundle has a secret", f"{len(found)}: {sorted(found)[:5]}", not found)
    largest = max(bundle.memory for bundle in bundles)
    context.judge(
        f"{name}: the command takes at most {_COMMAND // _MIB} MiB of private memory", f"{largest / _MIB:.0f} MiB",
        0 < largest <= _COMMAND)
    sizes = [bundle.size for bundle in bundles if bundle.status == 0]
    context.measure(f"{name}: size of a bundle", f"{min(sizes) / 1_000:.0f} to {max(sizes) / 1_000:.0f} kB")


async def _beside(context: Context, daemon: Daemon, command: BundleCommand, name: str) -> list[Bundle]:
    """Measures texts in turns without and beside runs of the command, four at a time."""
    seconds = max(0.7, context.seconds / 12)
    alone, beside = TextCaller(daemon.client, _RATE), TextCaller(daemon.client, _RATE)
    await TextCaller(daemon.client, _RATE).run(0.5)
    memory, grown = Peak(lambda: daemon.private_bytes), Peak(lambda: daemon.private_bytes)
    bundles: list[Bundle] = []
    numbers = itertools.count()

    async def runs(end: float, count: int) -> None:
        while asyncio.get_running_loop().time() < end or len(bundles) < count:
            bundles.append(await command.run(context.folder / f"bundle-{next(numbers)}.tar.gz"))

    for turn in range(_TURNS):
        async with memory.running():
            await alone.run(seconds)
        end, count = asyncio.get_running_loop().time() + seconds, _RUNS if turn == _TURNS - 1 else 0
        async with grown.running():
            await asyncio.gather(beside.run(seconds), *(runs(end, count) for _ in range(_AT_ONCE)))
    context.judge(
        f"{name}: each text is answered 200",
        f"{alone.statuses} alone, {beside.statuses} beside {len(bundles)} bundles",
        alone.statuses.besides(200) + beside.statuses.besides(200) == 0)
    judge_p99(context, f"{name}: p99 of texts at most 1.3 times that without", alone, beside)
    added = grown.value - memory.value
    context.judge(
        f"{name}: the daemon's private memory grows by at most {_GROWTH // _MIB} MiB",
        f"{added / _MIB:.1f} MiB, to {grown.value / _MIB:.0f} MiB", added <= _GROWTH)
    return bundles


async def _kills(context: Context, daemon: Daemon, command: BundleCommand, configuration: str) -> list[Bundle]:
    """Kills the daemon in the second half of the time of the command, in which it asks the daemon."""
    kills = 3 if context.is_short else _KILLS
    bundles: list[Bundle] = []
    wrong = []
    seconds = (await command.run(context.folder / "alone.tar.gz")).seconds
    for number in range(kills):
        path = context.folder / f"killed-{number}.tar.gz"
        process = command.start(path)
        await asyncio.sleep(seconds * (number + kills) / (2 * kills - 1))
        daemon.kill()
        bundle = await command.ended(process, path)
        bundles.append(bundle)
        if problem := incomplete(bundle, has_daemon=False):
            wrong.append(problem)
        daemon = await context.start(configuration=configuration)
    daemon.kill()
    whole = sum(has_reports(bundle) for bundle in bundles if bundle.files)
    context.judge(
        "a daemon that is killed meanwhile: the bundle has the reason in place of its reports, status 0",
        f"{len(wrong)} of {kills} not: {wrong[:2]}, {whole} have all reports", not wrong)
    return bundles


async def _files(context: Context, command: BundleCommand) -> None:
    """Writes to a file that exists, and to a full disk."""
    taken = context.folder / "taken.tar.gz"
    taken.write_bytes(b"taken")
    status = (await command.run(taken)).status
    context.judge(
        "a file that exists: status 1, and the file is not changed", f"status {status}, {taken.read_bytes()!r}",
        status == 1 and taken.read_bytes() == b"taken")
    try:
        disk = _full_disk(context)
    except Skipped as reason:
        context.skip("a full disk", str(reason))
        return
    status, left = (await command.run(disk / "bundle.tar.gz")).status, os.listdir(disk)
    line = command.log.read_text().splitlines()[-1]
    context.judge(
        "a full disk: status 1, a sentence, and no file is left", f"status {status}, {line!r}, left {left}",
        status == 1 and "cannot be written" in line and not left)


def _full_disk(context: Context) -> Path:
    """Mounts a file system in memory with room for less than a bundle."""
    if os.geteuid() != 0:
        raise Skipped("a file system in memory needs root")
    disk = context.folder / "full"
    disk.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=4k", "tmpfs", str(disk)], capture_output=True, text=True)
    if mounted.returncode:
        raise Skipped(f"a file system in memory cannot be mounted: {mounted.stderr.strip()}")
    context.stack.callback(subprocess.run, ["umount", str(disk)], check=True)
    return disk
