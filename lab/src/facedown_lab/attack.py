"""A search for the best answer to a machine: a tree of what the attacker saw, grown game by game.

Owns the search and the games that it plays. Knows no game by name, and of the machine only its picks.

The method is Monte Carlo tree search over the attacker's views, the machine being part of the world: each
pick of a view is tried as often as its results so far deserve (UCB1), and each game adds one view to the
tree. Beyond it plays an adviser, the machine that did best so far. Where a game has few views, the search
comes to the best answer; where nearly every game brings other ones, it comes to the adviser.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from itertools import pairwise
from math import inf, log, sqrt
from typing import Any, Final, NamedTuple, Protocol, TypeAlias

from facedown.core.chance import Seeded, Stream, deal_key
from facedown.core.errors import Unsupported
from facedown.core.game import AnyGame, Pick
from facedown.core.outcome import Outcome
from facedown.core.parts.bot import AnyBot, Bot, bot_stream
from facedown.core.rules import Rules
from facedown.core.seats import Seat, all_seats
from facedown.core.views import ViewProtocol
from facedown.sim.lineup import BotFactory, BotFault

_LONGEST: Final = 10_000
"""Decisions after which a game is given up."""
_CURIOUS: Final = 0.5
"""How much a pick that was tried little is worth trying: UCB1's constant, for results from 0 to 1."""
_TRIED: Final = 0.1
"""An option that was tried less often than this, beside the one that was tried most, is not chosen."""
_ENOUGH: Final = 10
"""How often a view must have been met before its results count for more than the adviser."""


class AttackedTable(NamedTuple):
    """The games that are played: one seat attacks, the machine has all others."""

    game: AnyGame
    rules: Rules
    seats: int
    machine: BotFactory
    seed: bytes


class TriedOptions:
    """What was tried in one view: how often each option, what came of it, and which views came next."""

    __slots__ = ("ended", "next_views", "times", "total", "won")

    def __init__(self, count: int) -> None:
        self.times = [0] * count
        self.won = [0.0] * count
        self.ended = [0.0] * count
        """What was won in the games that met no known view afterwards."""
        self.next_views: list[set[TriedOptions]] = [set() for _ in range(count)]
        self.total = 0

    def next(self) -> int:
        """The option to try next: a promising one, or one that was tried little."""
        known = log(self.total + 1.0)
        worth = [
            won / times + _CURIOUS * sqrt(known / times) if times else inf
            for times, won in zip(self.times, self.won, strict=True)
        ]
        return worth.index(max(worth))

    def add(self, option: int, score: float) -> None:
        self.times[option] += 1
        self.won[option] += score
        self.total += 1

    @property
    def best(self) -> int:
        """The option that was tried most: it did best for longest. Of equals, the one that won most."""
        options = range(len(self.times))
        return max(options, key=lambda option: (self.times[option], self.won[option]))

    def plan(self, worth: Mapping[TriedOptions, float]) -> tuple[int, float]:
        """The best option, and what it wins if the best option follows in every later view, too.

        What was won while trying things out there does not count, and options that were hardly tried do not.
        """
        least = max(self.times) * _TRIED
        values = [
            (ended + sum([each.total * worth[each] for each in later])) / times if times >= least else -1.0
            for times, ended, later in zip(self.times, self.ended, self.next_views, strict=True)
        ]
        best = values.index(max(values))
        return best, values[best]


class AttackingSeat(Protocol):
    """Picks at the attacker's seat; is made again for each game."""

    def pick(self, view: ViewProtocol, legal: tuple[Pick, ...], stream: Stream) -> Pick: ...


def play(table: AttackedTable, number: int, attacker: AttackingSeat) -> float:
    """One game, the attacker on each seat in turn; what it won: 1, 0, or a half for a draw."""
    game, seats = table.game, table.seats
    key = deal_key(table.seed, str(number))
    own: Seat = number % seats + 1
    bots: dict[Seat, AnyBot | AttackingSeat] = {seat: table.machine(None) for seat in all_seats(seats)}
    bots[own] = attacker
    streams = {seat: bot_stream(key, seat) for seat in all_seats(seats)}
    chance = Seeded(key)
    state = game.setup(table.rules, seats, chance).state
    for _ in range(_LONGEST):
        outcome = game.outcome(state)
        if outcome is not None:
            return _score(outcome, own)
        joint: list[Pick | None] = [None] * seats
        for seat in (seat for wave in game.pending(state) for seat in wave):
            view, legal = game.view(state, seat), game.legal(state, seat)
            joint[seat - 1] = _legal_pick(bots[seat].pick(view, legal, streams[seat]), legal)
        state = game.resolve(state, tuple(joint), chance).state
    raise Unsupported(f"a game did not end within {_LONGEST:,} decisions")


def _legal_pick(pick: object, legal: tuple[Pick, ...]) -> Pick:
    if isinstance(pick, str) and pick in legal:
        return pick
    raise BotFault(f"the machine picked {pick!r:.40}, which is not legal")


def _score(outcome: Outcome, seat: Seat) -> float:
    return 0.5 if outcome.winner is None else float(outcome.winner == seat)


# --- the search ------------------------------------------------------------------------------------------


Alike: TypeAlias = "Callable[[Any, tuple[Pick, ...]], tuple[Hashable, tuple[Pick, ...]]]"
"""What a view counts as, and the picks there that differ: views with one key are the same to the search."""


def as_it_is(view: ViewProtocol, legal: tuple[Pick, ...]) -> tuple[Hashable, tuple[Pick, ...]]:
    """Every view for itself, with every pick."""
    key: Any = view
    return key, legal


class BestAnswerSearch:
    """The tree of one attack: `learn` plays a game, `answer` is the best answer so far."""

    def __init__(self, table: AttackedTable, adviser: BotFactory, alike: Alike = as_it_is) -> None:
        self._table = table
        self.adviser = adviser
        self.alike = alike
        self.known: dict[Hashable, TriedOptions] = {}

    def learn(self, number: int) -> float:
        """One game; what it won while trying things out."""
        learner = _Learner(self)
        won = play(self._table, number, learner)
        for options, option in learner.tried:
            options.add(option, won)
        for (options, option), (later, _) in pairwise(learner.tried):
            options.next_views[option].add(later)
        for options, option in learner.tried[-1:]:
            options.ended[option] += won
        return won

    def answer(self) -> Bot:
        """A machine that plays the best answer so far, planned from the last views back to the first."""
        worth: dict[TriedOptions, float] = {}
        best: dict[Hashable, int] = {}
        for key, options in reversed(self.known.items()):
            choice, worth[options] = options.plan(worth)
            if options.total >= _ENOUGH:
                best[key] = choice
        return _FoundAnswer(self, best)


class _FoundAnswer(Bot):
    """Plays what did best; where too little is known, what the adviser would."""

    def __init__(self, search: BestAnswerSearch, best: Mapping[Hashable, int]) -> None:
        self._alike = search.alike
        self._adviser = search.adviser(None)
        self._best = best

    def pick(self, view: ViewProtocol, legal: tuple[Pick, ...], stream: Stream) -> Pick:
        key, picks = self._alike(view, legal)
        best = self._best.get(key)
        return self._adviser.pick(view, legal, stream) if best is None else picks[best]


class _Learner(Bot):
    """Tries things out, and remembers what it tried."""

    def __init__(self, search: BestAnswerSearch) -> None:
        self._search = search
        self._adviser = search.adviser(None)
        self._grown = False
        self.tried: list[tuple[TriedOptions, int]] = []

    def pick(self, view: ViewProtocol, legal: tuple[Pick, ...], stream: Stream) -> Pick:
        key, picks = self._search.alike(view, legal)
        if len(picks) == 1:
            return picks[0]
        known = self._search.known
        found = known.get(key)
        if found is None:
            if self._grown:
                return self._adviser.pick(view, legal, stream)
            self._grown = True
            found = known[key] = TriedOptions(len(picks))
        option = found.next()
        self.tried.append((found, option))
        return picks[option]


# --- the machines that there are -------------------------------------------------------------------------


class BestMachine:
    """The machines that there are, tried as often as their results deserve."""

    def __init__(self, table: AttackedTable, machines: Sequence[BotFactory]) -> None:
        self._table = table
        self._machines = machines
        self._options = TriedOptions(len(machines))

    def learn(self, number: int) -> float:
        """One game of the machine that is to be tried next."""
        option = self._options.next()
        won = play(self._table, number, self._machines[option](None))
        self._options.add(option, won)
        return won

    @property
    def best(self) -> int:
        return self._options.best
