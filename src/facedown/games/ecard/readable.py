"""What gives a seat of E-Card away: when its special card comes, by what everyone at the table has seen.

Owns the situations, their words, and what a habit costs. A situation is written `SIDE.TIME.WHEN`: `S.1.lost`
is the Slave side at the first play after a lost round, `any.again` either side where its card was last seen.
Only rounds in which neither side may be predictable are counted: otherwise nothing depends on it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import exp, log
from typing import Final, NamedTuple

from facedown.core.errors import UnreadablePick
from facedown.core.parts.readable import HabitCost, ReadPick, SeatGame, wilson
from facedown.core.parts.trainer import DrillNumbers, Exercise, OfferedPick
from facedown.core.replay import ReplayedTurn
from facedown.core.seats import Seat
from facedown.core.text.translation import Message, Text
from facedown.games.ecard import message
from facedown.games.ecard.bots.house import CharacterTurn, turn_of
from facedown.games.ecard.bots.price import price
from facedown.games.ecard.bots.worth import place_of
from facedown.games.ecard.game import GAME
from facedown.games.ecard.notation import CARD_NAMES, CITIZEN, EMPEROR, SLAVE
from facedown.games.ecard.review.judge import has_to_mix
from facedown.games.ecard.solve.course import Course, has_pairs
from facedown.games.ecard.state import ECardState
from facedown.games.ecard.study.explore import card_name

_SIDES: Final = ("any", EMPEROR, SLAVE)
_PLAYS: Final = ("1", "2", "3", "4")
_MINDS: Final = {
    "again": frozenset({"emperor", "slave"}),
    "theirs": frozenset({"theirs"}),
    "lost": frozenset({"won"}),
    "won": frozenset({"won"}),
}
"""The fields of the past that a situation goes by."""
_TIMES: Final = ("last", *_PLAYS, "again", "theirs")
_WHENS: Final = ("lost", "won", "ahead", "behind")
_EARLY: Final = ("1", "2")
"""The plays at which the round before and the score are looked at."""


class _Situation(NamedTuple):
    side: str
    time: str
    when: str = ""

    @classmethod
    def read(cls, text: str) -> _Situation:
        parts = text.split(".")
        if 2 <= len(parts) <= 3 and parts[0] in _SIDES and parts[1] in _TIMES:
            found = cls(*parts)
            if not found.when or (found.when in _WHENS and found.time in _EARLY):
                return found
        raise UnreadablePick(f"{text[:40]!r} is no habit of this game", text=text[:40])

    def __str__(self) -> str:
        return ".".join(filter(None, self))

    @property
    def minds(self) -> frozenset[str]:
        return _MINDS.get(self.time, frozenset()) | _MINDS.get(self.when, frozenset())


def _situations(turn: CharacterTurn) -> Iterator[_Situation]:
    """Every situation that a play with a choice belongs to."""
    play, past = str(turn.play), turn.past
    is_at = {
        "last": turn.is_last,
        play: True,
        "again": turn.play == past.last_shown(turn.side),
        "theirs": turn.play == past.theirs,
    }
    holds = {"lost": past.won < 0, "won": past.won > 0, "ahead": turn.lead > 0, "behind": turn.lead < 0}
    for side in ("any", turn.side):
        for time in _TIMES:
            if is_at.get(time):
                yield _Situation(side, time)
        if play in _EARLY:
            yield from (_Situation(side, play, when) for when in _WHENS if holds[when])


def _turn(state: ECardState, seat: Seat) -> CharacterTurn | None:
    """The play as everyone sees it; None unless the seat has a choice and has to mix."""
    if state.outcome is not None or state.stake is None or len(GAME.legal(state, seat)) < 2:
        return None
    view = GAME.view(state, seat)
    worth = place_of(view).round_at(state.stake)
    if not has_to_mix(worth) or not 0.0 < worth.ours[state.play - 1] < 1.0:
        return None
    return turn_of(view, worth.ours)


# --- the part ---------------------------------------------------------------------------------------------


def read_picks(turns: Sequence[ReplayedTurn], seat: Seat) -> Iterator[ReadPick]:
    """Each card of the seat at a play with a choice: whether it was the special one."""
    for each in turns:
        pick = each.joint[seat - 1]
        turn = _turn(each.before, seat) if pick in CARD_NAMES else None
        if turn is not None:
            yield ReadPick(pick != CITIZEN, turn.usual, tuple(map(str, _situations(turn))))


def habit_words(where: str, more: bool) -> Text:
    """The habit as a sentence."""
    situation = _Situation.read(where)
    card = message(f"readable.card.{situation.side}")
    return message("readable.plays" if more else "readable.keeps", card=card, place=_place(situation))


def _place(situation: _Situation) -> Message:
    time = message(f"readable.time.{situation.time}")
    if not situation.when:
        return time
    return message("readable.when", time=time, when=message(f"readable.when.{situation.when}"))


def drill(state: ECardState, seat: Seat, where: str, exercise: Exercise) -> Exercise | None:
    """The position as a choice between both cards."""
    situation, turn = _Situation.read(where), _turn(state, seat)
    if turn is None or situation not in _situations(turn):
        return None
    return replace(
        exercise,
        say=(*exercise.say, message("readable.here", place=_place(situation))),
        question=message("readable.question"),
        kind="pick",
        picks=tuple(OfferedPick(card, card_name(card)) for card in (turn.side, CITIZEN)),
        drill=DrillNumbers((turn.side,), turn.usual),
    )


# --- what a habit costs -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _HabitPolicy:
    """Exact play, except that the odds of the special card are multiplied in one situation."""

    situation: _Situation
    factor: float

    @property
    def minds(self) -> frozenset[str]:
        return self.situation.minds

    def special(self, turn: CharacterTurn, /) -> float:
        if self.situation in _situations(turn):
            return _scaled_chance(turn.usual, self.factor)
        return turn.usual


def habit_cost(where: str, picks: Sequence[ReadPick], games: Sequence[SeatGame]) -> HabitCost | None:
    """What the best answer to the habit wins, exactly, under the rules that were played most.

    None with named stakes (E13) and pairs of extra rounds (E12), for which `price` has no answer.
    """
    rules, _ = Counter(each.turns[0].before.rules for each in games if each.turns).most_common(1)[0]
    course = Course(rules)
    if course.named or has_pairs(course):
        return None
    situation = _Situation.read(where)
    usual = [pick.usual for pick in picks if pick.usual is not None]
    did = sum(pick.did for pick in picks)
    shares = ((did + 0.5) / (len(picks) + 1), *wilson(did, len(picks)))
    value, *ends = (price(rules, _HabitPolicy(situation, _factor(usual, share))) for share in shares)
    return HabitCost(value, min(value, *ends), max(value, *ends), usual=0.5, measured=False)


def _factor(usual: Sequence[float], share: float) -> float:
    """The factor of the odds with which these chances come to that share on average."""
    wanted = min(max(share, 0.001), 0.999) * len(usual)
    low, high = log(1e-6), log(1e6)
    for _ in range(60):
        middle = (low + high) / 2
        if sum(_scaled_chance(chance, exp(middle)) for chance in usual) < wanted:
            low = middle
        else:
            high = middle
    return exp((low + high) / 2)


def _scaled_chance(chance: float, factor: float) -> float:
    """The chance with its odds multiplied.

    >>> _scaled_chance(0.5, 3.0), _scaled_chance(0.0, 3.0)
    (0.75, 0.0)
    """
    return chance * factor / (1.0 - chance + chance * factor)
