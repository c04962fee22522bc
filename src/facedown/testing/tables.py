"""What the suites play: tables of a game with rules and seats of every kind, deals, and uniform picks.

Owns the choice of what is tried. Knows the core only: any game of the protocol will do.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from functools import lru_cache, wraps
from typing import NamedTuple

from hypothesis import given, settings
from hypothesis import strategies as st

from facedown.core.chance import LOCAL, Chance, Seeded, Stream, deal_key, seed_of
from facedown.core.errors import UnreadableRules
from facedown.core.game import RESIGN, AnyGame, Joint, Pick, Step
from facedown.core.match import Match
from facedown.core.replay import AnyMatch
from facedown.core.rules import Choice, Number, Option, Rules, Switch, Value
from facedown.core.seats import SPECTATOR, Seat, Viewer, all_seats
from facedown.testing.checks import HOW, Broken, Check

_SEEDS = 20
"""The number of seeds that are tried for the most telling game of each table."""

MOST_DECISIONS = 20_000
"""A game in which uniform picks have not come to an end by then is taken to have none."""


class TableSetup(NamedTuple):
    """A game with its rules and its number of seats: all but the deal."""

    game: AnyGame
    rules: Rules
    seats: int

    @property
    def viewers(self) -> tuple[Viewer, ...]:
        """Everybody who looks at this table: the spectator and all seats."""
        return (SPECTATOR, *all_seats(self.seats))

    def sit(self, chance: Chance) -> AnyMatch:
        """A match at this table, dealt by that chance."""
        return Match(self.game, self.rules, tuple(f"Seat {seat}" for seat in all_seats(self.seats)), chance)

    def __repr__(self) -> str:
        return f"TableSetup({self.game.name}, {self.rules}, {self.seats} seats)"


class Deal(NamedTuple):
    """A table and a seed: one whole game with uniform picks."""

    table: TableSetup
    seed: int

    @property
    def key(self) -> bytes:
        """The key that deals this game."""
        return deal_key(seed_of(str(self.seed)), LOCAL)

    def open(self) -> AnyMatch:
        """The match before its first decision."""
        return self.table.sit(Seeded(self.key))

    def stream(self, label: str) -> Stream:
        """Random words of this deal for whatever else has to be chosen."""
        return Stream(self.key, f"testing/{label}")

    def play(self) -> Iterator[tuple[AnyMatch, Joint, Step[object]]]:
        """Every decision of the game with uniform picks, after it was made; always the same match."""
        match = self.open()
        stream = self.stream("picks")
        while match.outcome is None:
            if match.decision > MOST_DECISIONS:
                raise Broken(f"uniform picks reach no outcome in {MOST_DECISIONS} decisions")
            joint = uniform(match, stream)
            yield match, joint, match.decide(joint)

    def finish(self) -> AnyMatch:
        """The match, played to its end with uniform picks."""
        return deque(self.play(), maxlen=1)[0][0]


def uniform(match: AnyMatch, stream: Stream) -> Joint:
    """Any legal pick for every seat that has to decide, all equally likely."""
    deciding = {seat for wave in match.pending for seat in wave}
    return tuple(
        one_of(match.legal(seat), stream) if seat in deciding else None
        for seat in all_seats(len(match.names))
    )


def one_of(picks: tuple[Pick, ...], stream: Stream) -> Pick:
    """One of the picks, all equally likely."""
    return picks[stream.below(len(picks))]


def resignation(match: AnyMatch, seat: Seat) -> Joint:
    """The decision in which that seat gives up."""
    return tuple(RESIGN if each == seat else None for each in all_seats(len(match.names)))


# --- every kind of table ---------------------------------------------------------------------------------


def seat_counts(game: AnyGame) -> range:
    """The numbers of seats that the game is played with."""
    return range(game.meta.least_seats, game.meta.most_seats + 1)


def rule_sets(game: AnyGame) -> tuple[Rules, ...]:
    """Every preset, and every value of every option, with another option changed where it takes that.

    Of a number the lowest, the highest and one between are taken.
    """
    kind: type[Rules] = game.rules
    found = {preset.name: kind.of(preset.name) for preset in kind.presets}
    for option in kind.options:
        for value in _all_values(option):
            rules = next(_ways_to_have(kind, option, value), None)
            if rules is not None:
                found.setdefault(str(rules), rules)
    return tuple(found.values())


def _ways_to_have(kind: type[Rules], option: Option, value: Value) -> Iterator[Rules]:
    """Rule sets in which the option has that value: a preset with nothing else changed first."""
    alone: list[dict[str, Value]] = [{}]
    with_another = [{other.name: each} for other in kind.options for each in _all_values(other)]
    for change in alone + with_another:
        for preset in kind.presets:
            rules = _possible(kind, preset.name, {**change, option.name: value})
            if rules is not None:
                yield rules


def all_tables(game: AnyGame) -> tuple[TableSetup, ...]:
    """Every preset with every number of seats; every other rule set with one of them, in turn."""
    counts = seat_counts(game)
    presets = len(game.rules.presets)
    sets = rule_sets(game)
    whole = tuple(TableSetup(game, rules, count) for rules in sets[:presets] for count in counts)
    others = tuple(
        TableSetup(game, rules, counts[number % len(counts)]) for number, rules in enumerate(sets[presets:])
    )
    return whole + others


def _all_values(option: Option) -> tuple[Value, ...]:
    if isinstance(option, Choice):
        return option.values
    if isinstance(option, Switch):
        return (True, False)
    if isinstance(option, Number):
        return tuple(sorted({option.low, (option.low + option.high) // 2, option.high}))
    return ()


def _possible(kind: type[Rules], preset: str, values: dict[str, Value]) -> Rules | None:
    try:
        return kind.of(preset, **values)
    except UnreadableRules:
        return None


@lru_cache(maxsize=1024)
def telling_seed(table: TableSetup, seeds: int) -> int:
    """The first of these seeds whose game shows most kinds of events, for most of the rules behind them."""
    return max(range(1, seeds + 1), key=lambda seed: _kinds(Deal(table, seed)))


def _kinds(deal: Deal) -> int:
    try:
        events = [event for _, _, step in deal.play() for event in step.events]
    except Exception:  # a game that breaks on the way: the checks will say how
        return 0
    return len({event.kind for event in events}) + len({(event.kind, event.rules) for event in events})


# --- driven by Hypothesis --------------------------------------------------------------------------------


@st.composite
def tables(draw: st.DrawFn, game: AnyGame) -> TableSetup:
    """Tables of a game: any preset, any options that go together, any number of seats."""
    kind: type[Rules] = game.rules
    preset = draw(st.sampled_from([preset.name for preset in kind.presets]))
    wishes = {option.name: _values(option) for option in kind.options if _all_values(option)}
    rules = _with_wishes(kind, preset, draw(st.fixed_dictionaries({}, optional=wishes)))
    return TableSetup(game, rules, draw(st.sampled_from(seat_counts(game))))


@st.composite
def deals(draw: st.DrawFn, game: AnyGame) -> Deal:
    """Deals at any table of a game."""
    return Deal(draw(tables(game)), draw(st.integers(0, 2**32 - 1)))


def _values(option: Option) -> st.SearchStrategy[Value]:
    if isinstance(option, Number):
        return st.integers(option.low, option.high)
    return st.sampled_from(_all_values(option))


def _with_wishes(kind: type[Rules], preset: str, wishes: dict[str, Value]) -> Rules:
    """The preset with those of the wishes that go together with the ones before them."""
    rules = kind.of(preset)
    granted: dict[str, Value] = {}
    for name, value in wishes.items():
        possible = _possible(kind, preset, {**granted, name: value})
        if possible is not None:
            rules = possible
            granted[name] = value
    return rules


def driven(check: Callable[[Deal], None]) -> Check:
    """A check of one deal made a check of a game: at every kind of table, then driven by Hypothesis."""

    @wraps(check)
    def of_game(game: AnyGame, how: settings = HOW) -> None:
        @how
        @given(deals(game))
        def explore(deal: Deal) -> None:
            check(deal)

        for table in all_tables(game):
            deal = Deal(table, telling_seed(table, _SEEDS))
            try:
                check(deal)
            except Exception as error:
                error.add_note(f"found with {deal}")
                raise
        explore()

    return of_game
