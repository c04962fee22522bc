"""Tables in a batch: `init`, `step`, `legal_mask`, `observe`, whole games; for any game with a batch form."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from facedown.batch.draws import CounterDraws
from facedown.batch.policies import PolicyLike, read_policy
from facedown.core import registry
from facedown.core.errors import Unsupported, missing_extra
from facedown.core.match import check_seats
from facedown.core.parts.batch import Array, BatchGame, Draws, Namespace, Picks

_AT_ONCE: Final = 4096
"""Tables that are played at once in NumPy: their arrays stay in a processor's cache."""
_MOST_STEPS: Final = 100_000


def simulator(
    game: str, rules: str = "", seats: int | None = None, *, xp: Namespace | None = None
) -> BatchTables:
    """Many tables of a game under one rule set; `xp` is NumPy, which is usual, or jax.numpy."""
    found = registry.get(game)
    part = registry.part(game, "batch")
    if part is None:
        raise Unsupported(f"{game} has no batch form: it is played one table at a time")
    number = found.meta.least_seats if seats is None else seats
    check_seats(found, number)
    if xp is None:
        try:
            import numpy as xp
        except ModuleNotFoundError:
            raise missing_extra("many tables at once need", "batch") from None
    return BatchTables(game, part.BATCH(xp, found.rules.read(rules), number))


class BatchTables:
    """Many tables of one kind. States are values: no function changes one."""

    def __init__(self, name: str, game: BatchGame) -> None:
        self.name = name
        self.game = game

    @property
    def seats(self) -> int:
        """How many seats each table has."""
        return self.game.seats

    def draws(self, tables: int, seed: int, step: Any) -> Draws:
        """The draws of one step, from 1 (0: the deal): the same in NumPy and JAX."""
        xp = self.game.xp
        return CounterDraws(xp, seed, step, xp.arange(tables, dtype=xp.uint32))

    def init(self, tables: int, seed: int = 0, draws: Draws | None = None) -> Any:
        """That many tables, dealt."""
        return self.game.init(tables, draws or self.draws(tables, seed, 0))

    def step(self, state: Any, picks: Picks, draws: Draws, *, anew: bool = False) -> tuple[Any, Array, Array]:
        """The reveal at every table: the state after it, what each seat is paid, and which tables are over.

        With `anew`, tables that are over are dealt again at once; without, they stay as they are.
        """
        if anew:
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


def play_games(
    tables: BatchTables, policies: Sequence[PolicyLike], games: int, seed: int = 0, at_once: int = _AT_ONCE
) -> GameShares:
    """That many whole games, a policy on each seat: the same result for the same seed."""
    game = tables.game
    if len(policies) != game.seats:
        raise Unsupported(f"{len(policies)} policies for {game.seats} seats: each seat needs one")
    machines = [read_policy(tables.name, policy) for policy in policies]
    wins = [0] * (game.seats + 1)
    decisions = 0
    for block, first in enumerate(range(0, games, at_once)):
        number = min(at_once, games - first)
        winner, decided = _play_block(tables, machines, number, seed + block * 7919)
        decisions += decided
        for seat in range(game.seats + 1):
            wins[seat] += int((winner == seat).sum())
    return GameShares(games, tuple(wins[1:]), wins[0], decisions)


def _play_block(tables: BatchTables, machines: list[Any], number: int, seed: int) -> tuple[Array, int]:
    """One game at each of some tables: the winners, and how many decisions seats made."""
    game = tables.game
    state = tables.init(number, seed)
    memories = [machine.start(game, number) for machine in machines]
    decisions = 0
    for step in range(1, _MOST_STEPS):
        decided = sum(int(game.deciding(state, seat).sum()) for seat in range(game.seats))
        if not decided:
            break
        decisions += decided
        draws = tables.draws(number, seed, step)
        chosen = [
            machine.pick(game, state, memory, seat, draws)
            for seat, (machine, memory) in enumerate(zip(machines, memories, strict=True))
        ]
        after = game.step(state, tuple(chosen), draws)
        memories = [
            machine.after(game, memory, state, after)
            for machine, memory in zip(machines, memories, strict=True)
        ]
        state = after
    return game.winner(state), decisions
