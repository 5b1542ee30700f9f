"""JSON Web Tokens of an issuer whose key the daemon has."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import os
from pathlib import Path
from typing import Any

_ISSUER, _AUDIENCE = "https://id.example.com", "appgroupd"


class TokenIssuer:
    def __init__(self, folder: Path) -> None:
        self._key = os.urandom(32)
        self._file = folder / "jwks.json"
        self._file.touch(mode=0o600)
        key = {"kty": "oct", "k": _text(self._key), "alg": "HS256", "kid": "one"}
        self._file.write_text(json.dumps({"keys": [key]}))

    @property
    def configuration(self) -> dict[str, Any]:
        """The entry of `auth.issuers`."""
        return {"issuer": _ISSUER, "audience": _AUDIENCE, "keysFile": str(self._file)}

    def headers(self, **claims: int) -> dict[str, str]:
        """Returns the headers of a call with a token that permits all reads, with further claims."""
        header = {"alg": "HS256", "kid": "one", "typ": "JWT"}
        body = {
            "iss": _ISSUER, "aud": _AUDIENCE, "sub": "chaos", "groups": "*", "scope": "read submit admin", **claims}
        signed = ".".join(_text(json.dumps(part).encode()) for part in (header, body))
        code = hmac.new(self._key, signed.encode(), hashlib.sha256).digest()
        return {"Authorization": f"Bearer {signed}.{_text(code)}"}


def _text(content: bytes) -> str:
    return base64.urlsafe_b64encode(content).rstrip(b"=").decode()
