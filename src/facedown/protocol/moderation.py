"""REST types for moderation: muting, blocking and reporting people, and what the operator sees of it."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

from facedown.protocol.messages import Millis, SeatNumber, TableId


class NewRelation(Struct, frozen=True, forbid_unknown_fields=True):
    """A person to mute or to block: the person on a seat, or the sender of a chat message (its event).

    A mute hides what they say, everywhere; a block also keeps them from one's tables."""

    kind: Literal["mute", "block"]
    table: TableId
    seat: SeatNumber | None = None
    message: int | None = None


class RelationInfo(Struct, frozen=True):
    """A person whom the caller has muted or blocked, by the name that they had then."""

    id: int
    kind: str
    name: str
    at: Millis


class RelationList(Struct, frozen=True):
    """All people whom the caller has muted or blocked."""

    people: tuple[RelationInfo, ...]


ReportKind: TypeAlias = Literal["words", "name", "stalling", "cheating"]
"""The kind of a report: words of a chat message, a name, letting others wait, play that is not fair."""


class NewReport(Struct, frozen=True, forbid_unknown_fields=True):
    """A report to the moderators: its kind, the person on a seat or the sender of a chat message (its event),
    and why. Words are reported with their message."""

    about: ReportKind
    table: TableId
    seat: SeatNumber | None = None
    message: int | None = None
    why: Annotated[str, Meta(max_length=280)] = ""


SanctionKind: TypeAlias = Literal["none", "warning", "no_chat", "no_pairing", "closed"]
"""What follows for a person: nothing, words alone, no talking, no games with strangers, no account."""


class OwnSanction(Struct, frozen=True):
    """A sanction that is in force for the caller, and when it ends; 0 for never."""

    kind: str
    until: Millis


CaseText: TypeAlias = Annotated[str, Meta(max_length=1000)]


class CasesQuery(Struct, frozen=True):
    """The state of the cases to list, or the number of one case."""

    state: Literal["open", "decided", "answered", "closed", "lifted"] = "open"
    number: Annotated[int, Meta(ge=0, le=2**53)] = 0


class CaseInfo(Struct, frozen=True):
    """A case: the reports about a person, and what was decided."""

    id: int
    person: str
    name: str
    state: str
    at: Millis
    sanction: str
    until: Millis
    """When the sanction ends; 0 for never."""


class ReportInfo(Struct, frozen=True):
    """A report. Reported words are quoted by table and event, so that they can be checked."""

    at: Millis
    about: str
    by: str
    """The person who reported; empty for erased people."""
    by_name: str
    table: str
    v: int
    """The event of the table; 0 if it is no message."""
    text: str
    """The words, or the name of the person."""
    why: str


class CaseDetails(Struct, frozen=True):
    """A case with its reports, oldest first, the last decision and the answer to it."""

    case: CaseInfo
    why: str
    decided_by: str
    """The name of the moderator; empty for the operator, and for erased people."""
    answer: str
    reports: tuple[ReportInfo, ...]


class CaseList(Struct, frozen=True):
    """Cases that the caller may judge, last changed first: none about the caller, none that they reported."""

    cases: tuple[CaseDetails, ...]


class CaseDecision(Struct, frozen=True, forbid_unknown_fields=True):
    """What follows from a case, and why, which the person reads. `none` dismisses a case that is open, and
    lifts what was decided."""

    sanction: SanctionKind = "none"
    days: Annotated[int, Meta(ge=0, le=3650)] = 0
    """The term of a sanction; 0 is for good."""
    why: CaseText = ""


class CaseEvidence(Struct, frozen=True):
    """A report about the caller: its kind, the table, the event there (0 if it is no message), and the words
    or the name that it is about."""

    about: str
    table: str
    v: int
    text: str


class OwnCase(Struct, frozen=True):
    """A decision about the caller: what follows, for how long, why, and by which words of theirs."""

    id: int
    at: Millis
    state: str
    sanction: str
    until: Millis
    why: str
    words: tuple[CaseEvidence, ...]
    answer: str
    may_answer: bool


class OwnCases(Struct, frozen=True):
    """The decisions about the caller, newest first."""

    cases: tuple[OwnCase, ...]


class CaseAnswer(Struct, frozen=True, forbid_unknown_fields=True):
    """The caller's answer to a decision, which another moderator reads. There is one."""

    text: Annotated[str, Meta(min_length=1, max_length=1000)]


class AuditQuery(Struct, frozen=True):
    """Entries before this id; 0 begins with the latest."""

    before: int = 0


class AuditInfo(Struct, frozen=True):
    """One act of the operator or of a moderator: `by` is empty for the operator. The names
    are those that the two have now. `outcome` is `done`, or the code of the error by which the act was
    refused; empty if that is not known."""

    id: int
    at: Millis
    by: str
    person: str
    action: str
    detail: str
    outcome: str
    by_name: str
    name: str


class AuditList(Struct, frozen=True):
    """What the operator and moderators did, latest first."""

    entries: tuple[AuditInfo, ...]


class PairInfo(Struct, frozen=True):
    """Two people and their games of the last 30 days: what `one` won of the games with `other`."""

    one: str
    one_name: str
    other: str
    other_name: str
    games: int
    wins: int
    share: float
    """The part of the games of the one who plays less."""
    chance: float
    """How likely it is by luck, if each plays here as against others."""


class EasyWinnerInfo(Struct, frozen=True):
    """A person whose wins of the last 30 days are over people with fewer than five rated games."""

    person: str
    name: str
    wins: int
    easy: int
    """The wins over such people."""


class PairList(Struct, frozen=True):
    """Wins that may be given away. Friends and people who welcome newcomers may be among them."""

    pairs: tuple[PairInfo, ...]
    """Pairs whose games with each other do not look like those with others, the least likely first."""
    easy_winners: tuple[EasyWinnerInfo, ...]
    """People who win against newcomers only, those with the most such wins first."""


class PeopleQuery(Struct, frozen=True):
    """A part of a name, or a person's id; all people, or only moderators."""

    find: Annotated[str, Meta(max_length=64)] = ""
    moderators: bool = False


class FoundPersonInfo(Struct, frozen=True):
    """A person as the operator finds them: without a handle, a guest. `used_at` is when a session of theirs
    was used last, to the day; 0 if they have none."""

    person: str
    name: str
    created_at: Millis
    seats: int
    reports: int
    handle: str
    moderates: bool
    used_at: Millis


class FoundPeople(Struct, frozen=True):
    """The people whom the operator was looking for, the newest first."""

    people: tuple[FoundPersonInfo, ...]


class LimitHit(Struct, frozen=True):
    """A limit that was hit since the server started: by whom, how often, and when last."""

    limit: str
    who: str
    """An address, or the id of a person."""
    times: int
    at: Millis
    name: str
    """The name of a person; empty for an address."""


class LimitHits(Struct, frozen=True):
    """The limits that were hit, the latest first."""

    hits: tuple[LimitHit, ...]
