"""REST types for games, tables, streams and errors: what is in calls, and is no WebSocket message as well.

Owns shapes and their limits only: a decoded object has every field, of the right type.
"""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from facedown.protocol.messages import (
    Clock,
    Cmd,
    Hex32,
    MachineName,
    Millis,
    Phase,
    SeatNumber,
    Series,
    Version,
)

RulesText: TypeAlias = Annotated[str, Meta(max_length=2000, description="such as `preset(option=value)`")]


# --- games -----------------------------------------------------------------------------------------------


class OptionInfo(Struct, frozen=True, omit_defaults=True):
    """One thing that a table may choose."""

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
    """An opponent, and one honest sentence about it."""

    name: str
    says: str


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
    machines: tuple[MachineInfo, ...]
    usual_machine: str


class RulesQuery(Struct, frozen=True):
    """Which rule set; the game's first preset where nothing is said."""

    rules: RulesText = ""


class RulesInfo(Struct, frozen=True):
    """A rule set read: its canonical text, or the problems; and the game's page with its values filled in."""

    rules: str
    problems: tuple[str, ...]
    notes: tuple[str, ...]
    sentences: dict[str, str]
    page: str


class Favoured(Struct, frozen=True, omit_defaults=True):
    """Who gains by perfect play: a seat, or a role of the game where the deal says which seat has it."""

    seat: int | None = None
    role: str | None = None
    """A word of the game: its dictionary has it as `favoured.ROLE`."""


class SolverAnswer(Struct, frozen=True):
    """The verdict on a rule set: who is favoured by perfect play (null: neither), the value as the sentences
    explain it, and how often a game is drawn. Without a value, the sentence says why there is none."""

    rules: str
    favoured: Favoured | None
    value: float | None
    tie: float | None
    sentences: tuple[str, ...]


# --- tables ----------------------------------------------------------------------------------------------


class PersonSeat(Struct, frozen=True, tag_field="kind", tag="person"):
    """A seat for somebody who joins."""


class MachineSeat(Struct, frozen=True, tag_field="kind", tag="machine"):
    """A seat that a machine takes at once."""

    machine: MachineName


SeatOrder: TypeAlias = PersonSeat | MachineSeat
"""Who is to sit on a seat of a new table."""


class TableOrder(Struct, frozen=True, forbid_unknown_fields=True):
    """A table as somebody wants it."""

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


class ListedSeat(Struct, frozen=True):
    """Who sits where, in a list; no name where the seat is free."""

    seat: int
    name: str
    kind: Literal["person", "machine"]


class CreatedTable(Struct, frozen=True):
    """A new table. Nobody sits yet but machines."""

    table: str
    invite: str
    seed_commit: str
    seats: tuple[ListedSeat, ...]


class ListQuery(Struct, frozen=True):
    """Which tables: public ones, or one's own with `mine`."""

    state: Phase | None = None
    game: Annotated[str, Meta(max_length=64)] = ""
    mine: bool = False


class ListedTable(Struct, frozen=True):
    """A table in a list."""

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


class ListedTables(Struct, frozen=True):
    """Tables, newest first; one's own: last changed first."""

    tables: tuple[ListedTable, ...]


class Join(Struct, frozen=True, forbid_unknown_fields=True):
    """Sit down, with the commitment of one's own random bytes."""

    seat: SeatNumber
    commit: Hex32


class Joined(Struct, frozen=True):
    """A seat of one's own, and the token that proves it."""

    table: str
    seat: int
    token: str


class Resume(Struct, frozen=True, forbid_unknown_fields=True):
    """Which seat to go on with, where one has several."""

    seat: SeatNumber | None = None


class Resumed(Struct, frozen=True):
    """A fresh token for a seat; the old one dies when this one is used."""

    seat: int
    token: str


class InviteCode(Struct, frozen=True):
    """A fresh invitation; earlier ones open nothing any more."""

    invite: str


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


class EventsQuery(Struct, frozen=True):
    """Events later than `after`; `wait` seconds for the next one where there is none yet."""

    after: Version = 0
    wait: Annotated[int, Meta(ge=0, le=30)] = 0


class Events(Struct, frozen=True):
    """What happened, oldest first, as `ev` messages of the socket; `more` where this was not all."""

    v: int
    events: tuple[msgspec.Raw, ...]
    more: bool


class Command(Cmd, frozen=True, tag=False):
    """Something that a seat wants to do; repeated with the same id until it is answered."""


class CommandDone(Struct, frozen=True, omit_defaults=True):
    """A command carried out, and on disk; `next` is the table of the rematch."""

    id: str
    v: int
    next: str | UnsetType = UNSET


class ReviewQuery(Struct, frozen=True):
    """Whose picks are judged."""

    seat: SeatNumber = 1


class NewContinuation(Struct, frozen=True, forbid_unknown_fields=True):
    """From where one goes on: after so many decisions; on one's own seat, or on this one, where one watched.
    On all other seats sits that machine, or the game's usual one."""

    keep: Annotated[int, Meta(ge=0, le=1_000_000)]
    seat: SeatNumber | None = None
    machine: MachineName | None = None


# --- what a stream tells ---------------------------------------------------------------------------------


class StreamTurn(Struct, frozen=True, tag_field="t", tag="turn"):
    """A seat of this person may seal now."""

    table: str
    seat: int
    decision: int
    deadline: Millis | None


class StreamOver(Struct, frozen=True, tag_field="t", tag="over"):
    """A game of this person has ended."""

    table: str


class StreamIdle(Struct, frozen=True, tag_field="t", tag="idle"):
    """Still here."""


# --- health, the operator --------------------------------------------------------------------------------


class Health(Struct, frozen=True):
    """Well."""

    status: Literal["ok"] = "ok"


class AdminTables(Struct, frozen=True):
    """Tables as the operator sees them: no view, no pick, no invitation."""

    tables: tuple[ListedTable, ...]
    loaded: int


class CloseTable(Struct, frozen=True, forbid_unknown_fields=True):
    """Why a table is closed, told to everybody at it."""

    say: Annotated[str, Meta(max_length=280)] = ""


# --- what goes wrong -------------------------------------------------------------------------------------


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
