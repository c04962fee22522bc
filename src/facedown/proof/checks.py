"""Checks of a record beyond its rules: machines' picks and the server's signature.

A machine of the server has no memory of earlier games and no time limit: the same version picks the same.
A server signs records with Ed25519, by a key that it creates once.
"""

from __future__ import annotations

import hashlib
import json
from importlib.util import find_spec
from typing import Final

from facedown.bots.choice import choose
from facedown.bots.find import bots_of
from facedown.core.chance import clock_stream, machine_stream
from facedown.core.errors import FacedownError, NotVerified
from facedown.core.fairness import RANDOM, DealtTable, Seal
from facedown.core.record import Record, signed_digest
from facedown.core.replay import AnyMatch, Finding, key_of, start
from facedown.core.text.translation import Domain
from facedown.version import __version__

message: Final = Domain("facedown.proof")
SOFTWARE: Final = f"facedown {__version__}"
"""Name and version of this program, as records name it."""


# --- machines' picks -------------------------------------------------------------------------------------


def machine_finding(record: Record) -> Finding | None:
    """Every pick of a machine, chosen again; None if no machine picked, or the record names none."""
    fair = record.fair
    if fair is None or fair.table is None or record.seed is None:
        return None
    if not any(_machine_of(fair.table, seal) for seals in fair.seals for seal in seals):
        return None
    same, strange, different = _choose_again(record, fair.table)
    if strange:
        return Finding("machines", None, message("machines.unknown", count=same, names=", ".join(strange)))
    if different is None:
        return Finding("machines", True, message("machines.same", count=same))
    if fair.table.software != SOFTWARE:
        version = fair.table.software or "?"
        return Finding("machines", None, message("machines.other_version", count=same, version=version))
    raise different


def _choose_again(record: Record, table: DealtTable) -> tuple[int, list[str], FacedownError | None]:
    """The number of picks that are the same again, the unknown bots, and the first pick that differs."""
    assert record.fair is not None
    match, key = start(record), key_of(record)
    same, strange = 0, set[str]()
    different: FacedownError | None = None
    after = 0 if record.continues is None else record.continues.decisions
    for decision, (seals, joint) in enumerate(zip(record.fair.seals, record.picks, strict=True), 1):
        for seal in seals if decision > after else ():
            machine = _machine_of(table, seal)
            if not machine:
                continue
            if not _is_installed(record.game, machine):
                strange.add(machine)
                continue
            if _pick_again(record.game, match, key, decision, machine, seal) == joint[seal.seat - 1]:
                same += 1
            elif different is None:
                different = NotVerified(f"the seed and its view make {machine} pick something else")
                different.at(decision=decision, seat=seal.seat)
        match.decide(joint)
    return same, sorted(strange), different


def _machine_of(table: DealtTable, seal: Seal) -> str:
    """The machine that chose the pick of a seal; empty for a person, and for the clock's draw."""
    if seal.flag:
        return "" if table.flag == RANDOM else table.flag
    return seal.machine


def _is_installed(game: str, machine: str) -> bool:
    """Whether a bot of that name is installed; a record must never cause the import of a module."""
    return ":" not in machine and machine in bots_of(game)


def _pick_again(game: str, match: AnyMatch, key: bytes, decision: int, machine: str, seal: Seal) -> str:
    stream = (clock_stream if seal.flag else machine_stream)(key, decision, seal.seat)
    return choose(game, machine, match.view(seal.seat), match.legal(seal.seat), stream).pick


# --- the signature ---------------------------------------------------------------------------------------


def can_sign() -> bool:
    """Whether the library that makes and checks signatures is installed."""
    return find_spec("cryptography") is not None


def new_signing_key(random: bytes) -> bytes:
    """A private key of 32 bytes, from at least as many random ones."""
    return hashlib.sha256(b"facedown/1/signing" + random).digest()


def public_key(key: bytes) -> bytes:
    """The public key of a private one."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    return Ed25519PrivateKey.from_private_bytes(key).public_key().public_bytes_raw()


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
