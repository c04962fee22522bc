"""Policies of a batch: a shipped machine by name, a table of chances, or a function of observations.

Whatever is handed in is checked as it plays: one sentence says what is wrong with it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from facedown.core.errors import FacedownError
from facedown_lab.batch.form import Array, BatchPolicy, Draws
from facedown_lab.parts import part_of

PolicyLike: TypeAlias = "str | BatchPolicy | Array | Callable[[Array, Array], Array]"
"""A name; a row of chances, one for each pick; or a function of observations and legal picks to such rows."""


class BadPolicy(FacedownError):
    """A policy that gives no chances, or chances that cannot be."""

    code = "bad_policy"


def policies_of(game: str) -> dict[str, BatchPolicy]:
    """Every machine of a game that has a batch form, by name."""
    part = part_of(game, "batch")
    found: dict[str, BatchPolicy] = {} if part is None else part.POLICIES
    return found


def read_policy(game: str, policy: PolicyLike) -> BatchPolicy:
    """The policy as a machine at many tables; raises `BadPolicy`."""
    if isinstance(policy, str):
        known = policies_of(game)
        if policy not in known:
            names = ", ".join(known) or "none"
            raise BadPolicy(
                f"{policy[:60]!r} has no batch form; those of {game} that have: {names}", text=policy
            )
        return known[policy]
    if hasattr(policy, "pick") and hasattr(policy, "start"):
        machine: Any = policy
        found: BatchPolicy = machine
        return found
    if callable(policy):
        return ChancePolicy(policy)
    if not hasattr(policy, "shape"):
        raise BadPolicy(
            "a policy is the name of a machine, an array of chances, or a function that gives one"
        )
    return ChancePolicy(lambda seen, legal: policy)


class ChancePolicy(BatchPolicy):
    """A policy that gives the chance of each pick; illegal ones count nothing where they are zero."""

    name = "chances"
    exact = False

    def __init__(self, chances: Callable[[Array, Array], Array]) -> None:
        self._chances = chances

    def pick(self, game: Any, state: Any, memory: Any, seat: int, draws: Draws) -> Array:
        xp = game.xp
        legal, due = game.legal(state, seat), game.deciding(state, seat)
        given = xp.asarray(self._chances(game.observe(state, seat), legal))
        if given.shape not in ((legal.shape[1],), legal.shape):
            wanted = f"{legal.shape[1]} chances, or {legal.shape[0]} rows of them"
            raise BadPolicy(
                f"the policy of seat {seat + 1} gave an array of shape {given.shape}, not {wanted}"
            )
        chances = xp.broadcast_to(given, legal.shape)
        _check(xp, chances[due], legal[due], seat)
        upto = xp.cumsum(xp.where(legal, chances, 0), axis=1)
        unit = draws.unit(game.slots + seat, due)
        picked = (upto <= unit[:, None] * upto[:, -1:]).sum(axis=1)
        last = legal.shape[1] - 1 - xp.argmax(legal[:, ::-1], axis=1)
        return xp.minimum(picked, last).astype(xp.int32)


def _check(xp: Any, chances: Array, legal: Array, seat: int) -> None:
    who = f"the policy of seat {seat + 1}"
    if not xp.isfinite(chances).all():
        raise BadPolicy(f"{who} gave a chance that is no finite number")
    if (chances < 0).any():
        raise BadPolicy(f"{who} gave a chance below zero")
    if (xp.where(legal, 0, chances) > 0).any():
        raise BadPolicy(f"{who} gave a chance to a pick that is not legal: multiply by the legal picks")
    if (xp.where(legal, chances, 0).sum(axis=1) <= 0).any():
        raise BadPolicy(f"{who} gave no chance to any legal pick")
