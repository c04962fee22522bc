"""The engine of a run: matches, one table at a time, or the batch form of a game, many tables as arrays.

Owns the choice between them, and what is said about it. Knows no game by name.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple

from facedown.core import registry
from facedown.core.chance import deal_key
from facedown.core.errors import Unsupported
from facedown.sim.lineup import Lineup
from facedown.sim.statistics import GameStatistics
from facedown_lab.batch.draws import MatchStreams, StreamDraws
from facedown_lab.batch.form import BatchGame
from facedown_lab.batch.games import FinishedGames, play_whole
from facedown_lab.batch.policies import policies_of, read_policy
from facedown_lab.parts import part_of

AUTO: Final = "auto"
MATCH: Final = "match"
BATCH: Final = "batch"

_WORTH_IT: Final = 1000
"""The fewest games for which arrays are chosen automatically: fewer finish before NumPy is imported."""


class Engine(NamedTuple):
    """What plays the games of a run."""

    name: str
    rounding: tuple[str, ...] = ()
    """The bots whose arithmetic rounds differently in arrays; where there are none, the games are those of
    matches, decision by decision."""

    def in_words(self) -> list[str]:
        """For people: nothing where matches were played."""
        if self.name == MATCH:
            return []
        if not self.rounding:
            return ["Played as arrays: the same games as one by one."]
        who = ", ".join(self.rounding)
        return [
            f"Played as arrays, in which {who} may round differently: single games can differ from those that"
            " `--engine match` plays; results agree in distribution."
        ]


MATCHES: Final = Engine(MATCH)


def choose_engine(
    asked: str,
    game: str,
    bots: Iterable[str],
    games: int,
    *,
    records: bool = False,
    memory: int = 0,
    lineup: Lineup,
) -> Engine:
    """The engine for games between these bots; raises `Unsupported` if arrays cannot play what was asked."""
    if asked == MATCH or (asked == AUTO and games < _WORTH_IT):
        return MATCHES
    names = tuple(dict.fromkeys(bots))
    obstacle = _obstacle(game, names, records, memory, lineup)
    if obstacle is not None:
        if asked == AUTO:
            return MATCHES
        raise obstacle
    policies = policies_of(game)
    return Engine(BATCH, tuple(name for name in names if not policies[name].exact))


def _obstacle(
    game: str, names: tuple[str, ...], records: bool, memory: int, lineup: Lineup
) -> Unsupported | None:
    if records:
        return Unsupported("arrays keep no records: leave the engine away, or the records")
    if memory:
        return Unsupported("arrays play each game alone: leave the engine away, or the memory")
    if lineup.own_game is not None or part_of(game, "batch") is None:
        return Unsupported(f"{game} has no batch form: leave the engine away")
    known = policies_of(game)
    for name in names:
        if name not in known or not _is_shipped(lineup.factory(game, name)):
            return Unsupported(f"{name} has no batch form; those of {game} that have: {', '.join(known)}")
    return None


def _is_shipped(factory: object) -> bool:
    """Whether the bot of that name is ours: another package may have one of the same name."""
    return str(getattr(factory, "__module__", "")).startswith("facedown.")


# --- games as arrays -------------------------------------------------------------------------------------


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

    part = part_of(game, "batch")
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
