"""Who plays whom next in a tournament: pure functions of its folded facts and a seed.

Blocks do not count here, so that no entrant can keep the strongest opponents away.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, groupby
from typing import Final, NamedTuple

from facedown.server.clock import SECOND_MS
from facedown.server.tournaments.facts import Entrant, Tournament

WAIT_MS: Final = 6 * SECOND_MS
"""How long entrants of an arena wait for others to be free, so that neighbours can meet."""
AGAIN_MS: Final = 40 * SECOND_MS
"""Two who met last meet again in an arena only if both have waited for this long, or there are only two."""
REST_MS: Final = 20 * SECOND_MS
"""How long a machine rests after a game of an arena: its games take a moment, and all may be watched."""
_NEAR: Final = 12
"""How many ranks below them entrants of an arena look for an opponent."""
_PASSES: Final = 10


class SeatedEntrants(NamedTuple):
    """The entrants of a table in the order of their seats, and the one who takes the weaker side."""

    numbers: tuple[int, ...]
    weaker: int = 0


class NextGames(NamedTuple):
    """The next tables, and those for whom a round has none."""

    tables: tuple[SeatedEntrants, ...] = ()
    byes: tuple[int, ...] = ()


def next_games(tournament: Tournament, least_seats: int, seed: int, at: int) -> NextGames:
    """The tables that begin now; none while the kind of the tournament waits for others."""
    dice = random.Random(seed)
    if tournament.setup.kind == "arena":
        pairs = arena_pairs(tournament, at)
        return NextGames(tuple(_seat(pair, dice) for pair in pairs))
    if tournament.tables or tournament.round >= tournament.setup.rounds:
        return NextGames()
    groups, byes = round_tables(tournament, least_seats)
    return NextGames(tuple(_seat(group, dice) for group in groups), tuple(each.number for each in byes))


def _seat(entrants: Sequence[Entrant], dice: random.Random) -> SeatedEntrants:
    """Seats by fairness: the player who sat first least often sits first; equals by lot."""
    lots = {each.number: dice.random() for each in entrants}
    seated = sorted(entrants, key=lambda each: (each.firsts / max(1, len(each.scores)), lots[each.number]))
    wanting = [each.number for each in seated if each.weaker]
    weaker = dice.choice(wanting) if wanting and len(seated) == 2 else 0
    return SeatedEntrants(tuple(each.number for each in seated), weaker)


# --- arena -----------------------------------------------------------------------------------------------


def arena_pairs(tournament: Tournament, at: int) -> list[tuple[Entrant, Entrant]]:
    """Neighbours in rank, of those who are free."""
    playing = tournament.playing
    free = [each for each in playing if not each.tables and not _rests(each, at)]
    if len(free) < 2:
        return []
    if len(free) < len(playing) and at - min(each.since for each in free) < WAIT_MS:
        return []

    def may_meet(one: Entrant, other: Entrant) -> bool:
        met_last = one.met[-1:] == [other.number] or other.met[-1:] == [one.number]
        return not met_last or len(playing) == 2 or at - max(one.since, other.since) >= AGAIN_MS

    ranked = tournament.ranked(free)
    if len(ranked) % 2:
        ranked.remove(max(reversed(ranked), key=lambda each: each.since))  # who came last waits on
    return _neighbours(ranked, may_meet)


def _rests(entrant: Entrant, at: int) -> bool:
    return bool(entrant.machine and entrant.scores) and at - entrant.since < REST_MS


def _neighbours(
    ranked: list[Entrant], may_meet: Callable[[Entrant, Entrant], bool]
) -> list[tuple[Entrant, Entrant]]:
    """Each with the next below who may meet them; those left over trade partners with another pair."""
    pairs: list[tuple[Entrant, Entrant]] = []
    left, alone = list(ranked), list[Entrant]()
    while left:
        one = left.pop(0)
        found = next((other for other in left[:_NEAR] if may_meet(one, other)), None)
        if found is None:
            alone.append(one)
        else:
            left.remove(found)
            pairs.append((one, found))
    for one, other in zip(alone[::2], alone[1::2], strict=False):
        for index in reversed(range(len(pairs))):
            third, fourth = pairs[index]
            if may_meet(one, third) and may_meet(other, fourth):
                pairs[index] = (third, one)
                pairs.append((fourth, other))
                break
    return pairs


# --- rounds ----------------------------------------------------------------------------------------------


def table_sizes(people: int, least: int, most: int) -> tuple[int, ...]:
    """The sizes of the fewest tables, as even as can be; they may leave people over.

    >>> table_sizes(9, 3, 4), table_sizes(7, 2, 2), table_sizes(5, 4, 4), table_sizes(1, 2, 7)
    ((3, 3, 3), (2, 2, 2), (4,), ())
    """
    while people >= least:
        tables = -(-people // most)
        small, larger = divmod(people, tables)
        if small >= least:
            return (small + 1,) * larger + (small,) * (tables - larger)
        people -= 1
    return ()


def round_tables(tournament: Tournament, least_seats: int) -> tuple[list[list[Entrant]], list[Entrant]]:
    """Tables of entrants with nearly the same points who have met least often; and who gets a bye."""
    ranked = tournament.ranked(tournament.playing)
    sizes = table_sizes(len(ranked), least_seats, tournament.setup.seats)
    over = len(ranked) - sum(sizes)
    byes = sorted(ranked, key=lambda each: (each.byes, -ranked.index(each)))[:over]
    ranked = [each for each in ranked if each not in byes]
    if tournament.setup.seats == 2:
        ranked = [*_halves_meet(ranked)]
    line = iter(ranked)
    tables = [[next(line) for _ in range(size)] for size in sizes]
    _separate(tables)
    return tables, byes


def _halves_meet(ranked: Sequence[Entrant]) -> Iterator[Entrant]:
    """Among equal points, the first of the upper half before the first of the lower half, and so on."""
    for _, same in groupby(ranked, key=lambda each: each.points):
        group = list(same)
        half = (len(group) + 1) // 2
        for index in range(half):
            yield group[index]
            yield from group[half + index : half + index + 1]


def _separate(tables: list[list[Entrant]]) -> None:
    """Swap people between tables while fewer meet again, or their points come closer."""
    for reach in (3, len(tables)):
        for _ in range(_PASSES):
            if not any(_repeats(table) for table in tables):
                return
            swapped = [_swap_best(tables, index, reach) for index in range(len(tables))]
            if not any(swapped):
                break


def _swap_best(tables: list[list[Entrant]], index: int, reach: int) -> bool:
    """Whether a swap of this table with one near it made both better."""
    mine = tables[index]
    if not _repeats(mine):
        return False
    for other in sorted(range(len(tables)), key=lambda each: abs(each - index))[1 : 2 * reach + 1]:
        theirs = tables[other]
        before = _cost(mine) + _cost(theirs)
        for i in range(len(mine)):
            for j in range(len(theirs)):
                mine[i], theirs[j] = theirs[j], mine[i]
                if _cost(mine) + _cost(theirs) < before:
                    return True
                mine[i], theirs[j] = theirs[j], mine[i]
    return False


def _repeats(table: Sequence[Entrant]) -> int:
    return sum(one.met.count(other.number) for one, other in combinations(table, 2))


def _cost(table: Sequence[Entrant]) -> int:
    points = [each.points for each in table]
    return 1000 * _repeats(table) + max(points) - min(points)
