"""`facedown arena`: bots against each other, a cross table with intervals, and ratings."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import TypeAlias

from facedown.bots.find import bots_of, find_bot
from facedown.cli import DONE, INTERRUPTED
from facedown.cli.errors import Usage
from facedown.cli.extras import check_extra
from facedown.cli.progress import Progress
from facedown.cli.table_options import seats_of, seed_of_table, within
from facedown.commands import simulate
from facedown.core import registry
from facedown.core.chance import seed_of
from facedown.files import check_writable
from facedown.library.arguments import MOST_GAMES, MOST_MEMORY
from facedown.sim.arena import Arena, Played, play
from facedown.sim.checkpoint import ChunkWriter, checkpoint
from facedown.sim.standing import Standing, as_json, in_words
from facedown.sim.workers import MOST_JOBS, usual_jobs

ArenaPlayer: TypeAlias = Callable[[Arena, int, frozenset[int]], Iterator[Played]]
"""Plays the chunks of an arena in this number of processes, those left out that are done."""


def run(arguments: argparse.Namespace) -> int:
    """Play and print the cross table; after Ctrl-C, that of the finished games."""
    if is_one_bot(arguments):
        return simulate.run(arguments)
    arena, seed_text = read_arena(arguments)
    standing, partial = play_arena(arena, arguments, play)
    return print_standing(standing, seed_text, arguments, partial=partial)


def is_one_bot(arguments: argparse.Namespace) -> bool:
    """Whether one bot is to play against itself: its statistics instead of a cross table."""
    return len(_names(arguments.bots)) == 1


def read_arena(arguments: argparse.Namespace) -> tuple[Arena, str]:
    """The arena that the options describe, and its seed as text."""
    game = registry.get(arguments.game)
    bots = _names(arguments.bots) or tuple(bots_of(game.name))
    heroes = _names(arguments.heroes)
    if len(bots) < 2:
        raise Usage(f"{game.name} has one bot alone: name others with --bots, or that one for its statistics")
    for name in bots:
        find_bot(game.name, name)
    for name in heroes:
        if name not in bots:
            raise Usage(f"--heroes {name[:60]}: it is not among the bots of this arena: {', '.join(bots)}")
    seed_text = seed_of_table(arguments.seed)
    games = within("--games", arguments.games, MOST_GAMES)
    memory = within("--memory", arguments.memory, MOST_MEMORY, least=0)
    arena = Arena(
        game=game.name,
        rules=str(game.rules.read(arguments.rules)),
        seats=seats_of(game, arguments.seats),
        seed=seed_of(seed_text),
        bots=bots,
        games=games,
        heroes=heroes,
        memory=memory,
        records=arguments.records is not None,
    )
    if arena.seats < 2:
        raise Usage("an arena needs games of two seats or more")
    return arena, seed_text


def _names(names: str | None) -> tuple[str, ...]:
    if names is None:
        return ()
    return tuple(dict.fromkeys(name.strip() for name in names.split(",")))


def play_arena(arena: Arena, arguments: argparse.Namespace, player: ArenaPlayer) -> tuple[Standing, bool]:
    """The standing after all games, or after those that were finished before Ctrl-C, and whether it came."""
    check_extra("ratings need", "arena", "openskill")
    for path in (arguments.save, arguments.records):
        if path is not None:
            check_writable(path)
    jobs = usual_jobs() if arguments.jobs is None else within("--jobs", arguments.jobs, MOST_JOBS)
    standing = Standing(arena)
    path = None if arguments.save is None else Path(arguments.save)
    progress = Progress(arena.games * len(arena.pairings), "games")
    with (
        checkpoint(path, arena) as (done, write),
        _records(arguments.records, sum(arena.memory + chunk.bout.played for chunk in done)) as write_records,
    ):
        for chunk in done:
            standing.add(chunk)
        try:
            for chunk in player(arena, jobs, frozenset(each.number for each in done)):
                write_records(chunk)
                write(chunk)
                standing.add(chunk)
                progress.reach(standing.games)
        except KeyboardInterrupt:
            return standing, True
        finally:
            progress.close()
    return standing, False


def print_standing(
    standing: Standing, seed_text: str, arguments: argparse.Namespace, *, partial: bool
) -> int:
    """Print the cross table and the ratings; the exit status."""
    ratings = standing.ratings()
    if arguments.json:
        print(json.dumps(as_json(standing, ratings, seed_text, partial)))
    else:
        print("\n".join(in_words(standing, ratings, seed_text, partial)))
        if partial and arguments.save is not None:
            print(f"Run the same command to resume from {arguments.save}.")
    return INTERRUPTED if partial else DONE


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
