"""`facedown play`: sets the table, and shows it on the full screen or in line mode.

The full screen at a terminal; line mode with `--lines` or `--plain`, in a pipe, and on terminals that can do
no more.
"""

from __future__ import annotations

import argparse
import os
import secrets
import signal
import sys
import threading
from importlib.util import find_spec
from typing import TYPE_CHECKING

from facedown.cli import DONE
from facedown.cli.errors import Usage
from facedown.cli.extras import check_extra, install_command
from facedown.cli.table_options import names_of_table, seats_of, seed_of_table
from facedown.core import registry
from facedown.core.seats import Seat, all_seats
from facedown.files import check_writable
from facedown.terminal.lines.console import Console
from facedown.terminal.lines.run import play_lines
from facedown.terminal.moments.effects import ChosenGame
from facedown.terminal.settings import Look, look_of_terminal
from facedown.terminal.tables.host import LocalHost
from facedown.terminal.tables.savegame import SaveGame, unfinished_games
from facedown.terminal.tables.spec import TableSpec
from facedown.terminal.tables.table import TerminalTable
from facedown.terminal.words import Words

if TYPE_CHECKING:
    from facedown.terminal.tables.remote import OnlineTable

_LINES_ONLY = "line by line, as with --lines: the full screen needs the extra `terminal`"
_ELSEWHERE = ("resume", "join", "create", "watch")
"""Options that name a table, so that nothing else has to describe it."""

_DESCRIBE = ("rules", "seats", "seed", "against", "memory", "record")
"""Options that describe a new table of this machine."""


def run(arguments: argparse.Namespace) -> int:
    """Play one game to its end, or until the player leaves."""
    look = look_of_terminal(arguments.language, ascii_only=arguments.ascii)
    words = Words(look.language)
    _check(arguments)
    lines = arguments.plain or arguments.lines
    full = not lines and full_screen()
    if not (full or lines) and _has_screen():
        _warn(f"{_LINES_ONLY}: {install_command('terminal')}")
    table: TerminalTable
    if arguments.join is not None or arguments.create is not None or arguments.watch is not None:
        table, host = _online_table(arguments, words), LocalHost(keep=False)
    else:
        host = LocalHost(keep=full or _has_keyboard())
        if arguments.game is None and not arguments.resume:
            if full:
                return _full(host, look, None)
            chosen = _choose_game(words)
            if chosen is None:
                return DONE
            arguments.game, savegame = chosen.game, chosen.savegame
        else:
            savegame = _latest_game() if arguments.resume else None
        table = host.open(_spec(arguments) if savegame is None else savegame.spec, words, savegame)
    if full:
        return _full(host, look, table)
    play_lines(table, words, drawn=not arguments.plain)
    return DONE


def full_screen() -> bool:
    """Whether there is a screen to draw on, and the library for it is installed."""
    return _has_screen() and find_spec("textual") is not None


def _has_screen() -> bool:
    dumb = os.environ.get("TERM", "dumb") == "dumb" and sys.platform != "win32"
    return not dumb and _has_keyboard() and sys.stdout is not None and sys.stdout.isatty()


def _has_keyboard() -> bool:
    return sys.stdin is not None and sys.stdin.isatty()


def _check(arguments: argparse.Namespace) -> None:
    ways = [name for name in _ELSEWHERE if getattr(arguments, name) not in (None, False)]
    if len(ways) > 1:
        raise Usage(f"--{ways[0]} and --{ways[1]} name two tables: one is enough")
    if ways and ways != ["create"] and arguments.game is not None:
        raise Usage(f"--{ways[0]} brings its own game: leave out {arguments.game[:40]!r}")
    if ways == ["create"] and arguments.game is None:
        raise Usage("--create needs the name of a game")
    if ways != ["create"] and arguments.clock is not None:
        raise Usage("--clock is for a table on a server: it goes with --create")
    if ways:
        here = ("seed", "memory", "record") if ways == ["create"] else _DESCRIBE
        given = [name for name in here if getattr(arguments, name) not in (None, "")]
        if given:
            raise Usage(f"--{given[0]} is for a new table on this machine: leave it out with --{ways[0]}")


# --- the table of this machine ---------------------------------------------------------------------------


def _spec(arguments: argparse.Namespace) -> TableSpec:
    game = registry.get(arguments.game)
    rules = game.rules.read(arguments.rules or game.rules.usual_preset())
    seats = seats_of(game, arguments.seats)
    person = _person(arguments, seats)
    for path in (arguments.record, arguments.memory):
        if path is not None:
            check_writable(path)
    machines = _machines(arguments, game.name, seats, person)
    names = names_of_table(arguments.names, game.name, machines)
    people = all_seats(seats) if person is None else (person,)
    seed = seed_of_table(arguments.seed)
    return TableSpec(game.name, str(rules), names, people, machines, seed, arguments.memory, arguments.record)


def _person(arguments: argparse.Namespace, seats: int) -> Seat | None:
    """The seat of the one person; None in the hot seat."""
    if arguments.hotseat:
        if arguments.seat is not None:
            raise Usage("--seat has no meaning with --hotseat: people sit on all seats")
        return None
    if arguments.seat is None:
        return 1 if arguments.seed else 1 + secrets.randbelow(seats)  # a seed deals the same game again
    person = int(arguments.seat)
    _check_seat(person, seats)
    return person


def _check_seat(seat: Seat, seats: int) -> None:
    if seat not in all_seats(seats):
        raise Usage(f"--seat {seat}: the seats of this table are 1 to {seats}")


def _machines(arguments: argparse.Namespace, game: str, seats: int, person: Seat | None) -> tuple[str, ...]:
    """The bots by seat: one kind on all free seats, or one for each in seat order."""
    if person is None:
        if arguments.against is not None or arguments.memory is not None:
            raise Usage("--against and --memory have no meaning with --hotseat: people sit on all seats")
        return ("",) * seats
    left = [seat for seat in all_seats(seats) if seat != person]
    from facedown.bots.find import find_bot
    from facedown.bots.house import usual_bots

    asked: str | None = arguments.against
    named = [*usual_bots(game, len(left))] if asked is None else [name.strip() for name in asked.split(",")]
    for name in named:
        find_bot(game, name)
    if len(named) not in (1, len(left)):
        raise Usage(f"--against names {len(named)} machines for {len(left)} seats")
    seated = dict(zip(left, named * (len(left) if len(named) == 1 else 1), strict=True))
    return tuple(seated.get(seat, "") for seat in all_seats(seats))


def _choose_game(words: Words) -> ChosenGame | None:
    """Let the player choose a game from a list; a pipe has to name one."""
    if not _has_keyboard() or sys.stdout is None or not sys.stdout.isatty():
        raise Usage(f"the name of a game is needed: {', '.join(registry.names())}")
    from facedown.terminal.lines.run import chosen_game

    return chosen_game(words)


def _latest_game() -> SaveGame:
    for savegame in unfinished_games():
        return savegame
    raise Usage("there is no unfinished game to resume")


# --- the full screen -------------------------------------------------------------------------------------


def _full(host: LocalHost, look: Look, table: TerminalTable | None) -> int:
    from facedown.terminal.app import INTERRUPTED, TerminalApp

    app = TerminalApp(host, look, table)
    for name in ("COLUMNS", "LINES"):  # an exported size would never change
        os.environ.pop(name, None)
    try:
        left = app.run()
    finally:
        app.close_tables()
        _end_with_the_terminal()
        for line in app.said:
            print(line)
    if app.failure is not None:
        raise app.failure
    if left == INTERRUPTED:
        raise KeyboardInterrupt
    if left in ("SIGTERM", "SIGHUP"):
        return 128 + int(getattr(signal, left))
    if app.return_code:  # an error in a part of Textual that hands none on
        raise RuntimeError("the full screen ended with an error")
    return DONE


def _end_with_the_terminal() -> None:
    """End this process if the thread that reads keys still waits for a terminal that is gone."""
    for thread in threading.enumerate():
        if thread.name == "textual-input":
            thread.join(2.0)
            if thread.is_alive():
                os._exit(128 + getattr(signal, "SIGHUP", 1))


# --- tables on servers -----------------------------------------------------------------------------------


def _online_table(arguments: argparse.Namespace, words: Words) -> OnlineTable:
    check_extra("tables on a server need", "terminal", "msgspec", "websockets")
    from facedown.client.rest import Address, NoFreeSeat
    from facedown.terminal.tables.join import join_table, watch_table

    if arguments.hotseat:
        raise Usage("--hotseat is for this device alone: leave it out for a table on a server")
    if arguments.create is not None:
        return _create_table(arguments, words)
    if arguments.watch is not None:
        address = Address.read(arguments.watch)
        if not address.name:
            raise Usage("--watch needs the address of a table or an invitation")
        return watch_table(address, words)
    address = Address.read(arguments.join)
    if not address.name:
        raise Usage("--join needs the address of a table or an invitation: https://server/i/CODE")
    try:
        return join_table(address, words, _warn, name=_first_name(arguments), seat=arguments.seat)
    except NoFreeSeat as error:
        if arguments.seat is None:
            raise Usage("all seats of this table are taken: use --watch to watch") from None
        free = ", ".join(map(str, error.free)) or "none"
        raise Usage(f"--seat {arguments.seat}: the free seats of this table are {free}") from None


def _create_table(arguments: argparse.Namespace, words: Words) -> OnlineTable:
    from facedown.client.rest import Address
    from facedown.terminal.tables.join import create_table

    game = registry.get(arguments.game)
    rules = str(game.rules.read(arguments.rules or game.rules.usual_preset()))
    count = seats_of(game, arguments.seats)
    mine = 1 if arguments.seat is None else int(arguments.seat)
    _check_seat(mine, count)
    seats = _online_seats(arguments.against, count, mine)
    table = create_table(
        Address.read(arguments.create).server,
        game,
        rules,
        seats,
        words,
        _warn,
        name=_first_name(arguments),
        seat=mine,
        seconds=arguments.clock,
    )
    if table.came_back:
        Console().say_wrapped(words("remote.back"))
    elif table.invitation and full_screen() and not (arguments.plain or arguments.lines):
        print(words("remote.made"), table.link, sep="\n", flush=True)  # the full screen leaves it behind
    return table


def _online_seats(against: str | None, count: int, mine: Seat) -> list[str | None]:
    """The seats of a new table: None for a person, and the named bots on the last ones."""
    names = [] if against is None else [name.strip() for name in against.split(",")]
    others = [seat for seat in all_seats(count) if seat != mine]
    if len(names) > len(others):
        raise Usage(f"--against names {len(names)} machines for {len(others)} seats")
    machines = dict(zip(others[len(others) - len(names) :], names, strict=True))
    return [machines.get(seat) for seat in all_seats(count)]


def _first_name(arguments: argparse.Namespace) -> str:
    return str(arguments.names or "").partition(",")[0].strip()


def _warn(text: str) -> None:
    print(f"facedown: {text}", file=sys.stderr)
