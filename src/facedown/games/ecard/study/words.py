"""The messages of the explorer and the trainer, and what both call cards, sides and places."""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from facedown.core.game import Pick
from facedown.core.text.translation import Domain, Message, Text
from facedown.games.ecard import message as game_message
from facedown.games.ecard.notation import CARD_NAMES
from facedown.games.ecard.solve.numbers import Share
from facedown.games.ecard.solve.report import AskedState
from facedown.games.ecard.solve.solution import Course, Solution, Spot

message: Final = Domain("facedown.games.ecard.study")

_SMALL: Final = 100
"""Fractions with smaller denominators are written as they are."""


def card_name(card: Pick) -> Text:
    """What a card is called; a stake is its number."""
    return game_message(f"card.{card}") if card in CARD_NAMES else card


def side_name(side: str) -> Message:
    """What a side is called."""
    return game_message(f"side.{side}")


def percent(share: float) -> str:
    """A chance with one digit behind the point."""
    return f"{100 * share:.1f} %"


def share_text(share: Share) -> str:
    """A fraction where it is a small one, else in percent.

    >>> share_text(Fraction(1, 5)), share_text(0.123456)
    ('1/5', '12.3 %')
    """
    if isinstance(share, Fraction) and 1 < share.denominator < _SMALL:
        return str(share)
    return percent(float(share))


def round_name(course: Course, number: int) -> Message:
    """A round of the game, or an extra one (E12)."""
    if number > course.rules.rounds:
        return message("round.extra", number=number - course.rules.rounds)
    return message("round", number=number, rounds=course.rules.rounds)


def place_name(solution: Solution, asked: AskedState, spot: Spot) -> Message:
    """Where a position is in the game."""
    course = solution.course
    where = round_name(course, asked.round)
    if asked.play is None and course.naming(spot):
        return message("place.naming", round=where)
    plays = course.plays(spot)
    if course.naming(spot):
        return message("place.stake", round=where, play=asked.play or 1, plays=plays, stake=asked.stake or 1)
    return message("place.play", round=where, play=asked.play or 1, plays=plays)
