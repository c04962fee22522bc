"""Arenas and simulations as arrays, and arenas on the workers of other machines: the games of matches."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import Any, Final, TypeVar

from facedown.core.seats import Seat, all_seats
from facedown.sim.arena import (
    CHUNK,
    Arena,
    Played,
    chunks_left,
    game_number,
    hero_seat,
    play_chunk,
    seated_names,
)
from facedown.sim.simulate import GameChunk, SimulationPlan
from facedown.sim.statistics import Bout
from facedown.sim.workers import spread
from facedown_lab.engine import play_numbers, statistics_of

T = TypeVar("T")
U = TypeVar("U")

# --- the arena -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ArrayArena(Arena):
    """An arena that is played as arrays."""

    rounding: tuple[str, ...] = ()
    """The bots whose arithmetic rounds differently in arrays: matches do not resume such a file."""

    def as_json(self) -> dict[str, Any]:
        rounding = {"rounding": list(self.rounding)} if self.rounding else {}
        return rounding | Arena.as_json(self)


def play_as_arrays(arena: Arena, jobs: int, done: frozenset[int] = frozenset()) -> Iterator[Played]:
    """The arena's chunks as arrays, those already done left out."""
    pieces = _pieces(arena, chunks_left(arena, done), jobs)
    return chain.from_iterable(spread(partial(play_arrays, arena), pieces, jobs))


def play_on(
    executor: Executor, as_arrays: bool, arena: Arena, jobs: int, done: frozenset[int] = frozenset()
) -> Iterator[Played]:
    """The same by the workers of an executor, which is left open; everything that they need is pickled."""
    numbers = chunks_left(arena, done)
    if as_arrays:
        pieces = _pieces(arena, numbers, jobs)
        return chain.from_iterable(_in_order(executor, partial(play_arrays, arena), pieces, jobs))
    return _in_order(executor, partial(play_chunk, arena), numbers, jobs)


_AHEAD: Final = 3
"""Pieces under way for each job."""


def _in_order(executor: Executor, work: Callable[[T], U], pieces: Iterable[T], jobs: int) -> Iterator[U]:
    waiting: deque[Future[U]] = deque()
    for piece in pieces:
        waiting.append(executor.submit(work, piece))
        if len(waiting) >= _AHEAD * jobs:
            yield waiting.popleft().result()
    while waiting:
        yield waiting.popleft().result()


_LEAST_AT_ONCE: Final = 10
_MOST_AT_ONCE: Final = 80
"""Chunks of a pairing that are played together as arrays."""


def _pieces(arena: Arena, numbers: list[int], jobs: int) -> list[tuple[int, ...]]:
    """The chunks, those of one pairing together; enough pieces for all processes."""
    size = min(_MOST_AT_ONCE, max(_LEAST_AT_ONCE, -(-len(numbers) // jobs)))
    of_pairing: dict[int, list[int]] = {}
    pairings = len(arena.pairings)
    for number in numbers:
        of_pairing.setdefault(number % pairings, []).append(number)
    return [
        tuple(own[first : first + size]) for own in of_pairing.values() for first in range(0, len(own), size)
    ]


def play_arrays(arena: Arena, numbers: tuple[int, ...]) -> list[Played]:
    """Chunks of one pairing as arrays: those games together in which the hero sits on the same seat."""
    pairings, every = arena.pairings, arena.every
    hero, others = pairings[numbers[0] % len(pairings)]
    bouts = {number: Bout(arena.seats) for number in numbers}
    rated: dict[int, list[tuple[int, tuple[tuple[str, ...], int]]]] = {number: [] for number in numbers}
    by_seat: dict[Seat, list[tuple[int, int]]] = {seat: [] for seat in all_seats(arena.seats)}
    for number in numbers:
        turn = number // len(pairings)
        for place in range(min(CHUNK, arena.games - turn * CHUNK)):
            by_seat[hero_seat(arena, turn, place)].append((number, game_number(arena, number, place)))
    for seat, games in by_seat.items():
        names = seated_names(arena, hero, others, seat)
        played = play_numbers(arena.game, arena.rules, names, arena.seed, [game for _, game in games])
        for (number, game), winner in zip(games, played.winner.tolist(), strict=True):
            bouts[number].count(seat, winner == seat, winner == 0)
            if game % every == 0:
                rated[number].append((game, (names, winner)))
    return [
        Played(number, hero, others, bouts[number], tuple(each for _, each in sorted(rated[number])))
        for number in numbers
    ]


# --- simulations -----------------------------------------------------------------------------------------

_FEWEST: Final = 500
_MOST: Final = 4000
"""Games that are played at once: many, but a processor's cache holds what is known of them."""


def simulate_arrays(plan: SimulationPlan, jobs: int) -> Iterator[GameChunk]:
    """The plan's games in chunks, in the order of the games; no records."""
    size = min(_MOST, max(_FEWEST, -(-plan.games // jobs)))
    starts = range(1, plan.games + 1, size)
    return spread(partial(_play_chunk, plan, size), starts, min(jobs, len(starts)))


def _play_chunk(plan: SimulationPlan, size: int, first: int) -> GameChunk:
    numbers = range(first, min(first + size, plan.games + 1))
    found = play_numbers(plan.game, plan.rules, plan.seated, plan.seed, numbers)
    return GameChunk(statistics_of(plan.game, found), "")
