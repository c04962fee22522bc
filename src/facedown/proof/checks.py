"""Checks of a record beyond its rules: machines' picks, the server's signature and key, its public log.

A machine of the server has no memory of earlier games and no time limit: the same version picks the same.
Every table is in the log before anyone sits down, and its end once it is over: anyone who keeps a checkpoint
can detect a server that changes, drops or adds one later.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from facedown.bots.choice import choose
from facedown.bots.find import bots_of
from facedown.core.chain import CLOCK
from facedown.core.chance import clock_stream, machine_stream
from facedown.core.errors import FacedownError, NotVerified
from facedown.core.fairness import History, OpenedSeal, history_of
from facedown.core.links import (
    NO_HEAD,
    NO_KEY,
    RANDOM,
    ChainSetup,
    head_after,
    head_digest,
    leaf_of_log,
)
from facedown.core.record import Record
from facedown.core.replay import AnyMatch, Finding, until
from facedown.core.text.translation import Domain
from facedown.proof.log import LogProof, NoteKey, cosigned_at, read_checkpoint, signer_of
from facedown.proof.signatures import can_sign, decode_signature, is_signed
from facedown.version import __version__

message: Final = Domain("facedown.core")
SOFTWARE: Final = f"facedown {__version__}"
"""Name and version of this program, as records name it."""


# --- machines' picks -------------------------------------------------------------------------------------


def machine_finding(record: Record) -> Finding | None:
    """Every pick of a machine, chosen again; None if no machine picked, or the record names none."""
    if record.fair is None or record.seed is None:
        return None
    history = history_of(record.fair)
    setup = history.chain.setup
    if not any(_machine_of(setup, seal) for turned in history.decisions for seal in turned.seals):
        return None
    same, strange, different = _choose_again(record, history, bytes.fromhex(record.seed))
    if strange:
        return Finding("machines", None, message("machines.unknown", count=same, names=", ".join(strange)))
    if different is None:
        return Finding("machines", True, message("machines.same", count=same))
    if setup.software != SOFTWARE:
        version = setup.software or "?"
        return Finding("machines", None, message("machines.other_version", count=same, version=version))
    raise different


def _choose_again(
    record: Record, history: History, seed: bytes
) -> tuple[int, list[str], FacedownError | None]:
    """The number of picks that are the same again, the unknown bots, and the first pick that differs."""
    match = until(record, 0 if record.continues is None else record.continues.decisions)
    key, setup = history.key(seed), history.chain.setup
    same, strange = 0, set[str]()
    different: FacedownError | None = None
    for turned in history.decisions:
        joint = record.picks[turned.number - 1]
        for seal in turned.seals if turned.resigned is None else ():
            machine = _machine_of(setup, seal)
            if not machine:
                continue
            if not _is_installed(record.game, machine):
                strange.add(machine)
                continue
            if _pick_again(record.game, match, key, turned.number, machine, seal) == joint[seal.seat - 1]:
                same += 1
            elif different is None:
                different = NotVerified(f"the seed and its view make {machine} pick something else")
                different.at(decision=turned.number, seat=seal.seat)
        match.decide(joint)
    return same, sorted(strange), different


def _machine_of(setup: ChainSetup, seal: OpenedSeal) -> str:
    """The machine that chose the pick of a seal; empty for a person, and for the clock's draw."""
    if seal.placer == CLOCK:
        return "" if setup.flag == RANDOM else setup.flag
    return seal.machine


def _is_installed(game: str, machine: str) -> bool:
    """Whether a bot of that name is installed; a record must never cause the import of a module."""
    return ":" not in machine and machine in bots_of(game)


def _pick_again(game: str, match: AnyMatch, key: bytes, decision: int, machine: str, seal: OpenedSeal) -> str:
    stream = (clock_stream if seal.placer == CLOCK else machine_stream)(key, decision, seal.seat)
    return choose(game, machine, match.view(seal.seat), match.legal(seal.seat), stream).pick


# --- signatures ------------------------------------------------------------------------------------------


def signature_finding(record: Record) -> Finding | None:
    """Whether the server signed the record and the last head; None for games that no server dealt."""
    mark = record.signed
    if record.fair is None:
        if mark is not None:
            raise NotVerified("the record is signed, but the links that were signed with it are missing")
        return None
    chain = history_of(record.fair).chain
    if mark is not None and mark.key.hex() != chain.key:
        raise NotVerified("the record is signed with another key than the table's")
    if chain.key == NO_KEY or mark is None or not record.fair.sig:
        return Finding("signature", None, message("signature.none"))
    name = chain.key[:16]
    if not can_sign():
        return Finding("signature", None, message("signature.no_library", key=name))
    if not is_signed(chain.key, mark.digest, mark.signature):
        raise NotVerified("something in the record was changed after the server had signed it")
    digest = head_digest(chain.table, chain.number, chain.head)
    if not is_signed(chain.key, digest, decode_signature(record.fair.sig)):
        raise NotVerified("the links are not those that the server signed")
    return Finding("signature", True, message("signature.holds", key=name))


def key_finding(record: Record, anchors: Mapping[str, str], *, only: bool) -> Finding | None:
    """Whether the key of the table is known from elsewhere; None for games that no server dealt.

    `anchors` says by what each key is known. With `only`, another key than these is a contradiction.
    """
    if record.fair is None:
        return None
    key = history_of(record.fair).chain.key
    if key in anchors:
        return Finding("key", True, message("key.known", key=key[:16], by=anchors[key]))
    if only:
        raise NotVerified(f"the table has the key {key[:16]}…, which is not the one that was named")
    return Finding("key", None, message("key.unknown", key=key[:16]))


def log_finding(record: Record, anchors: Mapping[str, str]) -> Finding | None:
    """Whether the table and its end are in the server's public log; None for games that no server dealt."""
    fair = record.fair
    if fair is None:
        return None
    if not isinstance(fair.log, dict) or not can_sign():
        return Finding("log", None, message("log.none" if fair.log is None else "log.no_library"))
    history, first = history_of(fair), head_after(NO_HEAD, 0, fair.links[0])
    heads = {"table": first, "record": history.chain.head}
    sizes = []
    for kind, head in heads.items():
        proof = LogProof.read(str(fair.log.get(kind, "")))
        sizes.append(proof.check(leaf_of_log(kind, history.chain.table, head), None).size)
        if not signer_of(proof.note, (history.chain.key, *anchors)):  # it may have changed its key since
            return Finding("log", None, message("log.other_key"))
    return Finding("log", True, message("log.holds", size=max(sizes)))


def history_finding(newest: str) -> Finding:
    """That the server's newest checkpoint continues the one in a record: the caller has compared them."""
    return Finding("history", True, message("log.continued", size=read_checkpoint(newest).size))


def witness_finding(newest: str, witness: NoteKey, index: int) -> Finding:
    """Whether a witness has cosigned the server's newest checkpoint, with the entry of this number in it."""
    seen = cosigned_at(newest, witness) is not None and read_checkpoint(newest).size > index
    say = message("log.witnessed" if seen else "log.unwitnessed", witness=witness.name)
    return Finding("witness", True if seen else None, say)
