"""The facts of a table as the store holds them: one for each thing that happened, public and secret part.

Everything else is folded from facts by `state`. Their bytes stay in the store; no client ever gets them.
The tags and the field names are stored: they never change, whatever a class is called.
"""

from __future__ import annotations

from typing import Final, Literal, NamedTuple, TypeAlias

import msgspec
from msgspec import UNSET, Struct, UnsetType

from facedown.protocol.messages import Clock, ContinuedGame, GameResult, Series
from facedown.server.store.base import EventRow

# --- before the game -------------------------------------------------------------------------------------


class SeatSetup(Struct, frozen=True):
    """A seat of a table setup: for a person (`kept_for`: reserved for the one of that id) or a machine."""

    kind: Literal["person", "machine"]
    machine: str | None = None
    kept_for: str | None = None
    kept_name: str | UnsetType = UNSET
    """The name of the person for whom it is reserved; tables made before 0.2 do not have it."""


class TableCreated(Struct, frozen=True, tag="made", omit_defaults=True):
    """A table was created; the commitment to its seed is public from now on."""

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
    """The seed and the host; where the table continues another game, also its chance and picks until then."""

    seed: str
    host: str
    chance: tuple[str, ...] = ()
    picks: tuple[tuple[str | None, ...], ...] = ()


class PersonSeated(Struct, frozen=True, tag="sat", omit_defaults=True):
    """A person took a seat, with a commitment to their entropy; `guest`: for one who shares the device."""

    seat: int
    name: str
    commit: str
    guest: bool = False


class SeatOwner(Struct, frozen=True):
    """The id of the person who took a seat."""

    person: str


class SeatFreed(Struct, frozen=True, tag="stood"):
    """A person left before the deal; the seat is free again."""

    seat: int


class SeatReleased(Struct, frozen=True, tag="released"):
    """The host freed a seat before the deal: whoever sat there, or had it reserved, has no claim to it."""

    seat: int


class MachineSeated(Struct, frozen=True, tag="filled"):
    """The host put a machine on a free seat before the deal."""

    seat: int
    machine: str


class SeatsDropped(Struct, frozen=True, tag="dropped"):
    """The host starts without the free seats at the end; so many seats are left."""

    left: int


class SeatRenamed(Struct, frozen=True, tag="named"):
    """The person on a seat changed their name."""

    seat: int
    name: str


class EntropyOpened(Struct, frozen=True, tag="opened"):
    """A seat opened the entropy that it had committed to."""

    seat: int
    entropy: str


class EntropyMissing(Struct, frozen=True, tag="unopened"):
    """These seats did not open their entropy in time; the deal is made without it."""

    seats: tuple[int, ...]


# --- the game --------------------------------------------------------------------------------------------


class GameDealt(Struct, frozen=True, tag="dealt"):
    """The game was dealt."""


class ChanceDrawn(Struct, frozen=True):
    """The chance that was drawn; replaying the facts must draw the same."""

    chance: tuple[str, ...]


class PickSealed(Struct, frozen=True, tag="sealed"):
    """A pick was placed face down."""

    decision: int
    seat: int
    commit: str
    flag: bool = False


class PickSecret(Struct, frozen=True):
    """A pick that lies face down, and the nonce of its seal."""

    pick: str
    nonce: str


class PicksRevealed(Struct, frozen=True, tag="revealed"):
    """All picks of a decision were revealed."""

    decision: int


class SeatResigned(Struct, frozen=True, tag="resigned"):
    """A seat resigned; the open ballot was discarded unseen."""

    decision: int
    seat: int


class GameEnded(Struct, frozen=True, tag="over"):
    """The game ended, and its seed is public."""

    result: GameResult
    seed: str


# --- around the game -------------------------------------------------------------------------------------


class SeatLeft(Struct, frozen=True, tag="left"):
    """A person left their seat during the game."""

    seat: int


class SeatReturned(Struct, frozen=True, tag="back"):
    """A person who had left returned to their seat."""

    seat: int


class ReplacementOffered(Struct, frozen=True, tag="offered"):
    """A seat offered that a machine takes over another one."""

    seat: int
    machine: str
    by: int


class ReplacementAgreed(Struct, frozen=True, tag="agreed"):
    """Another seat agreed to the offer."""

    seat: int
    by: int


class SeatReplaced(Struct, frozen=True, tag="replaced"):
    """A machine took over a seat, from this decision on."""

    seat: int
    machine: str
    decision: int


class ChatSent(Struct, frozen=True, tag="said"):
    """A chat message, among the seats (seat above 0) or among the spectators."""

    seat: int
    name: str
    text: str | None
    preset: str | None


class RematchLinked(Struct, frozen=True, tag="rematch"):
    """The rematch of this table was created."""

    by: int
    next: str


class GameShared(Struct, frozen=True, tag="shared"):
    """A player shared the finished game: everyone who has its link may see it from now on."""

    by: int


class ServerOutage(Struct, frozen=True, tag="outage"):
    """The server was down; the clocks get that time back."""

    ms: int


class TableClosed(Struct, frozen=True, tag="closed"):
    """The table was closed before its game ended."""

    say: str


TableFact: TypeAlias = (
    TableCreated
    | PersonSeated
    | SeatFreed
    | SeatReleased
    | MachineSeated
    | SeatsDropped
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
    | GameShared
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
    """The seat whose command it was; 0 for none, or a spectator's."""
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
    """The kind of a fact: the same word in the store and on the wire."""
    return str(fact.__struct_config__.tag)


def to_row(entry: LogEntry) -> EventRow:
    """An entry as a row of the store."""
    v, at, fact, secret, seat, command, spent = entry
    hidden = b"" if secret is None else _encode(secret)
    return EventRow(v, kind_of(fact), at, _encode(fact), hidden, seat, command, spent)


def from_row(row: EventRow) -> LogEntry:
    """An entry read from a row of the store."""
    secret = _secrets[row.kind].decode(row.secret) if row.secret else None
    return LogEntry(row.v, row.at, _facts.decode(row.public), secret, row.seat, row.command, row.spent)
