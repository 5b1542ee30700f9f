"""Frames of HTTP/2 (RFC 9113), and the few header fields that attacks need."""

from __future__ import annotations

import struct

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"

DATA, HEADERS, PRIORITY, RESET, SETTINGS, PUSH, PING, GOAWAY, WINDOW_UPDATE, CONTINUATION = range(10)
END_STREAM, END_HEADERS = 1, 4

# Indexed or literal field lines (RFC 7541 §6).
STATUS_200 = b"\x88"
STATUS_103 = b"\x08\x03103"

# The names of error codes in GOAWAY and RST_STREAM (RFC 9113 §7).
ERRORS = (
    "NO_ERROR", "PROTOCOL_ERROR", "INTERNAL_ERROR", "FLOW_CONTROL_ERROR", "SETTINGS_TIMEOUT", "STREAM_CLOSED",
    "FRAME_SIZE_ERROR", "REFUSED_STREAM", "CANCEL", "COMPRESSION_ERROR", "CONNECT_ERROR", "ENHANCE_YOUR_CALM",
    "INADEQUATE_SECURITY", "HTTP_1_1_REQUIRED")


def frame(kind: int, flags: int, stream: int, payload: bytes = b"") -> bytes:
    """Returns one frame (RFC 9113 §4.1)."""
    return struct.pack(">I", len(payload))[1:] + bytes([kind, flags]) + struct.pack(">I", stream) + payload


def field(name: bytes, value: bytes, indexed: bool = False) -> bytes:
    """Returns a field line without compression, which the decoder adds to its table if `indexed` (RFC 7541 §6.2)."""
    return (b"\x40" if indexed else b"\x00") + _text(name) + _text(value)


def request(method: bytes, path: bytes, host: bytes, token: str | None = None) -> bytes:
    """Returns the field block of a request."""
    fields = [(b":method", method), (b":scheme", b"https"), (b":path", path), (b":authority", host)]
    if token:
        fields.append((b"authorization", b"Bearer " + token.encode()))
    return b"".join(field(name, value) for name, value in fields)


def _text(text: bytes) -> bytes:
    """Returns a string literal (RFC 7541 §5.2)."""
    if len(text) < 127:
        return bytes([len(text)]) + text
    rest, length = len(text) - 127, b"\x7f"
    while rest >= 128:
        length += bytes([rest % 128 + 128])
        rest //= 128
    return length + bytes([rest]) + text


class FrameReader:
    """Cuts received bytes into frames."""

    def __init__(self) -> None:
        self._received = b""

    def frames(self, received: bytes) -> list[tuple[int, int, int, bytes]]:
        """Returns the kind, the flags, the stream and the payload of each frame that is complete now."""
        self._received += received
        found, position = [], 0
        while len(self._received) >= position + 9:
            head = self._received[position:position + 9]
            end = position + 9 + int.from_bytes(head[:3], "big")
            if len(self._received) < end:
                break
            stream = int.from_bytes(head[5:9], "big") & 0x7FFF_FFFF
            found.append((head[3], head[4], stream, self._received[position + 9:end]))
            position = end
        self._received = self._received[position:]
        return found
