"""A table of E-Card for tests that read like the rules: sit down, turn cards, compare the events."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeAlias

from facedown.core.chance import Scripted
from facedown.core.events import Event
from facedown.core.game import Joint, Step
from facedown.core.match import Match
from facedown.core.outcome import Outcome
from facedown.core.seats import Seat
from facedown.games.ecard.game import GAME
from facedown.games.ecard.rules import ECardRules
from facedown.games.ecard.state import ECardState
from facedown.games.ecard.view import ECardView

PlainEvent: TypeAlias = "tuple[str, tuple[str, ...], dict[str, Any]]"
"""An event as a test compares it: kind, ids of the rules, facts."""


class Table:
    """A match of E-Card between Ann (seat 1) and Bo (seat 2)."""

    def __init__(self, rules: str, chance: tuple[str, ...]) -> None:
        self.match: Match[ECardRules, ECardState, ECardView] = Match(
            GAME, ECardRules.read(rules), ("Ann", "Bo"), Scripted(chance)
        )

    @property
    def seen(self) -> ECardView:
        """The public view."""
        return self.match.view(0)

    @property
    def outcome(self) -> Outcome | None:
        return self.match.outcome

    def goes_on(self) -> bool:
        """Whether the game is not over."""
        return self.match.outcome is None

    def decide(self, *joint: str | None) -> Step[ECardState]:
        """One decision as a record holds it."""
        return self.match.decide(joint)

    def turn(self, emperor: str, slave: str) -> list[PlainEvent]:
        """One play, by side: both seal in placing order, and what is revealed comes back."""
        cards = {self.seen.emperor: emperor, 3 - self.seen.emperor: slave}
        turned = None
        for seat in (seat for wave in self.match.pending for seat in wave):
            turned = self.match.seal(seat, cards[seat])
        assert turned is not None, "both have sealed"
        return public_events(turned.events)

    def name(self, stake: int) -> list[PlainEvent]:
        """The Slave side names the stake."""
        named = self.match.seal(3 - self.seen.emperor, str(stake))
        assert named is not None, "the Slave side decides alone"
        return public_events(named.events)

    def draw(self, plays: int = 1) -> list[PlainEvent]:
        """Citizen on Citizen, in this number of plays."""
        return [each for _ in range(plays) for each in self.turn("C", "C")]

    def round(self, winner: Seat | None, stake: int = 1) -> list[PlainEvent]:
        """The shortest round with this winner or with none; returns the events of its last play."""
        if self.seen.stake is None:
            self.name(stake)
        if winner is None:
            self.draw(self.seen.last_play - 1)
            return self.draw()
        return self.turn("E", "C") if winner == self.seen.emperor else self.turn("E", "S")

    def rounds(self, winners: Iterable[Seat | None], stake: int = 1) -> None:
        """Whole rounds with these winners."""
        for winner in winners:
            self.round(winner, stake)


def sit(rules: str = "classic", *chance: str) -> Table:
    """A new table; chance is what would be drawn from the seed."""
    return Table(rules, chance)


def public_events(events: Iterable[Event]) -> list[PlainEvent]:
    """Events, all of them public, as tests compare them."""
    seen = list(events)
    assert all(event.audience is None for event in seen)
    return [(event.kind, event.rules, dict(event.facts)) for event in seen]


def decision_json(table: Table, joint: Joint) -> dict[str, Any]:
    """One decision as `replay --json` prints it."""
    before = table.match.state
    return dict(GAME.decision_json(before, joint, table.match.decide(joint)))
