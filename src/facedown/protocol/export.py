"""REST types for the export of a person's own data, with those of other calls where they are the same."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from facedown.protocol.accounts import BotInfo, CodeUseInfo, PasskeyInfo, TokenInfo
from facedown.protocol.messages import Millis
from facedown.protocol.moderation import OwnCase
from facedown.protocol.pairing import FaultInfo
from facedown.protocol.profiles import ResultCount, Rival
from facedown.protocol.study import KnownResident


class ExportedAccount(Struct, frozen=True):
    """A kept account, when its recovery code was used, the parts of its page that others may
    see, its passkeys, its personal tokens and its bots."""

    handle: str
    kept_at: Millis
    code_uses: tuple[CodeUseInfo, ...]
    shows: tuple[str, ...] = ()
    passkeys: tuple[PasskeyInfo, ...] = ()
    tokens: tuple[TokenInfo, ...] = ()
    bots: tuple[BotInfo, ...] = ()


class ExportedSession(Struct, frozen=True):
    """A session of a person: a browser's or a program's, how and when it began, and when it ends."""

    kind: str
    app: str
    system: str
    made: str
    since: Millis
    used_at: Millis
    expires_at: Millis | None


class ExportedRelation(Struct, frozen=True):
    """A person whom this one has muted or blocked, by their name at that time."""

    kind: str
    name: str
    at: Millis


class ExportedReport(Struct, frozen=True):
    """A report by this person."""

    at: Millis
    table: str
    name: str
    text: str
    why: str
    about: str


class ExportedCase(Struct, frozen=True):
    """A case about this person: its state, and the sanction that holds until then (0: for good)."""

    at: Millis
    state: str
    sanction: str
    until: Millis


class ExportedGame(Struct, frozen=True):
    """A finished game of a person, and how it came out."""

    table: str
    seat: int
    game: str
    at: Millis
    outcome: str


class ExportedRating(Struct, frozen=True):
    """The rating of a person after a game."""

    game: str
    games: int
    at: Millis
    mean: float
    deviation: float


class ExportedText(Struct, frozen=True):
    """A name or a chat message of a person in the events of a table."""

    table: str
    event: int
    kind: Literal["name", "chat"]
    at: Millis
    text: str


class ExportedSeat(Struct, frozen=True):
    """A seat of a person; `record` is the path of the game's record, and `state` is that of the game."""

    table: str
    game: str
    rules: str
    state: str
    seats: tuple[int, ...]
    created_at: Millis
    record: str


class ExportedStanding(Struct, frozen=True):
    """Where a person stands in a game, and whether others see it in the list."""

    game: str
    points: int
    error: int
    games: int
    at: Millis
    listed: bool


class ExportedTicket(Struct, frozen=True):
    """What a person waits for, or waited for last: game, rules and clock as JSON, and since when."""

    pool: str
    since: Millis


class ExportedMind(Struct, frozen=True):
    """The chips that the person laid on the first pick of a day's position, and the seat in it."""

    day: str
    seat: int
    chips: int


class ExportedChallenge(Struct, frozen=True):
    """A challenge of this person (`sent`), or to this person, and how it was answered."""

    table: str
    sent: bool
    at: Millis
    answer: str


class ExportedContacts(Struct, frozen=True):
    """How other people reach this person, whom this person follows, and the challenges of the last days."""

    here: bool
    challenged_by: str
    read_at: Millis
    followed: tuple[ExportedRelation, ...]
    challenges: tuple[ExportedChallenge, ...]


class ExportedTournament(Struct, frozen=True):
    """A tournament that this person entered; the place is 0 until it is over."""

    tournament: str
    number: int
    name: str
    place: int
    points: int


class OrganisedTournament(Struct, frozen=True):
    """A tournament that this person set up."""

    tournament: str
    title: str
    created_at: Millis


class PersonalData(Struct, frozen=True):
    """Everything that the server holds about a person; no address, no e-mail, no password."""

    person: str
    name: str
    created_at: Millis
    sessions: tuple[ExportedSession, ...]
    notified: tuple[str, ...]
    tables: tuple[ExportedSeat, ...]
    texts: tuple[ExportedText, ...]
    played: tuple[ExportedGame, ...]
    ratings: tuple[ExportedRating, ...]
    relations: tuple[ExportedRelation, ...]
    reports: tuple[ExportedReport, ...]
    account: ExportedAccount | None
    waits_for: ExportedTicket | None = None
    standings: tuple[ExportedStanding, ...] = ()
    faults: tuple[FaultInfo, ...] = ()
    contacts: ExportedContacts | None = None
    results: tuple[ResultCount, ...] = ()
    rivals: tuple[Rival, ...] = ()
    minds: tuple[ExportedMind, ...] = ()
    acquaintances: tuple[KnownResident, ...] = ()
    cases: tuple[ExportedCase, ...] = ()
    decisions: tuple[OwnCase, ...] = ()
    moderates: bool = False
    tournaments: tuple[ExportedTournament, ...] = ()
    organised: tuple[OrganisedTournament, ...] = ()
