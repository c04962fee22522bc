"""The story of a game of Davenport: how it ended, and sentences that are true of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from facedown.core.cards import DECK, Card
from facedown.core.parts.story import DecidingCard, Sentence, Story, short_story
from facedown.core.seats import Seat
from facedown.games.davenport.state import BY_PLAYOFF, CARDS_EACH, MAIN, OUT, DavenportRound
from facedown.games.davenport.view import DavenportView

CARDS: Final = tuple(str(card) for card in DECK)


def story(view: DavenportView) -> Story:
    """What a finished game comes down to."""
    rounds = [each for each in view.history if isinstance(each, DavenportRound)]
    main = [each for each in rounds if each.phase == MAIN]
    decided = view.outcome is not None and view.outcome.termination in (OUT, BY_PLAYOFF)
    return short_story(len(main) if decided else 0, _sentences(view, rounds, main))


def deciding_cards(view: DavenportView) -> tuple[DecidingCard, ...]:
    """The winner's card in the last round that was turned, and the highest of the others."""
    rounds = [each for each in view.history if isinstance(each, DavenportRound)]
    if not rounds or view.outcome is None:
        return ()
    last, winner = rounds[-1], view.outcome.winner
    turned = {seat: card for seat, card in enumerate(last.shown, 1) if card}
    first = winner if winner in turned else last.winners[0]
    others = [seat for seat in turned if seat != first]
    highest = sorted(others, key=lambda seat: Card(turned[seat]).value)[-1:]
    return tuple(
        DecidingCard(str(turned[seat]), seat == winner or seat in last.winners) for seat in (*highest, first)
    )


def _sentences(
    view: DavenportView, rounds: Sequence[DavenportRound], main: Sequence[DavenportRound]
) -> Iterator[Sentence]:
    assert view.outcome is not None
    winner, termination = view.outcome.winner, view.outcome.termination
    if termination == BY_PLAYOFF and winner is not None:
        yield Sentence(
            "story.playoff", winner, 0, _card(rounds[-1], winner), {"count": len(_holding(main[-1], 0))}
        )
        yield Sentence("story.playoff_won")
    elif termination == OUT and winner is not None:
        yield from _of_going_out(main, winner)
    else:
        yield Sentence(f"story.{termination}")


def _of_going_out(main: Sequence[DavenportRound], winner: Seat) -> Iterator[Sentence]:
    card, close = _card(main[-1], winner), _holding(main[-1], 1)
    most = max(CARDS_EACH, *(each.hands[winner - 1] for each in main))
    lost = max((place for place, each in enumerate(main, 1) if winner not in each.winners), default=0)
    changes, tied = _lead_changes(main), sum(len(each.winners) > 1 for each in main)
    if len(close) == 1:
        yield Sentence("story.close", winner, close[0], card)
    elif close:
        yield Sentence("story.close_several", winner, 0, card, {"count": len(close)})
    if most > CARDS_EACH + 2:
        yield Sentence("story.most", winner, 0, "", {"count": most, "round": len(main)})
    if len(main) - lost > 2:
        yield Sentence("story.streak", winner, 0, "", {"count": len(main) - lost})
    if changes > 2:
        yield Sentence("story.changes", numbers={"count": changes})
    if tied > 2:
        yield Sentence("story.tied", numbers={"count": tied})
    yield Sentence("story.out", winner, 0, card, {"round": len(main)})
    yield Sentence("story.out_first")


def _card(turned: DavenportRound, seat: Seat) -> str:
    """The card that a seat showed, as plain text: a story is written as JSON."""
    return str(turned.shown[seat - 1] or "")


def _holding(turned: DavenportRound, cards: int) -> list[Seat]:
    """The seats that took part in a round and held this number of cards after it."""
    return [
        seat
        for seat, (shown, held) in enumerate(zip(turned.shown, turned.hands, strict=True), 1)
        if shown is not None and held == cards
    ]


def _lead_changes(main: Sequence[DavenportRound]) -> int:
    """How often another seat came to hold the fewest cards alone."""
    least = (_holding(each, min(_hand_sizes(each))) for each in main)
    alone = [seats[0] for seats in least if len(seats) == 1]
    return sum(one != two for one, two in pairwise(alone))


def _hand_sizes(turned: DavenportRound) -> list[int]:
    return [held for shown, held in zip(turned.shown, turned.hands, strict=True) if shown is not None]
