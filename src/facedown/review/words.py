"""The sentences of a review as messages, shared by its text and JSON: no surer than the numbers.

Owns which sentence is said; the catalogues in `locale` have the words. Calculates nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from facedown.core import registry
from facedown.core.game import FORFEIT, RESIGN, Pick
from facedown.core.outcome import COMPLETED
from facedown.core.parts.judge import Appraisal, Timing
from facedown.core.text.names import is_you
from facedown.core.text.translation import Message, Slot, Text, all_of, in_row
from facedown.review import message
from facedown.review.predictability import Predictability
from facedown.review.review import Expected, Review

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


def own(review: Review, key: str, **slots: Slot) -> Message:
    """A text about the seat that is reviewed: by name, or to the reader whom the record calls "you"."""
    name = review.names[review.seat - 1]
    if is_you(name, review.language):
        return message(f"{key}.you", **slots)
    return message(f"{key}.name", name=name, **slots)


def largest_swing(review: Review) -> list[Text]:
    """The decision that changed most: what everybody saw, and who gave what away."""
    swing = review.swing
    narration = review.narration[swing.decision - 1]
    judged = next((each for each in review.judged.appraisals if each.decision == swing.decision), None)
    parts: list[Text] = []
    if swing.gift is not None and swing.gift >= NOTHING:
        parts.append(_others(review, "swing", "", share=percent(swing.gift)))
    if judged is not None and judged.clear and judged.cost >= NOTHING:
        parts.append(own(review, "swing.own", share=percent(judged.cost, judged.error)))
    if swing.read <= -NOTHING:
        parts.append(message("swing.read", share=percent(-swing.read)))
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
    """What a pick gave away; an estimate as a gain or loss with its sign, and only if it is clear."""
    if appraisal.decided == "decided" or (appraisal.decided and appraisal.cost < NOTHING):
        return message(f"amount.{appraisal.decided}")
    if appraisal.forced:
        return message("amount.forced")
    if appraisal.error:
        return change(-appraisal.cost, appraisal.error) if appraisal.clear else message("amount.unclear")
    return amount(appraisal.cost)


def amount(value: float | None) -> Text:
    """A cost; in a word where it is none, and empty where it is not known.

    >>> amount(0.0312), str(amount(0.0)), amount(None)
    ('3.1 %', 'nothing', '')
    """
    if value is None:
        return ""
    return percent(value) if value >= NOTHING else message("amount.nothing")


def cost_column(review: Review) -> str:
    """What the column of costs is called: an estimate may be a gain."""
    return "difference" if review.is_estimate else "cost"


def pick_notation(review: Review, pick: Pick) -> Text:
    """A pick as it is written; resigning is written in the reader's language."""
    if pick in (RESIGN, FORFEIT):
        return message("pick.resign" if pick == RESIGN else "pick.forfeit")
    return review.judged.written.get(pick, pick)


def column_notes(review: Review) -> list[Text]:
    """What the columns of the table of picks mean."""
    adviser, appraisals = review.judged.adviser, review.judged.appraisals
    notes: list[Text] = [
        message("explain.chances"),
        message("explain.difference" if review.is_estimate else "explain.cost", adviser=adviser),
    ]
    if any(each.missed is not None for each in appraisals):
        notes.append(message("explain.missed"))
    if any(each.decided == "decided" for each in appraisals):
        notes.append(message("explain.decided"))
    if any(each.decided in ("lost", "won") for each in appraisals):
        notes.append(message("explain.theory"))
    if review.predictability is not None and review.predictability.tells and has_score(review):
        notes.append(message("explain.bits", chance=review.judged.reading.chance))
    return notes


# --- over the game ---------------------------------------------------------------------------------------


def luck_and_skill(review: Review) -> list[Text]:
    """Where the difference between start and end came from: shares that add up, and what each means."""
    if not review.judged.chances:
        return [message("luck.undecided")]
    start, *shares, end = review.account
    way = "luck.stands" if review.outcome is None else "luck.ended"
    parts: list[Text] = [own(review, way, start=percent(start.value, start.error), end=percent(end.value))]
    parts += [
        message("luck.share", part=share_name(review, each.part), share=change(each.value, each.error))
        for each in shares
    ]
    return [*parts, *meanings(review)]


def meanings(review: Review) -> list[Text]:
    """What the shares of the account mean: the rest always, the others where they are not 0."""
    return [
        message(f"luck.means.{'differences' if each.part == 'choices' and review.is_estimate else each.part}")
        for each in review.account
        if each.part in ("luck", "rest") or (each.part not in ("start", "end") and abs(each.value) >= NOTHING)
    ]


def share_name(review: Review, part: str) -> Message:
    """What a line of the account is called: `Your choices`, `Bo's choices`, `Luck`."""
    if part == "choices":
        return own(review, "part.choices")
    if part == "others":
        return _others(review, "part", "_choices")
    return message("part.now" if part == "end" and review.outcome is None else f"part.{part}")


def has_score(review: Review) -> bool:
    """Whether the number is shown: not beside what one opponent made of being able to read the seat."""
    return review.judged.being_read is None


def predictability_score(found: Predictability) -> Message:
    """The number, and from where to where it may be; no number where so few picks cannot tell."""
    if not found.tells:
        return message("readable.too_few", count=found.picks)
    return message("readable.scored", number=found.number, low=found.low, high=found.high)


def how_predictable(review: Review) -> list[Text]:
    """What readers made of the seat's picks, and how little that may mean."""
    found, exposure = review.predictability, review.judged.exposure
    if found is None:
        return [message("readable.none")]
    parts: list[Text] = []
    if found.tells and has_score(review):
        slots: dict[str, Slot] = {
            "reader": review.judged.reading.who,
            "bits": abs(found.bits),
            "count": found.picks,
        }
        parts.append(message("readable.gained" if found.bits >= 0 else "readable.lost", **slots))
    if exposure is not None and exposure.low > exposure.usual:
        parts.append(
            message(
                "readable.exposed",
                count=exposure.rounds,
                share=100 * exposure.share,
                low=100 * exposure.low,
                high=100 * exposure.high,
                usual=100 * exposure.usual,
            )
        )
    rounds = len(review.judged.rounds or review.judged.chances)
    if parts and found.rounds < FEW:
        key = "readable.few" if found.rounds == rounds else "readable.few_of"
        parts.append(message(key, count=found.rounds, rounds=rounds))
    return parts


def readable_in_words(review: Review) -> list[Text]:
    """How readable the seat was: the pattern, the number, what readers made of it."""
    found = review.predictability
    score: list[Text] = []
    if found is not None and has_score(review):
        scored = predictability_score(found)
        score = [message("readable.scale", scored=scored) if found.tells else scored]
    return [*pattern(review), *score, *how_predictable(review)]


def pattern(review: Review) -> list[Text]:
    """The habit with its interval, and what to do about it; that none stands out, where none does."""
    judged = review.judged
    found: list[Text] = [] if judged.habit is None else [judged.habit]
    return found if judged.pattern is None else [*found, judged.pattern.advice]


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


# --- what machines expected ------------------------------------------------------------------------------

_MOST_EXPECTED: Final = 6


def expected_title(review: Review) -> Message:
    """Whose expectations they are."""
    return message("expected.title", name=review.names[review.expected[0].seat - 1])


def telling(expected: Sequence[Expected]) -> list[Expected]:
    """The few decisions at which a machine was furthest from expecting perfect play, in their order."""
    furthest = sorted(expected, key=lambda each: -abs(each.chance - each.usual))[:_MOST_EXPECTED]
    return sorted(furthest, key=lambda each: each.decision)


def expected_place(review: Review, expected: Expected) -> Message:
    """Where that was in the game."""
    return message("expected.place", place=review.judged.chances[expected.decision - 1].place)
