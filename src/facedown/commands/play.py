"""`facedown play`: sets the table, and shows it on the full screen or line by line.

The full screen at a terminal; line by line with `--plain`, in a pipe, and where the terminal
can do no more. Tables on servers and records are tables like any other.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from shlex import quote
from typing import TYPE_CHECKING

from facedown.cli import DONE
from facedown.cli.errors import Usage
from facedown.cli.table_options import names_of_table, seats_of, seed_of_table
from facedown.commands.hosting import LocalHost
from facedown.commands.play_lines import line_by_line
from facedown.core import registry
from facedown.core.record import Record
from facedown.core.seats import Seat, all_seats
from facedown.files import check_writable, writing
from facedown.terminal.settings import TerminalSettings, read_settings
from facedown.terminal.tables.local import LocalTable
from facedown.terminal.tables.savegame import SaveGame, TableSpec, unfinished_games
from facedown.terminal.tables.table import TerminalTable
from facedown.terminal.words.words import Words

if TYPE_CHECKING:
    from facedown.terminal.app import TerminalApp

_RESUME = "facedown play --resume"
_FAREWELL = 2.0
"""Seconds in which whoever reads from the terminal has to stop."""
_ELSEWHERE = ("resume", "join", "create", "watch", "replay")
"""Ways to a table that need no other description of it."""


def run(arguments: argparse.Namespace) -> int:
    """Play one game to its end, or until somebody leaves."""
    settings = _settings(arguments)
    words = Words(settings.look(getattr(sys.stdout, "encoding", None)).language)
    _check(arguments)
    full = not arguments.plain and full_screen()
    if arguments.replay is not None:
        return _replay(arguments, settings, full)
    if arguments.join is not None or arguments.create is not None or arguments.watch is not None:
        return _on_server(arguments, settings, words, full)
    host = LocalHost(keep=full or _typed())
    if arguments.game is None and not arguments.resume:
        if full:
            return _full(host, settings, None)
        arguments.game = _chosen()
        if arguments.game is None:
            return DONE
    spec, savegame = _resumed() if arguments.resume else (_spec(arguments), None)
    if full:
        return _full(host, settings, host.open(spec, words, savegame))
    return line_by_line(host.open(spec, words, savegame), words)


def full_screen() -> bool:
    """Whether there is a screen to draw on, and what draws it is installed."""
    if os.environ.get("TERM", "dumb") == "dumb" or not _typed():
        return False
    if sys.stdout is None or not sys.stdout.isatty():
        return False
    from importlib.util import find_spec

    return find_spec("textual") is not None


def _typed() -> bool:
    return sys.stdin is not None and sys.stdin.isatty()


def _settings(arguments: argparse.Namespace) -> TerminalSettings:
    """As they are kept, and as this command wants them otherwise."""
    settings = read_settings()
    if arguments.ascii:
        settings = replace(settings, letters="ascii")
    if arguments.language is not None:
        settings = replace(settings, language=arguments.language)
    elif not sys.stdout or not sys.stdout.isatty():
        settings = replace(settings, language="en") if settings.language == "auto" else settings
    return settings


def _check(arguments: argparse.Namespace) -> None:
    """Raise where two ways to a table are named, or one that another option contradicts."""
    ways = [name for name in _ELSEWHERE if getattr(arguments, name) not in (None, False)]
    if len(ways) > 1:
        raise Usage(f"--{ways[0]} and --{ways[1]} name two tables: one is enough")
    if ways and ways != ["create"] and arguments.game is not None:
        raise Usage(f"--{ways[0]} brings its own game: leave out {arguments.game[:40]!r}")
    if ways == ["create"] and arguments.game is None:
        raise Usage("--create needs the name of a game")


# --- the table of this machine ---------------------------------------------------------------------------


def _spec(arguments: argparse.Namespace) -> TableSpec:
    """The table that the command describes."""
    game = registry.get(arguments.game)
    rules = game.rules.read(arguments.rules)
    seats = seats_of(game, arguments.seats)
    person = _person(arguments, seats)
    names = names_of_table(arguments.names, seats, person)
    for path in (arguments.record, arguments.memory):
        if path is not None:
            check_writable(path)
    machines = _machines(arguments, game.name, seats, person)
    people = all_seats(seats) if person is None else (person,)
    seed = seed_of_table(arguments.seed)
    return TableSpec(game.name, str(rules), names, people, machines, seed, arguments.memory, arguments.record)


def _person(arguments: argparse.Namespace, seats: int) -> Seat | None:
    """The seat of the one person; None in the hot seat."""
    if arguments.hotseat:
        if arguments.seat is not None:
            raise Usage("--seat has no meaning with --hotseat: people sit on all seats")
        return None
    person = 1 if arguments.seat is None else int(arguments.seat)
    if person not in all_seats(seats):
        raise Usage(f"--seat {person}: the seats of this table are 1 to {seats}")
    return person


def _machines(arguments: argparse.Namespace, game: str, seats: int, person: Seat | None) -> tuple[str, ...]:
    """Which machine sits where: one kind on all seats that are left, or one for each in seat order."""
    if person is None:
        if arguments.against is not None or arguments.memory is not None:
            raise Usage("--against and --memory have no meaning with --hotseat: people sit on all seats")
        return ("",) * seats
    left = [seat for seat in all_seats(seats) if seat != person]
    named = (
        ["uniform"] if arguments.against is None else [name.strip() for name in arguments.against.split(",")]
    )
    if arguments.against is not None:
        from facedown.bots.find import find_bot

        for name in named:
            find_bot(game, name)
    if len(named) not in (1, len(left)):
        raise Usage(f"--against names {len(named)} machines for {len(left)} seats")
    seated = dict(zip(left, named * (len(left) if len(named) == 1 else 1), strict=True))
    return tuple(seated.get(seat, "") for seat in all_seats(seats))


def _chosen() -> str | None:
    """The game that somebody at a terminal chooses from a list; a pipe has to name one."""
    if not _typed() or sys.stdout is None or not sys.stdout.isatty():
        raise Usage(f"the name of a game is needed: {', '.join(registry.names())}")
    from facedown.commands.welcome import chosen_game

    return chosen_game()


def _resumed() -> tuple[TableSpec, SaveGame]:
    """The latest game that was left."""
    for savegame in unfinished_games():
        return savegame.spec, savegame
    raise Usage("there is no unfinished game to go on with")


# --- the full screen -------------------------------------------------------------------------------------


def _full(host: LocalHost, settings: TerminalSettings, table: TerminalTable | None) -> int:
    from facedown.terminal.app import INTERRUPTED, TerminalApp

    _ask_the_terminal_for_its_size()
    app = TerminalApp(host, settings, table)
    app.abandoned = lambda: _save_unfinished(table)  # type: ignore[method-assign]  # made for this
    with _saved_after(app.words, table):
        left = _run(app)
    for line in app.said:
        print(line)
    if left == INTERRUPTED:
        raise KeyboardInterrupt
    if left in ("SIGTERM", "SIGHUP"):
        return 128 + int(getattr(signal, left))
    return DONE if app.return_code in (0, None) else app.return_code


def _ask_the_terminal_for_its_size() -> None:
    """Where a shell hands its size on in the environment, that would hold for ever, however it is resized."""
    for name in ("COLUMNS", "LINES"):
        os.environ.pop(name, None)


@contextmanager
def _saved_after(words: Words, table: TerminalTable | None) -> Iterator[None]:
    """Write down a game that was left, where a file was asked for; a finished one is there already."""
    try:
        yield
    finally:
        path = _save_unfinished(table)
        if path is not None:
            print(words("saved_game", command=f"facedown replay {quote(path)}"))


def _save_unfinished(table: TerminalTable | None) -> str | None:
    """Where a game that was left has been written to, if a file was asked for."""
    if not isinstance(table, LocalTable) or table.spec is None or table.outcome is not None:
        return None
    path = table.spec.record
    if path is not None:
        with writing(path) as file:
            file.write(table.match.record().write() + "\n")
    return path


def _run(app: TerminalApp) -> str | None:
    """The app, from its first screen to its last; a terminal that went away keeps no process alive."""
    try:
        return app.run()
    finally:
        for thread in threading.enumerate():
            if thread.name == "textual-input":
                thread.join(_FAREWELL)
                if thread.is_alive():  # it reads for ever from a terminal that is gone
                    app.abandoned()
                    os._exit(128 + signal.SIGHUP)


def _replay(arguments: argparse.Namespace, settings: TerminalSettings, full: bool) -> int:
    from facedown.cli.record_files import one_record

    if not full:
        from facedown.commands import replay

        namespace = argparse.Namespace(
            record=arguments.replay, json=False, step=False, viewer=None, jobs=None
        )
        return replay.run(namespace)
    record = one_record(arguments.replay)
    return _full_replay(record, settings)


def _full_replay(record: Record, settings: TerminalSettings) -> int:
    from facedown.terminal.app import INTERRUPTED, TerminalApp
    from facedown.terminal.screens.replay_page import RecordedTable, ReplayPage

    _ask_the_terminal_for_its_size()
    words = Words(settings.look(getattr(sys.stdout, "encoding", None)).language)
    app = TerminalApp(LocalHost(keep=False), settings, first=ReplayPage(RecordedTable(record, words)))
    if _run(app) == INTERRUPTED:
        raise KeyboardInterrupt
    return DONE


# --- tables on servers -----------------------------------------------------------------------------------


def _on_server(arguments: argparse.Namespace, settings: TerminalSettings, words: Words, full: bool) -> int:
    from facedown.commands.remote import sit_down

    table = sit_down(arguments, words)
    if full:
        return _full(LocalHost(keep=False), settings, table)
    return line_by_line(table, words)
