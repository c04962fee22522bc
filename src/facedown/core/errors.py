"""One tree of errors with stable codes: cannot be read ≠ illegal ≠ not now ≠ not allowed.

Each carries the offending text, where it stood and, where there is one, the id of the rule. An error never
holds a state, a ballot or another seat's pick: its text may be shown to the caller.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Final

from facedown.core.text.translation import Text, in_groups


@dataclass(frozen=True, slots=True)
class ErrorPlace:
    """The place of an error in a record or a match; whatever is known of it."""

    decision: int | None = None
    seat: int | None = None
    line: int | None = None

    def __str__(self) -> str:
        parts = (("line", self.line), ("decision", self.decision), ("seat", self.seat))
        return ", ".join(f"{word} {number}" for word, number in parts if number is not None)


NOWHERE = ErrorPlace()
_LONGEST: Final = 1000
"""Characters of the sentence of an error."""


class FacedownError(Exception):
    """Anything that Facedown refuses; `code` is stable, `message` is one sentence for a person."""

    code: ClassVar[str] = "error"

    def __init__(self, message: Text, *, text: str = "", rule: str = "", where: ErrorPlace = NOWHERE) -> None:
        if isinstance(message, str) and len(message) > _LONGEST:
            message = f"{message[: _LONGEST - 1]}…"  # it may quote what was refused
        super().__init__(message)
        self.message = message
        self.text = text
        self.rule = rule
        self.where = where

    def at(
        self, *, decision: int | None = None, seat: int | None = None, line: int | None = None
    ) -> FacedownError:
        """The same error, with what is now known of its place."""
        self.where = replace(
            self.where,
            decision=self.where.decision if decision is None else decision,
            seat=self.where.seat if seat is None else seat,
            line=self.where.line if line is None else line,
        )
        return self

    def __str__(self) -> str:
        place = f"{self.where}: " if str(self.where) else ""
        rule = f" ({self.rule})" if self.rule else ""
        return f"{place}{self.message}{rule}"


class Unreadable(FacedownError):
    """The text is not of the form it should be: nothing about legality is known yet."""

    code = "unreadable"


class UnreadableRecord(Unreadable):
    """A record that is no record: not JSON, not our format, a part missing or of the wrong kind."""

    code = "unreadable_record"


class UnreadablePick(Unreadable):
    """A pick that is not written as this game writes picks."""

    code = "unreadable_pick"


class UnreadableRules(Unreadable):
    """Rules text that names no preset, no option or no allowed value; `problems` lists all of them."""

    code = "unreadable_rules"

    def __init__(self, problems: tuple[Text, ...], *, text: str) -> None:
        super().__init__(in_groups(problems), text=text)
        self.problems = problems


class UnreadablePosition(Unreadable):
    """Text for a position with an unknown name, a value that is not allowed, or too little."""

    code = "unreadable_position"

    def __init__(self, problems: tuple[Text, ...], *, text: str) -> None:
        super().__init__(in_groups(problems), text=text)
        self.problems = problems


class UnknownGame(Unreadable):
    """No game of that name is installed."""

    code = "unknown_game"


class UnknownVersion(Unreadable):
    """A game that was played by a behaviour version which is not installed."""

    code = "unknown_version"


class Illegal(FacedownError):
    """Readable, but against the rules of the game."""

    code = "illegal"


class IllegalPick(Illegal):
    """A pick that this seat does not have here."""

    code = "illegal_pick"


class IllegalChance(Illegal):
    """A card (or another chance event) that cannot have come up at this point."""

    code = "illegal_chance"


class IllegalSeats(Illegal):
    """A number of seats that the game is not played with."""

    code = "illegal_seats"


class NotNow(FacedownError):
    """Legal at another moment: the seat has nothing to decide, has sealed already, or the game is over."""

    code = "not_now"


class AlreadySealed(NotNow):
    """A second pick before the reveal."""

    code = "already_sealed"


class NotAllowed(FacedownError):
    """Not for this caller: another's seat, an unopened ballot."""

    code = "not_allowed"


class NotVerified(FacedownError):
    """A record that reads well but is not what it claims: its result, deal or seals do not hold."""

    code = "not_verified"


class Unsupported(FacedownError):
    """A capability that this game, this rule set or this installation does not offer."""

    code = "unsupported"
    missing = ""
    """The package's extra whose libraries are missing, where that is the reason."""


def missing_extra(needing: str, name: str) -> Unsupported:
    """The error of an extra that is not installed.

    >>> str(missing_extra("ratings need", "arena"))
    'ratings need the extra `arena`'
    """
    error = Unsupported(f"{needing} the extra `{name}`")
    error.missing = name
    return error
