"""Ed25519 signatures of a server: of heads, of records, and of the statement with which it changes its key.

The library for them is optional: without it nothing is signed, and nothing can be checked.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
from collections.abc import Iterable
from functools import lru_cache
from importlib.util import find_spec
from typing import TYPE_CHECKING, Final, NamedTuple

from facedown.core.errors import NotVerified
from facedown.core.links import rotation_digest
from facedown.core.record import signed_digest

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

_KEPT_KEYS: Final = 64


def can_sign() -> bool:
    """Whether the library that makes and checks signatures is installed."""
    return find_spec("cryptography") is not None


def new_signing_key(random: bytes) -> bytes:
    """A private key of 32 bytes, from at least as many random ones."""
    return hashlib.sha256(b"facedown/2/signing" + random).digest()


@lru_cache(maxsize=_KEPT_KEYS)
def _private(key: bytes) -> Ed25519PrivateKey:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    return Ed25519PrivateKey.from_private_bytes(key)


def public_key(private: bytes) -> str:
    """The public key of a private one, in hexadecimal."""
    return _private(private).public_key().public_bytes_raw().hex()


def sign(private: bytes, digest: bytes) -> bytes:
    """The signature of a digest: 64 bytes, always the same."""
    return _private(private).sign(digest)


def is_signed(key: str, digest: bytes, signature: bytes) -> bool:
    """Whether a signature is by this public key."""
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(key)).verify(signature, digest)
    except (InvalidSignature, ValueError):
        return False
    return True


def sign_text(text: str, private: bytes) -> str:
    """The JSON text of a record with the signature of a server beside its other parts."""
    whole = json.loads(text)
    mark = {"key": public_key(private), "signature": sign(private, signed_digest(whole)).hex()}
    return json.dumps({**whole, "signed": mark}, ensure_ascii=False, separators=(", ", ": "))


def rotation_holds(origin: str, old: str, new: str, at: int, by_old: bytes, by_new: bytes) -> bool:
    """Whether the old and the new key of a server both signed that one follows the other."""
    digest = rotation_digest(origin, bytes.fromhex(old), bytes.fromhex(new), at)
    return is_signed(old, digest, by_old) and is_signed(new, digest, by_new)


class KeyStatement(NamedTuple):
    """A server's statement that it changed its key; the signatures as text."""

    old: str
    new: str
    at: int
    by_old: str
    by_new: str


def vouched_keys(origin: str, key: str, statements: Iterable[KeyStatement]) -> frozenset[str]:
    """A key of a server, with those before and after it that statements of both keys lead to."""
    known, left, fresh = {key}, list(statements), True
    while fresh and can_sign():
        fresh = False
        for each in left:
            if (each.old in known) is not (each.new in known) and _holds(origin, each):
                known |= {each.old, each.new}
                fresh = True
    return frozenset(known)


def _holds(origin: str, change: KeyStatement) -> bool:
    try:
        by_old, by_new = decode_signature(change.by_old), decode_signature(change.by_new)
        return rotation_holds(origin, change.old, change.new, change.at, by_old, by_new)
    except (NotVerified, ValueError, OverflowError):
        return False


# --- as text ---------------------------------------------------------------------------------------------


def encode_signature(signature: bytes) -> str:
    """64 bytes as 86 characters."""
    return base64.urlsafe_b64encode(signature).rstrip(b"=").decode()


def decode_signature(text: str) -> bytes:
    """The bytes of a signature; raises `NotVerified`."""
    try:
        found = base64.b64decode(text + "==", altchars=b"-_", validate=True)
    except (ValueError, binascii.Error):
        found = b""
    if len(found) != 64 or encode_signature(found) != text:
        raise NotVerified("a signature must be 64 bytes in base64")
    return found
