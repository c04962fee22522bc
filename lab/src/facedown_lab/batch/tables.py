"""Tables in a batch: `init`, `step`, `legal_mask`, `observe`, whole games; for any game with a batch form."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from importlib import import_module
from typing import Any, Final, NamedTuple

from facedown.core import registry
from facedown.core.errors import Unsupported
from facedown.core.match import check_seats
from facedown_lab.batch.draws import CounterDraws
from facedown_lab.batch.form import Array, BatchGame, Draws, Namespace, Picks, is_numpy
from facedown_lab.batch.games import play_whole
from facedown_lab.batch.policies import PolicyLike, read_policy
from facedown_lab.parts import missing_extra, part_of

_AT_ONCE: Final = 4096
"""Tables that are played at once: in NumPy, their arrays stay in a processor's cache."""
_LIBRARIES: Final = {
    "numpy": "numpy",
    "jax": "jax.numpy",
}
"""The modules of the arrays that there may be."""


def simulator(
    game: str, rules: str = "", seats: int | None = None, *, xp: Namespace | str = "numpy"
) -> BatchTables:
    """Many tables of a game under one rule set; `xp` says whose arrays: `numpy` or `jax`."""
    found = registry.get(game)
    part = part_of(game, "batch")
    if part is None:
        raise Unsupported(f"{game} has no batch form: it is played one table at a time")
    number = found.meta.least_seats if seats is None else seats
    check_seats(found, number)
    return BatchTables(game, part.BATCH(_namespace(xp), found.rules.read(rules), number))


def _namespace(xp: Namespace | str) -> Namespace:
    if not isinstance(xp, str):
        return xp
    if xp not in _LIBRARIES:
        raise Unsupported(f"there are arrays of {' and '.join(_LIBRARIES)}, not of {xp[:40]!r}", text=xp)
    try:
        return import_module(_LIBRARIES[xp])
    except ModuleNotFoundError:
        raise missing_extra("compiled tables need", "jax") from None


class BatchTables:
    """Many tables of one kind. States are values: no function changes one."""

    def __init__(self, name: str, game: BatchGame) -> None:
        self.name = name
        self.game = game

    @property
    def seats(self) -> int:
        return self.game.seats

    def draws(self, tables: int, seed: int, step: Any) -> Draws:
        """The draws of one step, from 1 (0: the deal): the same in NumPy and JAX."""
        xp = self.game.xp
        return CounterDraws(xp, seed, step, xp.arange(tables, dtype=xp.uint32))

    def init(self, tables: int, seed: int = 0, draws: Draws | None = None) -> Any:
        """That many tables, dealt."""
        return self.game.init(tables, draws or self.draws(tables, seed, 0))

    def step(
        self, state: Any, picks: Picks, draws: Draws, *, redeal: bool = False
    ) -> tuple[Any, Array, Array]:
        """The reveal at every table: the state after it, what each seat is paid, and which tables are over.

        With `redeal`, finished tables are dealt again at once; otherwise they stay as they are.
        """
        if redeal:
            return self.game.go_on(state, picks, draws)
        after = self.game.step(state, picks, draws)
        return after, self.game.payoffs(after), self.game.over(after)

    def legal_mask(self, state: Any) -> Array:
        """Which places of the alphabet each seat may pick: tables by seats by picks."""
        return self.game.xp.stack([self.game.legal(state, seat) for seat in range(self.seats)], axis=1)

    def observe(self, state: Any) -> Array:
        """Each seat's view of each table as numbers: tables by seats by entries."""
        return self.game.xp.stack([self.game.observe(state, seat) for seat in range(self.seats)], axis=1)


class GameShares(NamedTuple):
    """What came of many games."""

    games: int
    wins: tuple[int, ...]
    """By seat."""
    draws: int
    decisions: int
    """How many picks seats made."""


def play_games(
    tables: BatchTables, policies: Sequence[PolicyLike], games: int, seed: int = 0, at_once: int = _AT_ONCE
) -> GameShares:
    """That many whole games, a policy on each seat (NumPy only): the same result for the same seed."""
    game = tables.game
    if len(policies) != game.seats:
        raise Unsupported(f"{len(policies)} policies for {game.seats} seats: each seat needs one")
    if not is_numpy(game.xp):
        raise Unsupported("whole games are played in arrays of NumPy; steps are compiled by JAX")
    machines = [read_policy(tables.name, policy) for policy in policies]
    wins = [0] * (game.seats + 1)
    picks = 0
    for first in range(0, games, at_once):
        found = play_whole(game, machines, min(at_once, games - first), partial(_draws, game, seed, first))
        picks += found.picks
        for seat in range(game.seats + 1):
            wins[seat] += int((found.winner == seat).sum())
    return GameShares(games, tuple(wins[1:]), wins[0], picks)


def _draws(game: BatchGame, seed: int, first: int, step: int, rows: Array) -> Draws:
    """Those of the games with these numbers: the same however games are put together."""
    return CounterDraws(game.xp, seed, step, rows + first)
