"""A review in sentences, as the terminal and the page tell it: calm, short, and no surer than the numbers.

`words_ja` has the same functions for Japanese; `words_of` in `telling` chooses.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from facedown.core.game import Pick
from facedown.core.parts.judge import Appraisal, Exposure, Timing
from facedown.core.text.english import YOU, counted, inside, listed, opened
from facedown.review.predictability import Readable
from facedown.review.review import Part, Review

NOTHING: Final = 0.0005
"""What is less is rounding: it would be shown as 0.0 %."""
FEW: Final = 50
"""Fewer rounds than this say little."""
HEADS: Final = {
    "swing": "The largest swing: {place}",
    "luck": "Luck and skill",
    "readable": "How readable you were",
    "scale": "{scored}; 0 is closed, 100 an open book.",
    "timing": "{label}: you {yours}, {adviser} {judges:.1f}",
}
"""What stands over the parts of a review, and over what is not a sentence."""
COLUMNS: Final = ("", "before", "after", "pick", "", "cost", "missed")
"""The columns of the table of picks; the empty one is the adviser's."""
PICKS: Final[Mapping[Pick, str]] = {}
"""Picks of every game that the table of picks does not show as they are written."""
GAP: Final = " "
"""What stands between two sentences."""
_WON: Final = {
    "extra": "after extra rounds",
    "out": "out of cards first",
    "playoff": "after a playoff",
    "ruin": "the other purse was empty",
    "resignation": "by resignation",
}
_LOST: Final = _WON | {
    "out": "another was out of cards first",
    "ruin": "the purse was empty",
}


# --- numbers ---------------------------------------------------------------------------------------------


def percent(value: float, error: float = 0.0) -> str:
    """A chance as people read it; with twice its standard error where it is an estimate.

    >>> percent(0.4444), percent(-0.02), percent(-0.0001), percent(0.125, 0.02)
    ('44.4 %', '−2.0 %', '0.0 %', '12.5 ± 4.0 %')
    """
    number = f"{100 * value:.1f}".replace("-", "−")
    number = "0.0" if number == "−0.0" else number
    return f"{number} ± {200 * error:.1f} %" if error else f"{number} %"


def change(value: float) -> str:
    """A difference of chances, with its sign.

    >>> change(0.031), change(-0.031), change(0)
    ('+3.1 %', '−3.1 %', '0.0 %')
    """
    return f"+{percent(value)}" if value >= NOTHING else percent(value)


# --- the game --------------------------------------------------------------------------------------------


def headline(review: Review) -> str:
    """How the game ended for the seat."""
    name, outcome = review.names[review.seat - 1], review.outcome
    if outcome is None:
        return f"{name}: the game goes on"
    won = outcome.winner == review.seat
    how = "drew" if outcome.winner is None else "won" if won else "lost"
    ending = (_WON if won else _LOST).get(outcome.termination)
    return f"{name} {how}{_score(review)}{f': {ending}' if ending else ''}"


def _score(review: Review) -> str:
    """The score of two, one's own first, where it says more than who won."""
    assert review.outcome is not None
    score = review.outcome.score
    if len(score) != 2 or sorted(score) == [0, 1]:
        return ""
    return f", {score[review.seat - 1]} to {score[2 - review.seat]}"


def about(review: Review) -> str:
    """Which game it was, against whom, and how long."""
    others = [inside(name) for seat, name in enumerate(review.names, 1) if seat != review.seat]
    rounds = f"{counted(len(review.judged.rounds), 'round')}, " if review.judged.rounds else ""
    length = f"{rounds}{counted(len(review.judged.chances), 'decision')}"
    against = f", against {listed(others)}" if others else ""
    return f"{review.title}, {review.rules}, seat {review.seat}{against}. {opened(length)}."


def judged_by(review: Review) -> str:
    """What the chances are based on."""
    errors = [each.error for each in review.judged.chances if each.error]
    if not errors:
        return f"Judged by {review.judged.judge}."
    return f"Judged by {review.judged.judge}. Each chance is right to about ± {200 * max(errors):.0f} %."


def largest_swing(review: Review) -> str:
    """The decision that changed most: from where to where, what everybody saw, and who gave what away."""
    swing = review.swing
    told = review.told[swing.decision - 1]
    costs = {each.decision: each for each in review.judged.appraisals}
    own = costs.get(swing.decision)
    parts = [told] if told else []
    if swing.gift is not None and swing.gift >= NOTHING:
        parts.append(f"{_others(review, 'pick')} gave away {percent(swing.gift)}.")
    if own is not None and own.cost - 2 * own.error >= NOTHING:
        parts.append(f"Your pick gave away {percent(own.cost, own.error)}.")
    if len(parts) == bool(told) and swing.gift is not None:
        parts.append("Nobody's pick gave anything away: it was luck.")
    return " ".join(parts)


# --- picks -----------------------------------------------------------------------------------------------


def advice(mix: Mapping[Pick, float], names: Mapping[Pick, str]) -> str:
    """What the judge would have picked.

    >>> advice({"E": 0.25, "C": 0.75}, {}), advice({"C": 0.0, "E": 1.0}, {"E": "Emperor"}), advice({}, {})
    ('C 75 %, E 25 %', 'Emperor', '')
    >>> advice({"1": 0.25, "2": 0.25, "3": 0.25, "4": 0.25}, {})
    '1 or 3 others'
    """
    likely = sorted(
        ((pick, share) for pick, share in mix.items() if share >= NOTHING), key=lambda each: -each[1]
    )
    named = [(names.get(pick, pick), share) for pick, share in likely]
    if len(named) == 1:
        return named[0][0]
    if len(named) > 3:
        return f"{named[0][0]} or {counted(len(named) - 1, 'other')}"
    return ", ".join(f"{name} {100 * share:.0f} %" for name, share in named)


def cost(appraisal: Appraisal) -> str:
    """What a pick gave away."""
    if appraisal.error:
        return percent(appraisal.cost, appraisal.error)
    return amount(appraisal.cost)


def amount(value: float | None) -> str:
    """A cost where there may be none, or none that can be told.

    >>> amount(0.0312), amount(0.0), amount(None)
    ('3.1 %', 'nothing', '')
    """
    if value is None:
        return ""
    return percent(value) if value >= NOTHING else "nothing"


def named(review: Review, pick: Pick | None) -> str:
    """What a pick is called."""
    return "nothing" if pick is None else review.judged.names.get(pick, pick)


def explained(review: Review) -> list[str]:
    """What the columns of the table of picks mean."""
    adviser = review.judged.adviser
    lines = ["Chances are to win the game, a draw counting half, if from then on all play like the judge."]
    if any(each.error for each in review.judged.appraisals):
        lines.append(
            f"Cost: how much oftener {adviser}'s pick won than yours, with the same chance in both; ± two "
            "standard errors. Where that reaches 0, it may be nothing."
        )
    else:
        lines.append(f"Cost: what your pick gave away to an opponent who plays the {adviser}.")
    if any(each.missed is not None for each in review.judged.appraisals):
        lines.append(
            "Missed: what the best answer to this opponent would have gained, as a reader of their earlier "
            "rounds would have expected them to play."
        )
    if review.readable is not None:
        chance = review.judged.reading.chance
        lines.append(f"Bits over chance: how much less the picks surprised the reader than {chance}.")
    return lines


# --- over the game ---------------------------------------------------------------------------------------


def luck_and_skill(review: Review) -> list[str]:
    """Where the difference between the start and the end came from."""
    if not review.judged.chances:
        return ["Nothing was decided yet."]
    ended = "stands at" if review.outcome is None else "ended at"
    lines = [f"The game began at {percent(*review.start)} for you, and {ended} {percent(*review.end)}."]
    lines.append(_skill(review.skill, review.judged.adviser))
    if review.gifts is None:
        lines.append(f"The rest, luck and what the others picked: {_signed(review.luck)}.")
        return lines
    given = review.gifts.value
    lines.append(
        f"{_others(review, 'picks')} gave {f'away {percent(given)}' if given >= NOTHING else 'nothing away'}."
    )
    luck = review.luck.value
    if abs(luck) < NOTHING:
        return [*lines, "Luck made no difference."]
    return [*lines, f"Luck {'brought' if luck > 0 else 'took'} {percent(abs(luck))}."]


def _others(review: Review, picks: str) -> str:
    """What the other, or the others, picked, as a sentence begins with it."""
    if len(review.names) != 2:
        return f"The others' {picks}"
    name = review.names[2 - review.seat]
    return f"Your opponent's {picks}" if name == YOU else f"{name}'s {picks}"


def _skill(skill: Part, adviser: str) -> str:
    if skill.error and skill.value > 0:
        return f"Your picks did as well as {adviser}'s: {_signed(skill)}."
    if skill.value > -NOTHING:
        return "Your picks gave nothing away."
    return f"Your picks gave away {percent(-skill.value, skill.error)}."


def _signed(part: Part) -> str:
    return f"{'+' if part.value >= NOTHING else ''}{percent(*part)}"


def scored(found: Readable) -> str:
    """The number, and from where to where it may be."""
    return f"{found.number:.0f} of 100 (95 % interval {found.low:.0f} to {found.high:.0f})"


def how_readable(review: Review) -> list[str]:
    """What readers made of the seat, and how little that may mean."""
    found = review.readable
    if found is None:
        return ["There was no pick in which it mattered to be unreadable."]
    gained = "gained" if found.bits >= 0 else "lost"
    reader = opened(review.judged.reading.who)
    over = f"bits over chance in {counted(found.picks, 'pick')}"
    sentence = f"{reader} {gained} {abs(found.bits):.1f} {over}"
    exposure = review.judged.exposure
    lines = [f"{sentence}."]
    if exposure is not None:
        lines = [f"{sentence}, and {_exposed(exposure)}.", _compared(exposure)]
    if found.rounds < FEW:
        few = "1 round says little" if found.rounds == 1 else f"{found.rounds} rounds say little"
        lines.append(f"{few}: take it as a hint.")
    return lines


def _exposed(found: Exposure) -> str:
    """What a perfect reader of the seat's habits would have won."""
    interval = f"95 % interval {100 * found.low:.0f} to {100 * found.high:.0f} %"
    return f"a perfect reader would have won {100 * found.share:.0f} % of the rounds ({interval})"


def _compared(found: Exposure) -> str:
    return f"Against somebody who cannot be read, as few rounds show {100 * found.usual:.0f} %."


def how_timed(timing: Timing, adviser: str) -> str:
    """The largest difference between when it was done and when the judge would have."""
    rows = zip(timing.labels, timing.yours, timing.judges, strict=True)
    label, yours, judges = max(rows, key=lambda row: abs(row[1] - row[2]))
    times = "never" if yours == 0 else "once" if yours == 1 else f"{yours} times"
    return f"At {label}: {times}; the {adviser}, at the same decisions, {judges:.1f} times."
