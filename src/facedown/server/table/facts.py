"""The facts of a table: one class for each thing that can happen, with its public and its secret part.

The store holds facts, `state` folds the table from them, and `updates` sends viewers their public parts.
A new fact is a class here, a method `_apply_<tag>` in `state`, and the fields that it needs in `Ev`.
Tags and field names are stored, so they never change; a class may be renamed.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Any, ClassVar, Final, Literal, NamedTuple, Self, TypeAlias

import msgspec
from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from facedown.core.chain import CLOCK, MACHINE, PERSON
from facedown.core.links import KINDS, NO_KEY, ChainSetup, ClockSetup, ContinuedSetup, Link, canonical_json
from facedown.core.seats import SPECTATOR, Seat, Viewer
from facedown.protocol.deltas import GameEvent
from facedown.protocol.messages import Clock, ContinuedGame, GameResult, OpenedPick, SealWay, Series, padding
from facedown.protocol.views import game_event
from facedown.server.clock import MINUTE_MS
from facedown.server.store.values import EventRow, PersonalText

if TYPE_CHECKING:
    from facedown.server.table.state import TableState

Body: TypeAlias = dict[str, Any]
"""Fields of an `Ev` message."""

OPENING_MS: Final = MINUTE_MS
"""How long seats may take to open what they promised or sealed, unless the game is by correspondence."""
TURN: Final = frozenset({"turn"})
SEATS: Final = frozenset({"turn", "seats"})
VIEW: Final = frozenset({"turn", "view"})
SUMMARY: Final = frozenset({"summary"})


# --- secret parts ----------------------------------------------------------------------------------------


class TableSecret(Struct, frozen=True, omit_defaults=True):
    """The seed and the host; if the table continues another game, also the chance and picks of that game."""

    seed: str
    host: str
    chance: tuple[str, ...] = ()
    picks: tuple[tuple[str | None, ...], ...] = ()


class SeatOwner(Struct, frozen=True, omit_defaults=True):
    """The id of the person who took a seat, and whether another person joined from the same device."""

    person: str
    one_device: bool = False


class ChanceDrawn(Struct, frozen=True):
    """The chance that was drawn; replaying the facts must draw the same."""

    chance: tuple[str, ...]


class PickSecret(Struct, frozen=True):
    """A face-down pick and the nonce of its seal."""

    pick: str
    nonce: str


FactSecret: TypeAlias = TableSecret | SeatOwner | PickSecret | ChanceDrawn | None


# --- a fact and its place in the log ---------------------------------------------------------------------


class TableFact(Struct, frozen=True):
    """One thing that happened at a table. The class attributes say what viewers receive and what changes."""

    public_fields: ClassVar[tuple[str, ...] | None] = None
    """The fields that every viewer receives. None: viewers receive nothing but the number of the fact."""
    changes: ClassVar[frozenset[str]] = frozenset()
    """What has to be sent or saved again after it: the turn, the seats, the view, the summary for lists."""
    is_talk: ClassVar[bool] = False
    """Whether it is outside the game: people can add any number, and shares in `state` limit each of them."""
    differs_by_viewer: ClassVar[bool] = False
    """Whether `body` depends on the viewer, apart from events of the game that only some viewers see."""
    text_slots: ClassVar[Mapping[str, str]] = {}
    """The slots of the names and words in it, which the store keeps apart, and the fields that hold them."""
    secret_type: ClassVar[type[Struct] | None] = None
    link_kind: ClassVar[str] = ""
    """The kind of link that it is (`core.links`); empty if it is none."""

    @property
    def kind(self) -> str:
        """The tag: the same word in the store and on the wire."""
        return str(self.__struct_config__.tag)

    def body(self, state: TableState, entry: LogEntry, viewer: Viewer) -> Body | None:
        """What this viewer receives of the fact; None for nothing but its number."""
        if self.public_fields is None:
            return None
        return {name: getattr(self, name) for name in self.public_fields}

    def link(self, state: TableState, at: int) -> Link | None:
        """The link that it is, from the state after it; None if it is none."""
        if not self.link_kind:
            return None
        return Link(self.link_kind, at, tuple([getattr(self, name) for name in KINDS[self.link_kind]]))

    def personal_texts(self, person: str) -> tuple[PersonalText, ...]:
        """The names and words in it, each with the person they belong to; `person` is the actor."""
        texts = [(slot, getattr(self, field)) for slot, field in self.text_slots.items()]
        return tuple([PersonalText(slot, person, text) for slot, text in texts if text])

    def with_texts(self, texts: Mapping[str, str]) -> Self:
        """The fact with these texts in their slots."""
        fields = {field: texts[slot] for slot, field in self.text_slots.items() if slot in texts}
        return replace(self, **fields)


class LogEntry(NamedTuple):
    """A fact with its number in the table's log."""

    v: int
    at: int
    fact: TableFact
    secret: FactSecret = None
    seat: int = 0
    """The seat whose command it was; 0 for none, or a spectator's."""
    command: str = ""
    """The sender of the command, and its id (`command_key`); empty for none."""
    spent: int = 0
    digest: bytes = b""
    """The digest of the command's body (`command_key`)."""


def _visible_events(state: TableState, entry: LogEntry, viewer: Viewer) -> tuple[GameEvent, ...]:
    return tuple([game_event(event.seen_by(viewer)) for event in state.step_results[entry.v].events])


def may_read_chat(viewer: Viewer, speaker: Seat) -> bool:
    """Whether a viewer receives a chat message: seats chat with seats, spectators with spectators."""
    return (viewer == SPECTATOR) == (speaker == SPECTATOR)


# --- before the game -------------------------------------------------------------------------------------


class SeatSetup(Struct, frozen=True):
    """A seat of a table setup, for a person or a machine; `kept_for` is the person it is reserved for."""

    kind: Literal["person", "machine"]
    machine: str | None = None
    kept_for: str | None = None
    kept_name: str | UnsetType = UNSET
    """The name of the person it is reserved for."""


class TableCreated(TableFact, frozen=True, tag="made", omit_defaults=True):
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
    """The machine that takes over the seat of an absent player; empty: the usual one of the game."""
    chat: bool = True
    seal: SealWay = "server"
    """Whether the server keeps sealed picks, or learns them only after every seat has sealed (`blind`)."""
    opening: int = OPENING_MS
    """How long seats may take to open their entropy, and picks of a blind table, in milliseconds."""
    seating: int = 0
    """How long the people for whom seats are reserved may take to sit down, in milliseconds; then, or if one
    of them does not open their entropy, or is not ready, the table is closed. 0: the table waits."""
    challenge: bool = False
    """Whether one person challenged the other, who need not come."""
    key: str = NO_KEY
    """The public key that signs the heads of this table."""
    software: str = ""
    origin: str = ""
    """The public address of the server; empty if it has none."""

    changes = TURN | SUMMARY
    secret_type = TableSecret
    link_kind = "made"

    def link_setup(self) -> ChainSetup:
        """Everything that is fixed before anyone sits down, as the first link holds it."""
        old, clock = self.continues, self.clock
        continued = ContinuedSetup(old.table, old.decisions, old.draws, old.digest) if old else None
        return ChainSetup(
            game=self.game,
            version=self.version,
            rules=self.rules,
            seats=tuple(chair.machine or "" for chair in self.chairs),
            clock=ClockSetup(clock.kind, clock.seconds, clock.days, clock.bank, clock.grace, clock.ready),
            flag=self.flag,
            substitute=self.substitute,
            seal=self.seal,
            opening=self.opening,
            software=self.software,
            origin=self.origin,
            continues=continued,
        )

    def link(self, state: TableState, at: int) -> Link:
        """The table's id, the server's key, the setup, and the promise of the seed."""
        return Link("made", at, (state.id, self.key, self.link_setup().plain(), self.seed_commit))

    def body(self, state: TableState, entry: LogEntry, viewer: Viewer) -> Body:
        """The fields of the link."""
        setup = msgspec.Raw(canonical_json(self.link_setup().plain()))
        return {"id": state.id, "key": self.key, "setup": setup, "seed_commit": self.seed_commit}

    def personal_texts(self, person: str) -> tuple[PersonalText, ...]:
        """The names of the people for whom seats are reserved."""
        return tuple(
            PersonalText(f"kept{number}", chair.kept_for or "", chair.kept_name)
            for number, chair in enumerate(self.chairs)
            if chair.kept_name
        )

    def with_texts(self, texts: Mapping[str, str]) -> Self:
        """The fact with these names of the people for whom seats are reserved."""
        chairs = tuple(
            replace(chair, kept_name=texts[f"kept{number}"]) if f"kept{number}" in texts else chair
            for number, chair in enumerate(self.chairs)
        )
        return replace(self, chairs=chairs)


class PersonSeated(TableFact, frozen=True, tag="sat", omit_defaults=True):
    """A person took a seat and committed to their entropy."""

    seat: int
    name: str
    commit: str
    guest: bool = False
    """Whether the name is that of another player on the person's device."""

    public_fields = ("seat", "name", "commit")
    changes = SEATS | SUMMARY
    is_talk = True
    text_slots = {"name": "name"}
    secret_type = SeatOwner
    link_kind = "sat"


class EntropyPromised(TableFact, frozen=True, tag="renewed"):
    """A person committed to fresh entropy after a deal came to nothing."""

    seat: int
    commit: str

    public_fields = ("seat", "commit")
    changes = SEATS
    link_kind = "sat"


class SeatFreed(TableFact, frozen=True, tag="stood"):
    """A person left before the deal; the seat is free again."""

    seat: int

    public_fields = ("seat",)
    changes = SEATS | SUMMARY
    is_talk = True
    link_kind = "freed"


class SeatReleased(TableFact, frozen=True, tag="released"):
    """The host freed a seat before the deal, or gave up its reservation."""

    seat: int
    was_taken: bool

    public_fields = ("seat",)
    changes = SEATS | SUMMARY
    is_talk = True
    link_kind = "freed"

    def link(self, state: TableState, at: int) -> Link | None:
        """None if the seat was only reserved."""
        return Link("freed", at, (self.seat,)) if self.was_taken else None


class MachineSeated(TableFact, frozen=True, tag="filled"):
    """The host put a machine on a free seat before the deal."""

    seat: int
    machine: str

    public_fields = ("seat", "machine")
    changes = SEATS | SUMMARY
    is_talk = True
    link_kind = "filled"


class SeatsDropped(TableFact, frozen=True, tag="dropped"):
    """The host starts without the free seats at the end."""

    left: int
    """The number of seats that remain."""

    public_fields = ("left",)
    changes = SEATS | SUMMARY
    link_kind = "dropped"


class SeatsTaken(TableFact, frozen=True, tag="full"):
    """All seats are taken: who sits where and what is promised is fixed, and entropy is opened."""

    public_fields = ()
    changes = SEATS | SUMMARY
    link_kind = "full"


class SeatRenamed(TableFact, frozen=True, tag="named"):
    """The person on a seat changed their name."""

    seat: int
    name: str

    public_fields = ("seat", "name")
    changes = SEATS | SUMMARY
    is_talk = True
    text_slots = {"name": "name"}


class EntropyOpened(TableFact, frozen=True, tag="opened"):
    """A seat opened the entropy that it had committed to."""

    seat: int
    entropy: str

    public_fields = ("seat", "entropy")
    changes = SEATS
    link_kind = "opened"


class DealVoided(TableFact, frozen=True, tag="void"):
    """These seats did not open their entropy in time and are free; all others commit to fresh entropy."""

    unopened: tuple[int, ...]

    public_fields = ("unopened",)
    changes = SEATS | SUMMARY
    link_kind = "void"


# --- the game --------------------------------------------------------------------------------------------


class GameDealt(TableFact, frozen=True, tag="dealt"):
    """The game was dealt."""

    changes = VIEW | SUMMARY
    secret_type = ChanceDrawn
    link_kind = "dealt"

    def link(self, state: TableState, at: int) -> Link:
        """Who is due in the first decision."""
        return Link("dealt", at, (state.match.pending,))

    def body(self, state: TableState, entry: LogEntry, viewer: Viewer) -> Body:
        """The events of the deal that the viewer may see."""
        return {"due": state.step_results[entry.v].due, "events": _visible_events(state, entry, viewer)}


class SeatReady(TableFact, frozen=True, tag="ready"):
    """A person is ready for the first decision: its clocks start when all are."""

    seat: int

    public_fields = ("seat",)
    changes = TURN
    link_kind = "ready"


class PickPromised(TableFact, frozen=True, tag="promised"):
    """A machine has chosen its pick and is bound to it; it is placed when its turn comes."""

    decision: int
    seat: int
    commit: str
    machine: str

    public_fields = ("decision", "seat", "machine", "commit")
    changes = TURN
    secret_type = PickSecret
    link_kind = "promised"


class PickSealed(TableFact, frozen=True, tag="sealed"):
    """A pick was placed face down; at a blind table, without a secret that the table knows."""

    decision: int
    seat: int
    commit: str
    flag: bool = False
    machine: str | UnsetType = UNSET
    """The machine that chose it; a person's pick has none."""
    here: bool | UnsetType = UNSET
    """True if the clock placed it for a person who was connected."""

    changes = TURN
    differs_by_viewer = True
    secret_type = PickSecret
    link_kind = "sealed"

    @property
    def placer(self) -> str:
        return CLOCK if self.flag else MACHINE if self.machine else PERSON

    def is_placed_for_person(self, state: TableState) -> bool:
        """Whether the clock placed the pick, or a machine did for a person who may come back."""
        return self.flag or (bool(self.machine) and state.place(self.seat).person is not None)

    def body(self, state: TableState, entry: LogEntry, viewer: Viewer) -> Body:
        """The seal; its own seat also receives the pick if the clock or a machine placed it."""
        secret = entry.secret if viewer == self.seat and self.is_placed_for_person(state) else None
        seal = {"decision": self.decision, "seat": self.seat, "commit": self.commit, "placer": self.placer}
        if not isinstance(secret, PickSecret):
            return seal
        return {**seal, "placed": secret.pick, "pad": padding(secret.pick)}


class PickOpened(TableFact, frozen=True, tag="shown"):
    """A seat of a blind table opened its pick after every seat had sealed."""

    decision: int
    seat: int

    public_fields = ("decision", "seat")
    changes = TURN
    secret_type = PickSecret
    link_kind = "shown"


class PicksRevealed(TableFact, frozen=True, tag="revealed", omit_defaults=True):
    """All picks of a decision were revealed."""

    decision: int
    forfeited: tuple[int, ...] = ()
    """The seats of a blind table that did not open their picks in time."""

    changes = VIEW
    secret_type = ChanceDrawn
    link_kind = "revealed"

    def link(self, state: TableState, at: int) -> Link:
        """The decision, the seats that forfeited it, and who is due in the next one."""
        return Link("revealed", at, (self.decision, self.forfeited, state.match.pending))

    def body(self, state: TableState, entry: LogEntry, viewer: Viewer) -> Body:
        """The picks that lie open now and the viewer's own, and the events that the viewer may see."""
        opens = tuple(
            OpenedPick(seat, pick, nonce)
            for seat, pick, nonce in state.step_results[entry.v].picks
            if seat == viewer or state.game.lies_open(pick)
        )
        return {
            "decision": self.decision,
            "forfeited": self.forfeited,
            "due": state.step_results[entry.v].due,
            "opens": opens,
            "events": _visible_events(state, entry, viewer),
        }


class ResignationAsked(TableFact, frozen=True, tag="resigning"):
    """A seat resigns as soon as all picks of a blind table are open; only this seat receives it."""

    decision: int
    seat: int

    differs_by_viewer = True

    def body(self, state: TableState, entry: LogEntry, viewer: Viewer) -> Body | None:
        return {"decision": self.decision, "seat": self.seat} if viewer == self.seat else None


class SeatResigned(TableFact, frozen=True, tag="resigned"):
    """A seat resigned; the open ballot was discarded unseen."""

    decision: int
    seat: int

    changes = VIEW | SUMMARY
    secret_type = ChanceDrawn
    link_kind = "resigned"

    def link(self, state: TableState, at: int) -> Link:
        """The decision, the seat, and who is due in the next decision."""
        return Link("resigned", at, (self.decision, self.seat, state.match.pending))

    def body(self, state: TableState, entry: LogEntry, viewer: Viewer) -> Body:
        events, due = _visible_events(state, entry, viewer), state.step_results[entry.v].due
        return {"decision": self.decision, "seat": self.seat, "due": due, "events": events}


class GameEnded(TableFact, frozen=True, tag="over"):
    """The game ended, and its seed is public."""

    result: GameResult
    seed: str

    changes = VIEW | SUMMARY
    link_kind = "over"

    def body(self, state: TableState, entry: LogEntry, viewer: Viewer) -> Body:
        return {"result": self.result, "story": state.story or msgspec.UNSET, "seed": self.seed}

    def link(self, state: TableState, at: int) -> Link:
        return Link("over", at, (msgspec.json.decode(_encode(self.result)), self.seed))


# --- around the game -------------------------------------------------------------------------------------


class SeatLeft(TableFact, frozen=True, tag="left"):
    """A person left their seat during the game."""

    seat: int

    public_fields = ("seat",)
    changes = SEATS
    is_talk = True


class SeatReturned(TableFact, frozen=True, tag="back"):
    """A person who had left returned to their seat."""

    seat: int

    public_fields = ("seat",)
    changes = SEATS
    is_talk = True


class ReplacementOffered(TableFact, frozen=True, tag="offered"):
    """A seat offered that a machine takes over another one."""

    seat: int
    machine: str
    by: int

    public_fields = ("seat", "machine", "by")
    changes = SEATS
    is_talk = True


class ReplacementAgreed(TableFact, frozen=True, tag="agreed"):
    """Another seat agreed to the offer."""

    seat: int
    by: int

    public_fields = ("seat", "by")
    changes = SEATS
    is_talk = True


class SeatReplaced(TableFact, frozen=True, tag="replaced"):
    """A machine took over a seat, from this decision on."""

    seat: int
    machine: str
    decision: int

    public_fields = ("seat", "machine", "decision")
    changes = SEATS | VIEW | SUMMARY
    link_kind = "replaced"


class SeatReclaimed(TableFact, frozen=True, tag="reclaimed"):
    """A person took their seat back from the machine, from this decision on."""

    seat: int
    decision: int

    public_fields = ("seat", "decision")
    changes = SEATS | VIEW | SUMMARY
    link_kind = "reclaimed"


class ChatSent(TableFact, frozen=True, tag="said"):
    """A chat message, among the seats (seat above 0) or among the spectators."""

    seat: int
    name: str
    text: str | None
    preset: str | None

    is_talk = True
    differs_by_viewer = True
    text_slots = {"name": "name", "said": "text"}

    def body(self, state: TableState, entry: LogEntry, viewer: Viewer) -> Body | None:
        """The message, for viewers who may read it."""
        if not may_read_chat(viewer, self.seat):
            return None
        return {
            "seat": self.seat,
            "name": self.name,
            "text": self.text or UNSET,
            "preset": self.preset or UNSET,
        }


class ChatSwitched(TableFact, frozen=True, tag="chat"):
    """The host switched the chat of the table on or off."""

    on: bool

    public_fields = ("on",)
    changes = SUMMARY


class RematchLinked(TableFact, frozen=True, tag="rematch"):
    """The rematch of this table was created."""

    by: int
    next: str

    public_fields = ("by", "next")
    changes = SUMMARY


class GameShared(TableFact, frozen=True, tag="shared"):
    """A player shared the finished game: everyone who has its link may see it from now on."""

    by: int

    public_fields = ("by",)
    changes = SUMMARY
    is_talk = True


class ServerOutage(TableFact, frozen=True, tag="outage"):
    """The server was down; the clocks get that time back."""

    ms: int

    public_fields = ("ms",)
    changes = TURN
    link_kind = "outage"


class TableClosed(TableFact, frozen=True, tag="closed"):
    """The table was closed before its game ended."""

    say: str

    public_fields = ("say",)
    changes = VIEW | SUMMARY
    link_kind = "closed"


# --- rows of the store -----------------------------------------------------------------------------------

FACTS: Final[dict[str, type[TableFact]]] = {
    str(fact.__struct_config__.tag): fact for fact in TableFact.__subclasses__()
}
"""Every fact by its tag."""
_decoder: Final[msgspec.json.Decoder[TableFact]] = msgspec.json.Decoder(reduce(or_, FACTS.values()))
_secret_decoders: Final[dict[str, msgspec.json.Decoder[Any]]] = {
    tag: msgspec.json.Decoder(fact.secret_type) for tag, fact in FACTS.items() if fact.secret_type
}
_encode: Final = msgspec.json.Encoder().encode


def to_row(entry: LogEntry, texts: tuple[PersonalText, ...] = ()) -> EventRow:
    """An entry as a row of the store; its body leaves these personal texts out."""
    v, at, fact, secret, seat, command, spent, digest = entry
    hidden = b"" if secret is None else _encode(secret)
    public = fact.with_texts({each.slot: "" for each in texts}) if texts else fact
    return EventRow(v, fact.kind, at, _encode(public), hidden, seat, command, spent, digest, texts)


def from_row(row: EventRow) -> LogEntry:
    """An entry read from a row of the store."""
    secret = _secret_decoders[row.kind].decode(row.secret) if row.secret else None
    fact = _decoder.decode(row.public)
    if row.texts:
        fact = fact.with_texts({each.slot: each.text for each in row.texts})
    return LogEntry(row.v, row.at, fact, secret, row.seat, row.command, row.spent, row.digest)
