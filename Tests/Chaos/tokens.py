"""Tokens of callers, and the configuration that permits them."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence

from daemon import Programs


def make_tokens(programs: Programs, names: Sequence[str]) -> tuple[str, list[dict[str, str]]]:
    """Makes a token for each name, which permits to submit and to read in the default group.

    Returns a configuration that requires tokens on TCP, and the header of each token.
    """
    configuration, headers = "auth:\n  required: always\n  tokens:\n", []
    for name in names:
        made = subprocess.run(
            [programs.appgroupd, "token", "new", "--name", name, "--group", "group.default", "--scope", "submit",
             "--scope", "read"], check=True, capture_output=True, text=True)
        configuration += made.stderr.removeprefix("auth:\n  tokens:\n")
        headers.append({"Authorization": f"Bearer {made.stdout.strip()}"})
    return configuration, headers
