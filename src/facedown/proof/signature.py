"""Signature of a record by the server that dealt it: Ed25519 over a digest of its canonical JSON.

Each server creates its key once. `cryptography` does the mathematics; without it, the finding says so.
"""

from __future__ import annotations

import hashlib
import json
from importlib.util import find_spec
from typing import Final

from facedown.core.errors import NotVerified
from facedown.core.record import Record, signed_digest
from facedown.core.replay import Finding
from facedown.core.text.translation import Domain

message: Final = Domain("facedown.proof")


def can_sign() -> bool:
    """Whether the library that makes and checks signatures is installed."""
    return find_spec("cryptography") is not None


def new_signing_key(random: bytes) -> bytes:
    """A private key of 32 bytes, from at least as many random ones."""
    return hashlib.sha256(b"facedown/1/signing" + random).digest()


def signed(text: str, key: bytes) -> str:
    """The JSON text of a record with the signature of a server beside its other parts."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    whole = json.loads(text)
    private = Ed25519PrivateKey.from_private_bytes(key)
    signature = private.sign(signed_digest(whole))
    public = private.public_key().public_bytes_raw()
    mark = {"key": public.hex(), "signature": signature.hex()}
    return json.dumps({**whole, "signed": mark}, ensure_ascii=False, separators=(", ", ": "))


def signature_finding(record: Record) -> Finding | None:
    """Whether the record is as its server signed it; None for games that no server dealt."""
    if record.fair is None:
        return None
    mark = record.signed
    if mark is None:
        return Finding("signature", None, message("signature.none"))
    name = mark.key.hex()[:16]
    if not can_sign():
        return Finding("signature", None, message("signature.no_library", key=name))
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        Ed25519PublicKey.from_public_bytes(mark.key).verify(mark.signature, mark.digest)
    except InvalidSignature:
        raise NotVerified("something in the record was changed after the server had signed it") from None
    return Finding("signature", True, message("signature.holds", key=name))
