"""The fairness proof of a game on a server: commitments published before, and what opened them after.

Owns its JSON form inside a record and the checks of the commitments; the bytes are those of `core.chance`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from facedown.core.chance import entropy_commitment, pick_commitment, seed_commitment, table_nonce
from facedown.core.errors import FacedownError, NotVerified, UnreadableRecord
from facedown.core.game import RESIGN, Joint
from facedown.core.seats import Seat
from facedown.core.text.translation import Domain
from facedown.core.views import Plain

message: Final = Domain("facedown.core")

_HEX32 = re.compile(r"[0-9a-f]{64}")
MACHINE: Final = "machine"
CLOCK: Final = "clock"
"""Who places seals for the table itself, whose nonces follow from the key of the deal."""
BLIND: Final = "blind"
"""How picks are sealed at a table whose server knows them only once all have sealed."""
RANDOM: Final = "random"
"""The way in which the clock picks unless a table names a machine for it: any legal pick."""


class MissingEntropy(NotVerified):
    """A person sat at the table, but the deal was made without what they threw in."""

    code = "missing_entropy"


@dataclass(frozen=True, slots=True)
class EntropyShare:
    """What a seat threw into the deal: its commitment, and the bytes (None: never opened, not dealt with)."""

    seat: Seat
    commit: bytes
    opened: bytes | None


@dataclass(frozen=True, slots=True)
class Seal:
    """The seal of one pick: its commitment and the nonce that opens it; `flag`: the clock placed the pick;
    `machine`: the name of the machine that picked, empty for a person."""

    seat: Seat
    commit: bytes
    nonce: bytes
    flag: bool = False
    machine: str = ""
    forfeit: bool = False
    """Whether its seat never opened it; the pick was drawn instead, and there is no nonce."""


def commits_of(seals: Iterable[Seal]) -> list[bytes]:
    """The commitments of a decision in seat order, as a forfeit's draw depends on them."""
    return [each.commit for each in sorted(seals, key=lambda each: each.seat)]


@dataclass(frozen=True, slots=True)
class DealtSeat:
    """A seat as it was when the game was dealt: a person's, or that of a machine of this name."""

    machine: str = ""

    @property
    def person(self) -> bool:
        """Whether a person sat here."""
        return not self.machine


@dataclass(frozen=True, slots=True)
class DealtTable:
    """The table as it was dealt: who sat there, who picks when time is up, and which software chose."""

    seats: tuple[DealtSeat, ...]
    flag: str = RANDOM
    """How the clock picks: `random`, or the name of a machine."""
    software: str = ""
    """Name and version of the program whose machines picked."""
    blind: bool = False
    """Whether the server, too, knew people's picks only once all had sealed."""


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
    """One tuple for each decision, in the order in which they were published; empty where a seat resigned, or
    another game decided it. Without `table` they are in seat order."""
    pools: tuple[Pool, ...] | None = None
    """What the draws were made from, to check them without the rules; None where it is not recorded."""
    table: DealtTable | None = None
    """None in records of the first version, which did not say who was a person."""

    @property
    def entropy(self) -> tuple[bytes, ...]:
        """What the deal was made with, besides the seed."""
        return tuple(each.opened for each in self.entropy_shares if each.opened is not None)

    def plain(self) -> dict[str, Plain]:
        """The JSON form in a record."""
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
        if self.table is not None:
            written["table"] = _table(self.table)
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
            table=None if whole.get("table") is None else _read_table(whole["table"]),
        )


def check_seed(fair: Proof, game_id: str, seed: bytes) -> None:
    """Raise unless the seed is the one that was published before anybody sat down."""
    if seed_commitment(game_id, seed) != fair.seed_commit:
        raise NotVerified("the seed is not the one that was promised before the game")


def check_entropy(fair: Proof, game_id: str, seats: int) -> None:
    """Raise unless every seat opened what it had promised, each once and in order."""
    promised = [each.seat for each in fair.entropy_shares]
    if promised != sorted(set(promised)) or any(seat > seats for seat in promised):
        raise NotVerified("entropy is claimed for a seat twice, out of order, or for one that is not there")
    for each in fair.entropy_shares:
        if each.opened is not None and entropy_commitment(game_id, each.seat, each.opened) != each.commit:
            raise NotVerified("what this seat threw into the deal is not what it had promised").at(
                seat=each.seat
            )


def missing_entropy(fair: Proof, seats: int) -> FacedownError | None:
    """The first person whose entropy is not in the deal; None where there is none, or it cannot be known."""
    table = fair.table
    if table is None:
        return None
    if len(table.seats) != seats:
        raise NotVerified(f"{len(table.seats)} seats were dealt, but the record names {seats}")
    shares = {each.seat: each for each in fair.entropy_shares}
    for seat, dealt in enumerate(table.seats, 1):
        share = shares.get(seat)
        if dealt.machine and share is not None:
            raise NotVerified("a machine threw something into the deal").at(seat=seat)
        if dealt.person and share is None:
            return MissingEntropy(message("proof.no_promise")).at(seat=seat)
        if dealt.person and share is not None and share.opened is None:
            return MissingEntropy(message("proof.unopened")).at(seat=seat)
    return None


def check_placers(fair: Proof, table: DealtTable, key: bytes, after: int = 0) -> tuple[int, int]:
    """Raise unless seals of machines and of the clock are those that the key gives, and no other is.

    How many seals the clock placed, and how many of machines came after one of a person.
    """
    clocked = late = 0
    for decision, seals in enumerate(fair.seals[after:], after + 1):
        people = 0
        for seal in seals:
            by_table = {by: table_nonce(key, by, decision, seal.seat) for by in (MACHINE, CLOCK)}
            by = CLOCK if seal.flag else MACHINE if seal.machine else None
            if seal.forfeit and (by is not None or not table.blind):
                raise NotVerified("nothing can be forfeited here").at(decision=decision, seat=seal.seat)
            if seal.flag and seal.machine:
                raise NotVerified("no clock runs for a machine").at(decision=decision, seat=seal.seat)
            if by is None and seal.nonce in by_table.values():
                raise NotVerified("the table itself placed this pick, but the record hides it").at(
                    decision=decision, seat=seal.seat
                )
            if by is not None and seal.nonce != by_table[by]:
                say = "the record says that the clock placed this pick, but a person did"
                if by == MACHINE:
                    say = "the record says that a machine placed this pick, but it did not"
                raise NotVerified(say).at(decision=decision, seat=seal.seat)
            if table.seats[seal.seat - 1].machine and not seal.machine:
                say = "a machine sat here, but the record does not say that it picked"
                raise NotVerified(say).at(decision=decision, seat=seal.seat)
            clocked += seal.flag
            people += by is None
            late += bool(seal.machine and people)
    return clocked, late


def check_seals(fair: Proof, game_id: str, picks: Sequence[Joint], after: int = 0) -> int:
    """Raise unless every pick fits the seal that was published before the reveal; how many there are.

    The first decisions, up to `after`, were taken over from another game, which has their seals.
    """
    if len(fair.seals) != len(picks):
        say = f"there are seals for {len(fair.seals)} decisions, but picks for {len(picks)}"
        raise NotVerified(say)
    checked = 0
    for decision, (seals, joint) in enumerate(zip(fair.seals, picks, strict=True), 1):
        if decision <= after:
            continue
        if RESIGN in joint:
            if seals:
                raise NotVerified("there is a seal, but no pick for it").at(decision=decision)
            continue
        by_seat = {seal.seat: seal for seal in seals}
        extra = [seal.seat for seal in seals if seal.seat > len(joint) or joint[seal.seat - 1] is None]
        if extra or len(by_seat) != len(seals):
            seat = extra[0] if extra else seals[0].seat
            raise NotVerified("there is a seal, but no pick for it").at(decision=decision, seat=seat)
        for seat, pick in enumerate(joint, 1):
            if pick is None:
                continue
            seal = by_seat.get(seat)
            if seal is None:
                raise NotVerified("there is a pick, but no seal of it").at(decision=decision, seat=seat)
            if seal.forfeit:
                continue
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
    }
    if seal.forfeit:
        return {**written, "forfeit": True}
    written["nonce"] = seal.nonce.hex()
    if seal.flag:
        written["flag"] = True
    if seal.machine:
        written["machine"] = seal.machine
    return written


def _table(table: DealtTable) -> dict[str, Plain]:
    seats: list[Plain] = [
        {"kind": MACHINE, "machine": each.machine} if each.machine else {"kind": "person"}
        for each in table.seats
    ]
    written: dict[str, Plain] = {"seats": seats, "flag": table.flag, "software": table.software}
    return {**written, "seal": BLIND} if table.blind else written


def _read_table(value: object) -> DealtTable:
    whole = _object(value, "'table'")
    seats = tuple(_dealt_seat(each) for each in _list(whole.get("seats"), "the table's 'seats'"))
    return DealtTable(seats, _word(whole, "flag"), _word(whole, "software"), whole.get("seal") == BLIND)


def _dealt_seat(value: object) -> DealtSeat:
    whole = _object(value, "a seat of the table")
    kind = whole.get("kind")
    if kind == "person":
        return DealtSeat()
    machine = _word(whole, "machine")
    if kind != MACHINE or not machine:
        raise _bad("a seat of the table must be a person's or a machine's")
    return DealtSeat(machine)


def _word(whole: dict[str, object], name: str) -> str:
    text = whole.get(name, "")
    if not isinstance(text, str) or len(text) > 200:
        raise _bad(f"{name!r} must be a short text")
    return text


def _read_seal(value: object) -> Seal:
    whole = _object(value, "a seal")
    commit, flag = _bytes(whole, "commit"), whole.get("flag") is True
    if whole.get("forfeit") is True:
        return Seal(_seat(whole), commit, b"", flag, _word(whole, "machine"), forfeit=True)
    nonce = _bytes(whole, "nonce")
    return Seal(_seat(whole), commit, nonce, flag, _word(whole, "machine"))


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
