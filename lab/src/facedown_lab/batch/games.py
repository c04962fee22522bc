"""Whole games at many tables: from the deal to the end of the last one. Knows no game by name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple

from facedown.core.errors import Unsupported
from facedown_lab.batch.draws import CounterDraws, as_word
from facedown_lab.batch.form import Array, BatchGame, BatchPolicy, Draws, at_tables
from facedown_lab.batch.policies import ChancePolicy

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
    raise _endless()


def _endless() -> Unsupported:
    return Unsupported(f"a game did not end within {_MOST_STEPS:,} decisions")


# --- compiled --------------------------------------------------------------------------------------------


class _Course(NamedTuple):
    """Games in progress, as a compiled step hands them on."""

    state: Any
    memories: tuple[Any, ...]
    lengths: Array
    picks: Array
    """How many picks the seats of each table made."""


def play_compiled(
    game: Any, machines: Sequence[BatchPolicy], games: int, seed: int, first: int, tables: int
) -> FinishedGames:
    """One game for each number from `first` on (JAX only), drawn as `CounterDraws` draws for such tables.

    A step is compiled once for the machines and the number of tables; those beyond `games` do not count. A
    policy of chances picks outside of it: it may be any function of Python, and its chances are checked.
    """
    import numpy as np

    outside = {seat: machine for seat, machine in enumerate(machines) if isinstance(machine, ChancePolicy)}
    inside = tuple([None if seat in outside else machine for seat, machine in enumerate(machines)])
    start, turn, draws_of = _compile(game, inside, tables)
    key, offset = as_word(np, seed), as_word(np, first)
    course = start(key, offset)
    for step in range(1, _MOST_STEPS):
        state = course.state
        if bool(game.over(state).all()):
            results = (
                game.winner(state),
                game.endings(state),
                game.scores(state),
                course.lengths,
                course.picks,
            )
            winner, ending, scores, lengths, picks = (np.asarray(result)[:games] for result in results)
            return FinishedGames(winner, ending, scores, lengths, int(picks.sum(dtype=np.int64)))
        number = as_word(np, step)
        given = {
            seat: machine.pick(game, state, (), seat, draws_of(key, number, offset))
            for seat, machine in outside.items()
        }
        course = turn(course, given, key, number, offset)
    raise _endless()


@lru_cache(maxsize=16)
def _compile(game: Any, machines: tuple[BatchPolicy | None, ...], tables: int) -> Any:
    """The deal, a step and its draws; None is a seat whose picks are given."""
    import jax

    xp = game.xp

    def draws_of(seed: Array, step: Array, first: Array) -> Draws:
        return CounterDraws(xp, seed, step, xp.arange(tables, dtype=xp.uint32) + first)

    def start(seed: Array, first: Array) -> _Course:
        memories = tuple([machine.start(game, tables) if machine else () for machine in machines])
        nothing = xp.zeros(tables, dtype=xp.int32)
        return _Course(game.init(tables, draws_of(seed, xp.uint32(0), first)), memories, nothing, nothing)

    def turn(course: _Course, given: dict[int, Array], seed: Array, step: Array, first: Array) -> _Course:
        state, memories, lengths, picks = course
        draws = draws_of(seed, step, first)
        chosen = tuple(
            [
                machine.pick(game, state, memories[seat], seat, draws) if machine else given[seat]
                for seat, machine in enumerate(machines)
            ]
        )
        after = game.step(state, chosen, draws)
        return _Course(
            after,
            tuple(
                [
                    machine.after(game, memory, state, after) if machine else ()
                    for machine, memory in zip(machines, memories, strict=True)
                ]
            ),
            lengths + ~game.over(state),
            picks + sum(game.deciding(state, seat).astype(xp.int32) for seat in range(game.seats)),
        )

    return jax.jit(start), jax.jit(turn), draws_of
