"""The strip of rounds under the chart of chances: a cell for each round, the opponent above, you below.

Nothing here relies on colour: the winner's half is filled and holds the result, and every cell has its text.
"""

from __future__ import annotations

from itertools import accumulate

from facedown.core.game import Pick
from facedown.core.parts.judge import JudgedRound
from facedown.core.text.translation import Message
from facedown.review import message
from facedown.review.html.markup import escaped
from facedown.review.review import Review
from facedown.review.words import change, pick_name, pick_notation


def rounds_of(review: Review) -> tuple[JudgedRound, ...]:
    """The judge's rounds; where it has none, every decision is one, and its result is what it changed."""
    judged = review.judged
    if judged.rounds:
        return judged.rounds
    picks = {each.decision: each.pick for each in judged.appraisals}
    return tuple(
        JudgedRound(
            str(each.decision), 1, picks.get(each.decision), None, None, change(each.after - each.before)
        )
        for each in judged.chances
    )


def strip(review: Review) -> str:
    """A list with a cell for every round; the one of the largest swing is outlined."""
    rounds = rounds_of(review)
    ends = accumulate(each.decisions for each in rounds)
    swung = next(place for place, end in enumerate(ends) if review.swing.decision <= end)
    cells = (_cell(review, each, "swung" if place == swung else "") for place, each in enumerate(rounds))
    return f'<ol class="strip">{"".join(cells)}</ol>'


def _cell(review: Review, each: JudgedRound, swung: str) -> str:
    won = "" if each.won is None else "won" if each.won else "lost"
    result = f"<span>{escaped(review.text(each.result))}</span>"
    description = escaped(review.text(_in_words(review, each)))
    above, below = ("", result) if each.won else (result, "")
    return (
        f'<li class="{swung} {won}"><span class="unseen">{description}</span>'
        f'<span class="cell" aria-hidden="true">'
        f'<span class="half theirs">{_sign(review, each.theirs)}{above}</span>'
        f'<span class="half ours">{_sign(review, each.ours)}{below}</span></span>'
        f'<span class="label" aria-hidden="true">{escaped(review.text(each.label))}</span></li>'
    )


def _in_words(review: Review, each: JudgedRound) -> Message:
    ours = pick_name(review, each.ours)
    if not review.judged.rounds:
        return message("strip.decision", label=each.label, pick=ours, result=each.result)
    ending = "nobody" if each.won is None else "won" if each.won else "lost"
    theirs = pick_name(review, each.theirs)
    return message(f"strip.{ending}", label=each.label, ours=ours, theirs=theirs, result=each.result)


def _sign(review: Review, pick: Pick | None) -> str:
    """The glyph of a pick, or how it is written."""
    glyph = review.judged.glyphs.get(pick or "")
    if glyph is not None:
        return f'<svg viewBox="0 0 16 16">{glyph}</svg>'
    return f"<span>{escaped(review.text(pick_notation(review, pick or '')))}</span>"
