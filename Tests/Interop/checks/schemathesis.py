"""Random valid and invalid calls of each route by schemathesis, with a token for everything and without a token."""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Sequence
from pathlib import Path

from context import Context
from processes import ChildProcess
from server import Server

_FOLDER = Path(__file__).resolve().parents[1]
_LIMIT = 600.0


async def run(context: Context, options: argparse.Namespace) -> None:
    # A short budget: the media of random payloads come from hosts that do not exist.
    server = await Server.start(context, "budget: 100ms")
    await _called(context, server, "a token with all scopes", server.headers, options.examples)
    # Without a token, 401 takes precedence over 405: the caller does not learn which methods a path has.
    await _called(context, server, "no token", {}, options.examples, ["--exclude-checks", "unsupported_method"])
    errors = [line for line in server.answers if line["status"] >= 500 and line["status"] != 503]
    context.judge("no call gets 500", f"{len(errors)} of {len(server.answers)} calls", not errors)


async def _called(
    context: Context, server: Server, name: str, headers: dict[str, str], examples: int, others: Sequence[str] = ()
) -> None:
    output, errors = context.folder / "schemathesis.out", context.folder / "schemathesis.log"
    output.unlink(missing_ok=True)
    os.environ |= {"PYTHONPATH": str(_FOLDER), "SCHEMATHESIS_HOOKS": "hooks", "PYTHONDONTWRITEBYTECODE": "1"}
    arguments = [argument for field in headers.items() for argument in ("-H", ": ".join(field))]
    known = len(server.answers)
    process = ChildProcess(
        [str(Path(sys.executable).parent / "st"), "--config-file", str(_FOLDER / "schemathesis.toml"), "run",
         "--max-examples", str(examples), *arguments, *others, f"{server.url}/openapi.json"], errors, output)
    context.stack.callback(process.kill)
    status = await process.end(_LIMIT)
    said = output.read_text()
    count = re.search(r"^ +(\d+) generated.*$", said, re.MULTILINE)
    calls = server.answers[known:]
    refused = sum(call["status"] in (401, 403) for call in calls)
    context.judge(
        f"with {name}, each response is as the description says",
        f"{count.group().strip() if count else 'no calls'}; {len(calls)} calls, {refused} of them refused",
        status == 0 and count is not None)
    if status:
        print(said, errors.read_text(), sep="\n", flush=True)
