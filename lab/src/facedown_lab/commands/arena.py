"""`facedown arena` with arrays, and with Dask's workers."""

from __future__ import annotations

import argparse
import socket
import sys
from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from dataclasses import fields
from functools import partial
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from facedown.commands.arena import ArenaPlayer
    from facedown.sim.arena import Arena
    from facedown_lab.engine import Engine

ENGINE: Final[tuple[str, dict[str, Any]]] = (
    "--engine",
    {
        "choices": ("auto", "match", "batch"),
        "default": "auto",
        "help": "one game after the other (match), many at once (batch), or what is faster (default)",
    },
)
OPTIONS: Final[tuple[tuple[str, dict[str, Any]], ...]] = (
    ("--dask", {"metavar": "ADDRESS", "help": "play on the workers of a Dask scheduler"}),
    ENGINE,
)
_ANSWER_S: Final = 10.0
"""Seconds that a scheduler of Dask has to answer."""


def run(arguments: argparse.Namespace) -> int:
    """Play, and print the cross table; after Ctrl-C, that of the finished games."""
    from facedown.cli.errors import Usage
    from facedown.cli.extras import is_installed  # slow to import, and `--help` needs none of these
    from facedown.commands.arena import is_one_bot, play_arena, print_standing, read_arena
    from facedown_lab.engine import choose_engine
    from facedown_lab.parts import missing_extra

    if is_one_bot(arguments):
        if arguments.dask is not None:
            raise Usage("--dask needs two different bots or more")
        return _simulate(arguments)
    arena, seed_text = read_arena(arguments)
    if arguments.dask is not None and not is_installed("distributed"):
        raise missing_extra("--dask needs", "dask")
    engine = choose_engine(
        arguments.engine,
        arena.game,
        arena.bots,
        arena.games,
        records=arena.records,
        memory=arena.memory,
        lineup=arena.lineup,
    )
    with _executor(arguments.dask) as executor:
        standing, stopped = play_arena(_arena_of(arena, engine), arguments, _player(engine, executor))
    for line in engine.in_words():
        print(line, file=sys.stderr)
    return print_standing(standing, seed_text, arguments, partial=stopped)


def _simulate(arguments: argparse.Namespace) -> int:
    """Games of one bot: their statistics; after Ctrl-C, those of the finished games."""
    from facedown.commands.simulate import read_plan, show_simulation
    from facedown.sim.simulate import simulate
    from facedown_lab.arrays import simulate_arrays
    from facedown_lab.engine import MATCHES, choose_engine

    plan, seed_text = read_plan(arguments)
    engine = choose_engine(
        arguments.engine, plan.game, plan.seated, plan.games, records=plan.records, lineup=plan.lineup
    )
    player = simulate if engine == MATCHES else simulate_arrays
    status = show_simulation(plan, seed_text, arguments, player)
    for line in engine.in_words():
        print(line, file=sys.stderr)
    return status


def _arena_of(arena: Arena, engine: Engine) -> Arena:
    from facedown_lab.arrays import ArrayArena
    from facedown_lab.engine import MATCHES

    if engine == MATCHES:
        return arena
    known = {field.name: getattr(arena, field.name) for field in fields(arena)}
    return ArrayArena(**known, rounding=engine.rounding)


def _player(engine: Engine, executor: Executor | None) -> ArenaPlayer:
    from facedown.sim.arena import play
    from facedown_lab.arrays import play_as_arrays, play_on
    from facedown_lab.engine import MATCHES

    if executor is not None:
        return partial(play_on, executor, engine != MATCHES)
    return play if engine == MATCHES else play_as_arrays


@contextmanager
def _executor(address: str | None) -> Iterator[Executor | None]:
    """Dask's workers; None for processes of this machine."""
    if address is None:
        yield None
        return
    from distributed import Client
    from distributed.comm import get_address_host_port

    from facedown.cli.errors import Usage

    try:
        # A client that cannot connect is never closed, and blocks the thread that collects it for 20 s.
        with socket.create_connection(get_address_host_port(address), _ANSWER_S):
            pass
        client: Any = Client(address, timeout=_ANSWER_S)
    except Exception as error:  # Dask raises anything for a bad address, assertions too
        raise Usage(f"--dask {address}: no scheduler answers there ({type(error).__name__})") from None
    with client, client.get_executor() as executor:
        yield executor
