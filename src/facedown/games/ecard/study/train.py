"""The trainer of E-Card: how often would you play the special card here? Marked by the exact solution.

Owns which positions are worth asking about, and the mark. What rounds are worth comes from the solution.
"""

from __future__ import annotations

import re
from typing import Final

from facedown.core.errors import UnreadablePick
from facedown.core.parts.mind import Mind
from facedown.core.parts.trainer import Exercise, MarkedPick, OfferedPick, TrainingMark
from facedown.core.seats import Seat
from facedown.core.text.translation import ENGLISH
from facedown.games.ecard import message
from facedown.games.ecard.bots.house import CHARACTERS
from facedown.games.ecard.bots.worth import EVEN, RoundWorth, opening, place_of
from facedown.games.ecard.game import GAME
from facedown.games.ecard.notation import CITIZEN, EMPEROR, SLAVE
from facedown.games.ecard.solve.report import AskedState
from facedown.games.ecard.solve.solution import solve
from facedown.games.ecard.state import ECardState
from facedown.games.ecard.study.explore import (
    card_name,
    percent,
    place_name,
    position_text,
    side_name,
)

CLOSE: Final = 5.0
"""Points of percent within which an answer is right."""
_EACH: Final = 4
"""What every point of percent takes from the mark."""
_LEAST: Final = 0.005
"""What the wrong card has to cost against an opponent who knows it; otherwise nothing is at stake."""


def ask(state: ECardState, seat: Seat, language: str = ENGLISH) -> Exercise | None:
    """The question about a play; None where there is no choice, or every mix is about as good."""
    if state.outcome is not None or state.stake is None or len(GAME.legal(state, seat)) < 2:
        return None
    worth, at = _round(state, seat), state.play - 1
    if not _is_clear(worth, at):
        return None
    special, other = (EMPEROR, SLAVE) if seat == state.emperor else (SLAVE, EMPEROR)
    solution = solve(state.rules)
    asked = asked_in(state)
    spot = solution.spot(asked.round, asked.score)
    left = state.last_play - state.play
    return Exercise(
        rules=str(state.rules),
        place=place_name(solution, asked, spot),
        say=(
            message("train.side", side=side_name(special), other=side_name(other)),
            message("train.score", own=state.score[seat - 1], other=state.score[2 - seat]),
            message("train.left" if left else "train.last", count=left),
        ),
        question=message(f"train.question.{special}"),
        kind="share",
        picks=(OfferedPick(special, card_name(special)),),
        hand=GAME.view(state, seat).hand,
    )


def mark(state: ECardState, seat: Seat, answer: str) -> TrainingMark:
    """The mark: how far the answer is from the exact one, and what that costs against a perfect reader."""
    share = _read(answer)
    worth, at = _round(state, seat), state.play - 1
    exact = worth.ours[at]
    off = 100 * abs(share - exact)
    loss = _loss(worth, at, share)
    special = EMPEROR if seat == state.emperor else SLAVE
    theirs = worth.theirs[at]
    both, shown = worth.shares_if_met(at, 1.0)
    kept, drawn = worth.shares_if_met(at, 0.0)
    values = {special: theirs * both + (1 - theirs) * shown, CITIZEN: theirs * kept + (1 - theirs) * drawn}
    best = max(values.values())
    return TrainingMark(
        points=max(0, round(100 - _EACH * off)),
        right=off <= CLOSE + EVEN,
        say=(
            message("train.exact", card=card_name(special), share=percent(exact)),
            message("train.off", off=f"{off:.1f}") if off >= 0.05 else message("train.spot_on"),
            message("train.costs", cost=percent(loss)) if loss >= 0.0005 else message("train.costs.nothing"),
        ),
        answer=f"{100 * share:g}",
        best=f"{100 * exact:.1f}",
        picks=tuple(
            MarkedPick(card, card_name(card), value, best - value if best - value > EVEN else 0.0, 0.0, False)
            for card, value in values.items()
        ),
        at=position_of(state),
    )


def mind(state: ECardState, seat: Seat) -> Mind:
    """A play of which the trainer asks, with what the house would do in it."""
    worth, at = _round(state, seat), state.play - 1
    special = EMPEROR if seat == state.emperor else SLAVE
    view, legal = GAME.view(state, seat), GAME.legal(state, seat)
    return Mind(
        picks=(OfferedPick(special, card_name(special)), OfferedPick(CITIZEN, card_name(CITIZEN))),
        values=(worth.shares_if_met(at, 1.0), worth.shares_if_met(at, 0.0)),
        exact=worth.ours[at],
        exact_other=worth.theirs[at],
        house={each.name: each().mix(view, legal)[special] for each in CHARACTERS},
    )


def _round(state: ECardState, seat: Seat) -> RoundWorth:
    assert state.stake is not None, "cards are placed once the stake is named"
    return place_of(GAME.view(state, seat)).round_at(state.stake)


def _loss(worth: RoundWorth, at: int, share: float) -> float:
    """What a mix costs against an opponent who knows it and plays well afterwards."""
    return max(0.0, worth.before[at] - min(worth.shares_if_met(at, share)))


def _is_clear(worth: RoundWorth, at: int) -> bool:
    """Whether the exact mix is the only good one, and the wrong card costs something."""
    exact = worth.ours[at]
    near = [each for each in (exact - 0.05, exact + 0.05) if 0 <= each <= 1]
    wrong = max(_loss(worth, at, 0.0), _loss(worth, at, 1.0))
    return wrong > _LEAST and all(_loss(worth, at, each) > EVEN for each in near)


def _read(answer: str) -> float:
    """A share in percent, with or without its sign."""
    found = re.fullmatch(r"\s*([0-9]{1,3}(?:[.,][0-9]{1,4})?)\s*%?\s*", answer)
    share = float(found[1].replace(",", ".")) / 100 if found else 2.0
    if share > 1:
        raise UnreadablePick(
            f"{answer[:20]!r} is no percentage: write a number from 0 to 100", text=answer[:40]
        )
    return share


def asked_in(state: ECardState) -> AskedState:
    """The position as the solver counts it: the seat that was the Emperor side first comes first."""
    first = opening(GAME.view(state, 1))
    score = state.score[first - 1], state.score[2 - first]
    return AskedState(
        state.round, score, state.play, state.stake if state.at.named and not state.extra else None
    )


def position_of(state: ECardState) -> str:
    """A position as the explorer reads it; before a stake is named without a play."""
    asked = asked_in(state)
    return position_text(asked._replace(play=None) if state.stake is None else asked)
