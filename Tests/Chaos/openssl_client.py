"""The program openssl as a client: it resumes sessions, and renegotiates, which the module ssl cannot do."""

from __future__ import annotations

import ssl
import subprocess
import threading
from collections.abc import Sequence
from pathlib import Path

from hostile_floods import Target

# The ending of a connection on which a response came.
RESPONSE = "response"
# The ending of a connection that has not ended within `TIMEOUT` seconds.
OPEN = "open"
TIMEOUT = 15.0


def file(target: Target, name: str) -> str:
    """Returns the path of a file beside the certificate of the listener."""
    return str(Path(target.certificate or "").with_name(name))


def renegotiated(target: Target) -> str:
    """Renegotiates with a valid certificate before the first request."""
    certificate = file(target, "client.pem")
    arguments = _arguments(target, ssl.TLSVersion.TLSv1_2, ["-cert", certificate, "-key", certificate])
    output = b""
    with subprocess.Popen(
        arguments, bufsize=0, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    ) as client:
        assert client.stdin and client.stdout
        timer = threading.Timer(TIMEOUT, client.kill)
        timer.start()
        try:
            # The program renegotiates for a read that begins with this letter.
            client.stdin.write(b"R\n")
            while part := client.stdout.read(65_536):
                if b"RENEGOTIATING" in part:
                    client.stdin.write(request(target))
                output += part
        except BrokenPipeError:
            pass
        finally:
            timer.cancel()
            client.kill()
    return _ending(output)


def call(target: Target, version: ssl.TLSVersion, options: Sequence[str]) -> str:
    """Sends a request with the program openssl, and returns the ending of its connection."""
    try:
        output = subprocess.run(
            _arguments(target, version, ["-ign_eof", *options]), input=request(target), timeout=TIMEOUT,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT).stdout
    except subprocess.TimeoutExpired:
        return OPEN
    return _ending(output)


def _arguments(target: Target, version: ssl.TLSVersion, options: Sequence[str]) -> list[str]:
    return ["openssl", "s_client", "-connect", target.host, "-bind", f"{target.source}:0", "-CAfile",
            str(target.certificate), f"-{version.name.lower().replace('v1_', '1_')}", *options]


def _ending(output: bytes) -> str:
    if b"HTTP/1.1 " in output:
        return RESPONSE
    for line in output.decode(errors="replace").splitlines():
        if ":SSL routines:" in line:
            return line.split(":")[5]
    return "closed"


def request(target: Target) -> bytes:
    return target.head("GET", "/healthz") + b"Connection: close\r\n\r\n"
