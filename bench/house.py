"""What a tell of Davenport's house costs: how many games a reader that knows it wins, at tables for two.

The reader knows the whole policy of the character. It holds hands that the character could hold, asks the
policy about each of them, and drops those that would not have done what was seen. Its own picks it weighs as
`careful` does, only with what these hands would show. No reader is perfect, so a price is at least this high.
What is to be won against the one without a tell is in lab/docs/expert.md.

    python bench/house.py                    # every character, some minutes on 16 cores
    python bench/house.py --games 200 piet   # one, and less certain
"""

from __future__ import annotations

import argparse
import json
import os
import random
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from itertools import pairwise
from math import sqrt
from typing import Any

from facedown.core.cards import DECK, Card
from facedown.core.chance import Seeded, Stream, deal_key, seed_of
from facedown.core.game import Pick
from facedown.core.match import Match
from facedown.games.davenport.bots.careful import best_pick, playoff_pick, think
from facedown.games.davenport.bots.house import TELLING, Character
from facedown.games.davenport.bots.reading import KING, GameReading, Shares
from facedown.games.davenport.game import GAME
from facedown.games.davenport.notation import card_of, is_exchange
from facedown.games.davenport.rules import DavenportRules
from facedown.games.davenport.view import PLAYOFF, DavenportRound, DavenportView, OwnChoice

_RULES = DavenportRules.read("davenport")
_HANDS = 60
"""How many hands the reader holds for possible."""
_TRIES = 400
"""How many it tries for that at most."""
_DOUBT = 0.03
"""How much of the time it expects any card, whatever the hands say."""


class Reader:
    """One seat against a character whose policy it knows."""

    def __init__(self, character: type[Character], dice: random.Random) -> None:
        self._character, self._dice = character, dice
        self._hands: list[tuple[Card, ...]] = []
        self._choices: list[OwnChoice] = []
        self._rounds = 0
        self._gone: set[Card] = set()
        self._reading: GameReading | None = None
        self._theirs: GameReading | None = None
        self._before: DavenportView | None = None
        self.habits: dict[int, Reader] = {}

    def pick(self, view: DavenportView) -> Pick:
        if view.phase == PLAYOFF:
            return playoff_pick(view)
        if self._reading is None:
            self._reading, self._theirs = GameReading(view), GameReading(self._as_other(view, ()))
            self._hands = [self._drawn((), view.hands[2 - view.viewer], view) for _ in range(_HANDS)]
            self.habits = {3 - view.viewer: self}
        rounds = [each for each in view.history if isinstance(each, DavenportRound)]
        if len(rounds) > self._rounds:
            self._rounds = len(rounds)
            self._follow(view, rounds[-1])
        self._before = view
        self._reading.go_on(view)
        return best_pick(view, think(view, self))  # type: ignore[arg-type]  # it reads `unseen` and `habits`

    def unseen(self, view: DavenportView) -> list[int]:
        assert self._reading is not None
        return self._reading.unseen(view)

    def next_shown(self, unseen: Shares) -> Shares:
        """What the hands would show: the policy is asked about each."""
        assert self._before is not None
        shown = [0.0] * (KING + 1)
        blind = [0.0, *(high - low for low, high in pairwise(unseen))]
        for hand in self._hands:
            pick = self._policy(self._before, hand)
            if is_exchange(pick):
                shown = [each + chance for each, chance in zip(shown, blind, strict=True)]
            else:
                shown[card_of(pick).value] += 1.0
        whole, below, shares = len(self._hands), 0.0, []
        for each, chance in zip(shown, blind, strict=True):
            below += (1 - _DOUBT) * each / whole + _DOUBT * chance
            shares.append(min(1.0, below))
        return shares

    # --- the hands that the other could hold ------------------------------------------------------------

    def _follow(self, view: DavenportView, last: DavenportRound) -> None:
        """Drop the hands that would have done something else; let the others draw."""
        before, other = self._before, 2 - view.viewer
        shown, exchanged = last.shown[other], last.exchanged[other]
        assert before is not None
        assert shown is not None
        kept: list[tuple[tuple[Card, ...], Pick]] = []
        for _ in range(_TRIES):
            hand = self._dice.choice(self._hands)
            if not exchanged and shown not in hand:
                place = self._dice.randrange(len(hand))
                hand = (*hand[:place], shown, *hand[place + 1 :])
            pick = self._policy(before, hand)
            if is_exchange(pick) if exchanged else pick == shown:
                kept.append((hand, pick))
                if len(kept) == _HANDS:
                    break
        if not kept:  # a card of the same value, or another doubt: what was shown is gone, the rest may stay
            kept = [((shown, *hand[1:]), str(shown)) for hand in self._hands]
        self._choices.append(OwnChoice((), kept[0][1]))
        self._gone |= {card for card in last.shown if card is not None}
        if not last.discards:
            self._gone = set()
        hands = [tuple(card for card in hand if card != card_of(pick)) for hand, pick in kept]
        self._hands = [self._drawn(hand, view.hands[other], view) for hand in hands]
        assert self._theirs is not None
        self._theirs.go_on(self._as_other(view, ()))

    def _drawn(self, hand: tuple[Card, ...], count: int, view: DavenportView) -> tuple[Card, ...]:
        """The hand with other cards for those that it cannot hold, and more, up to the count."""
        taken = self._gone.union(view.hand)
        left = [card for card in hand if card not in taken]
        while len(left) < count:
            card = self._dice.choice(DECK)
            if card not in taken and card not in left:
                left.append(card)
        return tuple(left)

    def _policy(self, view: DavenportView, hand: tuple[Card, ...]) -> Pick:
        theirs = self._as_other(view, hand)
        picked = self._character.pick_by_tell(theirs)
        if picked is not None:
            return picked
        assert self._theirs is not None
        return best_pick(theirs, think(theirs, self._theirs))

    def _as_other(self, view: DavenportView, hand: tuple[Card, ...]) -> DavenportView:
        return view._replace(viewer=3 - view.viewer, hand=hand, choices=tuple(self._choices))


def play(name: str, number: int) -> float:
    """Whether the reader wins one game, on either seat in turn."""
    key = deal_key(seed_of(f"house {name}"), str(number))
    match: Match[Any, Any, Any] = Match(GAME, _RULES, ("One", "Two"), Seeded(key))
    seat = 1 + number % 2
    stream = Stream(key, f"bot/{3 - seat}")
    character = next(each for each in TELLING if each.name == name)
    other, reader = character(), Reader(character, random.Random(number))
    while match.pending:
        joint: dict[int, Pick] = {}
        for each in match.pending[0]:
            view = match.view(each)
            if each == seat:
                joint[each] = reader.pick(view)
            else:
                joint[each] = other.pick(view, match.legal(each), stream)
        match.decide(tuple(joint.get(each) for each in (1, 2)))
    assert match.outcome is not None
    return float(match.outcome.winner == seat)


def _play(job: tuple[str, range]) -> float:
    return sum(play(job[0], number) for number in job[1])


def measure(name: str, games: int, jobs: int) -> dict[str, Any]:
    """The share that the reader wins, and the half width of its 95 % interval."""
    parts: Iterable[range] = (range(first, min(first + 20, games)) for first in range(0, games, 20))
    if jobs == 1:
        won = sum(_play((name, part)) for part in parts)
    else:
        with ProcessPoolExecutor(jobs) as pool:
            won = sum(pool.map(_play, ((name, part) for part in parts)))
    share = won / games
    return {"name": name, "games": games, "price": share, "error": 1.96 * sqrt(share * (1 - share) / games)}


def main() -> None:
    names = [each.name for each in TELLING]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("characters", nargs="*", default=names, help="by name (default: all)")
    parser.add_argument("--games", type=int, default=10_000)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    if unknown := set(given.characters) - set(names):
        parser.error(f"{min(unknown)} has no tell, or is no character of this house")
    for name in given.characters:
        found = measure(name, given.games, given.jobs)
        if given.json:
            print(json.dumps(found), flush=True)
        else:
            print(f"{name:8} {found['price']:.1%} ±{found['error']:.1%}   {found['games']} games", flush=True)


if __name__ == "__main__":
    main()
