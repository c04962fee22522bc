"""The sentences of a review as messages, shared by its text, JSON and HTML: no surer than the numbers.

Owns which sentence is said; the catalogues in `locale` have the words. Calculates nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from facedown.core import registry
from facedown.core.game import RESIGN, Pick
from facedown.core.outcome import COMPLETED
from facedown.core.parts.judge import Appraisal, Exposure, Timing
from facedown.core.text.names import is_you
from facedown.core.text.translation import Message, Slot, Text, all_of, in_row
from facedown.review import message
from facedown.review.predictability import Predictability
from facedown.review.review import Part, Review

NOTHING: Final = 0.0005
"""What is less is rounding: it would be shown as 0.0 %."""
FEW: Final = 50
"""Fewer rounds than this say little."""


# --- numbers ---------------------------------------------------------------------------------------------


def percent(value: float, error: float = 0.0) -> str:
    """A chance as people read it; with twice its standard error where it is an estimate.

    >>> percent(0.4444), percent(-0.02), percent(-0.0001), percent(0.125, 0.02)
    ('44.4 %', '−2.0 %', '0.0 %', '12.5 ± 4.0 %')
    """
    number = f"{100 * value:.1f}".replace("-", "−")
    number = "0.0" if number == "−0.0" else number
    return f"{number} ± {200 * error:.1f} %" if error else f"{number} %"


def change(value: float, error: float = 0.0) -> str:
    """A difference of chances, with its sign.

    >>> change(0.031), change(-0.031), change(0), change(0.1, 0.03)
    ('+3.1 %', '−3.1 %', '0.0 %', '+10.0 ± 6.0 %')
    """
    return f"{'+' if value >= NOTHING else ''}{percent(value, error)}"


# --- the game --------------------------------------------------------------------------------------------


def headline(review: Review) -> Message:
    """The result of the game for the seat, and how it ended."""
    name, outcome = review.names[review.seat - 1], review.outcome
    if outcome is None:
        return message("headline.unfinished", name=name)
    won = outcome.winner == review.seat
    result = message(f"headline.{'drew' if outcome.winner is None else 'won' if won else 'lost'}", name=name)
    if len(outcome.score) == 2 and sorted(outcome.score) != [0, 1]:  # else it says no more than who won
        ours, theirs = outcome.score[review.seat - 1], outcome.score[2 - review.seat]
        result = message("headline.score", result=result, ours=ours, theirs=theirs)
    ending = _ending(review.record.game, outcome.termination, won)
    return result if ending is None else message("headline.ending", result=result, ending=ending)


def _ending(game: str, termination: str, won: bool) -> Message | None:
    """How the game ended: in its own words, or in those for every game; None for an ordinary end."""
    if termination == COMPLETED:
        return None
    own = registry.messages(game)
    keys = [*([] if won else [f"ended.{termination}.lost"]), f"ended.{termination}", f"ending.{termination}"]
    found = next((own(key) for key in keys if own.has(key)), None)
    plain = f"ending.{termination}"
    return found or (message(plain) if message.has(plain) else None)


def about(review: Review) -> Message:
    """Which game it was, against whom, and how long."""
    others = [name for seat, name in enumerate(review.names, 1) if seat != review.seat]
    rounds, decisions = len(review.judged.rounds), len(review.judged.chances)
    length: list[Text] = [message("about.rounds", count=rounds)] if rounds else []
    length.append(message("about.decisions", count=decisions))
    slots: dict[str, Slot] = {
        "title": review.title,
        "rules": review.rules,
        "seat": review.seat,
        "length": in_row(length),
    }
    return message("about", others=all_of(others), **slots) if others else message("about.alone", **slots)


def judged_by(review: Review) -> Message:
    """What the chances are based on."""
    errors = [each.error for each in review.judged.chances if each.error]
    if not errors:
        return message("judged", judge=review.judged.judge)
    return message("judged.estimate", judge=review.judged.judge, error=200 * max(errors))


def largest_swing(review: Review) -> list[Text]:
    """The decision that changed most: what everybody saw, and who gave what away."""
    swing = review.swing
    narration = review.narration[swing.decision - 1]
    own = next((each for each in review.judged.appraisals if each.decision == swing.decision), None)
    parts: list[Text] = []
    if swing.gift is not None and swing.gift >= NOTHING:
        parts.append(_others(review, "swing", "", share=percent(swing.gift)))
    if own is not None and own.cost - 2 * own.error >= NOTHING:
        parts.append(message("swing.yours", share=percent(own.cost, own.error)))
    if not parts and swing.gift is not None:
        parts.append(message("swing.luck"))
    return [narration, *parts] if narration else parts


def _others(review: Review, key: str, what: str, **slots: Slot) -> Message:
    """A sentence about the others' picks: about all of them, the opponent without a name, or one by name."""
    if len(review.names) != 2:
        return message(f"{key}.others{what}", **slots)
    name = review.names[2 - review.seat]
    if is_you(name, review.language):
        return message(f"{key}.opponent{what}", **slots)
    return message(f"{key}.name{what}", name=name, **slots)


# --- picks -----------------------------------------------------------------------------------------------


def advice(mix: Mapping[Pick, float], names: Mapping[Pick, Text]) -> Text:
    """What the judge would have picked.

    >>> str(advice({"E": 0.25, "C": 0.75}, {}))
    'C 75 %, E 25 %'
    >>> advice({"C": 0.0, "E": 1.0}, {"E": "Emperor"}), advice({}, {})
    ('Emperor', '')
    >>> str(advice({"1": 0.25, "2": 0.25, "3": 0.25, "4": 0.25}, {}))
    '1 or 3 others'
    """
    likely = sorted(
        ((names.get(pick, pick), share) for pick, share in mix.items() if share >= NOTHING),
        key=lambda each: -each[1],
    )
    if len(likely) == 1:
        return likely[0][0]
    if len(likely) > 3:
        return message("advice.many", pick=likely[0][0], count=len(likely) - 1)
    return in_row([message("advice.share", pick=pick, share=100 * share) for pick, share in likely])


def cost(appraisal: Appraisal) -> Text:
    """What a pick gave away."""
    if appraisal.error:
        return percent(appraisal.cost, appraisal.error)
    return amount(appraisal.cost)


def amount(value: float | None) -> Text:
    """A cost; in a word where it is none, and empty where it is not known.

    >>> amount(0.0312), str(amount(0.0)), amount(None)
    ('3.1 %', 'nothing', '')
    """
    if value is None:
        return ""
    return percent(value) if value >= NOTHING else message("amount.nothing")


def pick_name(review: Review, pick: Pick | None) -> Text:
    """What a pick is called."""
    return message("amount.nothing") if pick is None else review.judged.names.get(pick, pick_notation(pick))


def pick_notation(pick: Pick) -> Text:
    """A pick as it is written; resigning is written in the reader's language."""
    return message("pick.resign") if pick == RESIGN else pick


def column_notes(review: Review) -> list[Text]:
    """What the columns of the table of picks mean."""
    adviser, appraisals = review.judged.adviser, review.judged.appraisals
    estimate = any(each.error for each in appraisals)
    notes: list[Text] = [
        message("explain.chances"),
        message("explain.cost_estimate" if estimate else "explain.cost", adviser=adviser),
    ]
    if any(each.missed is not None for each in appraisals):
        notes.append(message("explain.missed"))
    if review.predictability is not None:
        notes.append(message("explain.bits", chance=review.judged.reading.chance))
    return notes


# --- over the game ---------------------------------------------------------------------------------------


def luck_and_skill(review: Review) -> list[Text]:
    """Where the difference between the start and the end came from."""
    if not review.judged.chances:
        return [message("luck.undecided")]
    way = "luck.stands" if review.outcome is None else "luck.ended"
    parts: list[Text] = [
        message(way, start=percent(*review.start), end=percent(*review.end)),
        _skill(review.skill, review.judged.adviser),
    ]
    if review.gifts is None:
        return [*parts, message("luck.rest", share=change(*review.luck))]
    given = review.gifts.value
    if given >= NOTHING:
        parts.append(_others(review, "luck", "_gave", share=percent(given)))
    else:
        parts.append(_others(review, "luck", "_nothing"))
    return [*parts, _luck(review.luck.value)]


def _skill(skill: Part, adviser: Text) -> Message:
    if skill.error and skill.value > 0:
        return message("luck.skill_well", adviser=adviser, share=change(*skill))
    if skill.value > -NOTHING:
        return message("luck.skill_nothing")
    return message("luck.skill_gave", share=percent(-skill.value, skill.error))


def _luck(value: float) -> Message:
    if abs(value) < NOTHING:
        return message("luck.none")
    return message("luck.brought" if value > 0 else "luck.took", share=percent(abs(value)))


def predictability_score(found: Predictability) -> Message:
    """The number, and from where to where it may be."""
    return message("readable.scored", number=found.number, low=found.low, high=found.high)


def how_predictable(review: Review) -> list[Text]:
    """What readers made of the seat's picks, and how little that may mean."""
    found, exposure = review.predictability, review.judged.exposure
    if found is None:
        return [message("readable.none")]
    key = "readable.gained" if found.bits >= 0 else "readable.lost"
    slots: dict[str, Slot] = {
        "reader": review.judged.reading.who,
        "bits": abs(found.bits),
        "count": found.picks,
    }
    parts: list[Text] = [message(key, **slots)]
    if exposure is not None:
        parts = [message(f"{key}_exposed", exposed=_exposed(exposure), **slots)]
        parts.append(message("readable.compared", share=100 * exposure.usual))
    if found.rounds < FEW:
        parts.append(message("readable.few", count=found.rounds))
    return parts


def _exposed(found: Exposure) -> Message:
    """What a perfect reader of the seat's habits would have won."""
    return message("readable.exposed", share=100 * found.share, low=100 * found.low, high=100 * found.high)


def timing_rows(timing: Timing, adviser: Text) -> list[Message]:
    """How often it was done, and how often the judge would have, label by label."""
    return [
        message("timing.row", label=label, yours=yours, adviser=adviser, judges=judges)
        for label, yours, judges in zip(timing.labels, timing.yours, timing.judges, strict=True)
    ]


def largest_timing_difference(timing: Timing, adviser: Text) -> Message:
    """The largest difference between when it was done and when the judge would have."""
    rows = zip(timing.labels, timing.yours, timing.judges, strict=True)
    label, yours, judges = max(rows, key=lambda row: abs(row[1] - row[2]))
    slots: dict[str, Slot] = {"label": label, "adviser": adviser, "judges": judges}
    if yours > 1:
        return message("timing.times", times=yours, **slots)
    return message("timing.once" if yours else "timing.never", **slots)
