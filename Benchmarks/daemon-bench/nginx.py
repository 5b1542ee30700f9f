"""nginx on the loopback, as an origin or as a peer."""

import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def nginx(root: str, address: str, http: str, main: str = "master_process off;") -> Iterator[subprocess.Popen]:
    """Runs nginx until the body has ended.

    :param root: the folder of its files.
    :param address: an address at which it answers with any status.
    :param http: the directives of its block `http`.
    :param main: further directives outside of all blocks.
    """
    places = " ".join(f"{name}_temp_path {root}/{name};" for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    with open(f"{root}/nginx.conf", "w") as file:
        file.write(
            f"{main}\ndaemon off; pid {root}/nginx.pid; error_log stderr crit;\nevents {{ worker_connections 512; }}\n"
            f"http {{ {places} access_log off;\n{http} }}\n")
    process = subprocess.Popen(["/usr/sbin/nginx", "-p", root, "-e", "stderr", "-c", f"{root}/nginx.conf"])
    try:
        wait(address)
        yield process
    finally:
        process.terminate()
        process.wait(timeout=30)


def wait(url: str) -> None:
    """Waits until a server answers."""
    end = time.monotonic() + 30
    while True:
        try:
            urllib.request.urlopen(url).close()
            return
        except urllib.error.HTTPError:
            return
        except OSError:
            if time.monotonic() > end:
                raise SystemExit(f"daemon-bench: {url} does not answer") from None
            time.sleep(0.05)
