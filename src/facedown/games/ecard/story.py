"""The story of a game of E-Card: the round that decided, and sentences that are true of the game."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final, TypeAlias

from facedown.core.outcome import COMPLETED, RESIGNATION
from facedown.core.parts.story import DecidingCard, Sentence, Story, short_story
from facedown.core.seats import Seat
from facedown.games.ecard.notation import CITIZEN, EMPEROR, SLAVE
from facedown.games.ecard.plays import BySeat
from facedown.games.ecard.rules import DECIDED
from facedown.games.ecard.state import EXTRA, RUIN
from facedown.games.ecard.view import ECardView

CARDS: Final = (EMPEROR, CITIZEN, SLAVE)
Scores: TypeAlias = Sequence[BySeat]


def story(view: ECardView) -> Story:
    """What a finished game comes down to."""
    scores = _scores(view)
    return short_story(_deciding_round(view, scores), _sentences(view, scores))


def deciding_cards(view: ECardView) -> tuple[DecidingCard, ...]:
    """The cards of the round that decided, else of the last one."""
    number = _deciding_round(view, _scores(view)) or len(view.rounds)
    shown = view.rounds[number - 1] if number else None
    if shown is None or not all(shown.cards):
        return ()
    cards = [
        DecidingCard(card, None if shown.winner is None else shown.winner == seat)
        for seat, card in enumerate(shown.cards, 1)
    ]
    return tuple(sorted(cards, key=lambda each: bool(each.won)))


def _scores(view: ECardView) -> Scores:
    """The score at the start and after each round."""
    course = [view.score]
    counts_rounds = view.purses is None and view.score == view.wins
    for each in reversed(view.rounds):
        won, lost = (1 if counts_rounds else each.paid), (each.paid if view.purses is not None else 0)
        one, two = course[-1]
        if each.winner == 1:
            one, two = one - won, two + lost
        elif each.winner == 2:
            one, two = one + lost, two - won
        course.append((one, two))
    return course[::-1]


def _lead(score: BySeat, seat: Seat) -> int:
    """By how much a seat leads; less than 0 if it is behind."""
    return score[seat - 1] - score[2 - seat]


def _lasting_round(view: ECardView, scores: Scores) -> int:
    """The round with which the winner took a lead that lasted, or with which a drawn game became level. If a
    player who was not behind gave up, the last round that had a winner; 0 for none."""
    winner = None if view.outcome is None else view.outcome.winner
    if winner is None:
        return _last(_lead(each, 1) != 0 for each in scores)
    lasting = _last(_lead(each, winner) <= 0 for each in scores)
    return lasting if lasting <= len(view.rounds) else _last(bool(each.winner) for each in view.rounds)


def _last(holds: Iterator[bool]) -> int:
    """The place of the last one that holds, from 1; 0 for none."""
    return max((place for place, each in enumerate(holds, 1) if each), default=0)


def _deciding_round(view: ECardView, scores: Scores) -> int:
    """A comeback, else of the rounds that the winner won from then on the one that brought most."""
    winner = None if view.outcome is None else view.outcome.winner
    lasting = _lasting_round(view, scores)
    if winner is None or not lasting or _lead(scores[lasting - 1], winner) < -1:
        return lasting
    gains = {
        number: _lead(scores[number], winner) - _lead(scores[number - 1], winner)
        for number in range(lasting, len(scores))
    }
    return max(gains, key=lambda number: (gains[number], -number))


def _sentences(view: ECardView, scores: Scores) -> Iterator[Sentence]:
    assert view.outcome is not None
    winner, termination = view.outcome.winner, view.outcome.termination
    if termination == RESIGNATION:
        if view.extra:
            yield Sentence("story.extra_round")
        else:
            yield Sentence("story.round", numbers={"round": view.round, "rounds": len(view.sides)})
    elif termination == RUIN and winner is not None:
        yield Sentence("story.ruin", 3 - winner)
    elif termination == EXTRA:
        yield Sentence("story.extra", numbers={"count": len(view.sides)})
    elif termination != COMPLETED:
        yield Sentence("story.forfeit")
    elif winner is None:
        yield from _of_a_draw(view, scores)
    else:
        yield from _of_a_win(view, scores, winner)


def _of_a_draw(view: ECardView, scores: Scores) -> Iterator[Sentence]:
    number = _lasting_round(view, scores)
    if number == 0:
        yield Sentence("story.nobody")
        return
    last = view.rounds[number - 1]
    if number == len(view.rounds) and last.winner and last.cards[last.winner - 1]:
        yield Sentence("story.levelled", last.winner, card=last.cards[last.winner - 1])
    yield Sentence("story.level", numbers={"round": number})


def _of_a_win(view: ECardView, scores: Scores, winner: Seat) -> Iterator[Sentence]:
    number, decided = _lasting_round(view, scores), _deciding_round(view, scores)
    card = view.rounds[number - 1].cards[winner - 1]
    is_last = number == len(view.rounds)
    behind = -_lead(scores[number - 1], winner)
    worst = max(-_lead(each, winner) for each in scores)
    leaders = [each > 0 for score in scores if (each := _lead(score, 1))]
    changes = sum(one != two for one, two in pairwise(leaders))
    met = view.rounds[decided - 1].cards
    bold = DECIDED + 1 - view.rounds[decided - 1].plays  # the earlier the Slave comes, the bolder it is
    if card and behind > 1 and is_last:
        yield Sentence("story.behind_last", winner, card=card, numbers={"by": behind})
    elif card and behind > 1:
        yield Sentence("story.behind", winner, card=card, numbers={"by": behind, "round": number})
    if changes > 2:
        yield Sentence("story.changes", numbers={"times": changes})
    if worst > 1:
        yield Sentence("story.comeback", winner, numbers={"by": worst})
    if (met[winner - 1], met[2 - winner]) == (SLAVE, EMPEROR):
        yield Sentence("story.slave", winner, 3 - winner, numbers={"round": decided, "bold": bold})
    if card and is_last and behind == 0 and number > 1:
        yield Sentence("story.level_last", winner, card=card)
    if all(each.winner is None for each in view.rounds[: number - 1]):
        yield Sentence("story.ahead", winner, numbers={"round": number})
    yield Sentence("story.lead", winner, numbers={"round": number})
    yield Sentence("story.lasted", numbers={"round": number})
