"""The sight of every seat at many tables: from the simulator's state to what the network is told."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from facedown.games.davenport.batch.habits import HabitTables
from facedown.games.davenport.batch.state import DavenportTables
from facedown.games.davenport.batch.thinking import advice, estimates, facts_of
from facedown.games.davenport.learn.inputs import SeatSight


def sight_of(game: Any, state: DavenportTables, habits: HabitTables, seats: Sequence[int]) -> SeatSight:
    """What these seats, from 0, know: all tables of the first one, then of the next."""
    xp, rules, times = game.xp, game.switches, len(seats)
    f = xp.float32
    facts = facts_of(game, state, seats)
    rows = HabitTables(*[xp.concatenate([each] * times, axis=0) for each in habits])
    found = estimates(xp, facts, rows)
    weighed = xp.where(facts.others[:, :, None], rows.weights, 0).sum(axis=1)
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
        by_wins=xp.concatenate([xp.broadcast_to(xp.asarray(rules.by_wins), state.playoff.shape)] * times),
        own_wins=xp.concatenate([won[:, seat] for seat in seats]),
        best_wins=xp.where(facts.others, xp.concatenate([won] * times, axis=0), 0).max(axis=1),
        stock=xp.concatenate([state.supplies.in_stock] * times),
        discards=xp.concatenate([state.supplies.in_discards] * times),
        habits=xp.where(playoff, 0, weighed).astype(f),
    )
