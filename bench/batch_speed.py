"""How fast the batch simulator plays random games of both games on one device, observations included."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, Final, NamedTuple

from facedown.batch.draws import CounterDraws
from facedown.core import registry
from facedown.core.parts.batch import is_numpy

KINDS: Final = (
    ("ecard", "classic", 2),
    ("ecard", "purse", 2),
    ("davenport", "davenport", 2),
    ("davenport", "davenport", 4),
    ("davenport", "davenport", 7),
    ("davenport", "pointed", 2),
    ("davenport", "pointed", 4),
    ("davenport", "pointed", 7),
)


class Speed(NamedTuple):
    """What was counted in a while."""

    game: str
    rules: str
    seats: int
    tables: int
    observed: str
    plays: float
    """Reveals a second, over all tables."""
    decisions: float
    """Seats that decided, a second."""
    games: float
    compiled: float
    """Seconds until the first result."""

    def __str__(self) -> str:
        kind = f"{self.game} {self.rules}, {self.seats} seats"
        return (
            f"{kind:32} {self.observed:8} {self.plays:9.3g} plays/s {self.decisions:9.3g} decisions/s "
            f"{self.games:9.3g} games/s   ({self.tables} tables, first result after {self.compiled:.1f} s)"
        )


def program(
    xp: Any, kind: tuple[str, str, int], tables: int, observed: bool
) -> tuple[Any, Callable[..., Any]]:
    """The first state, and a function that plays one step of random games at every table and counts."""
    name, rules, seats = kind
    part = registry.part(name, "batch")
    assert part is not None, "both games have a batch form"
    game = part.BATCH(xp, registry.get(name).rules.read(rules), seats)
    policy = part.POLICIES["random"]
    numbers = xp.arange(tables, dtype=xp.uint32)

    def step(carry: Any, at: Any) -> Any:
        state, seen, decided, over = carry
        draws = CounterDraws(xp, 1, at + 1, numbers)
        for seat in range(seats):
            if observed:
                seen = seen + sum(each.astype(xp.float32) for each in game.entries(state, seat))
            decided = decided + game.deciding(state, seat).astype(xp.int32)
        picks = tuple([policy.pick(game, state, (), seat, draws) for seat in range(seats)])
        state, _, ended = game.go_on(state, picks, draws)
        return state, seen, decided, over + ended.astype(xp.int32)

    nothing = xp.zeros(tables, dtype=xp.int32)
    first = game.init(tables, CounterDraws(xp, 1, 0, numbers))
    return (first, xp.zeros(tables, dtype=xp.float32), nothing, nothing), step


def speed(xp: Any, kind: tuple[str, str, int], tables: int, observed: bool, seconds: float) -> Speed:
    """Play for about that long."""
    start = time.perf_counter()
    carry, step = program(xp, kind, tables, observed)
    if is_numpy(xp):
        run, steps = _plainly(step), 8
    else:
        run, steps = _compiled(step, 4 if kind[0] == "ecard" else 1), 64
    at = 0
    carry = run(carry, at, steps)
    compiled = time.perf_counter() - start
    start = time.perf_counter()
    carry = run(carry, at + steps, steps)
    once = time.perf_counter() - start
    times = max(2, int(seconds / once))
    carry = (*carry[:2], carry[2] * 0, carry[3] * 0)
    start = time.perf_counter()
    for number in range(times):
        carry = run(carry, (number + 2) * steps, steps)
    spent = time.perf_counter() - start
    decided, over = (float(each.astype("float32").sum()) for each in carry[2:])
    return Speed(
        *kind,
        tables,
        "seen" if observed else "unseen",
        tables * steps * times / spent,
        decided / spent,
        over / spent,
        compiled,
    )


def _plainly(step: Callable[..., Any]) -> Callable[..., Any]:
    def run(carry: Any, at: int, steps: int) -> Any:
        for number in range(steps):
            carry = step(carry, at + number)
        return carry

    return run


def _compiled(step: Callable[..., Any], unroll: int) -> Callable[..., Any]:
    import jax
    from jax import lax

    def go(carry: Any, at: Any, steps: int) -> Any:
        def some(number: Any, now: Any) -> Any:
            for more in range(unroll):
                now = step(now, at + number * unroll + more)
            return now

        return lax.fori_loop(0, steps // unroll, some, carry)

    compiled = jax.jit(go, static_argnums=2)

    def run(carry: Any, at: int, steps: int) -> Any:
        return jax.block_until_ready(compiled(carry, at, steps))

    return run


if __name__ == "__main__":
    import sys

    if "numpy" in sys.argv:
        import numpy as namespace
    else:
        import jax.numpy as namespace  # type: ignore[no-redef]
    tables = int(sys.argv[1])
    for each in (0, 5, 6, 7, 1, 2, 3, 4):
        print(speed(namespace, KINDS[each], tables, True, float(sys.argv[2])), flush=True)
