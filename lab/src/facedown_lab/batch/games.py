"""Whole games at many tables: from the deal to the end of the last one. Knows no game by name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple

from facedown.core.errors import Unsupported
from facedown_lab.batch.form import Array, BatchGame, BatchPolicy, Draws, at_tables

_MOST_STEPS: Final = 100_000
_DONE: Final = 4
"""Once one table in this many is over, those are put aside: no time goes into them any more."""


class FinishedGames(NamedTuple):
    """What came of one game at each table."""

    winner: Array
    """The winner's seat, from 1; 0 where it was drawn."""
    ending: Array
    """A number, from 1, in the order of the game's terminations."""
    scores: Array
    """Tables by seats."""
    lengths: Array
    """How many decisions the table made."""
    picks: int
    """How many picks seats made, all games together."""


def play_whole(
    game: BatchGame,
    machines: Sequence[BatchPolicy],
    tables: int,
    draws_of: Callable[[int, Array], Draws],
) -> FinishedGames:
    """One game at each table, a machine on each seat (NumPy only).

    `draws_of` gives the draws of a step, from 0 (the deal), at these tables.
    """
    xp = game.xp
    rows = xp.arange(tables)
    state = game.init(tables, draws_of(0, rows))
    memories: tuple[Any, ...] = tuple([machine.start(game, tables) for machine in machines])
    winner, ending, lengths = (xp.zeros(tables, dtype=xp.int32) for _ in range(3))
    scores = xp.zeros((tables, game.seats), dtype=xp.int64)
    picks = 0
    for step in range(1, _MOST_STEPS):
        over = game.over(state)
        done = int(over.sum())
        if done * _DONE >= len(rows):
            ended = rows[over]
            winner[ended], ending[ended] = game.winner(state)[over], game.endings(state)[over]
            scores[ended] = game.scores(state)[over]
            rows, state, memories = rows[~over], at_tables(state, ~over), at_tables(memories, ~over)
            over = over[~over]
        if not len(rows):
            return FinishedGames(winner, ending, scores, lengths, picks)
        lengths[rows] += ~over
        picks += sum(int(game.deciding(state, seat).sum()) for seat in range(game.seats))
        draws = draws_of(step, rows)
        chosen = [
            machine.pick(game, state, memory, seat, draws)
            for seat, (machine, memory) in enumerate(zip(machines, memories, strict=True))
        ]
        after = game.step(state, tuple(chosen), draws)
        memories = tuple(
            [
                machine.after(game, memory, state, after)
                for machine, memory in zip(machines, memories, strict=True)
            ]
        )
        state = after
    raise Unsupported(f"a game did not end within {_MOST_STEPS:,} decisions")
