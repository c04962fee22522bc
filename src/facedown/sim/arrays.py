"""Games of a run as arrays: the n-th one draws from the streams of the match with that id. Needs NumPy."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from facedown.batch.draws import MatchStreams, StreamDraws
from facedown.batch.games import FinishedGames, play_whole
from facedown.batch.policies import read_policy
from facedown.core import registry
from facedown.core.chance import deal_key
from facedown.core.parts.batch import BatchGame
from facedown.sim.statistics import GameStatistics


def play_numbers(
    game: str, rules: str, bots: Sequence[str], seed: bytes, numbers: Sequence[int]
) -> FinishedGames:
    """The games with these numbers, a bot on each seat: the same whichever are played together."""
    tables = _tables(game, rules, len(bots))
    keys = [deal_key(seed, str(number)) for number in numbers]
    streams = MatchStreams(tables.xp, keys, tables.seats)
    machines = [read_policy(game, name) for name in bots]
    return play_whole(
        tables,
        machines,
        len(numbers),
        lambda step, rows: StreamDraws(tables.xp, streams, tables.slots, rows),
    )


@lru_cache(maxsize=8)
def _tables(game: str, rules: str, seats: int) -> BatchGame:
    import numpy as np

    part = registry.part(game, "batch")
    assert part is not None, "a run asks for arrays only where there are some"
    tables: Any = part.BATCH(np, registry.get(game).rules.read(rules), seats, ordered=True)
    found: BatchGame = tables
    return found


def statistics_of(game: str, found: FinishedGames) -> GameStatistics:
    """The games, counted."""
    import numpy as np

    seats = found.scores.shape[1]
    terminations = registry.get(game).terminations
    winners = np.bincount(found.winner, minlength=seats + 1).tolist()
    return GameStatistics(
        wins=winners[1:],
        totals=found.scores.sum(axis=0).tolist(),
        squares=(found.scores**2).sum(axis=0).tolist(),
        games=len(found.winner),
        draws=winners[0],
        terminations=Counter(
            {terminations[code - 1]: count for code, count in _counts(found.ending) if count}
        ),
        lengths=Counter({length: count for length, count in _counts(found.lengths) if count}),
    )


def _counts(numbers: Any) -> list[tuple[int, int]]:
    import numpy as np

    return list(enumerate(np.bincount(numbers).tolist()))
