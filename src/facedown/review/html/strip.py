"""The rounds of a game side by side, under the line of chances: the other above, you below.

Nothing here relies on colour: the winner's half is filled and holds the result, and every cell has its words.
"""

from __future__ import annotations

from itertools import accumulate

from facedown.core.game import Pick
from facedown.core.parts.judge import Round
from facedown.review.html.markup import said
from facedown.review.review import Review
from facedown.review.words.en import change, named


def rounds_of(review: Review) -> tuple[Round, ...]:
    """The judge's rounds; where it has none, every decision is one, and its result is what it changed."""
    judged = review.judged
    if judged.rounds:
        return judged.rounds
    picks = {each.decision: each.pick for each in judged.appraisals}
    return tuple(
        Round(str(each.decision), 1, picks.get(each.decision), None, None, change(each.after - each.before))
        for each in judged.chances
    )


def strip(review: Review) -> str:
    """A list with a cell for every round; the one of the largest swing is outlined."""
    rounds = rounds_of(review)
    ends = accumulate(each.decisions for each in rounds)
    swung = next(place for place, end in enumerate(ends) if review.swing.decision <= end)
    cells = (_cell(review, each, "swung" if place == swung else "") for place, each in enumerate(rounds))
    return f'<ol class="strip">{"".join(cells)}</ol>'


def _cell(review: Review, each: Round, swung: str) -> str:
    won = "" if each.won is None else "won" if each.won else "lost"
    result = f"<span>{said(each.result)}</span>"
    above, below = ("", result) if each.won else (result, "")
    return (
        f'<li class="{swung} {won}"><span class="unseen">{said(_in_words(review, each))}</span>'
        f'<span class="cell" aria-hidden="true">'
        f'<span class="half theirs">{_sign(review, each.theirs)}{above}</span>'
        f'<span class="half ours">{_sign(review, each.ours)}{below}</span></span>'
        f'<span class="label" aria-hidden="true">{said(each.label)}</span></li>'
    )


def _in_words(review: Review, each: Round) -> str:
    if not review.judged.rounds:
        return f"Decision {each.label}: {named(review, each.ours)}, {each.result}."
    picks = f"you {named(review, each.ours)}, the other {named(review, each.theirs)}"
    won = "nobody won" if each.won is None else "you won" if each.won else "you lost"
    return f"Round {each.label}: {picks}; {won} ({each.result})."


def _sign(review: Review, pick: Pick | None) -> str:
    """The glyph of a pick, or how it is written."""
    glyph = review.judged.glyphs.get(pick or "")
    return f"<span>{said(pick or '')}</span>" if glyph is None else f'<svg viewBox="0 0 16 16">{glyph}</svg>'
