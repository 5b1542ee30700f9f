"""The root of an earlier version, whose daemon was killed, under the programs of today, which are killed as well."""

from __future__ import annotations

import asyncio
import json
import tarfile

from batch_client import Results, line_call
from context import PROJECT, Context
from daemon import Daemon
from ledger import Ledger, compare
from make_old_root import LINES, RECEIVERS

_FOLDER = PROJECT / "fixtures" / "upgrade"
_KILLS = 5
# Longer than the age of the root.
_CONFIGURATION = "results: {retention: 3650d}\nlists: {retention: 3650d}\nbatches: {retention: 3650d}"


async def run(context: Context) -> None:
    with tarfile.open(_FOLDER / "root.tar.xz") as archive:
        archive.extractall(context.folder, filter="data")
    root = context.folder / "root"
    facts = json.loads((_FOLDER / "ledger.json").read_text())
    for _ in range(_KILLS):
        daemon = context.launch(root, configuration=_CONFIGURATION)
        # From before the migrations until after the daemon is ready.
        await asyncio.sleep(context.random.random() * 0.5)
        daemon.kill()
    daemon = await context.start(root, configuration=_CONFIGURATION)
    ledger = Ledger(
        answered=set(facts["answered"]), accepted=set(facts["accepted"]), handed_in=set(facts["files"]),
        contents={id: content.encode() for id, content in facts["answered"].items()})
    has_settled = await daemon.settled()
    found = await compare(ledger, daemon.client, root / "group.default")
    subject = f"a root of {facts['version']}, {_KILLS} kills in its first starts"
    context.judge(
        f"{subject}: no request is lost", f"{found.losses} of {ledger.count}; settled {has_settled}",
        not found.lost and has_settled)
    context.judge(
        f"{subject}: no result is emitted twice", f"{len(found.doubled)} others, {len(found.repeated)} again",
        not found.doubled and not found.repeated)
    await _batch(context, daemon, subject)
    kept = 0
    for number in range(RECEIVERS):
        kept += (await daemon.client.call("GET", f"/v1/recipients/receiver-{number}")).status == 200
    context.judge(f"{subject}: all receivers are kept", f"{kept} of {RECEIVERS}", kept == RECEIVERS)
    status = await daemon.terminate()
    context.judge(f"{subject}: SIGTERM ends it with status 0", f"status {status}", status == 0)


async def _batch(context: Context, daemon: Daemon, subject: str) -> None:
    for _ in range(1_200):
        if (await daemon.client.call("GET", "/v1/batches/old")).json["state"] == "ended":
            break
        await asyncio.sleep(0.05)
    results, lines = Results(), range(1, LINES + 1)
    async with line_call(daemon.socket, "GET", "/v1/batches/old/results") as call:
        await results.read(call)
    context.judge(
        f"{subject}: each line of its batch has one result", results.figure(lines), results.are_once(lines))
