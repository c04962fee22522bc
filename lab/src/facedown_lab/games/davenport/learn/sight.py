"""The sight of a seat: what it can count and what it has seen, turned into the inputs of the network.

Training reads many tables of the simulator at once (`sight_of`), `expert` one view; both call `sight`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from facedown.games.davenport.bots.network import SeatSight
from facedown_lab.batch.form import Array, Namespace
from facedown_lab.games.davenport.batch.state import DavenportTables
from facedown_lab.games.davenport.batch.thinking import (
    HabitTables,
    SeatCounts,
    advice,
    counts_of,
    estimates,
)


class TableCounts(NamedTuple):
    """What everyone at a table can count, a row for each table and seat; wins as a share of those needed."""

    by_wins: Any
    own_wins: Array
    wins: Array
    """Of every seat: rows by seats."""
    stock: Array
    discards: Array
    own_shown: Array
    """What the seat itself has shown, as `HabitTables.shown`."""


def sight(xp: Namespace, facts: SeatCounts, habits: HabitTables, counts: TableCounts) -> SeatSight:
    """What seats know; `habits` and `counts` have a row for each of the facts."""
    found = estimates(xp, facts, habits)
    playoff = facts.playoff[:, None]

    def of_others(array: Array) -> Array:
        """The mean over the other seats; nothing in a playoff."""
        whole = xp.where(facts.others[:, :, None], array, 0).sum(axis=1)
        mean = whole / xp.maximum(facts.others.sum(axis=1, keepdims=True), 1)
        return xp.where(playoff, 0, mean).astype(xp.float32)

    blind = xp.where(facts.others[:, :, None], found.shares[:, None, :], 1)
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
        by_wins=counts.by_wins,
        own_wins=counts.own_wins,
        best_wins=xp.where(facts.others, counts.wins, 0).max(axis=1),
        stock=counts.stock,
        discards=counts.discards,
        habits=of_others(habits.weights),
        own_shown=xp.where(playoff, 0, counts.own_shown),
        others_shown=of_others(habits.shown),
    )


def sight_of(
    game: Any, state: DavenportTables, habits: HabitTables, seats: Sequence[int], rows: Array | None = None
) -> SeatSight:
    """What these seats, from 0, know: all tables of the first one, then of the next.

    With `rows`, these rows alone: at a table of a training, few of the seats ask.
    """
    xp, rules, times = game.xp, game.switches, len(seats)
    tables = len(state.round)

    def row(array: Any) -> Any:
        """The chosen rows; one value for all tables stays as it is."""
        return array if rows is None or isinstance(array, bool) else array[rows]

    def of_tables(array: Array) -> Array:
        """A row for each seat, from one for each table."""
        return xp.concatenate([array] * times, axis=0) if rows is None else array[rows % tables]

    won = xp.stack(state.wins, axis=1).astype(xp.float32) / rules.playoff_wins
    return sight(
        xp,
        SeatCounts(*[row(each) for each in counts_of(game, state, seats)]),
        HabitTables(*[of_tables(each) for each in habits]),
        TableCounts(
            by_wins=of_tables(xp.broadcast_to(xp.asarray(rules.by_wins), state.playoff.shape)),
            own_wins=row(xp.concatenate([won[:, seat] for seat in seats])),
            wins=of_tables(won),
            stock=of_tables(state.supplies.in_stock),
            discards=of_tables(state.supplies.in_discards),
            own_shown=row(xp.concatenate([habits.shown[:, seat] for seat in seats])),
        ),
    )
