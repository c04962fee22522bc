"""The argument parser of the command line: every command and its options, and how values are read."""

from __future__ import annotations

import argparse
from functools import cache
from typing import Final, NoReturn

from facedown.version import described

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


def make_parser(command: str = "") -> argparse.ArgumentParser:
    """The parser of the whole command line, or of one command alone, which is made ten times as fast."""
    return _parser_for(command if command in _COMMANDS else "")


@cache
def _parser_for(only: str) -> argparse.ArgumentParser:
    parser = _Parser(
        prog="facedown",
        description="Card games in which everybody places a card face down and all are turned at once.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"facedown {described()}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", title="commands")
    for name, (add_options, help) in _COMMANDS.items():
        if only in ("", name):
            description = f"{help[0].upper()}{help[1:]}."
            add_options(commands.add_parser(name, help=help, description=description, allow_abbrev=False))
    return parser


def _games(command: argparse.ArgumentParser) -> None:
    _language(command)
    _json(command)


def _rules(command: argparse.ArgumentParser) -> None:
    command.add_argument("game", metavar="GAME", help="the name of a game")
    command.add_argument("rules", metavar="RULES", nargs="?", default="", help="like `preset(option=value)`")
    _language(command)
    _json(command)


def _play(command: argparse.ArgumentParser) -> None:
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


def _replay(command: argparse.ArgumentParser) -> None:
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


def _verify(command: argparse.ArgumentParser) -> None:
    _record(command)
    command.add_argument(
        "--origin",
        metavar="RECORD",
        help="the record that this game continues: proves what was taken over",
    )
    command.add_argument(
        "--promises",
        metavar="FILE",
        help="the server's chain of promises (/api/v1/promises): proves that the deal's seed is one of them",
    )
    _language(command)
    _json(command)


def _export(command: argparse.ArgumentParser) -> None:
    _record(command)
    command.add_argument("file", metavar="FILE", help="what to write: .csv, or .parquet")
    command.add_argument("--encoding", action="store_true", help="add what the seat saw, as numbers")


def _simulate(command: argparse.ArgumentParser) -> None:
    command.add_argument("game", metavar="GAME", help="the name of a game")
    _table(command)
    command.add_argument("--games", metavar="N", type=_whole, default=1000, help="how many (default: 1000)")
    command.add_argument("--seed", metavar="TEXT", help="the same text gives the same games (default: fresh)")
    command.add_argument("--records", metavar="FILE", help="write every record to FILE, one a line")
    _json(command)
    _jobs(command, "how many processes play (default: one for each processor); changes no result")
    _engine(command)


def _engine(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--engine",
        choices=("auto", "match", "batch"),
        default="auto",
        help="one game after the other (match), many at once as arrays (batch), or what is faster (default)",
    )


def _bots(command: argparse.ArgumentParser) -> None:
    command.add_argument("game", metavar="GAME", nargs="?", help="only those that play this game")
    _language(command)
    _json(command)


def _memory(command: argparse.ArgumentParser) -> None:
    command.add_argument("file", metavar="FILE", help="the file of `play --memory`")
    command.add_argument("--erase", action="store_true", help="erase the notes")
    _language(command)
    _json(command)


def _arena(command: argparse.ArgumentParser) -> None:
    command.add_argument("game", metavar="GAME", help="the name of a game")
    command.add_argument(
        "--bots", metavar="A,B,…", help="by name or as module:Class (default: all of the game)"
    )
    command.add_argument(
        "--heroes", metavar="A,B,…", help="only these against a field of every other (default: all bots)"
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
    _engine(command)


def _solve(command: argparse.ArgumentParser) -> None:
    command.add_argument("game", metavar="GAME", help="the name of a game")
    command.add_argument("--rules", metavar="TEXT", default="", help="a preset, or `preset(option=value,…)`")
    command.add_argument(
        "--at", metavar="TEXT", help="one position: `name=value,…`; the names are the game's (see its guide)"
    )
    command.add_argument("--plot", metavar="FILE", help="draw values and mixes (.svg, .png, .pdf)")
    _language(command)
    _json(command)


def _explore(command: argparse.ArgumentParser) -> None:
    command.add_argument("game", metavar="GAME", help="the name of a game")
    command.add_argument("--rules", metavar="TEXT", default="", help="a preset, or `preset(option=value,…)`")
    command.add_argument("--at", metavar="TEXT", help="a position: `name=value,…` (default: the start)")
    command.add_argument(
        "--habit", metavar="TEXT", help="a habit to be answered: `name=value,…`; the names are the game's"
    )
    _language(command)
    _json(command)


def _train(command: argparse.ArgumentParser) -> None:
    command.add_argument("game", metavar="GAME", help="the name of a game")
    _table(command)
    command.add_argument("--seed", metavar="TEXT", help="the same text asks the same (default: a fresh one)")
    command.add_argument("--daily", action="store_true", help="today's questions, the same for everybody")
    command.add_argument("--records", metavar="FILE", help="positions of recorded games, one record a line")
    command.add_argument(
        "--count", metavar="N", type=_whole, help="how many questions (default: until Enter)"
    )
    command.add_argument("--answer", metavar="TEXT", help="with --json: the answer to be marked")
    _language(command)
    _json(command)


def _review(command: argparse.ArgumentParser) -> None:
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


def _serve(command: argparse.ArgumentParser) -> None:
    _data(command)
    command.add_argument("--host", metavar="ADDRESS", help="where to listen (default: 127.0.0.1)")
    command.add_argument("--port", metavar="N", type=_whole, help="0 takes a free one (default: 8765)")
    command.add_argument("--store", metavar="URL", help="where tables are kept (default: SQLite in DIR)")
    command.add_argument("--bus", metavar="URL", help="how servers on one store talk (default: store:)")
    command.add_argument("--processes", metavar="N", type=_whole, help="how many serve (default: 1)")
    command.add_argument("--public-url", metavar="URL", help="the address that people use, behind a proxy")
    command.add_argument(
        "--proxies", metavar="A,B,…", help="addresses of proxies whose X-Forwarded-For is believed"
    )
    command.add_argument("--hosts", metavar="A,B,…", help="more host names by which people may ask for it")
    command.add_argument("--operators", metavar="A,B,…", help="addresses that may read /metrics and /readyz")
    command.add_argument("--contact", metavar="mailto:…", help="whom push services may write to")
    command.add_argument("--log", metavar="FORMAT", help="json, console, or auto (the default)")
    command.add_argument("--client", metavar="FORM", help="bundle (the default), or sources, to work on it")
    command.add_argument(
        "--offline", metavar="WHEN", help="play without a network: kept (the default), fetch, or no"
    )
    command.add_argument(
        "--limit", metavar="NAME=N", action="append", help="change a limit; a wrong name lists them all"
    )
    command.add_argument("--open", action="store_true", help="open the browser")


def _site(command: argparse.ArgumentParser) -> None:
    command.add_argument("folder", metavar="DIR", help="the folder to write; new or empty")


def _backup(command: argparse.ArgumentParser) -> None:
    command.add_argument("file", metavar="FILE", help="the file to write; it must not exist yet")
    _data(command)
    command.add_argument("--store", metavar="URL", help="where tables are kept (default: SQLite in DIR)")


def _store(command: argparse.ArgumentParser) -> None:
    does = ("check", "move")
    command.add_argument("do", metavar="|".join(does), choices=does, help="what to do")
    command.add_argument("to", metavar="URL", nargs="?", help="the empty PostgreSQL database to move to")
    _data(command)
    command.add_argument("--store", metavar="URL", help="where tables are kept (default: SQLite in DIR)")


def _admin(command: argparse.ArgumentParser) -> None:
    does = ("tables", "close", "people", "erase", "reports", "settle", "limits")
    command.add_argument("do", metavar="|".join(does), choices=does, help="what to do")
    command.add_argument(
        "what",
        metavar="ID",
        nargs="?",
        help="the table to close, the person to find or erase, or the report to settle",
    )
    command.add_argument("--say", metavar="TEXT", help="the reason, shown to everybody at the table")
    _data(command)
    _json(command)


def _new_game(command: argparse.ArgumentParser) -> None:
    command.add_argument("name", metavar="NAME", help="small letters, digits and _: also its Python module")
    command.add_argument("--folder", metavar="DIR", help="where to write it (default: NAME)")


def _new_bot(command: argparse.ArgumentParser) -> None:
    command.add_argument("name", metavar="NAME", help="small letters, digits and _: also its Python module")
    command.add_argument("--game", metavar="GAME", required=True, help="the game that it plays")
    command.add_argument("--folder", metavar="DIR", help="where to write it (default: NAME)")


def _docs(command: argparse.ArgumentParser) -> None:
    command.add_argument("--build", metavar="DIR", help="write the site to a folder, and serve nothing")
    command.add_argument(
        "--port", metavar="N", type=_whole, default=0, help="where to serve (default: a free one)"
    )
    command.add_argument("--open", action="store_true", help="open the browser")


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
    """A whole number as people write it; the command checks its limits."""
    if not (text.isascii() and text.isdigit() and len(text) <= 12):
        raise argparse.ArgumentTypeError(f"{text[:40]!r} is not a whole number from 0 up")
    return int(text)


def _known_language(text: str) -> str:
    from facedown.core.text.translation import language_for, languages

    found = language_for(text)
    if found is None:
        raise argparse.ArgumentTypeError(
            f"there is no language {text[:20]!r}: there are {', '.join(languages())}"
        )
    return found


_COMMANDS: Final = {
    "games": (_games, "list the games, their presets and their options"),
    "rules": (_rules, "print a game's rules with the values of a rule set filled in"),
    "play": (_play, "play a game against machines, on one device, or on a server"),
    "replay": (_replay, "narrate a recorded game, or many of them"),
    "verify": (_verify, "check all that a record claims: picks, result and deal"),
    "export": (_export, "write the decisions of recorded games as a table, one row each"),
    "simulate": (_simulate, "simulate many games by bots that pick uniformly"),
    "bots": (_bots, "list the machines, with one honest sentence each"),
    "memory": (_memory, "show what machines have noted about you, or erase it"),
    "arena": (_arena, "let bots play against each other, every one against every other"),
    "solve": (_solve, "solve a rule set: its exact value, and how to play its states best"),
    "explore": (_explore, "walk through solved positions: values, mixes, what picks cost, answers to habits"),
    "train": (_train, "answer questions about positions, marked by the exact answer"),
    "review": (_review, "review a recorded game: what a seat's picks gave away"),
    "serve": (_serve, "run a server, for browsers and programs"),
    "site": (_site, "write the games as a static site, which needs no server of ours"),
    "backup": (_backup, "copy a server's data into a new file, while it runs"),
    "store": (_store, "check where a server's tables are kept, or move them to PostgreSQL"),
    "admin": (_admin, "manage a running server: its tables, people, reports and limits"),
    "new-game": (_new_game, "write a folder with a small game of your own, to be changed"),
    "new-bot": (_new_bot, "write a folder with a bot of your own, to be changed"),
    "docs": (_docs, "read the documentation in the browser, or write it as static files"),
}
"""The options of each command and its help, in the order of the list that `--help` shows."""
