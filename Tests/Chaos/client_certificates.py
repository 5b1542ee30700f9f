"""The certificates of clients: valid ones of two authorities, and those that a listener must refuse."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

# Each client certificate is one file with its key and its chain. These are the files of hostile clients.
REFUSED = {
    "certificate of another CA": "other.pem",
    "expired certificate": "expired.pem",
    "self-signed certificate": "self-signed.pem",
    "chain of 100 certificates": "chain.pem",
    # BoringSSL refuses a message with more than 100 KiB of certificates.
    "certificate of 99 KB": "large.pem",
    "certificate of 1 MB": "oversized.pem",
}
_CHAIN = 100
_CA = ("basicConstraints=critical,CA:TRUE",)
# Without the identifier of the issuer's key, only the signature shows which of two authorities of one name has signed.
_CLIENT = ("basicConstraints=critical,CA:FALSE", "extendedKeyUsage=clientAuth", "authorityKeyIdentifier=none")


def make_clients(folder: Path) -> None:
    """Makes the authorities `ca.pem` and `next-ca.pem`, their clients `client.pem` and `next.pem`, and `REFUSED`."""
    for name in ("client", "ca", "next-ca", "other-ca"):
        _openssl(["genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-out",
                  str(folder / f"{name}.key")])
    key = folder / "client.key"
    for name in ("ca", "next-ca", "other-ca"):
        # The other authority has the name of the trusted one.
        subject = "ca" if name == "other-ca" else name
        (folder / f"{name}.pem").write_text(_issued(folder, subject, None, folder / f"{name}.key", _CA))

    def client(name: str, issuer: str | None, extensions: Sequence[str] = (), chain: str = "") -> None:
        certificate = _issued(folder, name, issuer, key, (*_CLIENT, *extensions))
        (folder / f"{name}.pem").write_text(key.read_text() + certificate + chain)

    client("client", "ca")
    client("next", "next-ca")
    client("other", "other-ca")
    client("self-signed", None)
    for name, size in (("large", 99_000), ("oversized", 1_000_000)):
        # A name takes 30 bytes of the certificate.
        names = ",".join(f"DNS:{number:08}.clients.example.com" for number in range((size - 400) // 30))
        client(name, "other-ca", [f"subjectAltName={names}"])
    request = folder / "expired.csr"
    _openssl(["req", "-new", "-key", str(key), "-subj", "/CN=expired", "-out", str(request)])
    expired = _openssl(
        ["x509", "-req", "-in", str(request), "-CA", str(folder / "ca.pem"), "-CAkey", str(folder / "ca.key"),
         "-set_serial", "1", "-days", "-1"])
    (folder / "expired.pem").write_text(key.read_text() + expired)
    issuer, chain = "other-ca", ""
    for number in range(1, _CHAIN):
        link = _issued(folder, f"link-{number}", issuer, folder / "other-ca.key", _CA)
        issuer, chain = f"link-{number}", link + chain
        (folder / f"{issuer}.pem").write_text(link)
        (folder / f"{issuer}.key").symlink_to("other-ca.key")
    client("chain", issuer, chain=chain)


def damage_session(session: str, damaged: str) -> None:
    """Writes a session without its secret, as an observer of the network has it of another client."""
    text = _openssl(["sess_id", "-in", session, "-noout", "-text"])
    secrets = [bytes.fromhex(line.split(":")[1].strip()) for line in text.splitlines()
               if line.strip().startswith(("Master-Key:", "Resumption PSK:"))]
    content = subprocess.run(
        ["openssl", "sess_id", "-in", session, "-outform", "DER"], check=True, capture_output=True).stdout
    for secret in filter(None, secrets):
        content = content.replace(secret, os.urandom(len(secret)))
    subprocess.run(
        ["openssl", "sess_id", "-inform", "DER", "-out", damaged], input=content, check=True, capture_output=True)


def _issued(folder: Path, subject: str, issuer: str | None, key: Path, extensions: Sequence[str]) -> str:
    """Returns a certificate, which signs itself if it has no issuer."""
    # One argument has at most 128 KiB.
    settings = folder / "extensions.cnf"
    settings.write_text(
        "[req]\ndistinguished_name=name\nx509_extensions=extensions\nprompt=no\n"
        f"[name]\nCN={subject}\n[extensions]\n" + "\n".join(extensions) + "\n")
    signer = ["-CA", str(folder / f"{issuer}.pem"), "-CAkey", str(folder / f"{issuer}.key")] if issuer else []
    return _openssl(["req", "-x509", "-new", "-key", str(key), "-days", "2", "-config", str(settings), *signer])


def _openssl(arguments: Sequence[str]) -> str:
    return subprocess.run(["openssl", *arguments], check=True, capture_output=True, text=True).stdout
