"""The fairness proof of a game on a server: commitments published before, and what opened them after.

Owns its JSON form inside a record and the checks of the commitments; the bytes are those of `core.chance`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from facedown.core.chance import entropy_commitment, pick_commitment, seed_commitment
from facedown.core.errors import NotVerified, UnreadableRecord
from facedown.core.game import RESIGN, Joint
from facedown.core.seats import Seat
from facedown.core.views import Plain

_HEX32 = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class EntropyShare:
    """What a seat threw into the deal: its commitment, and the bytes (None: never opened, not dealt with)."""

    seat: Seat
    commit: bytes
    opened: bytes | None


@dataclass(frozen=True, slots=True)
class Seal:
    """The seal of one pick: its commitment and the nonce that opens it; `flag`: the clock placed the pick."""

    seat: Seat
    commit: bytes
    nonce: bytes
    flag: bool = False


@dataclass(frozen=True, slots=True)
class Pool:
    """The options of a draw that does not simply continue with what the draw before it left."""

    at: int
    """Which entry of the record's chance list was drawn from it, counted from 0."""
    options: tuple[str, ...]
    """In canonical order."""


@dataclass(frozen=True, slots=True)
class Proof:
    """All commitments of a game, with their openings."""

    seed_commit: bytes
    entropy_shares: tuple[EntropyShare, ...]
    """In seat order; seats of the server's own machines throw nothing in."""
    seals: tuple[tuple[Seal, ...], ...]
    """One tuple for each decision, in seat order; empty where a seat resigned, or another game decided it."""
    pools: tuple[Pool, ...] | None = None
    """What the draws were made from, to check them without the rules; None where it is not recorded."""

    @property
    def entropy(self) -> tuple[bytes, ...]:
        """What the deal was made with, besides the seed."""
        return tuple(each.opened for each in self.entropy_shares if each.opened is not None)

    def plain(self) -> dict[str, Plain]:
        """As it stands in a record."""
        written: dict[str, Plain] = {
            "seed_commit": self.seed_commit.hex(),
            "entropy": [
                {
                    "seat": each.seat,
                    "commit": each.commit.hex(),
                    "opened": None if each.opened is None else each.opened.hex(),
                }
                for each in self.entropy_shares
            ],
            "seals": [[_seal(each) for each in decision] for decision in self.seals],
        }
        if self.pools is not None:
            written["pools"] = [{"at": each.at, "options": list(each.options)} for each in self.pools]
        return written

    @classmethod
    def read(cls, value: object) -> Proof:
        """From a record's JSON; raises `UnreadableRecord`."""
        whole = _object(value, "'fair'")
        return cls(
            seed_commit=_bytes(whole, "seed_commit"),
            entropy_shares=tuple(_entropy_share(each) for each in _list(whole.get("entropy"), "'entropy'")),
            seals=tuple(
                tuple(_read_seal(each) for each in _list(decision, "a decision's seals"))
                for decision in _list(whole.get("seals"), "'seals'")
            ),
            pools=(
                None
                if whole.get("pools") is None
                else tuple(_pool(each) for each in _list(whole["pools"], "'pools'"))
            ),
        )


def check_seed(fair: Proof, game_id: str, seed: bytes) -> None:
    """Raise unless the seed is the one that was published before anybody sat down."""
    if seed_commitment(game_id, seed) != fair.seed_commit:
        raise NotVerified("the seed is not the one that was promised before the game")


def check_entropy(fair: Proof, game_id: str) -> None:
    """Raise unless every seat opened what it had promised."""
    for each in fair.entropy_shares:
        if each.opened is not None and entropy_commitment(game_id, each.seat, each.opened) != each.commit:
            raise NotVerified("what this seat threw into the deal is not what it had promised").at(
                seat=each.seat
            )


def check_seals(fair: Proof, game_id: str, picks: Sequence[Joint], after: int = 0) -> int:
    """Raise unless every pick fits the seal that was published before the reveal; how many there are.

    The first decisions, up to `after`, were taken over from another game, which has their seals.
    """
    if len(fair.seals) != len(picks):
        say = f"there are seals for {len(fair.seals)} decisions, but picks for {len(picks)}"
        raise NotVerified(say)
    checked = 0
    for decision, (seals, joint) in enumerate(zip(fair.seals, picks, strict=True), 1):
        if decision <= after or RESIGN in joint:
            continue
        by_seat = {seal.seat: seal for seal in seals}
        for seat, pick in enumerate(joint, 1):
            if pick is None:
                continue
            seal = by_seat.get(seat)
            if seal is None:
                raise NotVerified("there is a pick, but no seal of it").at(decision=decision, seat=seat)
            if pick_commitment(game_id, decision, seat, pick, seal.nonce) != seal.commit:
                raise NotVerified("the pick is not the one that was sealed", text=pick).at(
                    decision=decision, seat=seat
                )
            checked += 1
    return checked


# --- the JSON form ---------------------------------------------------------------------------------------


def _seal(seal: Seal) -> dict[str, Plain]:
    written: dict[str, Plain] = {
        "seat": seal.seat,
        "commit": seal.commit.hex(),
        "nonce": seal.nonce.hex(),
    }
    return written | {"flag": True} if seal.flag else written


def _read_seal(value: object) -> Seal:
    whole = _object(value, "a seal")
    return Seal(_seat(whole), _bytes(whole, "commit"), _bytes(whole, "nonce"), whole.get("flag") is True)


def _entropy_share(value: object) -> EntropyShare:
    whole = _object(value, "an entry of 'entropy'")
    opened = None if whole.get("opened") is None else _bytes(whole, "opened")
    return EntropyShare(_seat(whole), _bytes(whole, "commit"), opened)


def _pool(value: object) -> Pool:
    whole = _object(value, "a pool")
    at, options = whole.get("at"), _list(whole.get("options"), "a pool's 'options'")
    if type(at) is not int or at < 0:
        raise _bad("a pool's 'at' must be the place of a chance entry")
    if not all(isinstance(each, str) for each in options):
        raise _bad("a pool's 'options' must be texts")
    return Pool(at, tuple(str(each) for each in options))


def _bad(say: str) -> UnreadableRecord:
    return UnreadableRecord(f"not a record: {say}")


def _object(value: object, what: str) -> dict[str, object]:
    if not isinstance(value, dict):
        raise _bad(f"{what} must be an object")
    return value


def _list(value: object, what: str) -> list[object]:
    if not isinstance(value, list):
        raise _bad(f"{what} must be a list")
    return value


def _seat(whole: dict[str, object]) -> Seat:
    seat = whole.get("seat")
    if type(seat) is not int or not 1 <= seat <= 99:
        raise _bad("'seat' must be the number of a seat")
    return seat


def _bytes(whole: dict[str, object], name: str) -> bytes:
    text = whole.get(name)
    if not isinstance(text, str) or not _HEX32.fullmatch(text):
        raise _bad(f"{name!r} must be 64 hexadecimal digits")
    return bytes.fromhex(text)
