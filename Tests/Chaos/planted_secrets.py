"""Secrets that a step plants into a configuration and into requests, and the forms in which a file may have them."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterable
from random import Random
from urllib.parse import quote

_LETTERS = "bcdfghjkmnpqrstvwz"


class PlantedSecrets:
    """Secrets by their places. No secret is a part of another one."""

    def __init__(self, random: Random) -> None:
        self._random = random
        self._secrets: dict[str, str] = {}

    def word(self, place: str) -> str:
        """Returns a secret of letters, which no rule about digits or lengths finds."""
        return self._secrets.setdefault(place, "".join(self._random.choices(_LETTERS, k=12)))

    def text(self, place: str) -> str:
        """Returns a secret with characters that JSON, URLs and Base64 write in other ways."""
        if place not in self._secrets:
            start, end = ("".join(self._random.choices(_LETTERS, k=6)) for _ in range(2))
            self._secrets[place] = f'{start} ü"/&{end}'
        return self._secrets[place]

    def found_in(self, files: Iterable[tuple[str, bytes]]) -> list[str]:
        """Returns the places of the secrets that files have, with the names of the files."""
        forms = {form: place for place, secret in self._secrets.items() for form in _forms(secret)}
        pattern = re.compile(b"|".join(re.escape(form) for form in forms))
        return sorted({
            f"{forms[found]} in {name} ({found.decode(errors='replace')})"
            for name, content in files for found in pattern.findall(content)})


def _forms(secret: str) -> set[bytes]:
    texts = {secret, json.dumps(secret)[1:-1], json.dumps(secret, ensure_ascii=False)[1:-1]}
    texts |= {text.replace("/", "\\/") for text in texts}
    percent = {quote(secret), quote(secret, safe="")}
    texts |= percent | {re.sub("%..", lambda byte: byte[0].lower(), text) for text in percent}
    return {text.encode() for text in texts} | _base64_forms(secret.encode())


def _base64_forms(secret: bytes) -> set[bytes]:
    """Returns the characters that only the secret decides, after each number of bytes before it."""
    forms = set()
    for before in range(3):
        bits = 8 * before, 8 * (before + len(secret))
        for encode in (base64.b64encode, base64.urlsafe_b64encode):
            forms.add(encode(bytes(before) + secret)[-(-bits[0] // 6):bits[1] // 6])
    return forms
