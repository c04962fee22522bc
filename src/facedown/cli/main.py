"""The `facedown` command: the argument parser, and the call of the subcommand's module.

Imports nothing heavy: `facedown --help` is there at once. Every failure is one sentence and exit status 2.
"""

from __future__ import annotations

import argparse
import os
import sys
import warnings
from collections.abc import Sequence
from importlib import import_module
from typing import Any, Final, NoReturn

from facedown import __version__
from facedown.cli import DONE, FAILED, INTERRUPTED, PIPE_CLOSED

_EXAMPLES: Final = """\
examples:
  facedown                                   play in the browser, alone or with friends
  facedown play                              play in the terminal
  facedown play GAME                         against machines; `facedown games` lists the games
  facedown play GAME --hotseat --record G.json
  facedown replay G.json --step              a recorded game, step by step
  facedown simulate GAME --games 10000 --seed text
"""


class _Parser(argparse.ArgumentParser):
    """An argument parser whose errors are one sentence, like all others."""

    def error(self, message: str) -> NoReturn:
        from facedown.cli.errors import Usage

        raise Usage(f"{message}; `{self.prog} --help` shows how it is written")


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; its exit status."""
    try:
        _replace_unencodable()
        _warn_in_words()
        status = _run(argv)
        if sys.stdout is not None:
            sys.stdout.flush()
        return status
    except KeyboardInterrupt:
        print("\nfacedown: interrupted", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        _close_stdout_quietly()
        return PIPE_CLOSED
    except Exception as error:
        if "FACEDOWN_DEBUG" in os.environ:
            raise
        print(f"facedown: {_sentence(error)}", file=sys.stderr)
        _flush_or_drop()
        return FAILED


def _warn_in_words() -> None:
    """A package that is left out is said in one line, without a place in our code."""
    usual = warnings.formatwarning

    def formatted(message: Any, category: type[Warning], *place: Any) -> str:
        from facedown.core.registry import LeftOut  # imported by then, and not needed for --help

        if issubclass(category, LeftOut):
            return f"facedown: {message}\n"
        return usual(message, category, *place)

    warnings.formatwarning = formatted  # type: ignore[assignment]  # the same arguments, by position


def _run(argv: Sequence[str] | None) -> int:
    parser = _parser()
    try:
        arguments = parser.parse_args(argv)
    except SystemExit:  # after --help or --version; whether it could be printed is seen at the flush
        return DONE
    if arguments.command is None:  # `facedown` alone: the tables, in the browser
        arguments = parser.parse_args(["serve", "--open"])
    return _do(arguments)


def _do(arguments: argparse.Namespace) -> int:
    command = import_module(f"facedown.commands.{arguments.command}")
    status: int = command.run(arguments)
    return status


def _sentence(error: Exception) -> str:
    """What went wrong: the code, the place, the words, the rule's id."""
    from facedown.core.errors import FacedownError, Unsupported

    if isinstance(error, Unsupported) and error.missing:
        from facedown.cli.extras import install_command

        return f"{error.code}: {error}: {install_command(error.missing)}"
    if isinstance(error, FacedownError):
        return f"{error.code}: {error}"
    if isinstance(error, OSError):
        return f"system: {(error.strerror or str(error)).lower()}"
    known = f"{type(error).__name__}: {error}".splitlines()[0]
    return f"internal: {known}; this is a bug in Facedown (FACEDOWN_DEBUG=1 shows where)"


def _replace_unencodable() -> None:
    """Characters that a stream cannot encode or decode are replaced, and end no command."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if stream is not None and hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")


def _flush_or_drop() -> None:
    """What cannot be written now cannot be written at the exit either: it must not fail there again."""
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except OSError:
        _close_stdout_quietly()


def _close_stdout_quietly() -> None:
    """The reader of the output has gone: drop what is still buffered."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())


# --- how commands are written ----------------------------------------------------------------------------


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="facedown",
        description="Card games in which everybody places a card face down and all are turned at once.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"facedown {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", title="commands")
    _games(commands)
    _rules(commands)
    _play(commands)
    _replay(commands)
    _verify(commands)
    _simulate(commands)
    _bots(commands)
    _memory(commands)
    _arena(commands)
    _solve(commands)
    _review(commands)
    _serve(commands)
    _backup(commands)
    _admin(commands)
    return parser


def _command(commands: argparse._SubParsersAction[_Parser], name: str, help: str) -> argparse.ArgumentParser:
    description = f"{help[0].upper()}{help[1:]}."
    return commands.add_parser(name, help=help, description=description, allow_abbrev=False)


def _games(commands: argparse._SubParsersAction[_Parser]) -> None:
    command = _command(commands, "games", "list the games, their presets and their options")
    _language(command)
    _json(command)


def _rules(commands: argparse._SubParsersAction[_Parser]) -> None:
    command = _command(commands, "rules", "print a game's rules with the values of a rule set filled in")
    command.add_argument("game", metavar="GAME", help="the name of a game")
    command.add_argument("rules", metavar="RULES", nargs="?", default="", help="like `preset(option=value)`")
    _language(command)
    _json(command)


def _play(commands: argparse._SubParsersAction[_Parser]) -> None:
    command = _command(commands, "play", "play a game against machines, on one device, or on a server")
    command.add_argument("game", metavar="GAME", nargs="?", help="the name of a game (default: a menu)")
    _table(command)
    command.add_argument(
        "--seed", metavar="TEXT", help="the same text deals the same cards (default: a fresh one)"
    )
    command.add_argument(
        "--against", metavar="NAME,…", help="machines by name, `facedown bots` lists them (default: uniform)"
    )
    command.add_argument("--memory", metavar="FILE", help="let the machines remember you, in a file of yours")
    command.add_argument("--hotseat", action="store_true", help="people on all seats of one device")
    command.add_argument("--seat", metavar="N", type=_whole, help="the seat you take (default: 1)")
    command.add_argument("--names", metavar="A,B,…", help="what the seats are called; one name is yours")
    command.add_argument(
        "--record", metavar="FILE", help="write the record to FILE, whether the game is finished or left"
    )
    command.add_argument("--resume", action="store_true", help="resume the latest unfinished game")
    command.add_argument("--join", metavar="URL", help="join a table on a server, by its invitation")
    command.add_argument("--create", metavar="URL", help="create a table on that server, and join it")
    command.add_argument(
        "--clock", metavar="SECONDS", type=_whole, help="with --create: how long a decision may take"
    )
    command.add_argument("--watch", metavar="URL", help="watch a table on a server")
    command.add_argument("--replay", metavar="RECORD", help="step through a recorded game")
    command.add_argument("--plain", action="store_true", help="line by line, without control codes")
    command.add_argument("--ascii", action="store_true", help="no letters beyond ASCII for cards and lines")
    _language(command)


def _replay(commands: argparse._SubParsersAction[_Parser]) -> None:
    command = _command(commands, "replay", "narrate a recorded game, or many of them")
    _record(command)
    command.add_argument("--step", action="store_true", help="wait for Enter after every decision")
    command.add_argument(
        "--as",
        dest="viewer",
        metavar="SEAT|spectator",
        help="show what this viewer could know (default: everything; of a running game, as the spectator)",
    )
    _language(command)
    _json(command)
    _jobs(command, "replay many records in this many processes (default: 1 for `-`, else all processors)")


def _verify(commands: argparse._SubParsersAction[_Parser]) -> None:
    command = _command(commands, "verify", "check all that a record claims: picks, result and deal")
    _record(command)
    command.add_argument(
        "--origin",
        metavar="RECORD",
        help="the record that this game continues: proves what was taken over",
    )
    _language(command)
    _json(command)


def _simulate(commands: argparse._SubParsersAction[_Parser]) -> None:
    command = _command(commands, "simulate", "simulate many games by bots that pick uniformly")
    command.add_argument("game", metavar="GAME", help="the name of a game")
    _table(command)
    command.add_argument("--games", metavar="N", type=_whole, default=1000, help="how many (default: 1000)")
    command.add_argument("--seed", metavar="TEXT", help="the same text gives the same games (default: fresh)")
    command.add_argument("--records", metavar="FILE", help="write every record to FILE, one a line")
    _json(command)
    _jobs(command, "how many processes play (default: one for each processor); changes no result")


def _bots(commands: argparse._SubParsersAction[_Parser]) -> None:
    command = _command(commands, "bots", "list the machines, with one honest sentence each")
    command.add_argument("game", metavar="GAME", nargs="?", help="only those that play this game")
    _language(command)
    _json(command)


def _memory(commands: argparse._SubParsersAction[_Parser]) -> None:
    command = _command(commands, "memory", "show what machines have noted about you, or erase it")
    command.add_argument("file", metavar="FILE", help="the file of `play --memory`")
    command.add_argument("--erase", action="store_true", help="erase the notes")
    _language(command)
    _json(command)


def _arena(commands: argparse._SubParsersAction[_Parser]) -> None:
    command = _command(commands, "arena", "let bots play against each other, every one against every other")
    command.add_argument("game", metavar="GAME", help="the name of a game")
    command.add_argument(
        "--bots", metavar="A,B,…", help="by name or as module:Class (default: all of the game)"
    )
    _table(command)
    command.add_argument(
        "--games", metavar="N", type=_whole, default=1000, help="games for each pairing (default: 1000)"
    )
    command.add_argument("--seed", metavar="TEXT", help="the same text gives the same games (default: fresh)")
    command.add_argument(
        "--memory", metavar="M", type=_whole, default=0, help="bots remember M games with the same opponent"
    )
    command.add_argument(
        "--save", metavar="FILE", help="save finished games to FILE; the same command resumes from it"
    )
    command.add_argument(
        "--records", metavar="FILE", help="write the record of every game to FILE, one a line"
    )
    command.add_argument("--plot", metavar="FILE", help="draw the cross table and ratings (.svg, .png, .pdf)")
    command.add_argument("--dask", metavar="ADDRESS", help="play on the workers of a Dask scheduler")
    _json(command)
    _jobs(command, "how many processes play (default: one for each processor); changes no result")


def _solve(commands: argparse._SubParsersAction[_Parser]) -> None:
    command = _command(
        commands, "solve", "solve a rule set: its exact value, and how to play its states best"
    )
    command.add_argument("game", metavar="GAME", help="the name of a game")
    command.add_argument("--rules", metavar="TEXT", default="", help="a preset, or `preset(option=value,…)`")
    command.add_argument(
        "--at", metavar="TEXT", help="one position: `name=value,…`; the names are the game's (see its guide)"
    )
    command.add_argument("--plot", metavar="FILE", help="draw values and mixes (.svg, .png, .pdf)")
    _language(command)
    _json(command)


def _review(commands: argparse._SubParsersAction[_Parser]) -> None:
    command = _command(commands, "review", "review a recorded game: what a seat's picks gave away")
    command.add_argument("record", metavar="RECORD", help="a file with one record, or `-` for standard input")
    command.add_argument(
        "--line", metavar="N", type=_whole, help="the line, where there is one record a line"
    )
    command.add_argument(
        "--seat", metavar="N", type=_whole, default=1, help="whose picks are judged (default: 1)"
    )
    command.add_argument(
        "--rollouts",
        metavar="N",
        type=_whole,
        help="rollouts per position, in games that are not solved",
    )
    command.add_argument(
        "--html", metavar="FILE", help="write a self-contained HTML page, to send to a friend"
    )
    _language(command)
    _json(command)


def _serve(commands: argparse._SubParsersAction[_Parser]) -> None:
    command = _command(commands, "serve", "run a server, for browsers and programs")
    _data(command)
    command.add_argument("--host", metavar="ADDRESS", help="where to listen (default: 127.0.0.1)")
    command.add_argument("--port", metavar="N", type=_whole, help="0 takes a free one (default: 8765)")
    command.add_argument("--store", metavar="URL", help="where tables are kept (default: SQLite in DIR)")
    command.add_argument("--bus", metavar="URL", help="the message bus between servers (default: local:)")
    command.add_argument("--public-url", metavar="URL", help="the address that people use, behind a proxy")
    command.add_argument(
        "--proxies", metavar="A,B,…", help="addresses of proxies whose X-Forwarded-For is believed"
    )
    command.add_argument("--contact", metavar="mailto:…", help="whom push services may write to")
    command.add_argument("--log", metavar="FORMAT", help="json, console, or auto (the default)")
    command.add_argument("--client", metavar="FORM", help="bundle (the default), or sources, to work on it")
    command.add_argument(
        "--limit", metavar="NAME=N", action="append", help="change a limit; a wrong name lists them all"
    )
    command.add_argument("--open", action="store_true", help="open the browser")


def _backup(commands: argparse._SubParsersAction[_Parser]) -> None:
    command = _command(commands, "backup", "copy a server's data into a new file, while it runs")
    command.add_argument("file", metavar="FILE", help="the file to write; it must not exist yet")
    _data(command)
    command.add_argument("--store", metavar="URL", help="where tables are kept (default: SQLite in DIR)")


def _admin(commands: argparse._SubParsersAction[_Parser]) -> None:
    command = _command(commands, "admin", "manage a running server: list its tables, or close one")
    command.add_argument("do", metavar="tables|close", choices=("tables", "close"), help="what to do")
    command.add_argument("table", metavar="ID", nargs="?", help="the table to close")
    command.add_argument("--say", metavar="TEXT", help="the reason, shown to everybody at the table")
    _data(command)
    _json(command)


def _data(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--data", metavar="DIR", help="the data folder (default: $XDG_DATA_HOME/facedown, or FACEDOWN_DATA)"
    )


def _table(command: argparse.ArgumentParser) -> None:
    command.add_argument("--rules", metavar="TEXT", default="", help="a preset, or `preset(option=value,…)`")
    command.add_argument("--seats", metavar="N", type=_whole, help="how many seats (default: the fewest)")


def _record(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "record", metavar="RECORD", help="a file, `-` for standard input, or .jsonl: one a line"
    )


def _json(command: argparse.ArgumentParser) -> None:
    command.add_argument("--json", action="store_true", help="for programs")


def _language(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--language",
        metavar="TAG",
        type=_known_language,
        help="the language, such as en or ja (default: as set)",
    )


def _jobs(command: argparse.ArgumentParser, help: str) -> None:
    command.add_argument("--jobs", metavar="J", type=_whole, help=help)


def _whole(text: str) -> int:
    """A whole number as people write it; its limits are checked where it is used."""
    if not (text.isascii() and text.isdigit() and len(text) <= 12):
        raise argparse.ArgumentTypeError(f"{text[:40]!r} is not a whole number from 0 up")
    return int(text)


def _known_language(text: str) -> str:
    """A language that there are catalogues for; they are looked for only when one is named."""
    from facedown.core.text.translation import language_for, languages

    found = language_for(text)
    if found is None:
        raise argparse.ArgumentTypeError(
            f"there is no language {text[:20]!r}: there are {', '.join(languages())}"
        )
    return found
