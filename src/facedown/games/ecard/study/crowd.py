"""What people picked in positions of E-Card: the key under which it is counted, and the best answer to it.

The best answer meets the people's mixture in this one play: after it, both sides play the equilibrium.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from facedown.core.game import Pick
from facedown.core.parts.explorer import CountedPick, CrowdReport, Exploration, PeoplesPicks, PlacedSeat
from facedown.core.parts.solver import Position
from facedown.core.seats import Seat
from facedown.core.text.translation import Message, Text
from facedown.games.ecard.bots.worth import EVEN
from facedown.games.ecard.game import GAME
from facedown.games.ecard.notation import EMPEROR, SLAVE
from facedown.games.ecard.rules import ECardRules
from facedown.games.ecard.solve.course import Course, Spot
from facedown.games.ecard.solve.report import AskedState, ECardPosition, at_state
from facedown.games.ecard.solve.solution import solve
from facedown.games.ecard.state import ECardState
from facedown.games.ecard.study.explore import (
    asked_at,
    card_name,
    message,
    percent,
    position_text,
    side_name,
    value_for,
    worths,
)
from facedown.games.ecard.study.explore import explore as explore_alone
from facedown.games.ecard.study.train import asked_in

_SIDES = (EMPEROR, SLAVE)

# --- the key of a position -------------------------------------------------------------------------------


def position_key(rules: ECardRules, position: Position | None) -> str:
    """A position by its round, its lead and its play: what follows depends on nothing else of its past."""
    course = Course(rules)
    equal = rules.purse if course.named else 0
    values: dict[str, Any] = dict(position or {"round": 1, "score": (equal, equal)})
    return _key(course, AskedState(**values))


def place_of_seat(state: ECardState, seat: Seat) -> PlacedSeat | None:
    """Where a seat decides; None if it has one card to choose from, or none."""
    if state.outcome is not None or len(GAME.legal(state, seat)) < 2:
        return None
    return PlacedSeat(_key(Course(state.rules), asked_in(state)), 0 if seat == state.emperor else 1)


def _key(course: Course, asked: AskedState) -> str:
    ours, theirs = asked.score
    spot = Spot(course.like(asked.round), ours - theirs)
    is_naming = course.naming(spot)
    if not course.named:
        ours, theirs = max(spot.lead, 0), max(-spot.lead, 0)
    play = None if is_naming and asked.stake is None else asked.play or 1
    return position_text(AskedState(spot.round, (ours, theirs), play, asked.stake if is_naming else None))


# --- the best answer -------------------------------------------------------------------------------------


def explore(
    rules: ECardRules,
    position: Position | None,
    habit: Position | None,
    people: Sequence[PeoplesPicks] = (),
) -> Exploration:
    """One position, or the start of the game, with the best answers to a habit and to people's picks."""
    found = explore_alone(rules, position, habit)
    if not people:
        return found
    solution = solve(rules)
    state = at_state(solution, asked_at(solution, position))
    reports = (_report(state, found, side, picked) for side, picked in enumerate(people[: len(_SIDES)]))
    return replace(found, people=tuple(each for each in reports if each is not None))


def _report(state: ECardPosition, found: Exploration, side: int, picked: PeoplesPicks) -> CrowdReport | None:
    names = {each.pick: each.name for each in found.sides[side].picks}
    counts = {pick: picked.picks[pick] for pick in names if picked.picks.get(pick)}
    whole = sum(counts.values())
    if len(names) < 2 or not whole:
        return None
    shares = {pick: Fraction(count, whole) for pick, count in counts.items()}
    answering = 1 - side
    usual = found.sides[answering].value
    if state.naming is not None:
        value = sum(
            float(share) * value_for(EMPEROR, state.naming, state.naming.values[int(stake)])
            for stake, share in shares.items()
        )
        best: tuple[Pick, ...] = ()
    else:
        worth = _answers(state, _SIDES[answering], shares.get(_SIDES[side], Fraction(0)))
        value = max(worth.values())
        best = tuple(pick for pick, each in worth.items() if value - each < EVEN)
    return CrowdReport(
        side=side,
        who=side_name(_SIDES[side]),
        against=side_name(_SIDES[answering]),
        people=picked.people,
        picks=tuple(
            CountedPick(pick, name, counts.get(pick, 0), float(shares.get(pick, 0)))
            for pick, name in names.items()
        ),
        value=value,
        usual=usual,
        best=best,
        say=_sentences(_SIDES[answering], value, usual, best),
    )


def _answers(state: ECardPosition, side: str, special: Fraction) -> Mapping[Pick, float]:
    """What each card of a side is worth if the other plays its special card this often."""
    chance = float(special)
    return {
        pick: (1 - chance) * if_citizen + chance * if_special
        for pick, (if_citizen, if_special) in worths(state.moment, side).items()
    }


def _sentences(side: str, value: float, usual: float, best: tuple[Pick, ...]) -> tuple[Text, ...]:
    slots: dict[str, Message | str] = {
        "side": side_name(side),
        "value": percent(value),
        "usual": percent(usual),
    }
    if not best:
        return (message("crowd.stakes", **slots),)
    if abs(value - usual) < EVEN:
        return (message("crowd.even", **slots),)
    card = card_name(best[0]) if len(best) == 1 else message("answer.either")
    return (message("crowd.answer", card=card, **slots),)
