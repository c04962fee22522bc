"""The game tree of a small game: every deal, every pick, every end. Built through `core.game`, for two seats.

Seats that pick at once stand one above the other here; what keeps the lower one ignorant is that its
situations differ by its view alone.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import prod
from typing import Any, Final, NamedTuple, TypeAlias

from facedown.core.chance import Chance, Exact
from facedown.core.errors import Unsupported
from facedown.core.game import AnyGame, Joint, Pick, Step
from facedown.core.match import check_seats
from facedown.core.rules import Rules
from facedown.core.seats import Seat

MOST_NODES: Final = 2_000_000
LONGEST: Final = 100
"""Decisions that a game may take; some games have no longest course."""


class Situation:
    """All positions that look the same to the seat that has to pick: one view, one set of picks."""

    __slots__ = ("after", "legal", "number", "seat", "view")

    number: int
    """Its place among the situations of its tree, from 0."""
    seat: Seat
    """Who picks."""
    view: object
    """What the seat sees."""
    legal: tuple[Pick, ...]
    """What it may pick."""
    after: LastPick
    """The seat's own latest pick before this one: where, and which of its picks; None for the first."""

    def __init__(
        self, number: int, seat: Seat, view: object, legal: tuple[Pick, ...], after: LastPick
    ) -> None:
        self.number = number
        self.seat = seat
        self.view = view
        self.legal = legal
        self.after = after

    def __repr__(self) -> str:
        return f"Situation({self.number}, seat {self.seat}, {'/'.join(self.legal)})"


LastPick: TypeAlias = "tuple[Situation, int] | None"
"""A seat's own latest pick: where it was made, and which one; None before the first."""


class End(NamedTuple):
    """The game is over; what seat 1 gained."""

    payoff: float
    """What seat 1 gained."""


class Draw(NamedTuple):
    """Chance: what may come, with its probability."""

    branches: tuple[tuple[Fraction, Node], ...]
    """What may come: its probability, and where it leads."""


class Decide(NamedTuple):
    """A seat picks: one child for each legal pick of the situation."""

    situation: Situation
    """What the seat knows when it picks."""
    children: tuple[Node, ...]
    """Where each legal pick leads, in the order of the picks."""


Node: TypeAlias = "End | Draw | Decide"


class Tree(NamedTuple):
    """A game laid out: its root, and every situation of both seats, earlier ones first."""

    root: Node
    """Where the game begins."""
    situations: tuple[Situation, ...]
    """Every situation of both seats, earlier ones first."""
    nodes: int
    """How many positions there are."""


def lay_out(game: AnyGame, rules: Rules, most_nodes: int = MOST_NODES) -> Tree:
    """The whole tree of a small zero-sum game of two seats; raises `Unsupported` for any other."""
    if not game.meta.zero_sum:
        raise Unsupported(f"{game.meta.title} is not zero-sum: what one seat gains the other need not lose")
    if not game.meta.least_seats <= 2 <= game.meta.most_seats:
        raise Unsupported(
            f"{game.meta.title} cannot be played with two seats, and only such games are laid out"
        )
    check_seats(game, 2)
    _check_deal(game, rules, most_nodes)
    builder = _Builder(game, most_nodes)
    root = builder.chance(lambda chance: game.setup(rules, 2, chance), (None, None))
    return Tree(root, tuple(builder.situations.values()), builder.nodes)


def _check_deal(game: AnyGame, rules: Rules, most_nodes: int) -> None:
    """Refuses a deal of too many ways at once, from one of them: others are about as likely."""
    deal = Exact()
    game.setup(rules, 2, deal)
    ways = prod(deal.widths)
    if ways > most_nodes:
        raise Unsupported(f"{game.meta.title} can be dealt in {ways:,} ways: too many to lay out")


class _Builder:
    """Walks the game depth first, and gathers equal views into situations."""

    def __init__(self, game: AnyGame, most_nodes: int) -> None:
        self.game = game
        self.most_nodes = most_nodes
        self.nodes = 0
        self.decisions = 0
        self.situations: dict[tuple[Seat, object], Situation] = {}

    def chance(self, act: Callable[[Chance], Step[Any]], last: tuple[LastPick, LastPick]) -> Node:
        branches = tuple(
            (probability, self.position(step.state, last)) for probability, step in Exact.outcomes(act)
        )
        return branches[0][1] if len(branches) == 1 else Draw(branches)

    def position(self, state: Any, last: tuple[LastPick, LastPick]) -> Node:
        self.nodes += 1
        if self.nodes > self.most_nodes:
            title = self.game.meta.title
            raise Unsupported(f"{title} has more than {self.most_nodes:,} positions: too many to lay out")
        outcome = self.game.outcome(state)
        if outcome is not None:
            return End(outcome.payoffs[0])
        if self.decisions == LONGEST:
            raise Unsupported(
                f"a game of {self.game.meta.title} can go on forever, or nearly: it has no whole"
            )
        seats = tuple(seat for wave in self.game.pending(state) for seat in wave)
        self.decisions += 1
        node = self.decide(state, seats, (None, None), last)
        self.decisions -= 1
        return node

    def decide(
        self, state: Any, seats: tuple[Seat, ...], joint: Joint, last: tuple[LastPick, LastPick]
    ) -> Node:
        """The picks of the seats that are left to pick, then the reveal."""
        if not seats:
            return self.chance(lambda chance: self.game.resolve(state, joint, chance), last)
        seat, *others = seats
        situation = self.situation(state, seat, last[seat - 1])
        children = []
        for place, pick in enumerate(situation.legal):
            picked = (pick, joint[1]) if seat == 1 else (joint[0], pick)
            made: LastPick = (situation, place)
            after = (made, last[1]) if seat == 1 else (last[0], made)
            children.append(self.decide(state, tuple(others), picked, after))
        return Decide(situation, tuple(children))

    def situation(self, state: Any, seat: Seat, last: LastPick) -> Situation:
        """The situation that this seat is in; its own past must follow from its view (perfect recall)."""
        view = self.game.view(state, seat)
        known = self.situations.get((seat, view))
        if known is None:
            legal = self.game.legal(state, seat)
            known = Situation(len(self.situations), seat, view, legal, last)
            self.situations[seat, view] = known
        elif known.after != last:
            title = self.game.meta.title
            raise Unsupported(f"the views of {title} forget what a seat did: nothing can be solved on them")
        return known
