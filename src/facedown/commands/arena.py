"""`facedown arena`: bots against each other, a cross table with intervals, and ratings."""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from facedown.bots.find import bots_of, current_name, find_bot
from facedown.cli import DONE, INTERRUPTED
from facedown.cli.errors import Usage
from facedown.cli.extras import check_extra
from facedown.cli.table_options import seats_of, seed_of_table, within
from facedown.core import registry
from facedown.core.chance import seed_of
from facedown.files import check_writable
from facedown.sim.arena import Arena, Played, play
from facedown.sim.checkpoint import Writes, checkpoint
from facedown.sim.cross_table import Bout
from facedown.sim.ratings import Rating, rate
from facedown.sim.statistics import Estimate
from facedown.sim.workers import MOST_JOBS, usual_jobs
from facedown.terminal.lines.progress import Progress

_MOST_GAMES: Final = 1_000_000_000
_MOST_MEMORY: Final = 100


class Standing:
    """What has been played so far, added up."""

    def __init__(self, arena: Arena) -> None:
        self.arena = arena
        self.bouts = {pairing: Bout(arena.seats) for pairing in arena.pairings}
        self.rated: list[tuple[int, tuple[tuple[tuple[str, ...], int], ...]]] = []
        self.games = 0

    def add(self, batch: Played) -> None:
        """One more batch."""
        self.bouts[batch.hero, batch.field].add(batch.bout)
        self.rated.append((batch.number, batch.rated))
        self.games += batch.bout.played

    def ratings(self) -> dict[str, Rating]:
        """Rated in the order of the batches, however they came in."""
        games = (game for _, batch in sorted(self.rated) for game in batch)
        return rate(self.arena.bots, games)

    def score(self, hero: str, other: str) -> Estimate | None:
        """The hero's share against a field of the other; with two seats either way round."""
        if (hero, other) in self.bouts:
            bout = self.bouts[hero, other]
            return bout.score() if bout.played else None
        if (other, hero) in self.bouts and self.bouts[other, hero].played:
            value, low, high = self.bouts[other, hero].score()
            return Estimate(1 - value, 1 - high, 1 - low)
        return None

    def faults(self) -> Counter[str]:
        """What bots did wrong, all bouts together."""
        return sum((bout.faults for bout in self.bouts.values()), Counter())

    def first_fault(self, fault: str) -> tuple[int, int] | None:
        """The game and the decision in which a fault was first seen; None where a file does not say it."""
        found = [bout.first_faults[fault] for bout in self.bouts.values() if fault in bout.first_faults]
        return min(found) if found else None


def run(arguments: argparse.Namespace) -> int:
    """Play, tell the cross table; on Ctrl-C, what was finished until then."""
    arena, seed_text = _asked(arguments)
    _check_libraries(arguments)
    for path in (arguments.save, arguments.plot, arguments.records):
        if path is not None:
            check_writable(path)
    jobs = usual_jobs() if arguments.jobs is None else within("--jobs", arguments.jobs, MOST_JOBS)
    standing, partial = _played(arena, jobs, arguments)
    ratings = standing.ratings()
    if arguments.plot is not None:
        _plot(arguments.plot, standing, ratings)
    if arguments.json:
        print(json.dumps(_as_json(standing, ratings, seed_text, partial)))
    else:
        print(_in_words(standing, ratings, seed_text, partial, arguments.save))
    return INTERRUPTED if partial else DONE


def _check_libraries(arguments: argparse.Namespace) -> None:
    """Raise before anything is played where what is asked for at the end could not be had."""
    check_extra("ratings need", "arena", "openskill")
    if arguments.plot is not None:
        check_extra("pictures need", "plot", "matplotlib")
    if arguments.dask is not None:
        check_extra("--dask needs", "dask", "distributed")


def _asked(arguments: argparse.Namespace) -> tuple[Arena, str]:
    game = registry.get(arguments.game)
    named = bots_of(game.name) if arguments.bots is None else arguments.bots.split(",")
    bots = tuple(dict.fromkeys(current_name(game.name, name.strip()) for name in named))
    if len(bots) < 2:
        raise Usage("--bots needs at least two bots with a comma between; `facedown bots` lists them")
    for name in bots:
        find_bot(game.name, name)
    seed_text = seed_of_table(arguments.seed)
    arena = Arena(
        game=game.name,
        rules=str(game.rules.read(arguments.rules)),
        seats=seats_of(game, arguments.seats),
        seed=seed_of(seed_text),
        bots=bots,
        games=within("--games", arguments.games, _MOST_GAMES),
        memory=within("--memory", arguments.memory, _MOST_MEMORY, least=0),
        records=arguments.records is not None,
    )
    if arena.seats < 2:
        raise Usage("an arena needs games of two seats or more")
    return arena, seed_text


def _played(arena: Arena, jobs: int, arguments: argparse.Namespace) -> tuple[Standing, bool]:
    standing = Standing(arena)
    path = None if arguments.save is None else Path(arguments.save)
    progress = Progress(arena.games * len(arena.pairings), "games")
    with (
        checkpoint(path, arena) as (done, write),
        _records(arguments.records, going_on=bool(done)) as write_records,
        _executor(arguments.dask) as executor,
    ):
        for batch in done:
            standing.add(batch)
        try:
            for batch in play(arena, jobs, frozenset(each.number for each in done), executor):
                write_records(batch)
                write(batch)
                standing.add(batch)
                progress.reach(standing.games)
        except KeyboardInterrupt:
            return standing, True
        finally:
            progress.close()
    return standing, False


@contextmanager
def _records(path: str | None, *, going_on: bool) -> Iterator[Writes]:
    """Where the records of finished batches go: one a line, each batch as soon as it is finished."""
    if path is None:
        yield lambda batch: None
        return
    with Path(path).open("a" if going_on else "w", encoding="utf-8") as file:

        def write(batch: Played) -> None:
            file.writelines(f"{record}\n" for record in batch.records)
            file.flush()

        yield write


@contextmanager
def _executor(address: str | None) -> Iterator[Executor | None]:
    """Dask's workers, where they were asked for; else this machine's own processes."""
    if address is None:
        yield None
        return
    from distributed import Client

    try:
        client: Any = Client(address, timeout="10s")  # type: ignore[no-untyped-call]  # it has no types
    except (OSError, ValueError) as error:
        raise Usage(f"--dask {address}: no scheduler answers there ({type(error).__name__})") from None
    with client, client.get_executor() as executor:
        yield executor


def _plot(path: str, standing: Standing, ratings: dict[str, Rating]) -> None:
    from facedown.sim.plot import plot_arena

    arena = standing.arena
    shares = {
        (one, two): score.value
        for one in arena.bots
        for two in arena.bots
        if one != two and (score := standing.score(one, two)) is not None
    }
    title = f"{arena.game}, {arena.rules}, {arena.seats} seats: hero's share in %"
    plot_arena(Path(path), title, arena.bots, shares, ratings)


# --- for programs ----------------------------------------------------------------------------------------


def _as_json(standing: Standing, ratings: dict[str, Rating], seed_text: str, partial: bool) -> dict[str, Any]:
    arena = standing.arena
    return {
        "game": arena.game,
        "rules": arena.rules,
        "seats": arena.seats,
        "bots": list(arena.bots),
        "seed": seed_text,
        "memory": arena.memory,
        "asked": arena.games * len(arena.pairings),
        "games": standing.games,
        "partial": partial,
        "pairings": [_bout_as_json(hero, other, bout) for (hero, other), bout in standing.bouts.items()],
        "ratings": {name: rating._asdict() for name, rating in ratings.items()},
        "faults": dict(standing.faults()),
        "first_faults": {
            fault: {"game": place[0], "decision": place[1]}
            for fault in standing.faults()
            if (place := standing.first_fault(fault)) is not None
        },
    }


def _bout_as_json(hero: str, other: str, bout: Bout) -> dict[str, Any]:
    seats = range(1, bout.seats + 1)
    return {
        "hero": hero,
        "field": other,
        "games": bout.played,
        "wins": sum(bout.wins),
        "draws": sum(bout.draws),
        "score": bout.score()._asdict(),
        "by_seat": [
            {
                "seat": seat,
                "games": bout.games[seat - 1],
                "wins": bout.wins[seat - 1],
                "draws": bout.draws[seat - 1],
                "score": bout.score(seat)._asdict(),
            }
            for seat in seats
        ],
    }


# --- for people ------------------------------------------------------------------------------------------


def _in_words(
    standing: Standing, ratings: dict[str, Rating], seed_text: str, partial: bool, save: str | None
) -> str:
    arena = standing.arena
    asked = arena.games * len(arena.pairings)
    done = f"{standing.games:,} of {asked:,} games, interrupted" if partial else f"{standing.games:,} games"
    remember = f", bots remember {arena.memory} games" if arena.memory else ""
    title = registry.get(arena.game).meta.title
    lines = [f"{title}, {arena.rules}, {arena.seats} seats{remember}, seed {seed_text}: {done}"]
    field = "the other" if arena.seats == 2 else f"{arena.seats - 1} of the other"
    lines.append(f"Share of the bot on the left against {field}, in % (95 % interval); a draw counts half.")
    lines.extend(_cross_table(standing))
    lines.append("Ratings (all start at 25), ± 2 deviations:")
    for name, rating in sorted(ratings.items(), key=lambda item: -item[1].mean):
        lines.append(f"  {name:<14} {rating.mean:6.2f} ± {2 * rating.deviation:.2f}")
    for fault, count in standing.faults().most_common():
        place = standing.first_fault(fault)
        first = "" if place is None else f"; first in game {place[0]}, decision {place[1]}"
        lines.append(f"Lost by a fault: {fault}, {count:,} {'game' if count == 1 else 'games'}{first}")
    if partial and save is not None:
        lines.append(f"Run the same command to resume from {save}.")
    return "\n".join(lines)


def _cross_table(standing: Standing) -> list[str]:
    bots = standing.arena.bots
    cells = [["", *bots]]
    for one in bots:
        row = [one]
        for two in bots:
            score = None if one == two else standing.score(one, two)
            row.append("·" if score is None else _percent(score))
        cells.append(row)
    widths = [max(len(row[column]) for row in cells) for column in range(len(bots) + 1)]
    return [
        "  " + "  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)) for row in cells
    ]


def _percent(score: Estimate) -> str:
    value, low, high = (100 * each for each in score)
    return f"{value:.2f} ({low:.2f}–{high:.2f})"
