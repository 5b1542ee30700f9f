"""A name server on loopback whose answers a step chooses while it runs."""

from __future__ import annotations

import asyncio
import ipaddress
import struct
from collections import Counter
from collections.abc import Sequence

# The time for which an answer may be cached, in seconds.
TTL = 1
_A, _CNAME, _AAAA = 1, 5, 28
_POINTER_TO_QUESTION = b"\xc0\x0c"


class NameServer(asyncio.DatagramProtocol):
    """The server of any names. It answers a name that it does not know with NXDOMAIN."""

    def __init__(self) -> None:
        # The answers of each name, which its queries for IPv4 addresses get in turns. An answer is a list of addresses,
        # or a list with one other name.
        self.answers: dict[str, Sequence[Sequence[str]]] = {}
        # The queries for the IPv4 addresses of each name.
        self.queries: Counter[str] = Counter()
        self.port = 0
        self._transport: asyncio.DatagramTransport | None = None

    async def listen(self) -> None:
        transport, _ = await asyncio.get_running_loop().create_datagram_endpoint(
            lambda: self, local_addr=("127.0.0.1", 0))
        self._transport, self.port = transport, transport.get_extra_info("sockname")[1]

    def close(self) -> None:
        if self._transport:
            self._transport.close()

    def datagram_received(self, data: bytes, address: tuple[str, int]) -> None:
        labels, position = [], 12
        while length := data[position]:
            labels.append(data[position + 1:position + 1 + length].decode("latin-1").lower())
            position += 1 + length
        question, name = data[12:position + 5], ".".join(labels)
        kind = int.from_bytes(data[position + 1:position + 3], "big")
        records = self._records(name, kind)
        code = 0 if name in self.answers else 3
        head = data[:2] + struct.pack(">HHHHH", 0x8580 | code, 1, len(records), 0, 0)
        if self._transport:
            self._transport.sendto(head + question + b"".join(records), address)

    def _records(self, name: str, kind: int) -> list[bytes]:
        answers = self.answers.get(name, [[]])
        answer = answers[self.queries[name] % len(answers)]
        if kind == _A:
            self.queries[name] += 1
        owner, records = _POINTER_TO_QUESTION, []
        if answer and answer[0] in self.answers:
            alias = b"".join(bytes([len(label)]) + label.encode() for label in answer[0].split(".")) + b"\0"
            records.append(_record(owner, _CNAME, alias))
            owner, answer = alias, self.answers[answer[0]][0]
        for address in map(ipaddress.ip_address, answer):
            if kind == (_A if address.version == 4 else _AAAA):
                records.append(_record(owner, kind, address.packed))
        return records


def _record(owner: bytes, kind: int, content: bytes) -> bytes:
    return owner + struct.pack(">HHIH", kind, 1, TTL, len(content)) + content
