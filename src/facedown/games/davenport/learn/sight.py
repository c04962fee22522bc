"""The sight of every seat at many tables: from the simulator's state to the network's inputs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from facedown.core.parts.batch import Array
from facedown.games.davenport.batch.habits import HabitTables
from facedown.games.davenport.batch.state import DavenportTables
from facedown.games.davenport.batch.thinking import SeatFacts, advice, estimates, facts_of
from facedown.games.davenport.learn.inputs import SeatSight


def sight_of(
    game: Any, state: DavenportTables, habits: HabitTables, seats: Sequence[int], rows: Array | None = None
) -> SeatSight:
    """What these seats, from 0, know: all tables of the first one, then of the next.

    With `rows`, these rows alone: at a table of a training, few of the seats ask.
    """
    xp, rules, times = game.xp, game.switches, len(seats)
    f = xp.float32
    tables = len(state.round)

    def row(array: Any) -> Any:
        """The chosen rows; one value for all tables stays as it is."""
        return array if rows is None or isinstance(array, bool) else array[rows]

    def of_tables(array: Array) -> Array:
        """A row for each seat, from one for each table."""
        return xp.concatenate([array] * times, axis=0) if rows is None else array[rows % tables]

    facts = SeatFacts(*[row(each) for each in facts_of(game, state, seats)])
    habits = HabitTables(*[of_tables(each) for each in habits])
    found = estimates(xp, facts, habits)
    weighed = xp.where(facts.others[:, :, None], habits.weights, 0).sum(axis=1)
    weighed = weighed / xp.maximum(facts.others.sum(axis=1, keepdims=True), 1)
    playoff = facts.playoff[:, None]
    blind = xp.where(facts.others[:, :, None], found.shares[:, None, :], 1)
    won = xp.stack(state.wins, axis=1).astype(f) / rules.playoff_wins
    return SeatSight(
        held=facts.held,
        unseen=found.unseen,
        shown=xp.where(playoff[:, :, None], blind, found.shown),
        others=facts.others,
        cards=facts.cards,
        wins=xp.where(playoff, blind.prod(axis=1), found.wins),
        costs=xp.where(playoff, 0, found.costs),
        worth=found.worth,
        advice=advice(xp, facts, found.worth),
        own=facts.own,
        ace=facts.ace,
        exchange=facts.exchange,
        playoff=facts.playoff,
        by_wins=of_tables(xp.broadcast_to(xp.asarray(rules.by_wins), state.playoff.shape)),
        own_wins=row(xp.concatenate([won[:, seat] for seat in seats])),
        best_wins=xp.where(facts.others, of_tables(won), 0).max(axis=1),
        stock=of_tables(state.supplies.in_stock),
        discards=of_tables(state.supplies.in_discards),
        habits=xp.where(playoff, 0, weighed).astype(f),
    )
