"""Measures many tables at once: matches, our batch form in NumPy and in JAX, and pgx, on one device.

Prints one JSON object. Without a GPU everything runs on one core, and the clock is the processor time.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import random
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from importlib.metadata import version
from importlib.util import find_spec
from typing import Any, Final, NamedTuple

from bench.laps import stay_on_one_core

ONE_THREAD: Final = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"
KINDS: Final = (
    ("ecard", "classic", 2),
    ("davenport", "pointed", 2),
    ("davenport", "pointed", 4),
    ("davenport", "pointed", 7),
)
PGX: Final = ("kuhn_poker", "tic_tac_toe", "connect_four", "leduc_holdem")
_STEPS: Final = 32
"""Steps in one call of a compiled program."""
_QUEUED: Final = 16
"""Calls that a GPU is given before the first result is read, as by a loop that trains: it does not wait for
what is written in Python between two of them."""


class Counted(NamedTuple):
    """What was done in some seconds."""

    plays: float
    decisions: float | None
    games: float | None
    seconds: float


def main() -> None:
    """Everything, one after the other."""
    parser = argparse.ArgumentParser()
    parser.add_argument("kinds", nargs="*")
    parser.add_argument("--tables", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--queued", type=int, default=0)
    arguments = parser.parse_args()
    os.environ.setdefault("XLA_FLAGS", ONE_THREAD)
    import jax

    device = jax.devices()[0]
    on_processor = device.platform == "cpu"
    bound = _begin_again_on_one_core() if on_processor else "not bound"
    clock = time.process_time if on_processor else time.perf_counter
    tables = arguments.tables or (4096 if on_processor else 1 << 21)
    queued = arguments.queued or (1 if on_processor else _QUEUED)
    rows: list[dict[str, Any]] = []
    for name, prepared, of_match in _contestants(tables, on_processor, queued):
        if arguments.kinds and not any(kind in name for kind in arguments.kinds):
            continue
        print(name, file=sys.stderr, flush=True)
        counted = _timed(prepared(), arguments.seconds, clock)
        each = {
            field: None if value is None else value / counted.seconds
            for field, value in counted._asdict().items()
            if field != "seconds"
        }
        rows.append({"name": name, "match": of_match, **each})
    games = {row["name"]: row["games"] for row in rows}
    for row in rows:
        base = games.get(row.pop("match"))
        row["times_match"] = None if base is None or row["games"] is None else row["games"] / base
    found = {
        "device": f"{device.device_kind} ({device.platform})" if not on_processor else _processor(),
        "cores": bound,
        "python": platform.python_version(),
        "libraries": {name: version(name) for name in ("jax", "numpy", "pgx") if find_spec(name)},
        "load": os.getloadavg()[0],
        "clock": "processor time" if on_processor else "wall clock",
        "tables": tables,
        "steps": _STEPS,
        "queued": queued,
        "seconds": arguments.seconds,
        "rows": rows,
    }
    print(json.dumps(found))


def _begin_again_on_one_core() -> str:
    """Run this program again, bound before JAX starts: JAX starts threads for all cores that it may use, and
    splitting the work among two cores doubled the processor time of Davenport with seven seats."""
    cores = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else ()
    bound = stay_on_one_core()
    if len(cores) > 1:
        os.execv(sys.executable, [sys.executable, "-m", "lab.bench.batch_contest", *sys.argv[1:]])
    return bound


def _processor() -> str:
    return f"{platform.machine()} processor {platform.processor()}".strip()


def _timed(run: Callable[[], Counted], seconds: float, clock: Callable[[], float]) -> Counted:
    """Run for about that long; the first run, which compiles, does not count."""
    run()
    total = Counted(0.0, 0.0, 0.0, 0.0)
    while total.seconds < seconds:
        begun = clock()
        done = run()
        spent = clock() - begun
        total = Counted(
            total.plays + done.plays,
            None if done.decisions is None or total.decisions is None else total.decisions + done.decisions,
            None if done.games is None or total.games is None else total.games + done.games,
            total.seconds + spent,
        )
    return total


def _contestants(
    tables: int, on_processor: bool, queued: int
) -> Iterator[tuple[str, Callable[[], Callable[[], Counted]], str]]:
    """Name, what prepares it and gives what runs a while, and the name of the matches it is compared with."""
    import jax.numpy as jnp
    import numpy as np

    for kind in KINDS:
        name = f"{kind[0]} {kind[1]}, {kind[2]} seats"
        if on_processor:
            yield f"{name}: Match", partial(_matches, kind), f"{name}: Match"
            yield f"{name}: NumPy", partial(_ours, np, kind, tables, 1, False), f"{name}: Match"
        yield f"{name}: JAX", partial(_ours, jnp, kind, tables, queued, False), f"{name}: Match"
        yield f"{name}: JAX, observed", partial(_ours, jnp, kind, tables, queued, True), f"{name}: Match"
    if find_spec("pgx") is None:
        print("pgx is not installed: its games are left out", file=sys.stderr)
        return
    for rival in PGX:
        yield f"pgx {rival}, observed", partial(_pgx, rival, tables, queued), ""


# --- ours ------------------------------------------------------------------------------------------------


def _matches(kind: tuple[str, str, int]) -> Callable[[], Counted]:
    """Random games through `Match`, as whole decisions: the cheapest way there is."""
    from facedown.core import registry
    from facedown.core.chance import Seeded, deal_key, seed_of
    from facedown.core.match import Match

    name, rules, seats = kind
    game = registry.get(name)
    read = game.rules.read(rules)
    names = [f"Machine {seat}" for seat in range(1, seats + 1)]
    number = 0

    def run() -> Counted:
        nonlocal number
        plays = decisions = 0
        for _ in range(10):
            number += 1
            match = Match(game, read, names, Seeded(deal_key(seed_of("bench"), str(number))))
            while match.outcome is None:
                joint: list[Any] = [None] * seats
                for wave in match.pending:
                    for seat in wave:
                        legal = match.legal(seat)
                        joint[seat - 1] = legal[int(random.random() * len(legal))]
                        decisions += 1
                match.decide(tuple(joint))
                plays += 1
        return Counted(plays, decisions, 10, 0)

    return run


def _ours(
    xp: Any, kind: tuple[str, str, int], tables: int, queued: int, observed: bool
) -> Callable[[], Counted]:
    """Random games in the batch form; finished tables are dealt again at once."""
    from facedown.core import registry
    from facedown_lab.batch.draws import CounterDraws
    from facedown_lab.parts import part_of

    name, rules, seats = kind
    part = part_of(name, "batch")
    assert part is not None, "both games have a batch form"
    game = part.BATCH(xp, registry.get(name).rules.read(rules), seats)
    policy = part.POLICIES["uniform"]
    numbers = xp.arange(tables, dtype=xp.uint32)
    keep, back = _kept_form(game)

    def picked(state: Any, draws: CounterDraws) -> tuple[Any, ...]:
        return tuple([policy.pick(game, state, (), seat, draws) for seat in range(seats)])

    def step(carry: Any, at: Any) -> Any:
        """Keys and picks are handed on: a compiler would compute them again for every array of the state."""
        kept, keys, seen, decided, over = carry
        state, picks = back(kept)
        draws = CounterDraws.of_keys(xp, keys)
        for seat in range(seats):
            if observed:
                seen = seen + sum(each.astype(xp.float32) for each in game.entries(state, seat))
            decided = decided + game.deciding(state, seat).astype(decided.dtype)
        state, _, ended = game.go_on(state, picks, draws)
        keys = CounterDraws(xp, 1, at + 2, numbers).keys
        return keep(state, picked(state, draws)), keys, seen, decided, over + ended.astype(over.dtype)

    dealing = CounterDraws(xp, 1, 0, numbers)
    first = game.init(tables, dealing)
    keys = CounterDraws(xp, 1, 1, numbers).keys
    carry = (keep(first, picked(first, dealing)), keys, xp.zeros(tables, dtype=xp.float32))
    several = (_plainly if xp.__name__ == "numpy" else _compiled)(xp, step, tables)
    at = 0

    def run() -> Counted:
        nonlocal carry, at
        waits = []
        for _ in range(queued):
            carry, *counts = several(carry, at)
            at += _STEPS
            waits.append(counts)
        decided, over = (sum(float(each) for each in kind) for kind in zip(*waits, strict=True))
        return Counted(float(tables * _STEPS * queued), decided, over, 0)

    return run


def _kept_form(game: Any) -> tuple[Callable[..., Any], Callable[..., Any]]:
    """How a step hands the state and the picks on to the next, and how that takes them up.

    On a GPU in few bytes, as far as the game knows how: memory is what a step waits for there.
    """
    from facedown_lab.batch.form import on_gpu

    if not on_gpu(game.xp):
        return lambda state, picks: (state, picks), lambda kept: kept
    small, whole = game.xp.int8, game.xp.int32

    def keep(state: Any, picks: tuple[Any, ...]) -> Any:
        return game.pack(state), tuple([each.astype(small) for each in picks])

    def back(kept: Any) -> Any:
        return game.unpack(kept[0]), tuple([each.astype(whole) for each in kept[1]])

    return keep, back


def _plainly(xp: Any, step: Callable[..., Any], tables: int) -> Callable[..., Any]:
    """Some steps, one after the other: what they hand on, how many picks were made and games finished."""

    def some(carry: Any, at: int) -> Any:
        now = (*carry, *_uncounted(xp, tables))
        for number in range(_STEPS):
            now = step(now, at + number)
        return now[:3], now[3].sum(), now[4].sum()

    return some


def _compiled(xp: Any, step: Callable[..., Any], tables: int) -> Callable[..., Any]:
    """The same as one program."""
    import jax
    from jax import lax

    def some(carry: Any, at: Any) -> Any:
        begun = (*carry, *_uncounted(xp, tables))
        now = lax.fori_loop(0, _STEPS, lambda number, now: step(now, at + number), begun)
        return now[:3], now[3].astype("float32").sum(), now[4].astype("float32").sum()

    compiled: Callable[..., Any] = jax.jit(some)
    return compiled


def _uncounted(xp: Any, tables: int) -> tuple[Any, Any]:
    nothing = xp.zeros(tables, dtype=xp.uint8)  # at most seven decisions a step
    return nothing, nothing


# --- pgx -------------------------------------------------------------------------------------------------


def _pgx(rival: str, tables: int, queued: int) -> Callable[[], Counted]:
    """Random games of pgx with its own wrapper that deals again; its step computes the observation."""
    import jax
    import jax.numpy as jnp
    import pgx
    from jax import lax
    from pgx.experimental import auto_reset

    env = pgx.make(rival)
    step = jax.vmap(auto_reset(env.step, env.init))

    def some(state: Any, key: Any) -> Any:
        def one(number: Any, now: Any) -> Any:
            state, total, key = now
            key, drawing, stepping = jax.random.split(key, 3)
            likely = jnp.where(state.legal_action_mask, 0.0, -jnp.inf)
            action = jax.random.categorical(drawing, likely, axis=1)
            after = step(state, action, jax.random.split(stepping, tables))
            return after, total + after.observation.astype(jnp.float32).sum(), key

        return lax.fori_loop(0, _STEPS, one, (state, jnp.float32(0), key))

    compiled = jax.jit(some)
    state = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.key(0), tables))
    key = jax.random.key(1)

    def run() -> Counted:
        nonlocal state, key
        for _ in range(queued):
            state, _, key = compiled(state, key)
        jax.block_until_ready(state)
        return Counted(float(tables * _STEPS * queued), None, None, 0)

    return run


if __name__ == "__main__":
    main()
