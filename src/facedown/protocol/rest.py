"""REST types for games, tables, streams and errors: what is in calls, and is no WebSocket message as well.

Owns shapes and their limits only: a decoded object has every field, of the right type.
"""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from facedown.protocol.accounts import Name
from facedown.protocol.messages import (
    Clock,
    Cmd,
    Hex32,
    MachineName,
    Millis,
    Phase,
    SealWay,
    SeatNumber,
    Series,
    Version,
)

RulesText: TypeAlias = Annotated[str, Meta(max_length=2000, description="such as `preset(option=value)`")]


# --- games -----------------------------------------------------------------------------------------------


class OptionInfo(Struct, frozen=True, omit_defaults=True):
    """An option of a game's rules."""

    name: str
    label: str
    help: str
    rule: str
    kind: Literal["choice", "number", "switch"]
    values: tuple[str, ...] | UnsetType = UNSET
    low: int | UnsetType = UNSET
    high: int | UnsetType = UNSET


class PresetInfo(Struct, frozen=True):
    """A named rule set: all its values, and its canonical text."""

    name: str
    meaning: str
    values: dict[str, str | int]
    rules: str


class MachineInfo(Struct, frozen=True):
    """A machine to play against, described in one sentence."""

    name: str
    says: str
    level: Literal["", "easy", "medium", "hard"] = ""
    """How hard it is to beat, if its game says so."""
    resident: bool = False
    """Whether it is a character of the game's house, with a portrait."""


class GameInfo(Struct, frozen=True):
    """A game, with everything that a screen needs to offer it."""

    name: str
    title: str
    summary: str
    least_seats: int
    most_seats: int
    version: int
    options: tuple[OptionInfo, ...]
    presets: tuple[PresetInfo, ...]
    usual_preset: str
    """The preset that a new game is offered with; a text without a preset means the first one."""
    machines: tuple[MachineInfo, ...]
    usual_machine: str
    substitute_machine: str
    """The machine that takes over the seat of an absent player, unless the table names another."""
    house: bool
    """Whether it has a house of characters."""
    explorer: bool
    """Whether its solved positions can be explored."""
    trainer: bool
    """Whether there are questions to train with."""


class RulesQuery(Struct, frozen=True):
    """A rule set by its text; the game's first preset if it is left out."""

    rules: RulesText = ""


class RulesInfo(Struct, frozen=True):
    """A rule set: its canonical text, or its problems; and the game's page with its values filled in."""

    rules: str
    problems: tuple[str, ...]
    notes: tuple[str, ...]
    sentences: dict[str, str]
    page: str


class Favoured(Struct, frozen=True, omit_defaults=True):
    """Who gains by perfect play: a seat, or a role of the game if the deal decides which seat has it."""

    seat: int | None = None
    role: str | None = None
    """A word of the game: its dictionary has it as `favoured.ROLE`."""


class SolverAnswer(Struct, frozen=True):
    """The solver's answer for a rule set: who is favoured, the value that the sentences explain, and how
    often a game is drawn. No value if it is not known: then the sentence gives the reason."""

    rules: str
    favoured: Favoured | None
    value: float | None
    tie: float | None
    sentences: tuple[str, ...]
    rounds: dict[str, float] | None = None
    """How often a round for itself ends in which way, in the game's own words for these; None: not known."""


# --- tables ----------------------------------------------------------------------------------------------


class PersonSeat(Struct, frozen=True, tag_field="kind", tag="person"):
    """A seat for a person who joins."""


class MachineSeat(Struct, frozen=True, tag_field="kind", tag="machine"):
    """A seat that a machine takes at once."""

    machine: MachineName


SeatOrder: TypeAlias = PersonSeat | MachineSeat
"""Who is to sit on a seat of a new table."""


class TableOrder(Struct, frozen=True, forbid_unknown_fields=True):
    """A table to create."""

    game: Annotated[str, Meta(min_length=1, max_length=64)]
    seats: Annotated[tuple[SeatOrder, ...], Meta(min_length=1, max_length=99)]
    rules: RulesText = ""
    clock: Clock = Clock()
    flag: Annotated[
        str,
        Meta(min_length=1, max_length=64, description="what picks when time is up: `random` or a machine"),
    ] = "random"
    public: bool = False
    watch: Literal["anyone", "nobody"] = "anyone"
    hotseat: bool = False
    substitute: Annotated[
        str,
        Meta(max_length=64, description="the machine that takes over for an absent player; empty: usual"),
    ] = ""
    chat: bool = True
    seal: Annotated[
        SealWay,
        Meta(description="`blind`: the server learns picks only once all have sealed; for live clocks"),
    ] = "server"


class ListedSeat(Struct, frozen=True):
    """A seat in a list of tables; no name if it is free."""

    seat: int
    name: str
    kind: Literal["person", "machine"]


class CreatedTable(Struct, frozen=True):
    """A table that was created. Only machines sit yet."""

    table: str
    invite: str
    seed_commit: str
    seats: tuple[ListedSeat, ...]


class ListQuery(Struct, frozen=True):
    """A filter for the list of tables: public ones, or with `mine` those of the caller."""

    state: Phase | None = None
    game: Annotated[str, Meta(max_length=64)] = ""
    mine: bool = False


class KeyChange(Struct, frozen=True):
    """A server's statement that it changed its key, signed by the old and by the new one."""

    old: Hex32
    new: Hex32
    at: Millis
    by_old: str
    by_new: str


class ServerKeys(Struct, frozen=True):
    """The address of a server, the public key that it signs new tables with, and how that changed."""

    origin: str
    key: Hex32
    changes: tuple[KeyChange, ...] = ()
    witnesses: tuple[str, ...] = ()
    """The keys of the witnesses that cosign its public log, as `name+id+key` of C2SP."""


class LogProofQuery(Struct, frozen=True):
    """The leaf hash of an entry of the public log, in hexadecimal."""

    leaf: Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]


class LogRangeQuery(Struct, frozen=True):
    """Two sizes of the public log, the older one first."""

    old: Annotated[int, Meta(ge=1, le=2**53)]
    new: Annotated[int, Meta(ge=1, le=2**53)]


class LogInclusion(Struct, frozen=True):
    """The proof that an entry is in the public log (C2SP tlog-proof)."""

    proof: str
    """Empty as long as the log has no such entry; it has one about a second after it happened."""


class LogConsistency(Struct, frozen=True):
    """The hashes, in hexadecimal, which prove that the newer log begins with the older one (RFC 9162)."""

    path: tuple[str, ...]


class ListedTurn(Struct, frozen=True):
    """A seat that a table in a list waits for: since when, and until when if a clock runs."""

    seat: int
    since: Millis
    deadline: Millis | None


class ListedTable(Struct, frozen=True):
    """A table in a list. Of a caller's own table that is being played it also lists whom it waits for, and
    what everybody may see of the game."""

    table: str
    game: str
    rules: str
    state: Phase
    seats: tuple[ListedSeat, ...]
    clock: Clock
    created_at: Millis
    yours: tuple[int, ...]
    your_turn: bool
    v: int
    waiting: tuple[ListedTurn, ...]
    view: msgspec.Raw
    """The spectator's view; null if it is left out."""
    seal: SealWay = "server"


class ListedTables(Struct, frozen=True):
    """A list of tables, newest first; with `mine` last changed first."""

    tables: tuple[ListedTable, ...]


class Join(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A seat to take, with the commitment to its entropy; `invite`: the code of an invitation to the table;
    `name`: of one who shares the caller's device.

    With such names one caller may take several seats, though not at a public table.
    """

    seat: SeatNumber
    commit: Hex32
    name: Name | None = None
    invite: Annotated[str, Meta(max_length=64)] | None = None


class Joined(Struct, frozen=True):
    """A seat that was taken, and its token."""

    table: str
    seat: int
    token: str


class Resume(Struct, frozen=True, forbid_unknown_fields=True):
    """A seat to resume; needed if a person has several."""

    seat: SeatNumber | None = None


class Resumed(Struct, frozen=True):
    """A fresh token for a seat; the old one expires when this one is used."""

    seat: int
    token: str


class InvitedTable(Struct, frozen=True):
    """The table that an invitation is for."""

    table: str
    game: str
    title: str
    rules: str
    state: Phase
    seats: tuple[ListedSeat, ...]
    clock: Clock
    watch: Literal["anyone", "nobody"]
    hotseat: bool
    seed_commit: str
    series: Series
    yours: tuple[int, ...]
    created_at: Millis
    host: str = ""
    """The name of the person who invites."""
    seal: SealWay = "server"


class EventsQuery(Struct, frozen=True):
    """A filter for events: later than `after`; with `wait`, seconds to wait for the next one."""

    after: Version = 0
    wait: Annotated[int, Meta(ge=0, le=30)] = 0


class Events(Struct, frozen=True):
    """A page of events, oldest first, as `ev` messages of the WebSocket; `more` if there are others."""

    v: int
    events: tuple[msgspec.Raw, ...]
    more: bool


class Command(Cmd, frozen=True, tag=False):
    """A seat's command; repeated with the same id until it is answered."""


class CommandDone(Struct, frozen=True, omit_defaults=True):
    """A command carried out, and on disk; `next` is the table of the rematch."""

    id: str
    v: int
    next: str | UnsetType = UNSET


class ReviewQuery(Struct, frozen=True):
    """The seat whose picks are reviewed."""

    seat: SeatNumber = 1


class NewContinuation(Struct, frozen=True, forbid_unknown_fields=True):
    """A position to continue from: after `keep` decisions, on the caller's own seat, or on `seat` for a
    spectator. On all other seats sits that machine, or the game's usual one."""

    keep: Annotated[int, Meta(ge=0, le=1_000_000)]
    seat: SeatNumber | None = None
    machine: MachineName | None = None


# --- the stream of events: `v` is on every line, and the last one read is the `since` to go on from ---------


class EventsSince(Struct, frozen=True):
    """The `v` of the last line that was read: the first line then names the games that ended since."""

    since: Annotated[int, Meta(ge=0, le=2**53)] | None = None


class EventGame(Struct, frozen=True, tag_field="t", tag="game"):
    """A game in which this person has a seat: it was joined, or its state has changed."""

    v: int
    table: str
    seat: int
    game: str
    state: str


class EventTurn(Struct, frozen=True, tag_field="t", tag="turn"):
    """A turn: a seat of this person may seal now."""

    v: int
    table: str
    seat: int
    decision: int
    deadline: Millis | None


class EventChallenge(Struct, frozen=True, tag_field="t", tag="challenge"):
    """A challenge that waits for this person, who accepts by joining the table on this seat."""

    v: int
    table: str
    seat: int
    game: str
    name: str
    handle: str


class EventChallengeOver(Struct, frozen=True, tag_field="t", tag="challenge_over"):
    """A challenge that does not wait any more: accepted, declined, withdrawn or expired."""

    v: int
    table: str


class EventOver(Struct, frozen=True, tag_field="t", tag="over"):
    """A game of this person has ended, or its table was closed."""

    v: int
    table: str
    seat: int


class StreamState(Struct, frozen=True, tag_field="t", tag="state"):
    """The first line: everything that is open, and with `since` the tables that ended in the meantime."""

    v: int
    person: str
    games: tuple[EventGame, ...]
    turns: tuple[EventTurn, ...]
    challenges: tuple[EventChallenge, ...]
    ended: tuple[str, ...]


class EventEnd(Struct, frozen=True, tag_field="t", tag="end"):
    """The last line: another stream with the same token has replaced this one, the person signed out or the
    token was revoked, the server shuts down, the reader was too slow, or there are too many games."""

    v: int
    why: Literal["replaced", "signed_out", "shutdown", "slow", "too_many"]


# --- who can open this server ----------------------------------------------------------------------------


class Reach(Struct, frozen=True):
    """Who can open this server's links."""

    door: Literal["open", "closed", "none"]
    """Whether the server is open to the home network; `none` if this caller cannot open it."""
    address: str = ""
    """The address in the home network."""


class SetDoor(Struct, frozen=True, forbid_unknown_fields=True):
    """A request to open or close the server to the home network."""

    door: Literal["open", "closed"]


# --- health, the operator --------------------------------------------------------------------------------


class Health(Struct, frozen=True):
    """The answer of a healthy server."""

    status: Literal["ok"] = "ok"
    broken_tables: int | UnsetType = UNSET
    """The tables that could not be replayed since the start, and were closed; left out if none."""


class AdminTables(Struct, frozen=True):
    """The list of tables for the operator: no view, no pick, no invitation."""

    tables: tuple[ListedTable, ...]
    loaded: int


class CloseTable(Struct, frozen=True, forbid_unknown_fields=True):
    """The reason for closing a table, shown to everybody at it."""

    say: Annotated[str, Meta(max_length=280)] = ""


# --- errors ----------------------------------------------------------------------------------------------


class Problem(Struct, frozen=True, omit_defaults=True):
    """A problem document (RFC 9457); `code` is stable, `detail` is one sentence for a person."""

    type: str
    title: str
    status: int
    detail: str
    code: str
    request: str
    problems: tuple[str, ...] | UnsetType = UNSET
    rule: str | UnsetType = UNSET
