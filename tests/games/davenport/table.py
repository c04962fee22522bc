"""A table of Davenport for tests that read like the rules: given these hands, when these are revealed, then …

Every card that chance brings is named by the test: one too many or too few, and the test fails.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeAlias

from facedown.core.cards import DECK, Card
from facedown.core.chance import Chance, Scripted
from facedown.core.events import Event
from facedown.core.game import Step
from facedown.core.match import Match
from facedown.core.outcome import Outcome
from facedown.core.seats import Seat
from facedown.games.davenport.game import Davenport
from facedown.games.davenport.rules import DavenportRules
from facedown.games.davenport.state import MAIN, PLAYOFF, DavenportRound, DavenportState
from facedown.games.davenport.view import DavenportView

NAMES = ("Ann", "Bo", "Cy", "Di", "Ed", "Flo", "Gus")

PlainEvent: TypeAlias = "tuple[str, tuple[str, ...], dict[str, Any]]"
"""An event as a test compares it: kind, ids of the rules, facts."""


class Arranged(Davenport):
    """The game, begun in the middle: its set-up lays out what a test asks for."""

    def __init__(self, start: DavenportState) -> None:
        self._start = start

    def setup(self, rules: DavenportRules, seats: int, chance: Chance) -> Step[DavenportState]:
        return Step(self._start, ())


class Table:
    """A match of Davenport, with the cards still to come in the test's hand."""

    def __init__(self, game: Davenport, rules: DavenportRules, seats: int, draws: str = "") -> None:
        self._script = draws.split()
        self._chance = Scripted(self._script)
        self._step: Step[DavenportState] | None = None
        self.match: Match[DavenportRules, DavenportState, DavenportView] = Match(
            game, rules, NAMES[:seats], self._chance
        )
        assert self._chance.left == 0, "more cards were listed than drawn"

    def reveal(self, *picks: str | None, draws: str = "") -> DavenportRound:
        """All seats' picks turned at once; `draws` are the cards that come up, in their order."""
        self._script += draws.split()
        self._step = self.match.decide(picks)
        assert self._chance.left == 0, "more cards were listed than drawn"
        last = self._step.state.history[-1]
        assert isinstance(last, DavenportRound)
        return last

    def resign(self, seat: Seat) -> list[PlainEvent]:
        """One seat gives up; the public events of that."""
        return public_events(self.match.resign(seat).events)

    # --- what can be seen --------------------------------------------------------------------------------

    def hands(self) -> list[str]:
        """All hands, by seat, in the order in which the cards came."""
        return [" ".join(hand) for hand in self.match.state.hands]

    def stock(self) -> int:
        return len(self.match.state.stock)

    def discards(self) -> str:
        """The discards in the order in which they got there."""
        return " ".join(self.match.state.discards)

    def seats_in(self) -> tuple[Seat, ...]:
        return self.match.state.seats_in

    def wins(self) -> tuple[int, ...]:
        return self.match.state.wins

    def outcome(self) -> Outcome | None:
        return self.match.outcome

    def events(self) -> tuple[Event, ...]:
        """What happened in the last reveal."""
        assert self._step is not None
        return self._step.events

    def public_events(self) -> list[PlainEvent]:
        """The public events of the last reveal."""
        return public_events(self.events())

    def private_events(self, seat: Seat) -> list[PlainEvent]:
        """The events of the last reveal that only this seat sees."""
        alone = [event for event in self.events() if event.audience == frozenset((seat,))]
        return [(event.kind, event.rules, dict(event.facts)) for event in alone]


def public_events(events: Iterable[Event]) -> list[PlainEvent]:
    """The public ones of these events, as tests compare them."""
    return [(event.kind, event.rules, dict(event.facts)) for event in events if event.audience is None]


def cards(text: str) -> tuple[Card, ...]:
    """Cards written one after the other."""
    return tuple(Card(each) for each in text.split())


def deal(rules: str, seats: int, draws: str) -> Table:
    """A new game, dealt from its beginning."""
    return Table(Davenport(), DavenportRules.read(rules), seats, draws)


def sit(
    rules: str,
    *hands: str,
    stock: str | None = None,
    discards: str = "",
    playoff: bool = False,
    wins: tuple[int, ...] | None = None,
) -> Table:
    """A game in which these hands are held: a seat without cards is not in it.

    The stock is what is left of the deck, unless it is named.
    """
    held = tuple(cards(hand) for hand in hands)
    gone = {card for hand in held for card in hand} | set(cards(discards))
    start = DavenportState(
        rules=DavenportRules.read(rules),
        phase=PLAYOFF if playoff else MAIN,
        round=1,
        seats_in=tuple(seat for seat, hand in enumerate(held, 1) if hand),
        hands=held,
        stock=tuple(card for card in DECK if card not in gone) if stock is None else cards(stock),
        discards=cards(discards),
        wins=wins or (0,) * len(hands),
        history=(),
        choices=((),) * len(hands),
        outcome=None,
    )
    return Table(Arranged(start), start.rules, len(hands))


def decision_json(table: Table, *picks: str | None, draws: str = "") -> dict[str, Any]:
    """One decision as `replay --json` prints it."""
    before = table.match.state
    if "resign" in picks:
        step = table.match.decide(picks)
        return dict(table.match.game.decision_json(before, picks, step))
    table.reveal(*picks, draws=draws)
    return dict(table.match.game.decision_json(before, picks, Step(table.match.state, table.events())))
