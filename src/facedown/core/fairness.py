"""The fairness proof of a game on a server: the links of its table, and what opens the seals in them.

Owns its JSON form inside a record, and the history that follows from folding the links.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from facedown.core.chain import MACHINE, Chain
from facedown.core.chance import table_key
from facedown.core.errors import NotVerified, Unreadable, UnreadableRecord
from facedown.core.game import Waves
from facedown.core.links import Link, read_link
from facedown.core.seats import Seat
from facedown.core.views import Plain

_HEX32 = re.compile(r"[0-9a-f]{64}")
_SIGNATURE = re.compile(r"[0-9A-Za-z_-]{86}")


@dataclass(frozen=True, slots=True)
class Pool:
    """The options of a draw that does not simply continue with what the draw before it left."""

    at: int
    """Which entry of the record's chance list was drawn from it, counted from 0."""
    options: tuple[str, ...]
    """In canonical order."""


@dataclass(frozen=True, slots=True)
class Proof:
    """The links of a table, and the nonces of the picks that people sealed."""

    links: tuple[Link, ...]
    nonces: tuple[str | None, ...]
    """One for each link `sealed`, in their order. None for machines and the clock, whose nonces follow from
    the key of the deal, and for picks that were never turned."""
    sig: str = ""
    """The server's signature of the last head; empty if it did not sign."""
    pools: tuple[Pool, ...] | None = None
    """What the draws were made from, to check them without the rules; None where it is not recorded."""
    log: Plain = None
    """The proofs that the table and its record are in the server's log; None where there are none."""

    def plain(self) -> dict[str, Plain]:
        """The JSON form in a record."""
        written: dict[str, Plain] = {
            "links": [link.plain() for link in self.links],
            "nonces": list(self.nonces),
        }
        if self.sig:
            written["sig"] = self.sig
        if self.pools is not None:
            written["pools"] = [{"at": each.at, "options": list(each.options)} for each in self.pools]
        if self.log is not None:
            written["log"] = self.log
        return written

    @classmethod
    def read(cls, value: object) -> Proof:
        """From a record's JSON; raises `UnreadableRecord`."""
        if not isinstance(value, dict):
            raise _bad("'fair' must be an object")
        try:
            links = tuple(read_link(each) for each in _list(value.get("links"), "'links'"))
        except Unreadable as error:
            raise _bad(str(error.message)) from None
        sig = value.get("sig", "")
        if not isinstance(sig, str) or (sig and not _SIGNATURE.fullmatch(sig)):
            raise _bad("'sig' must be a signature of 86 characters")
        pools = value.get("pools")
        return cls(
            links=links,
            nonces=tuple(_nonce(each) for each in _list(value.get("nonces"), "'nonces'")),
            sig=sig,
            pools=None if pools is None else tuple(_pool(each) for each in _list(pools, "'pools'")),
            log=value.get("log"),
        )


# --- the history -----------------------------------------------------------------------------------------


class OpenedSeal(NamedTuple):
    """The seal of one pick, who placed it, and the nonce that opens it; None if it was never opened."""

    seat: Seat
    placer: str
    commit: str
    nonce: str | None
    machine: str = ""


class SealedDecision(NamedTuple):
    """One decision as the links have it."""

    number: int
    head: bytes
    """The head of the link that opened it."""
    due: Waves
    seals: tuple[OpenedSeal, ...]
    """In their order; thrown away unseen if a seat resigned."""
    forfeited: tuple[Seat, ...] = ()
    resigned: Seat | None = None


class History(NamedTuple):
    """Everything that follows from the links of a table."""

    chain: Chain
    """After the last link."""
    decisions: tuple[SealedDecision, ...]

    @property
    def entropy(self) -> list[bytes]:
        """The numbers of all people in seat order, which the game was dealt with."""
        return [bytes.fromhex(self.chain.opened[seat]) for seat in sorted(self.chain.opened)]

    def key(self, seed: bytes) -> bytes:
        """The key that dealt the game."""
        if self.chain.full is None:
            raise NotVerified("the seats were never all taken, so nothing can have been dealt")
        return table_key(seed, self.chain.table, self.chain.full, self.entropy)


def history_of(proof: Proof) -> History:
    """Fold the links of a table; raises `LinkRefused` at the first that is not allowed."""
    seals = sum(link.kind == "sealed" for link in proof.links)
    if seals != len(proof.nonces):
        raise NotVerified(f"there are {seals} seals, but {len(proof.nonces)} nonces")
    chain, decisions, nonces = Chain(), list[SealedDecision](), iter(proof.nonces)
    opening: dict[Seat, str | None] = {}
    for link in proof.links:
        if link.kind in ("revealed", "resigned"):
            sealed = tuple(_seals(chain, opening))
            before = SealedDecision(chain.decision, chain.decision_head, chain.due, sealed)
            opening = {}
        chain.add(link)
        if link.kind == "sealed":
            opening[link.get("seat")] = next(nonces)
        elif link.kind == "revealed":
            decisions.append(before._replace(forfeited=tuple(link.get("forfeited"))))
        elif link.kind == "resigned":
            decisions.append(before._replace(resigned=link.get("seat")))
    return History(chain, tuple(decisions))


def _seals(chain: Chain, nonces: dict[Seat, str | None]) -> Iterator[OpenedSeal]:
    for seat, (placer, commit) in chain.sealed.items():
        machine = chain.promised[seat].machine if placer == MACHINE else ""
        yield OpenedSeal(seat, placer, commit, nonces[seat], machine)


# --- the JSON form ---------------------------------------------------------------------------------------


def _nonce(value: object) -> str | None:
    if value is not None and (not isinstance(value, str) or not _HEX32.fullmatch(value)):
        raise _bad("a nonce must be 64 hexadecimal digits, or null")
    return value


def _pool(value: object) -> Pool:
    whole = value if isinstance(value, dict) else {}
    at, options = whole.get("at"), _list(whole.get("options"), "a pool's 'options'")
    if type(at) is not int or at < 0:
        raise _bad("a pool's 'at' must be the place of a chance entry")
    if not all(isinstance(each, str) for each in options):
        raise _bad("a pool's 'options' must be texts")
    return Pool(at, tuple(str(each) for each in options))


def _bad(say: str) -> UnreadableRecord:
    return UnreadableRecord(f"not a record: {say}")


def _list(value: object, what: str) -> list[object]:
    if not isinstance(value, list):
        raise _bad(f"{what} must be a list")
    return value
