"""What the store keeps of a table: one fact for everything that happened, with a public and a secret part.

Facts are the truth; `state` folds them. Owns their bytes in the store, which no person ever gets.
"""

from __future__ import annotations

from typing import Final, Literal, NamedTuple, TypeAlias

import msgspec
from msgspec import Struct

from facedown.protocol.messages import Clock, ContinuedGame, GameResult, Series
from facedown.server.store.base import EventRow

# --- before the game -------------------------------------------------------------------------------------


class SeatSetup(Struct, frozen=True):
    """A seat as it was ordered: for a person (of that id, where it is kept for somebody), or a machine."""

    kind: Literal["person", "machine"]
    machine: str | None = None
    kept_for: str | None = None


class TableCreated(Struct, frozen=True, tag="made", omit_defaults=True):
    """The table was set up; the promise of its seed is public from now on."""

    game: str
    version: int
    rules: str
    chairs: tuple[SeatSetup, ...]
    clock: Clock
    flag: str
    public: bool
    watch: Literal["anyone", "nobody"]
    hotseat: bool
    series: Series
    seed_commit: str
    continues: ContinuedGame | None = None


class TableSecret(Struct, frozen=True, omit_defaults=True):
    """The seed, and who set the table up; what happened before, where the table goes on from another game."""

    seed: str
    host: str
    chance: tuple[str, ...] = ()
    picks: tuple[tuple[str | None, ...], ...] = ()


class PersonSeated(Struct, frozen=True, tag="sat"):
    """Somebody took a seat, with a promise of the entropy to come."""

    seat: int
    name: str
    commit: str


class SeatOwner(Struct, frozen=True):
    """Which person it was."""

    person: str


class SeatFreed(Struct, frozen=True, tag="stood"):
    """Somebody left before the start; the seat is free again."""

    seat: int


class SeatRenamed(Struct, frozen=True, tag="named"):
    """Somebody chose another name."""

    seat: int
    name: str


class EntropyOpened(Struct, frozen=True, tag="opened"):
    """A seat opened the entropy that it had promised."""

    seat: int
    entropy: str


class EntropyMissing(Struct, frozen=True, tag="unopened"):
    """These seats did not open theirs in time; the deal is made without it."""

    seats: tuple[int, ...]


# --- the game --------------------------------------------------------------------------------------------


class GameDealt(Struct, frozen=True, tag="dealt"):
    """The game began."""


class ChanceDrawn(Struct, frozen=True):
    """What came up by chance: on reading back, the same must come up again."""

    chance: tuple[str, ...]


class PickSealed(Struct, frozen=True, tag="sealed"):
    """A pick was placed face down."""

    decision: int
    seat: int
    commit: str
    flag: bool = False


class PickSecret(Struct, frozen=True):
    """What lies face down: the pick, and the nonce of its seal."""

    pick: str
    nonce: str


class PicksRevealed(Struct, frozen=True, tag="revealed"):
    """All picks of a decision were turned."""

    decision: int


class SeatResigned(Struct, frozen=True, tag="resigned"):
    """A seat gave up; the open ballot was thrown away unseen."""

    decision: int
    seat: int


class GameEnded(Struct, frozen=True, tag="over"):
    """The game ended, and its seed is public."""

    result: GameResult
    seed: str


# --- around the game -------------------------------------------------------------------------------------


class SeatLeft(Struct, frozen=True, tag="left"):
    """A person stood up in the middle of the game."""

    seat: int


class SeatReturned(Struct, frozen=True, tag="back"):
    """A person who had left is back."""

    seat: int


class ReplacementOffered(Struct, frozen=True, tag="offered"):
    """Somebody offered that a machine takes over a seat."""

    seat: int
    machine: str
    by: int


class ReplacementAgreed(Struct, frozen=True, tag="agreed"):
    """Somebody else agreed to that."""

    seat: int
    by: int


class SeatReplaced(Struct, frozen=True, tag="replaced"):
    """A machine took over a seat, from this decision on."""

    seat: int
    machine: str
    decision: int


class ChatSent(Struct, frozen=True, tag="said"):
    """Somebody said something, to those at the table (seat above 0) or among the spectators."""

    seat: int
    name: str
    text: str | None
    preset: str | None


class RematchLinked(Struct, frozen=True, tag="rematch"):
    """The next table of these people."""

    by: int
    next: str


class ServerOutage(Struct, frozen=True, tag="outage"):
    """The server was away; the clocks get that time back."""

    ms: int


class TableClosed(Struct, frozen=True, tag="closed"):
    """The table was closed before its end."""

    say: str


TableFact: TypeAlias = (
    TableCreated
    | PersonSeated
    | SeatFreed
    | SeatRenamed
    | EntropyOpened
    | EntropyMissing
    | GameDealt
    | PickSealed
    | PicksRevealed
    | SeatResigned
    | GameEnded
    | SeatLeft
    | SeatReturned
    | ReplacementOffered
    | ReplacementAgreed
    | SeatReplaced
    | ChatSent
    | RematchLinked
    | ServerOutage
    | TableClosed
)
FactSecret: TypeAlias = TableSecret | SeatOwner | PickSecret | ChanceDrawn | None


class LogEntry(NamedTuple):
    """A fact with its number in the table's log."""

    v: int
    at: int
    fact: TableFact
    secret: FactSecret = None
    seat: int = 0
    """Whose command it was; 0 for nobody's or a spectator's."""
    command: str = ""
    spent: int = 0


_facts: Final[msgspec.json.Decoder[TableFact]] = msgspec.json.Decoder(TableFact)
_secrets: Final[dict[str, msgspec.json.Decoder[TableSecret | SeatOwner | PickSecret | ChanceDrawn]]] = {
    "made": msgspec.json.Decoder(TableSecret),
    "sat": msgspec.json.Decoder(SeatOwner),
    "sealed": msgspec.json.Decoder(PickSecret),
    "dealt": msgspec.json.Decoder(ChanceDrawn),
    "revealed": msgspec.json.Decoder(ChanceDrawn),
    "resigned": msgspec.json.Decoder(ChanceDrawn),
}
_encode = msgspec.json.Encoder().encode


def kind_of(fact: TableFact) -> str:
    """The word for what happened: the same in the store and on the wire."""
    return str(fact.__struct_config__.tag)


def to_row(entry: LogEntry) -> EventRow:
    """An entry as the store keeps it."""
    v, at, fact, secret, seat, command, spent = entry
    hidden = b"" if secret is None else _encode(secret)
    return EventRow(v, kind_of(fact), at, _encode(fact), hidden, seat, command, spent)


def from_row(row: EventRow) -> LogEntry:
    """An entry as the store gives it back."""
    secret = _secrets[row.kind].decode(row.secret) if row.secret else None
    return LogEntry(row.v, row.at, _facts.decode(row.public), secret, row.seat, row.command, row.spent)
