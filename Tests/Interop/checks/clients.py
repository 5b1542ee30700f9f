"""The clients of examples/clients, each run as its page says. A missing runtime is a failure."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path

from context import PROJECT, Context
from origin import Origin
from server import Server

_FOLDER = PROJECT / "examples" / "clients"
# What each client prints, apart from the sizes.
_EXPECTED = [
    "submit: rich, image/jpeg", "event: emitted", "async: rich", "batch: 3 results", "cancel: cancelled", "download: ",
]


async def run(context: Context, options: argparse.Namespace) -> None:
    origin = Origin(context.programs, PROJECT / "fixtures" / "media", context.folder / "origin.log")
    context.stack.callback(origin.kill)
    await origin.ready()
    server = await Server.start(context, "fetch: {allowAddresses: [127.0.0.0/8]}\n", is_public=True)
    environment = os.environ | {"APPGROUPD_URL": server.url, "APPGROUPD_TOKEN": server.token}
    for name, command in _commands(context.folder).items():
        done = subprocess.run(
            ["sh", "-ec", f'{command} "$0" "$1"', origin.url("photo-small.jpg"), origin.url("delay/30s/photo-small.jpg")],
            env=environment, cwd=context.folder, capture_output=True, text=True, timeout=300)
        missing = [line for line in _EXPECTED if line not in done.stdout]
        figure = f"status {done.returncode}" + (f", without {missing}: {done.stderr[-300:]}" if missing else "")
        context.judge(
            f"{name}: submit, events, batch, cancel and download", figure, done.returncode == 0 and not missing)


def _commands(folder: Path) -> dict[str, str]:
    """The command of each client, without its arguments."""
    swift = folder / "swift-client"
    return {
        "curl": f"{_FOLDER}/appgroupd.sh",
        "Python": f"{sys.executable} {_FOLDER}/appgroupd.py",
        "Node": f"node {_FOLDER}/appgroupd.mjs",
        "Go": f"GOCACHE={folder}/go GO111MODULE=off go run {_FOLDER}/appgroupd.go",
        "Swift": f"swiftc -swift-version 6 -parse-as-library -o {swift} {_FOLDER}/appgroupd.swift && {swift}",
    }
