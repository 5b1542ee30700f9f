"""Pictures fetched and made smaller over HTTP, beside thumbor and beside nginx with its module image_filter."""

import argparse
import concurrent.futures
import json
import os
import subprocess
import urllib.request
from collections.abc import Callable

from daemon import Daemon, processor_seconds
from nginx import nginx, wait
from table import Row

_PICTURES = 60
_CALLERS = 16
_WARM_ROUNDS = 3
_SIDES = (1024, 256)


def rows(options: argparse.Namespace) -> list[Row]:
    if not os.access(f"{options.peers}/bin/thumbor", os.X_OK):
        raise SystemExit(f"daemon-bench: {options.peers} has no thumbor: scripts/setup bench installs it")
    root = os.path.abspath(f"{options.root}/pictures")
    os.makedirs(root)
    subprocess.run(
        ["convert", f"{options.media}/photo-12mp.jpg", "-resize", "2000x1333!", "-quality", "90", f"{root}/photo.jpg"],
        check=True)
    # For each peer, the rates of both programs in each round: cold and warm.
    cold: dict[str, list[tuple[float, float]]] = {"thumbor": [], "image_filter": []}
    warm: dict[str, list[tuple[float, float]]] = {"thumbor": [], "image_filter": []}
    # The answers of the origin may be stored for an hour.
    origin = f"http://127.0.0.1:{options.port + 1}"
    http = (
        "types { image/jpeg jpg; } add_header Cache-Control max-age=3600;\n"
        f"server {{ listen 127.0.0.1:{options.port + 1}; root {root}; }}")
    with nginx(root, f"{origin}/photo.jpg", http):
        for number in range(options.rounds):
            urls = [f"{origin}/photo.jpg?{number}-{picture}" for picture in range(_PICTURES)]
            ours = _ours(options, f"{root}/ours{number}", urls)
            for name, peer in (("thumbor", _thumbor), ("image_filter", _image_filter)):
                rates = peer(options, f"{root}/{name}{number}", urls)
                cold[name].append((ours[0], rates[0]))
                warm[name].append((ours[1], rates[1]))

    def row(what: str, peer: str, pairs: list[tuple[float, float]], least: float | None = None) -> Row:
        ratios = [ours / other for ours, other in pairs]
        middle = sorted(pairs, key=lambda pair: pair[0] / pair[1])[len(pairs) // 2]
        return Row(what, ratios, f"times {peer}", f"≥ {least}" if least else "–",
                   middle[0] / middle[1] >= least if least else None, f"{middle[0]:.1f} a processor second",
                   f"{middle[1]:.1f} a processor second")

    new, again = "a picture fetched and made smaller, cold: requests", "the same again, warm: requests"
    return [
        row(new, "thumbor", cold["thumbor"], 4.5), row(again, "thumbor", warm["thumbor"], 30),
        row(new, "image_filter", cold["image_filter"]), row(again, "image_filter", warm["image_filter"]),
    ]


def _ours(options: argparse.Namespace, root: str, urls: list[str]) -> tuple[float, float]:
    daemon = Daemon(options.programs, root, options.port, ["--allow-address", "127.0.0.0/8"])

    def ask(url: str) -> None:
        body = {"aps": {"alert": "x", "mutable-content": 1}, "image": url}
        request = urllib.request.Request(f"{daemon.address}/v1/notifications", json.dumps(body).encode(),
                                         {"Content-Type": "application/json"})
        with urllib.request.urlopen(request) as response:
            content = json.load(response)
        if content["outcome"] != "rich":
            raise SystemExit(f"daemon-bench: {content}")

    try:
        return _rates(ask, urls, daemon.process.pid)
    finally:
        daemon.end()


def _thumbor(options: argparse.Namespace, root: str, urls: list[str]) -> tuple[float, float]:
    os.makedirs(root)
    # Its default: what it fetched is stored, and what it made is not.
    with open(f"{root}/thumbor.conf", "w") as file:
        file.write(f"STORAGE = 'thumbor.storages.file_storage'\nFILE_STORAGE_ROOT_PATH = '{root}/storage'\nQUALITY = 85\n")
    address = f"http://127.0.0.1:{options.port + 2}"
    process = subprocess.Popen(
        [f"{options.peers}/bin/thumbor", "--ip", "127.0.0.1", "--port", str(options.port + 2), "--conf",
         f"{root}/thumbor.conf", "--log-level", "error"])

    def ask(url: str) -> None:
        for side in _SIDES:
            with urllib.request.urlopen(f"{address}/unsafe/fit-in/{side}x{side}/{urllib.request.quote(url, '')}") as file:
                file.read()

    try:
        wait(f"{address}/healthcheck")
        return _rates(ask, urls, process.pid)
    finally:
        process.terminate()
        process.wait(timeout=30)


def _image_filter(options: argparse.Namespace, root: str, urls: list[str]) -> tuple[float, float]:
    """nginx that fetches, resizes and caches. Its module keeps nothing, so a second server with a cache is before it."""
    os.makedirs(root)
    outer, inner = options.port + 2, options.port + 3
    address = f"http://127.0.0.1:{outer}"
    http = (
        "image_filter_buffer 20M; image_filter_jpeg_quality 85;\n"
        f"proxy_cache_path {root}/cache keys_zone=made:10m; proxy_http_version 1.1;\n"
        f"server {{ listen 127.0.0.1:{outer}; location / {{ proxy_pass http://127.0.0.1:{inner}; proxy_cache made;\n"
        "proxy_cache_valid 200 1h; } }\n"
        f"server {{ listen 127.0.0.1:{inner}; location = /healthcheck {{ return 200; }}\n"
        f"location ~ ^/(?<side>[0-9]+)/ {{ rewrite ^/[0-9]+(/.*)$ $1 break;\n"
        f"proxy_pass http://127.0.0.1:{options.port + 1}; image_filter resize $side $side; }} }}")
    main = (
        "load_module /usr/lib/nginx/modules/ngx_http_image_filter_module.so;\n"
        f"worker_processes {os.cpu_count()}; user root;")

    def ask(url: str) -> None:
        for side in _SIDES:
            path = url.removeprefix(f"http://127.0.0.1:{options.port + 1}")
            with urllib.request.urlopen(f"{address}/{side}{path}") as file:
                if not file.read(2) == b"\xff\xd8":
                    raise SystemExit(f"daemon-bench: image_filter made no JPEG of {url}")
                file.read()

    with nginx(root, f"{address}/healthcheck", http, main) as process:
        return _rates(ask, urls, process.pid)


def _rates(ask: Callable[[str], None], urls: list[str], pid: int) -> tuple[float, float]:
    """Returns requests a processor second, cold and warm."""
    with concurrent.futures.ThreadPoolExecutor(_CALLERS) as pool:
        def rate(urls: list[str]) -> float:
            before = processor_seconds(pid)
            list(pool.map(ask, urls))
            return len(urls) / (processor_seconds(pid) - before)

        return rate(urls), rate(urls * _WARM_ROUNDS)
