"""Renditions that phones download, beside nginx with sendfile, and the memory of the daemon over many files."""

import argparse
import hashlib
import os
import re
import subprocess
import tempfile

from daemon import Daemon, private_bytes
from nginx import nginx
from table import Row

_BYTES = 50_000
_CONNECTIONS = 64
_FILES = 100_000
_SMALL_BYTES = 2_000
# Files that are downloaded before the memory is read for the first time.
_FIRST_FILES = 10_000


def rows(options: argparse.Namespace) -> list[Row]:
    root = os.path.abspath(f"{options.root}/downloads")
    media = f"{root}/group.default/media"
    name = _write(media, os.urandom(_BYTES))
    configuration = f"{root}.yaml"
    with open(configuration, "w") as file:
        file.write(f"publicURL: http://127.0.0.1:{options.port}\n")
    daemon = Daemon(options.programs, root, options.port, ["--config", configuration])
    try:
        ratios = []
        ours = peer = 0.0
        address = f"http://127.0.0.1:{options.port + 1}"
        with nginx(root, address, _peer(media, options.port + 1)):
            for _ in range(options.rounds):
                ours = _rate(f"{daemon.address}/v1/media/group.default/{name}", options.seconds)
                peer = _rate(f"{address}/v1/media/group.default/{name}", options.seconds)
                ratios.append(ours / peer)
        middle = sorted(ratios)[len(ratios) // 2]
        growth = _growth(daemon, media)
        return [
            Row(f"a rendition of 50 kB over HTTP/1.1, {_CONNECTIONS} connections: requests", ratios, "times nginx", "≥ 0.8",
                middle >= 0.8, f"{ours:.0f} a second", f"{peer:.0f} a second"),
            Row(f"private memory after {_FILES} files, and after {_FIRST_FILES} of them", [growth], "times", "≤ 1.1",
                growth <= 1.1),
        ]
    finally:
        daemon.end()


def _write(media: str, content: bytes) -> str:
    digest = hashlib.sha256(content).hexdigest()
    os.makedirs(f"{media}/{digest[:2]}", exist_ok=True)
    with open(f"{media}/{digest[:2]}/{digest}.jpg", "wb") as file:
        file.write(content)
    return f"{digest}.jpg"


def _rate(url: str, seconds: int) -> float:
    said = _wrk(["--duration", f"{seconds}s", url])
    return float(re.search(r"Requests/sec:\s+([\d.]+)", said).group(1))


def _wrk(arguments: list[str]) -> str:
    said = subprocess.run(
        ["wrk", "--threads", "1", "--connections", str(_CONNECTIONS), *arguments], check=True, capture_output=True,
        text=True).stdout
    if "Non-2xx" in said or "Socket errors" in said:
        raise SystemExit(f"daemon-bench: not every download was answered 200:\n{said}")
    return said


def _growth(daemon: Daemon, media: str) -> float:
    names = [_write(media, number.to_bytes(8, "big") * (_SMALL_BYTES // 8)) for number in range(_FILES)]
    _download(daemon, names[:_FIRST_FILES])
    before = private_bytes(daemon.process.pid)
    _download(daemon, names)
    return private_bytes(daemon.process.pid) / before


def _download(daemon: Daemon, names: list[str]) -> None:
    """Downloads each file at least once."""
    with tempfile.TemporaryDirectory() as folder:
        with open(f"{folder}/names", "w") as file:
            file.write("\n".join(names))
        downloaded = 0
        while downloaded < len(names):
            with open(f"{folder}/script.lua", "w") as file:
                file.write(
                    f"local names = {{}}\nfor name in io.lines('{folder}/names') do names[#names + 1] = name end\n"
                    f"local next = {downloaded}\nrequest = function()\n  next = next % #names + 1\n"
                    "  return wrk.format('GET', '/v1/media/group.default/' .. names[next])\nend\n")
            said = _wrk(["--duration", "2s", "--script", f"{folder}/script.lua", daemon.address])
            downloaded += int(re.search(r"(\d+) requests in", said).group(1))


def _peer(media: str, port: int) -> str:
    """Returns the configuration of nginx with one worker, as the daemon has one thread for its connections."""
    return (
        "sendfile on; tcp_nopush on; keepalive_requests 1000000000; types { image/jpeg jpg; }\n"
        f"server {{ listen 127.0.0.1:{port};\n"
        "location ~ ^/v1/media/group.default/(?<shard>..)(?<rest>.*)$ {\n"
        f"alias {media}/$shard/$shard$rest; add_header Cache-Control 'public, max-age=604800, immutable';\n"
        "add_header X-Content-Type-Options nosniff; add_header Access-Control-Allow-Origin '*';\n"
        "add_header Content-Security-Policy \"default-src 'none'; sandbox\"; } }")
