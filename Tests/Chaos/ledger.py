"""The ledger of what the daemon acknowledged, kept outside of the daemon's root and compared with it afterwards."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from client import Client


@dataclass
class Ledger:
    """Ids are unique in one ledger, over HTTP and the spool together."""

    # Requests that were answered 200.
    answered: set[str] = field(default_factory=set)
    # Requests that were answered 202.
    accepted: set[str] = field(default_factory=set)
    # Spool files that have their name in `incoming`.
    handed_in: set[str] = field(default_factory=set)
    # Spool files that cannot be used, by name without `.json`.
    unusable: set[str] = field(default_factory=set)
    # What the reader of the outbox took away.
    read: dict[str, bytes] = field(default_factory=dict)
    # The first content that was seen of each request over HTTP.
    contents: dict[str, bytes] = field(default_factory=dict)
    # Ids for which two different contents were seen.
    doubled: set[str] = field(default_factory=set)
    # Results that came into the outbox once more, with the same bytes.
    repeated: set[str] = field(default_factory=set)
    half_written: set[str] = field(default_factory=set)

    @property
    def count(self) -> int:
        return len(self.answered) + len(self.accepted) + len(self.handed_in) + len(self.unusable)

    @property
    def counts(self) -> str:
        return f"{len(self.answered)} × 200, {len(self.accepted)} × 202, {len(self.handed_in)} spool files"

    @property
    def media_count(self) -> int:
        """How many files the contents name that were seen."""
        return sum(len(media_paths(content)) for content in [*self.contents.values(), *self.read.values()])

    def answer(self, id: str, content: bytes) -> None:
        """Records a 200."""
        self.answered.add(id)
        self.see(id, content)

    def see(self, id: str, content: bytes) -> None:
        if self.contents.setdefault(id, content) != content:
            self.doubled.add(id)

    def read_outbox(self, outbox: Path) -> None:
        """Takes every result away, as a reader does."""
        for file in outbox.iterdir():
            if not file.name.endswith(".json") or file.name.startswith("."):
                continue
            content = file.read_bytes()
            id = file.name.removesuffix(".json")
            if identifier_in(content) != id:
                self.half_written.add(str(file))
            if id in self.read:
                (self.repeated if self.read[id] == content else self.doubled).add(id)
            self.read[id] = content
            file.unlink()


@dataclass
class Comparison:
    """What the daemon has no longer, by how it was acknowledged."""

    lost: list[str]
    lost_by_kind: Counter[str]
    doubled: set[str]
    repeated: set[str]
    half_written: set[str]

    @property
    def losses(self) -> str:
        return ", ".join(f"{count} × {kind}" for kind, count in sorted(self.lost_by_kind.items())) or "none"


async def compare(ledger: Ledger, client: Client, group: Path) -> Comparison:
    """Compares a ledger with a settled daemon and with the folder of its app group."""
    lost: list[str] = []
    kinds: Counter[str] = Counter()

    def lose(kind: str, id: str) -> None:
        lost.append(id)
        kinds[kind] += 1

    ledger.read_outbox(group / "outbox")
    for id in sorted(ledger.accepted | ledger.answered):
        response = await client.call("GET", f"/v1/notifications/{id}")
        content = response.body
        if response.status != 200 or identifier_in(content) != id:
            lose("200" if id in ledger.answered else "202", f"{id}: {response.status} {content.decode()[:200]}")
            continue
        ledger.see(id, content)
        for path in media_paths(content):
            if not _is_whole(group / path):
                lose("media file", f"{id}: {path}")
    for id in sorted(ledger.handed_in - ledger.read.keys()):
        lose("spool file", id)
    for id in sorted(ledger.unusable):
        if not (group / "rejected" / f"{id}.json").exists():
            lose("unusable spool file", id)
    for content in ledger.read.values():
        for path in media_paths(content):
            if not _is_whole(group / path):
                lose("media file", path)
    return Comparison(
        lost, kinds, ledger.doubled, ledger.repeated, ledger.half_written | half_written_files(group))


def identifier_in(content: bytes) -> str | None:
    """Returns the id of a content, `None` for bytes that are no content."""
    try:
        value = json.loads(content)
        return value["id"] if isinstance(value["outcome"], str) else None
    except (ValueError, KeyError, TypeError):
        return None


def outcome_in(content: bytes) -> str:
    """Returns the outcome of a content."""
    return str(json.loads(content)["outcome"])


def media_paths(content: bytes) -> list[str]:
    """Returns the paths of all files that a content names, relative to the folder of its group."""
    attachments: list[dict[str, Any]] = json.loads(content)["content"]["attachments"]
    files = [
        file for attachment in attachments
        for file in (attachment, attachment.get("thumbnail"), attachment.get("poster")) if file
    ]
    return [file["path"] for file in files if file.get("path")]


def half_written_files(group: Path) -> set[str]:
    """Returns files under final names that are not whole: media that are not what their name says, and reasons."""
    found = {str(file) for file in group.glob("media/*/*") if "." in file.name and not _is_whole(file)}
    for file in group.glob("rejected/*.error.json"):
        try:
            json.loads(file.read_bytes())
        except ValueError:
            found.add(str(file))
    return found


def _is_whole(file: Path) -> bool:
    """Whether a file's bytes have the SHA-256 that is its name."""
    try:
        return hashlib.sha256(file.read_bytes()).hexdigest() == file.name.partition(".")[0]
    except OSError:
        return False
