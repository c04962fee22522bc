"""`facedown arena`: bots against each other, a cross table with intervals, and ratings."""

from __future__ import annotations

import argparse
import json
import socket
from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any, Final

from facedown.bots.find import bots_of, find_bot
from facedown.cli import DONE, INTERRUPTED
from facedown.cli.errors import Usage
from facedown.cli.extras import check_extra
from facedown.cli.table_options import seats_of, seed_of_table, within
from facedown.core import registry
from facedown.core.chance import seed_of
from facedown.files import check_writable
from facedown.library.arguments import MOST_GAMES, MOST_MEMORY
from facedown.sim.arena import Arena, Played, play
from facedown.sim.checkpoint import ChunkWriter, checkpoint
from facedown.sim.engine import choose_engine
from facedown.sim.lineup import NONE_HANDED
from facedown.sim.ratings import Rating
from facedown.sim.standing import Standing, as_json, in_words
from facedown.sim.workers import MOST_JOBS, usual_jobs
from facedown.terminal.lines.progress import Progress

_ANSWER_S: Final = 10.0
"""Seconds that a scheduler of Dask has to answer."""


def run(arguments: argparse.Namespace) -> int:
    """Play and print the cross table; after Ctrl-C, that of the finished games."""
    arena, seed_text = _arena(arguments)
    _check_libraries(arguments)
    for path in (arguments.save, arguments.plot, arguments.records):
        if path is not None:
            check_writable(path)
    jobs = usual_jobs() if arguments.jobs is None else within("--jobs", arguments.jobs, MOST_JOBS)
    standing, partial = _play(arena, jobs, arguments)
    ratings = standing.ratings()
    if arguments.plot is not None:
        _plot(arguments.plot, standing, ratings)
    if arguments.json:
        print(json.dumps(as_json(standing, ratings, seed_text, partial)))
    else:
        print("\n".join(in_words(standing, ratings, seed_text, partial)))
        if partial and arguments.save is not None:
            print(f"Run the same command to resume from {arguments.save}.")
    return INTERRUPTED if partial else DONE


def _check_libraries(arguments: argparse.Namespace) -> None:
    check_extra("ratings need", "arena", "openskill")
    if arguments.plot is not None:
        check_extra("pictures need", "plot", "matplotlib")
    if arguments.dask is not None:
        check_extra("--dask needs", "dask", "distributed")


def _arena(arguments: argparse.Namespace) -> tuple[Arena, str]:
    game = registry.get(arguments.game)
    bots = _names(arguments.bots) or tuple(bots_of(game.name))
    heroes = _names(arguments.heroes)
    if len(bots) < 2:
        raise Usage(
            "--bots needs two different bots or more, with commas between; `facedown bots` lists them"
        )
    for name in bots:
        find_bot(game.name, name)
    for name in heroes:
        if name not in bots:
            raise Usage(f"--heroes {name[:60]}: it is not among the bots of this arena: {', '.join(bots)}")
    seed_text = seed_of_table(arguments.seed)
    games = within("--games", arguments.games, MOST_GAMES)
    memory = within("--memory", arguments.memory, MOST_MEMORY, least=0)
    records = arguments.records is not None
    arena = Arena(
        game=game.name,
        rules=str(game.rules.read(arguments.rules)),
        seats=seats_of(game, arguments.seats),
        seed=seed_of(seed_text),
        bots=bots,
        games=games,
        heroes=heroes,
        memory=memory,
        records=records,
        engine=choose_engine(
            arguments.engine, game.name, bots, games, records=records, memory=memory, lineup=NONE_HANDED
        ),
    )
    if arena.seats < 2:
        raise Usage("an arena needs games of two seats or more")
    return arena, seed_text


def _names(names: str | None) -> tuple[str, ...]:
    if names is None:
        return ()
    return tuple(dict.fromkeys(name.strip() for name in names.split(",")))


def _play(arena: Arena, jobs: int, arguments: argparse.Namespace) -> tuple[Standing, bool]:
    standing = Standing(arena)
    path = None if arguments.save is None else Path(arguments.save)
    progress = Progress(arena.games * len(arena.pairings), "games")
    with (
        checkpoint(path, arena) as (done, write),
        _records(arguments.records, sum(arena.memory + chunk.bout.played for chunk in done)) as write_records,
        _executor(arguments.dask) as executor,
    ):
        for chunk in done:
            standing.add(chunk)
        try:
            for chunk in play(arena, jobs, frozenset(each.number for each in done), executor):
                write_records(chunk)
                write(chunk)
                standing.add(chunk)
                progress.reach(standing.games)
        except KeyboardInterrupt:
            return standing, True
        finally:
            progress.close()
    return standing, False


@contextmanager
def _records(path: str | None, saved: int) -> Iterator[ChunkWriter]:
    """A function that writes the records of each finished chunk, one a line.

    A resumed run keeps the first `saved` games of the file: a chunk that was written but not finished is
    played again.
    """
    if path is None:
        yield lambda chunk: None
        return
    length = _length_of(Path(path), saved)
    with Path(path).open("r+b" if length else "wb") as file:
        file.truncate(length)
        file.seek(length)

        def write(chunk: Played) -> None:
            file.writelines(f"{record}\n".encode() for record in chunk.records)
            file.flush()

        yield write


def _length_of(path: Path, games: int) -> int:
    if not games:
        return 0
    length = found = 0
    if path.exists():
        with path.open("rb") as file:
            for line in islice(file, games):
                found += line.endswith(b"\n")
                length += len(line)
    if found < games:
        raise Usage(
            f"--records {path} holds {found:,} games and --save {games:,}: resume with the file that the run"
            " was begun with, or begin another with two new files"
        )
    return length


@contextmanager
def _executor(address: str | None) -> Iterator[Executor | None]:
    """Dask's workers; None for processes of this machine."""
    if address is None:
        yield None
        return
    from distributed import Client
    from distributed.comm import get_address_host_port

    try:
        # A client that cannot connect is never closed, and blocks the thread that collects it for 20 s.
        with socket.create_connection(get_address_host_port(address), _ANSWER_S):
            pass
        client: Any = Client(address, timeout=_ANSWER_S)
    except Exception as error:  # Dask raises anything for a bad address, assertions too
        raise Usage(f"--dask {address}: no scheduler answers there ({type(error).__name__})") from None
    with client, client.get_executor() as executor:
        yield executor


def _plot(path: str, standing: Standing, ratings: dict[str, Rating]) -> None:
    from facedown.sim.standing import plot_arena

    arena = standing.arena
    shares = {
        (one, two): score.value
        for one in arena.bots
        for two in arena.bots
        if one != two and (score := standing.score(one, two)) is not None
    }
    title = f"{arena.game}, {arena.rules}, {arena.seats} seats: hero's share in %"
    plot_arena(Path(path), title, arena.bots, shares, ratings)
