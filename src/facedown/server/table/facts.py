"""The facts of a table as the store holds them: one for each thing that happened, public and secret part.

Everything else is folded from facts by `state`. Their bytes stay in the store; no client ever gets them.
The tags and the field names are stored: they never change, whatever a class is called.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, NamedTuple, TypeAlias, get_args

import msgspec
from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from facedown.protocol.messages import Clock, ContinuedGame, GameResult, SealWay, Series
from facedown.server.store.base import EventRow, PersonalText

# --- before the game -------------------------------------------------------------------------------------


class SeatSetup(Struct, frozen=True):
    """A seat of a table setup: for a person (`kept_for`: reserved for the one of that id) or a machine."""

    kind: Literal["person", "machine"]
    machine: str | None = None
    kept_for: str | None = None
    kept_name: str | UnsetType = UNSET
    """The name of the person for whom it is reserved."""


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
    substitute: str = ""
    """The machine that takes over the seat of a player who is gone; empty: the usual one of the game."""
    chat: bool = True
    seal: SealWay = "server"
    """Whether the server keeps sealed picks, or learns them once all have sealed (`blind`)."""


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


PROOF: Final = 2
"""The version of what a deal proves: who was a person, who placed what, and in which order."""


class GameDealt(Struct, frozen=True, tag="dealt"):
    """The game was dealt."""

    proof: int = PROOF


class ChanceDrawn(Struct, frozen=True):
    """The chance that was drawn; replaying the facts must draw the same."""

    chance: tuple[str, ...]


class PickPromised(Struct, frozen=True, tag="promised"):
    """A machine has chosen its pick and is bound to it; it is placed when its turn comes."""

    decision: int
    seat: int
    commit: str
    machine: str


class PickSealed(Struct, frozen=True, tag="sealed"):
    """A pick was placed face down; at a blind table, without a secret that the table knows."""

    decision: int
    seat: int
    commit: str
    flag: bool = False
    machine: str | UnsetType = UNSET
    """The machine that chose it; a person's pick has none."""


class PickSecret(Struct, frozen=True):
    """A pick that lies face down, and the nonce of its seal."""

    pick: str
    nonce: str


class PickOpened(Struct, frozen=True, tag="unsealed", omit_defaults=True):
    """A seat of a blind table opened its pick once all had sealed; `forfeit`: it did not, one was drawn."""

    decision: int
    seat: int
    forfeit: bool = False


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


class SeatReclaimed(Struct, frozen=True, tag="reclaimed"):
    """A person took their seat back from the machine, from this decision on."""

    seat: int
    decision: int


class ChatSent(Struct, frozen=True, tag="said"):
    """A chat message, among the seats (seat above 0) or among the spectators."""

    seat: int
    name: str
    text: str | None
    preset: str | None


class ChatSwitched(Struct, frozen=True, tag="chat"):
    """The host switched the chat of the table on or off."""

    on: bool


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
    | PickPromised
    | PickSealed
    | PickOpened
    | PicksRevealed
    | SeatResigned
    | GameEnded
    | SeatLeft
    | SeatReturned
    | ReplacementOffered
    | ReplacementAgreed
    | SeatReplaced
    | SeatReclaimed
    | ChatSent
    | ChatSwitched
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
    """Who sent the command, and its id (`command_key`); empty for none."""
    spent: int = 0
    digest: bytes = b""
    """The digest of what the command asked for (`command_digest`)."""


_facts: Final[msgspec.json.Decoder[TableFact]] = msgspec.json.Decoder(TableFact)
_secrets: Final[dict[str, msgspec.json.Decoder[TableSecret | SeatOwner | PickSecret | ChanceDrawn]]] = {
    "made": msgspec.json.Decoder(TableSecret),
    "sat": msgspec.json.Decoder(SeatOwner),
    "promised": msgspec.json.Decoder(PickSecret),
    "sealed": msgspec.json.Decoder(PickSecret),
    "unsealed": msgspec.json.Decoder(PickSecret),
    "dealt": msgspec.json.Decoder(ChanceDrawn),
    "revealed": msgspec.json.Decoder(ChanceDrawn),
    "resigned": msgspec.json.Decoder(ChanceDrawn),
}
_encode = msgspec.json.Encoder().encode


def kind_of(fact: TableFact) -> str:
    """The kind of a fact: the same word in the store and on the wire."""
    return _KINDS[type(fact)]


_KINDS: Final[dict[type, str]] = {kind: str(kind.__struct_config__.tag) for kind in get_args(TableFact)}


def to_row(entry: LogEntry, texts: tuple[PersonalText, ...] = ()) -> EventRow:
    """An entry as a row of the store; its body leaves these personal texts out."""
    v, at, fact, secret, seat, command, spent, digest = entry
    hidden = b"" if secret is None else _encode(secret)
    public = with_texts(fact, {each.slot: "" for each in texts}) if texts else fact
    return EventRow(v, kind_of(fact), at, _encode(public), hidden, seat, command, spent, digest, texts)


def from_row(row: EventRow) -> LogEntry:
    """An entry read from a row of the store."""
    secret = _secrets[row.kind].decode(row.secret) if row.secret else None
    fact = _facts.decode(row.public)
    if row.texts:
        fact = with_texts(fact, {each.slot: each.text for each in row.texts})
    return LogEntry(row.v, row.at, fact, secret, row.seat, row.command, row.spent, row.digest)


# --- personal texts --------------------------------------------------------------------------------------


WITH_TEXTS: Final = (TableCreated, PersonSeated, SeatRenamed, ChatSent)
"""The facts that hold a name or a chat message."""


def personal_texts(fact: TableFact, person: str) -> tuple[PersonalText, ...]:
    """The names and the chat message in a fact, each with the person whose it is; `person` is the actor."""
    if isinstance(fact, TableCreated):
        return tuple(
            PersonalText(f"kept{number}", chair.kept_for or "", chair.kept_name)
            for number, chair in enumerate(fact.chairs)
            if chair.kept_name
        )
    if not isinstance(fact, PersonSeated | SeatRenamed | ChatSent):
        return ()
    name = PersonalText("name", person, fact.name)
    if isinstance(fact, ChatSent) and fact.text:
        return (name, PersonalText("said", person, fact.text))
    return (name,)


def with_texts(fact: TableFact, texts: Mapping[str, str]) -> TableFact:
    """The fact with these texts in its slots."""
    if isinstance(fact, TableCreated):
        chairs = tuple(
            replace(chair, kept_name=texts[f"kept{number}"]) if f"kept{number}" in texts else chair
            for number, chair in enumerate(fact.chairs)
        )
        return replace(fact, chairs=chairs)
    if isinstance(fact, ChatSent):
        return replace(fact, name=texts.get("name", fact.name), text=texts.get("said", fact.text))
    if isinstance(fact, PersonSeated | SeatRenamed):
        return replace(fact, name=texts.get("name", fact.name))
    return fact
