"""Makes the root of an earlier version for the step `upgrade`: requests, files, a stored batch and receivers, and a kill -9.

    python3 Tests/Chaos/make_old_root.py PROGRAMS FOLDER

PROGRAMS is the directory with the programs of the earlier commit. FOLDER gets `root.tar.xz` and `ledger.json`, at most
2 MB together. No media is ever answered, so all requests with media still wait when the daemon is killed.
"""

from __future__ import annotations

import asyncio
import json
import socket
import subprocess
import sys
import tarfile
from contextlib import ExitStack
from pathlib import Path
from random import Random

import batch_bodies as bodies
import payloads
from batch_client import batch_call
from context import Context, make_folder
from daemon import Programs

TEXTS, WAITING, FILES, LINES, RECEIVERS = 300, 60, 40, 30, 10
BUDGET = "1h"


async def make(programs: Programs, folder: Path) -> None:
    with ExitStack() as stack, socket.create_server(("127.0.0.1", 0)) as silent:
        context = Context("old-root", programs, 0, Random(1), make_folder(stack), stack)
        url = f"http://127.0.0.1:{silent.getsockname()[1]}/image.jpg"
        daemon = await context.start()
        answered: dict[str, str] = {}
        for number in range(TEXTS):
            id = f"text-{number}"
            response = await daemon.client.post(payloads.text(f"text {number}", id))
            assert response.status == 200, response.body
            answered[id] = response.body.decode()
        accepted = [f"media-{number}" for number in range(WAITING)]
        for id in accepted:
            response = await daemon.client.post(payloads.media([url], BUDGET, id), {"Prefer": "respond-async"})
            assert response.status == 202, response.body
        for number in range(RECEIVERS):
            response = await daemon.client.call(
                "PUT", f"/v1/recipients/receiver-{number}", b'{"permissions": {"download": false}}')
            assert response.status == 201, response.body
        headers = {"Prefer": "respond-async", "Idempotency-Key": "old"}
        async with batch_call(daemon.socket, headers) as call:
            await call.send(bodies.envelope("line", url, f"line-{number}") for number in range(LINES))
            await call.end()
            assert [line async for line in call.lines()] and call.status == 202
        group = daemon.root / "group.default"
        files = [f"file-{number}" for number in range(FILES)]
        for id in files[:FILES // 2]:
            _hand_in(group, id, url)
        while len([*(group / "claimed").glob("*.json")]) < FILES // 2:
            await asyncio.sleep(0.01)
        daemon.kill()
        for id in files[FILES // 2:]:
            _hand_in(group, id, url)
        folder.mkdir(parents=True, exist_ok=True)
        with tarfile.open(folder / "root.tar.xz", "w:xz") as archive:
            archive.add(daemon.root, "root", filter=lambda entry: None if entry.name.endswith(".sock") else entry)
        version = subprocess.run([programs.appgroupd, "--version"], check=True, capture_output=True, text=True)
        ledger = {"version": version.stdout.strip(), "answered": answered, "accepted": accepted, "files": files}
        (folder / "ledger.json").write_text(json.dumps(ledger, indent=1) + "\n")


def _hand_in(group: Path, id: str, url: str) -> None:
    file = group / "incoming" / f".{id}"
    file.write_bytes(payloads.media([url], BUDGET))
    file.rename(file.with_name(f"{id}.json"))


if __name__ == "__main__":
    asyncio.run(make(Programs(Path(sys.argv[1]).resolve()), Path(sys.argv[2])))
