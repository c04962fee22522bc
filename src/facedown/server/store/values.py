"""The values that a store saves and returns."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from facedown.server.store.callers import Caller

Run: TypeAlias = Callable[..., Awaitable[list[Any]]]
"""Runs a statement with its values, and returns its rows."""
RunAll: TypeAlias = Callable[..., Awaitable[None]]
"""Runs pairs of a statement and its values in one transaction."""


class Rows:
    """The rows of one feature in a store, and how its statements are run."""

    def __init__(self, select: Run, execute: Run, execute_all: RunAll) -> None:
        self._select = select
        self._execute = execute
        self._execute_all = execute_all


# --- what an append saves ----------------------------------------------------------------------------------

SAID: Final = "said"
"""The slot of a chat message in an event; all other slots hold names."""
ERASED_MESSAGE: Final = "…"


@dataclass(frozen=True, slots=True)
class PersonalText:
    """A name or a chat message of an event, stored beside it so that it can be erased."""

    slot: str
    """Which part of the event it is."""
    person: str
    text: str


class EventRow(NamedTuple):
    """One stored event of a table. Everything else can be rebuilt from these rows."""

    v: int
    """Its number at the table, from 1 and without a gap."""
    kind: str
    at: int
    public: bytes
    secret: bytes = b""
    """What only the table itself may read back: seeds, sealed picks and their nonces."""
    seat: int = 0
    command: str = ""
    """Sender and id of the command that caused it; empty if no command did."""
    spent: int = 0
    """The time it took on the seat's clock, in ms."""
    digest: bytes = b""
    """The digest of the command's content; empty if there is none."""
    texts: tuple[PersonalText, ...] = ()
    """The personal texts that `public` leaves out, by slot."""


@dataclass(frozen=True, slots=True)
class TableSummary:
    """The summary of a table for lists; it can be rebuilt from the events."""

    game: str
    rules: str
    state: str
    public: bool
    created_at: int
    about: bytes
    """JSON for lists; the store does not read it."""


@dataclass(frozen=True, slots=True)
class Notice:
    """A push notification to be sent once."""

    person: str
    table: str
    decision: int
    kind: str
    """`turn`, `over`, `accepted`; or a table with a seat for the person: `found`, `challenge`, `rematch`."""


@dataclass(frozen=True, slots=True)
class SeatHolder:
    """The holder of a seat: the person and the hash of the seat token. An empty token frees the seat."""

    seat: int
    person: str
    token: bytes
    key: bytes = b""
    """The hash of the credential that fetched the seat token, which ends with it."""


@dataclass(frozen=True, slots=True)
class StoredResponse:
    """The response to a request with an idempotency key, saved together with what the request did."""

    person: str
    key: str
    body: bytes
    digest: bytes = b""
    """The digest of the request's content."""


REMATCH: Final = "rematch"
"""The key of a stored response with the id of a table's rematch; the table takes the place of a person."""

FaultKind: TypeAlias = Literal["absent", "declined", "left", "stalled"]
"""Did not make the first pick, turned down a game that was found, left, let the clock run out."""


class Fault(NamedTuple):
    """What a person did to others who had been paired with them."""

    person: str
    at: int
    table: str
    kind: FaultKind


class Append(NamedTuple):
    """What one transaction of a table saves: everything or nothing."""

    table: str
    head: int
    """The `v` that the table must be at; 0 creates the table, and needs a summary."""
    rows: tuple[EventRow, ...]
    deadline: int | None
    """When the table's clocks have to be checked next; None if no clock runs."""
    summary: TableSummary | None = None
    """None leaves it as it is."""
    notices: tuple[Notice, ...] = ()
    seats: tuple[SeatHolder, ...] = ()
    invite: str = ""
    """A first invite for the table; empty leaves invites as they are."""
    response: StoredResponse | None = None
    log_entries: tuple[bytes, ...] = ()
    """What the public log receives with it."""
    faults: tuple[Fault, ...] = ()
    wake: int | None = None
    """When a server has to look at the table even if no clock has run out: a bot has to move."""
    given_back: int = 0
    """Milliseconds of outages that its rows give back to the clocks."""
    callers: tuple[Caller, ...] = ()
    """The people who act in it: if one of them may not any more, nothing is saved."""

    def check_rows(self) -> None:
        """Raise `ValueError` unless the rows follow the head, and each other, without a gap."""
        if [row.v for row in self.rows] != [*range(self.head + 1, self.head + 1 + len(self.rows))]:
            raise ValueError(f"the rows of table {self.table} do not follow {self.head} without a gap")

    @property
    def wake_at(self) -> int | None:
        """When a server has to look at the table next."""
        return min((at for at in (self.deadline, self.wake) if at is not None), default=None)


# --- what a store returns ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ListedRow:
    """A table in a list: its head, deadline and summary."""

    id: str
    head: int
    deadline: int | None
    changed_at: int
    summary: TableSummary
    seats: tuple[int, ...] = ()
    """The seats of the person whose tables the list shows."""


def listed_row(fields: Sequence[Any], seats: tuple[int, ...] = ()) -> ListedRow:
    """A table from the columns of `LISTED`."""
    table, head, deadline, changed_at, game, rules, state, public, created_at, about = fields
    summary = TableSummary(game, rules, state, bool(public), created_at, about)
    return ListedRow(table, head, deadline, changed_at, summary, seats)


@dataclass(frozen=True, slots=True)
class Person:
    """A person with an account; `id` never changes."""

    id: str
    name: str
    created_at: int


@dataclass(frozen=True, slots=True)
class ForgetBefore:
    """The rules of forgetting: for each kind of thing, everything older than this time is deleted."""

    expired: int
    """Credentials that expired before."""
    unused: int
    """Credentials without an expiry that were last used before."""
    guests: int
    """People who never sat at a table, and whose credentials were last used before."""
    answers: int
    """Saved responses from before, and tickets that have expired before."""
    empty: int
    """Tables that were closed before, and at which nothing was ever dealt."""


@dataclass(frozen=True, slots=True)
class Forgotten:
    """How many of each were deleted."""

    keys: int
    guests: int
    answers: int
    tables: int


@dataclass(frozen=True, slots=True)
class WrittenText:
    """A name or a chat message of a person, and the event that refers to it."""

    table: str
    v: int
    slot: str
    at: int
    text: str


@dataclass(frozen=True, slots=True)
class Subscription:
    """The web push subscription of a browser."""

    endpoint: str
    p256dh: str
    auth: str


@dataclass(slots=True)
class StoreStats:
    """Counters of the store, for metrics."""

    commits: int = 0
    jobs: int = 0
    """All writes, appends included; `jobs / commits` is the mean size of a commit."""
    appends: int = 0
    rows: int = 0
    failed: int = 0
    """Writes that could not be done; not those that were refused, as another one was first."""
    conflicts: int = 0
    """Appends that failed because another server had moved the head."""
    claims: int = 0
    """Tables and notices that this server claimed."""
    doubts: int = 0
    """Lost connections that left it unknown whether an append was saved."""
    largest: int = 0
    """The most jobs in one commit."""
    last_ms: float = 0.0
    """How long the last transaction took, including the sync to disk."""

    def count_commit(self, jobs: int, appends: Sequence[Append], seconds: float) -> None:
        """Count a transaction with this number of saved jobs, these appends among them."""
        self.commits += 1
        self.jobs += jobs
        self.appends += len(appends)
        self.rows += sum(len(append.rows) for append in appends)
        self.largest = max(self.largest, jobs)
        self.last_ms = seconds * 1000


# --- finished games ----------------------------------------------------------------------------------------
# The caller decides which games count and how they change ratings; the store keeps the results.

KEPT: Final = 100
"""How many games back the history of a rating goes."""


@dataclass(frozen=True, slots=True)
class EndedGame:
    """A table whose game has ended."""

    number: int
    """Grows in the order in which the ends were saved, the same for all servers; 0 if not numbered yet."""
    at: int
    game: str
    about: bytes
    """JSON of the table's summary; the store does not read it."""
    people: tuple[tuple[int, str], ...]
    """The seats, and the people who held them at the end."""
    table: str
    earlier: int = 0
    """The number of games that the same two people ended before it on the same day (UTC)."""
    rules: str = ""


class StoredRating(NamedTuple):
    """The rating of a person in a game, after that many rated games."""

    person: str
    game: str
    games: int
    at: int
    mean: float
    deviation: float


KnownRatings: TypeAlias = Mapping[tuple[str, str], StoredRating]
"""The latest rating by game and person; people without a rated game are missing."""
FoldGames: TypeAlias = Callable[[Sequence[EndedGame], KnownRatings], list[StoredRating]]
"""The ratings after each of these games, from the ratings before them. Runs on another thread."""


RatingKeys: TypeAlias = Callable[[Sequence[EndedGame]], list[tuple[str, str]]]
"""Ladder and player of every rating that these games may change."""
MACHINE_PREFIX: Final = "machine:"
"""Begins the names of machines among the players of a ladder; no id of a person has a colon."""


def rating_keys(ended: Sequence[EndedGame]) -> list[tuple[str, str]]:
    """Game and person of every rating that these games may change."""
    return sorted({(each.game, person) for each in ended for _, person in each.people})


def latest_ratings(rated: Sequence[StoredRating]) -> list[StoredRating]:
    """The last of these ratings of each person in each game, in one order for all servers."""
    return [row for _, row in sorted({(row.game, row.person): row for row in rated}.items())]


Outcome: TypeAlias = Literal["won", "lost", "tied", "continued"]
"""How a game came out for a person; one that continued another game is not counted."""


class PlayedSeat(NamedTuple):
    """A seat that a person played to the end of a game."""

    person: str
    at: int
    """When the game ended."""
    table: str
    seat: int
    game: str
    outcome: Outcome
    rules: str = ""
    side: int = 0
    """Whether the seat gets more of such a game between equals than others do (1), or less (-1)."""
    against: tuple[tuple[str, Outcome], ...] = ()
    """Other people, and how it came out between the two; only those of whom one has won, or all tied."""


class MetPair(NamedTuple):
    """Two people who met in games of two: their games with each other, and with anyone."""

    one: str
    one_name: str
    other: str
    other_name: str
    games: int
    wins: int
    """Of the one."""
    one_games: int
    one_wins: int
    other_games: int
    other_wins: int


class WinsOverNewcomers(NamedTuple):
    """A rated person's wins in games of two, and those of them over people with few rated games."""

    person: str
    name: str
    wins: int
    easy: int


class GamePlace(NamedTuple):
    """The place of a game in the order of a person's games: when it ended, and its table."""

    at: int
    table: str


LATEST: Final = GamePlace(1 << 62, "")
"""After every game."""

FindPlayed: TypeAlias = Callable[[Sequence[EndedGame]], list[PlayedSeat]]
"""The seats of these games that people played to the end."""


# --- integrity -------------------------------------------------------------------------------------------


GAPS: Final = """select tables.id, tables.head, count(events.v), coalesce(min(events.v), 0),
        coalesce(max(events.v), 0)
    from tables left join events on events.table_no = tables.no group by tables.no
    having count(events.v) <> tables.head or max(events.v) <> tables.head or min(events.v) <> 1"""
STRAYS: Final = "select distinct table_no from events where table_no not in (select no from tables)"


def gap_problem(table: str, head: int, count: int, first: int, last: int) -> str:
    """The problem of a table whose events are not those from 1 to its head."""
    return f"table {table} is at {head}, but has {count} events, from {first} to {last}"


# --- moderation ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Relation:
    """A mute or block of one person by another; `name` is the other's name at that time."""

    id: int
    person: str
    other: str
    kind: str
    name: str
    at: int


@dataclass(frozen=True, slots=True)
class FoundPerson:
    """A person in the operator's search, with the number of their seats and of reports about them."""

    id: str
    name: str
    created_at: int
    seats: int
    reports: int
    handle: str
    """Empty for a guest."""
    moderates: bool
    used_at: int
    """When a session of theirs was used last, to the day; 0 if there is none."""
