"""What the store keeps of a table: one fact for everything that happened, with a public and a secret part.

Facts are the truth; `situation` folds them. Owns their bytes in the store, which no person ever gets.
"""

from __future__ import annotations

from typing import Final, Literal, NamedTuple, TypeAlias

import msgspec
from msgspec import Struct

from facedown.protocol.messages import Clock, Continues, Result, Series
from facedown.server.store.base import Row

# --- before the game -------------------------------------------------------------------------------------


class Chair(Struct, frozen=True):
    """A seat as it was ordered: for a person (of that id, where it is kept for somebody), or a machine."""

    kind: Literal["person", "machine"]
    machine: str | None = None
    kept_for: str | None = None


class Made(Struct, frozen=True, tag="made", omit_defaults=True):
    """The table was set up; the promise of its seed is public from now on."""

    game: str
    version: int
    rules: str
    chairs: tuple[Chair, ...]
    clock: Clock
    flag: str
    public: bool
    watch: Literal["anyone", "nobody"]
    hotseat: bool
    series: Series
    seed_commit: str
    continues: Continues | None = None


class MadeSecret(Struct, frozen=True, omit_defaults=True):
    """The seed, and who set the table up; what happened before, where the table goes on from another game."""

    seed: str
    host: str
    chance: tuple[str, ...] = ()
    picks: tuple[tuple[str | None, ...], ...] = ()


class Sat(Struct, frozen=True, tag="sat"):
    """Somebody took a seat, with a promise of the entropy to come."""

    seat: int
    name: str
    commit: str


class Who(Struct, frozen=True):
    """Which person it was."""

    person: str


class Stood(Struct, frozen=True, tag="stood"):
    """Somebody left before the start; the seat is free again."""

    seat: int


class Named(Struct, frozen=True, tag="named"):
    """Somebody chose another name."""

    seat: int
    name: str


class Opened(Struct, frozen=True, tag="opened"):
    """A seat opened the entropy that it had promised."""

    seat: int
    entropy: str


class Unopened(Struct, frozen=True, tag="unopened"):
    """These seats did not open theirs in time; the deal is made without it."""

    seats: tuple[int, ...]


# --- the game --------------------------------------------------------------------------------------------


class Dealt(Struct, frozen=True, tag="dealt"):
    """The game began."""


class Drawn(Struct, frozen=True):
    """What came up by chance: on reading back, the same must come up again."""

    chance: tuple[str, ...]


class Sealed(Struct, frozen=True, tag="sealed"):
    """A pick was placed face down."""

    decision: int
    seat: int
    commit: str
    flag: bool = False


class Under(Struct, frozen=True):
    """What lies face down: the pick, and the nonce of its seal."""

    pick: str
    nonce: str


class Revealed(Struct, frozen=True, tag="revealed"):
    """All picks of a decision were turned."""

    decision: int


class Resigned(Struct, frozen=True, tag="resigned"):
    """A seat gave up; the open ballot was thrown away unseen."""

    decision: int
    seat: int


class Over(Struct, frozen=True, tag="over"):
    """The game ended, and its seed is public."""

    result: Result
    seed: str


# --- around the game -------------------------------------------------------------------------------------


class Left(Struct, frozen=True, tag="left"):
    """A person stood up in the middle of the game."""

    seat: int


class Back(Struct, frozen=True, tag="back"):
    """A person who had left is back."""

    seat: int


class Offered(Struct, frozen=True, tag="offered"):
    """Somebody offered that a machine takes over a seat."""

    seat: int
    machine: str
    by: int


class Agreed(Struct, frozen=True, tag="agreed"):
    """Somebody else agreed to that."""

    seat: int
    by: int


class Replaced(Struct, frozen=True, tag="replaced"):
    """A machine took over a seat, from this decision on."""

    seat: int
    machine: str
    decision: int


class Spoke(Struct, frozen=True, tag="said"):
    """Somebody said something, to those at the table (seat above 0) or among the spectators."""

    seat: int
    name: str
    text: str | None
    preset: str | None


class Rematch(Struct, frozen=True, tag="rematch"):
    """The next table of these people."""

    by: int
    next: str


class Outage(Struct, frozen=True, tag="outage"):
    """The server was away; the clocks get that time back."""

    ms: int


class Closed(Struct, frozen=True, tag="closed"):
    """The table was closed before its end."""

    say: str


Fact: TypeAlias = (
    Made
    | Sat
    | Stood
    | Named
    | Opened
    | Unopened
    | Dealt
    | Sealed
    | Revealed
    | Resigned
    | Over
    | Left
    | Back
    | Offered
    | Agreed
    | Replaced
    | Spoke
    | Rematch
    | Outage
    | Closed
)
Secret: TypeAlias = MadeSecret | Who | Under | Drawn | None


class Entry(NamedTuple):
    """A fact with its place in the table's story."""

    v: int
    at: int
    fact: Fact
    secret: Secret = None
    seat: int = 0
    """Whose command it was; 0 for nobody's or a spectator's."""
    command: str = ""
    spent: int = 0


_facts: Final[msgspec.json.Decoder[Fact]] = msgspec.json.Decoder(Fact)
_secrets: Final[dict[str, msgspec.json.Decoder[MadeSecret | Who | Under | Drawn]]] = {
    "made": msgspec.json.Decoder(MadeSecret),
    "sat": msgspec.json.Decoder(Who),
    "sealed": msgspec.json.Decoder(Under),
    "dealt": msgspec.json.Decoder(Drawn),
    "revealed": msgspec.json.Decoder(Drawn),
    "resigned": msgspec.json.Decoder(Drawn),
}
_encode = msgspec.json.Encoder().encode


def kind_of(fact: Fact) -> str:
    """The word for what happened: the same in the store and on the wire."""
    return str(fact.__struct_config__.tag)


def to_row(entry: Entry) -> Row:
    """An entry as the store keeps it."""
    v, at, fact, secret, seat, command, spent = entry
    hidden = b"" if secret is None else _encode(secret)
    return Row(v, kind_of(fact), at, _encode(fact), hidden, seat, command, spent)


def from_row(row: Row) -> Entry:
    """An entry as the store gives it back."""
    secret = _secrets[row.kind].decode(row.secret) if row.secret else None
    return Entry(row.v, row.at, _facts.decode(row.public), secret, row.seat, row.command, row.spent)
