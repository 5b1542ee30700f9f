"""Clients that attack a listener which requires client certificates, in a process of their own.

    python3 hostile_certificates.py ATTACK PORT CONNECTIONS --certificate FILE --token TOKEN --source ADDRESS

The directory of the listener's certificate has the files of `client_certificates.make_clients`. Runs until it is ended.
The clients have the lowest priority. Each ending of a connection is a line on standard output: `response` if any byte
came after the handshake, and else the reason of the end.
"""

from __future__ import annotations

import argparse
import functools
import itertools
import os
import socket
import ssl
import sys
import threading
import time
from collections import deque

from client_certificates import REFUSED
from hostile_clients import say
from hostile_floods import Target
from openssl_client import OPEN, RESPONSE, TIMEOUT, call, file, renegotiated, request

STOPPED = "handshake that stops"
RENEGOTIATION = "renegotiation"
STOLEN = "ticket of another client"
ATTACKS = ("no certificate", *REFUSED, STOPPED, RENEGOTIATION, STOLEN)
# The connections that each thread of the attack `STOPPED` keeps open.
_HELD = 60


def version_of(number: int) -> ssl.TLSVersion:
    """Returns the version of TLS of one connection: 1.3 and 1.2 in turns."""
    return ssl.TLSVersion.TLSv1_2 if number % 2 else ssl.TLSVersion.TLSv1_3


def tried(target: Target, attack: str, number: int) -> str:
    """Makes one connection of an attack and returns its ending."""
    version = version_of(number)
    if attack == STOPPED:
        with begun(target, version) as connection:
            return ended(connection)
    if attack == RENEGOTIATION:
        return renegotiated(target)
    if attack == STOLEN:
        return call(target, version, ["-sess_in", file(target, f"stolen-{version.name}.session")])
    return presented(target, version, REFUSED.get(attack))


def presented(target: Target, version: ssl.TLSVersion, name: str | None) -> str:
    """Sends a request with a valid token, with the certificate of a file if there is one."""
    with target.connect(handshake=False) as plain:
        plain.settimeout(TIMEOUT)
        try:
            with _context(target, version, name).wrap_socket(plain) as connection:
                connection.sendall(request(target))
                return ended(connection)
        except OSError as error:
            return reason(error)


def begun(target: Target, version: ssl.TLSVersion) -> socket.socket:
    """Begins a handshake, and returns the connection when the listener has sent its ServerHello."""
    connection = target.connect(handshake=False)
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    handshake = _context(target, version, None).wrap_bio(incoming, outgoing)
    try:
        handshake.do_handshake()
    except ssl.SSLWantReadError:
        connection.sendall(outgoing.read())
    if not connection.recv(5):
        raise ConnectionResetError
    return connection


def ended(connection: socket.socket) -> str:
    """Waits for the end of a connection. A byte of a connection without TLS is one of the handshake."""
    connection.settimeout(TIMEOUT)
    try:
        while connection.recv(65_536):
            if isinstance(connection, ssl.SSLSocket):
                return RESPONSE
        return "closed"
    except OSError as error:
        return reason(error)


def reason(error: OSError) -> str:
    if isinstance(error, TimeoutError):
        return OPEN
    return getattr(error, "reason", None) or type(error).__name__


@functools.cache
def _context(target: Target, version: ssl.TLSVersion, name: str | None) -> ssl.SSLContext:
    context = ssl.create_default_context(cafile=target.certificate)
    context.check_hostname = False
    context.set_alpn_protocols(["http/1.1"])
    context.minimum_version = context.maximum_version = version
    if name:
        context.load_cert_chain(file(target, name))
    return context


def attack_forever(target: Target, attack: str) -> None:
    held: deque[socket.socket] = deque()
    for number in itertools.count():
        try:
            if attack == STOPPED:
                held.append(begun(target, version_of(number)))
                if len(held) > _HELD:
                    held.popleft().close()
                continue
            ending = tried(target, attack, number)
        except OSError as error:
            ending = f"refused: {type(error).__name__}"
        say(ending)
        if ending.startswith("refused"):
            time.sleep(0.01)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("attack", choices=ATTACKS)
    parser.add_argument("port", type=int)
    parser.add_argument("connections", type=int)
    parser.add_argument("--certificate", required=True)
    parser.add_argument("--token", required=True)
    parser.add_argument("--source", required=True)
    options = parser.parse_args()
    os.nice(19)
    target = Target(options.port, options.certificate, options.token, options.source)
    threads = [threading.Thread(target=attack_forever, args=(target, options.attack), daemon=True)
               for _ in range(options.connections)]
    for thread in threads:
        thread.start()
    say("ready")
    for thread in threads:
        thread.join()


if __name__ == "__main__":
    sys.exit(main())
