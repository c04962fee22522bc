"""The argument parser of the command line: every command and its options, and how values are read."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from functools import cache
from typing import Any, Final, NoReturn, TypeAlias

from facedown.version import full_version

_EXAMPLES: Final = """\
examples:
  facedown                                   play in the browser, alone or with friends
  facedown play --window                     the same in a window of its own
  facedown play                              play in the terminal
  facedown play GAME                         against machines; `facedown games` lists the games
  facedown play GAME --hotseat --record G.json
  facedown replay G.json --step              a recorded game, step by step
  facedown simulate GAME --games 10000 --seed text
"""


class _Parser(argparse.ArgumentParser):
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
    parser.add_argument("--version", action="version", version=f"facedown {full_version()}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", title="commands")
    for name, (help, options) in _COMMANDS.items():
        if only in ("", name):
            description = f"{help[0].upper()}{help[1:]}."
            command = commands.add_parser(name, help=help, description=description, allow_abbrev=False)
            for option, settings in options:
                command.add_argument(option, **settings)
    return parser


def _whole(text: str) -> int:
    """A whole number as people write it; the command checks its limits."""
    if not (text.isascii() and text.isdigit()):
        raise argparse.ArgumentTypeError(f"{text[:40]!r} is not a whole number from 0 up")
    if len(text) > 12:
        raise argparse.ArgumentTypeError(f"{text[:40]} is too large a number")
    return int(text)


def _known_language(text: str) -> str:
    from facedown.core.text.translation import language_for, languages

    found = language_for(text)
    if found is None:
        raise argparse.ArgumentTypeError(
            f"there is no language {text[:20]!r}: there are {', '.join(languages())}"
        )
    return found


# --- the options of the commands -------------------------------------------------------------------------


_Option: TypeAlias = tuple[str, dict[str, Any]]
"""The name of an option or argument, and what argparse has to know about it."""
_Command: TypeAlias = tuple[str, tuple[_Option, ...]]
"""The help of a command, and its options."""


def _command(help: str, *options: _Option) -> _Command:
    return help, options


def _option(name: str, metavar: str | tuple[str, ...] | None, help: str, **settings: Any) -> _Option:
    return name, {"metavar": metavar, "help": help, **settings}


def _number(name: str, metavar: str, help: str, default: int | None = None) -> _Option:
    return _option(name, metavar, help, type=_whole, default=default)


def _switch(name: str, help: str) -> _Option:
    return name, {"action": "store_true", "help": help}


def _one_of(name: str, words: Sequence[str], help: str) -> _Option:
    return _option(name, "|".join(words), help, choices=words)


_GAME: Final = _option("game", "GAME", "the name of a game")
_RULES: Final = _option("--rules", "TEXT", "a preset, or `preset(option=value,…)`", default="")
_SEATS: Final = _number("--seats", "N", "how many seats (default: the fewest)")
_SEED: Final = _option("--seed", "TEXT", "the same text gives the same games (default: fresh)")
_RECORD: Final = _option("record", "RECORD", "a file, `-` for standard input, or .jsonl: one a line")
_LANGUAGE: Final = _option(
    "--language", "TAG", "the language, such as en or ja (default: as set)", type=_known_language
)
_JSON: Final = _switch("--json", "for programs")
_TABLE: Final = (_RULES, _SEATS)
_OUTPUT: Final = (_LANGUAGE, _JSON)
_JOBS: Final = _number(
    "--jobs", "J", "how many processes play (default: one for each processor); changes no result"
)
_ENGINE: Final = _option(
    "--engine",
    None,
    "one game after the other (match), many at once as arrays (batch), or what is faster (default)",
    choices=("auto", "match", "batch"),
    default="auto",
)
_PLAYING: Final = (_JSON, _JOBS, _ENGINE)
_DATA: Final = _option(
    "--data", "DIR", "the data folder (default: $XDG_DATA_HOME/facedown, or FACEDOWN_DATA)"
)
_STORE: Final = _option(
    "--store",
    "URL",
    "where tables are kept (default: SQLite in DIR); again for each further PostgreSQL cluster",
    action="append",
)
_STORED: Final = (_DATA, _STORE)
_BUS: Final = _option("--bus", "URL", "how servers on one store talk (default: store:)")
_LISTENING: Final = (
    _DATA,
    _option("--host", "ADDRESS", "where to listen (default: 127.0.0.1)"),
    _number("--port", "N", "0 takes a free one (default: 8765)"),
    _option("--tls", ("CERT", "KEY"), "serve over HTTPS, with these two PEM files", nargs=2),
    _STORE,
)
_PUBLIC_URL: Final = _option("--public-url", "URL", "the address that people use, behind a proxy")
_PROXIES: Final = _option("--proxies", "A,B,…", "addresses of proxies whose X-Forwarded-For is believed")
_OPEN: Final = _switch("--open", "open the browser")
_WINDOW: Final = _switch("--window", "open it in a window of its own, without a browser's bars")
_NAME: Final = _option("name", "NAME", "small letters, digits and _: also its Python module")
_FOLDER: Final = _option("--folder", "DIR", "where to write it (default: NAME)")

_COMMANDS: Final[dict[str, _Command]] = {
    "games": _command("list the games, their presets and their options", *_OUTPUT),
    "rules": _command(
        "print a game's rules with the values of a rule set filled in",
        _GAME,
        _option("rules", "RULES", "like `preset(option=value)`", nargs="?", default=""),
        *_OUTPUT,
    ),
    "play": _command(
        "play a game against machines, on one device, or on a server",
        _option("game", "GAME", "the name of a game (default: a menu)", nargs="?"),
        *_TABLE,
        _option("--seed", "TEXT", "the same text deals the same cards (default: a fresh one)"),
        _option("--against", "NAME,…", "machines by name (default: the one that `facedown bots` marks)"),
        _option("--memory", "FILE", "let the machines remember you, in a file of yours"),
        _switch("--hotseat", "people on all seats of one device"),
        _number("--seat", "N", "the seat you take (default: drawn; with --seed, 1)"),
        _option("--names", "A,B,…", "what the seats are called; one name is yours"),
        _option("--record", "FILE", "write the record to FILE, whether the game is finished or left"),
        _switch("--resume", "resume the latest unfinished game"),
        _option("--join", "URL", "join a table on a server, by its invitation"),
        _option("--create", "URL", "create a table on that server, and join it"),
        _number("--clock", "SECONDS", "with --create: how long a decision may take"),
        _option("--watch", "URL", "watch a table on a server"),
        _option("--replay", "RECORD", "step through a recorded game"),
        _switch("--plain", "line by line, without control codes"),
        _switch("--ascii", "no letters beyond ASCII for cards and lines"),
        _switch("--window", "the browser's table instead, in a window of its own"),
        _LANGUAGE,
    ),
    "replay": _command(
        "narrate a recorded game, or many of them",
        _RECORD,
        _switch("--step", "wait for Enter after every decision"),
        _option(
            "--as",
            "SEAT|spectator",
            "show what this viewer could know (default: everything; of a running game, as the spectator)",
            dest="viewer",
        ),
        *_OUTPUT,
        _number(
            "--jobs",
            "J",
            "replay many records in this many processes (default: 1 for `-`, else all processors)",
        ),
    ),
    "verify": _command(
        "check a record: its picks, result, deal, seals and clocks",
        _RECORD,
        _option("--origin", "RECORD", "the record that this game continues: proves what was taken over"),
        _option("--key", "KEY", "the server's public key, 64 hexadecimal digits: no other may have signed"),
        _option(
            "--server",
            "URL",
            "the server: asks for its public keys, and whether its log goes on",
        ),
        _option("--witness", "URL", "a witness: asks it whether it has seen the game in the server's log"),
        _option("--memory", "FILE", "what a seat's own client remembers of the game"),
        _switch("--evidence", "RECORD is the evidence of an alarm: whether the server contradicts itself"),
        *_OUTPUT,
    ),
    "export": _command(
        "write the decisions of recorded games as a table, one row each",
        _RECORD,
        _option("file", "FILE", "what to write: .csv, or .parquet"),
        _switch("--encoding", "add what the seat saw, as numbers"),
    ),
    "simulate": _command(
        "simulate many games by bots that pick uniformly",
        _GAME,
        *_TABLE,
        _number("--games", "N", "how many (default: 1000)", 1000),
        _SEED,
        _option("--records", "FILE", "write every record to FILE, one a line"),
        *_PLAYING,
    ),
    "bots": _command(
        "list the machines, with one honest sentence each",
        _option("game", "GAME", "only those that play this game", nargs="?"),
        *_OUTPUT,
    ),
    "memory": _command(
        "show what machines have noted about you, or erase it",
        _option("file", "FILE", "the file of `play --memory`"),
        _switch("--erase", "erase the notes"),
        *_OUTPUT,
    ),
    "arena": _command(
        "let bots play against each other, every one against every other",
        _GAME,
        _option("--bots", "A,B,…", "by name or as module:Class (default: all of the game)"),
        _option("--heroes", "A,B,…", "only these against a field of every other (default: all bots)"),
        *_TABLE,
        _number("--games", "N", "games for each pairing (default: 1000)", 1000),
        _SEED,
        _number("--memory", "M", "bots remember M games with the same opponent", 0),
        _option("--save", "FILE", "save finished games to FILE; the same command resumes from it"),
        _option("--records", "FILE", "write the record of every game to FILE, one a line"),
        _option("--plot", "FILE", "draw the cross table and ratings (.svg, .png, .pdf)"),
        _option("--dask", "ADDRESS", "play on the workers of a Dask scheduler"),
        *_PLAYING,
    ),
    "solve": _command(
        "solve a rule set: its exact value, and how to play its states best",
        _GAME,
        _RULES,
        _option("--at", "TEXT", "one position: `name=value,…`; the names are the game's (see its guide)"),
        _option("--plot", "FILE", "draw values and mixes (.svg, .png, .pdf)"),
        *_OUTPUT,
    ),
    "explore": _command(
        "walk through solved positions: values, mixes, what picks cost, answers to habits",
        _GAME,
        _RULES,
        _option("--at", "TEXT", "a position: `name=value,…` (default: the start)"),
        _option("--habit", "TEXT", "a habit to be answered: `name=value,…`; the names are the game's"),
        _option("--people", "FILE", "what people picked, as a server answers it: shown beside perfect play"),
        *_OUTPUT,
    ),
    "exploit": _command(
        "attack a machine: what an opponent that was made for it wins",
        _GAME,
        _option("machine", "MACHINE", "a bot by name, or as module:Class"),
        *_TABLE,
        _number("--seconds", "N", "how long the attack takes (default: 60)"),
        _number("--games", "N", "how many games it takes instead: the same seed gives the same result"),
        _option("--seed", "TEXT", "everything is drawn from it (default: a fresh one)"),
        _one_of("--method", ("auto", "exact", "search"), "how: auto is exact where that is quick (default)"),
        *_OUTPUT,
    ),
    "today": _command(
        "the mind of the day: lay ten chips on two picks, and meet the house",
        _option("--chips", "N", "how many lie on the first pick, from 0 to 10 (default: asked here)"),
        _number("--seat", "N", "which seat to take (default: the day's)"),
        _option("--server", "URL", "a server: seal the chips there, to meet its people at midnight UTC"),
        *_OUTPUT,
    ),
    "train": _command(
        "answer questions about positions, marked by the exact answer",
        _GAME,
        *_TABLE,
        _option("--seed", "TEXT", "the same text asks the same (default: a fresh one)"),
        _switch("--daily", "today's questions, the same for everybody"),
        _option("--records", "FILE", "positions of recorded games, one record a line"),
        _number("--count", "N", "how many questions (default: until Enter)"),
        _option("--answer", "TEXT", "with --json: the answer to be marked"),
        *_OUTPUT,
    ),
    "train-expert": _command(
        "train a network that plays a game, from nothing, by self-play",
        _GAME,
        _option(
            "--to", "FOLDER", "for checkpoints and weights; the same command continues (default: GAME-expert)"
        ),
        _number("--minutes", "N", "stop after this time (default: until it is trained)"),
        _number("--tables", "N", "how many are played at once (default: as for the shipped weights)"),
        _number("--seed", "N", "everything is drawn from it", 1),
    ),
    "review": _command(
        "review a recorded game: what a seat's picks gave away",
        _option("record", "RECORD", "a file with one record, or `-` for standard input"),
        _number("--line", "N", "the line, where there is one record a line"),
        _number("--seat", "N", "whose picks are judged (default: 1)", 1),
        _number("--rollouts", "N", "rollouts per position, in games that are not solved"),
        _option("--html", "FILE", "write a self-contained HTML page, to send to a friend"),
        *_OUTPUT,
    ),
    "readable": _command(
        "what gives a player away over many recorded games",
        _option("records", "RECORDS", "files and folders with records, or `-`", nargs="+"),
        _option("--name", "NAME", "the player, as the records name them (default: seat 1)"),
        _number("--seat", "N", "the player's seat in all records"),
        _option("--game", "GAME", "which game (default: that of the first record)"),
        *_OUTPUT,
    ),
    "serve": _command(
        "run a server, for browsers and programs",
        *_LISTENING,
        _switch("--take-back", "serve a data folder again, although `store move` has moved its tables away"),
        _option("--serves", "N,N,…", "the clusters whose time this server keeps (default: all)"),
        _BUS,
        _number("--processes", "N", "how many serve (default: 1)"),
        _PUBLIC_URL,
        _PROXIES,
        _option("--hosts", "A,B,…", "more host names by which people may ask for it"),
        _option("--operators", "A,B,…", "addresses that may read /metrics and /readyz"),
        _option("--peers", "URL,…", "other servers, whose public logs this one follows as a witness"),
        _option("--sign-up", "WHO", "whether guests may keep their accounts: open (the default), or closed"),
        _option("--chat-words", "FILE,…", "files of words that chat messages may not hold (default: none)"),
        _option("--contact", "mailto:…", "whom push services may write to"),
        _option("--log", "FORMAT", "json, console, or auto (the default)"),
        _option("--client", "FORM", "bundle (the default), or sources, to work on it"),
        _option("--offline", "WHEN", "play without a network: kept (the default), fetch, or no"),
        _option(
            "--tournaments", "SWITCH", "let people set up and play tournaments: on (the default), or off"
        ),
        _option("--webhooks", "SWITCH", "send notices to people's own programs: on, or off (the default)"),
        _option("--pairing", "SWITCH", "let people find each other: on (the default), or off"),
        _option("--public-lists", "SWITCH", "let anyone read lists: on (the default), or off"),
        _option("--ratings", "SWITCH", "rate finished games between people: on (the default), or off"),
        _option("--limit", "NAME=N", "change a limit; a wrong name lists them all", action="append"),
        _OPEN,
        _WINDOW,
    ),
    "demo": _command(
        "run a server to try things on: machines play for people to watch, and every night all is deleted",
        *_LISTENING[:-1],
        _PUBLIC_URL,
        _PROXIES,
        _OPEN,
    ),
    "witness": _command(
        "follow the public logs of servers, cosign what they show, and publish it",
        _option("servers", "SERVER", "the address of a server", nargs="+"),
        _option("--folder", "DIR", "what to publish, as files for any web server (default: with the key)"),
        _option("--serve", "[HOST:]PORT", "serve the folder (HOST: 127.0.0.1)"),
        _number("--every", "SECONDS", "how often to ask (default: 60)", 60),
        _switch("--once", "ask once, and end: 1 if a log shows two histories"),
        _JSON,
    ),
    "site": _command(
        "write the games as a static site, which needs no server of ours",
        _option("folder", "DIR", "the folder to write; new or empty"),
    ),
    "doctor": _command(
        "check what is installed, the data folder, the port, the network and the clock",
        *_LISTENING,
        _BUS,
        _JSON,
    ),
    "backup": _command(
        "copy a server's data into a new file, while it runs",
        _option("file", "FILE", "the file to write; it must not exist yet"),
        *_STORED,
    ),
    "dump": _command(
        "write a month of rated public games as open data, under pseudonyms, while a server runs",
        _option("month", "YYYY-MM", "a month that is over"),
        _option("folder", "DIR", "the folder to write; it must not exist yet"),
        *_STORED,
    ),
    "store": _command(
        "check where a server's tables are kept, move them to PostgreSQL, compare versions of ratings, or "
        "print what people picked",
        _one_of("do", ("check", "move", "ratings", "rate-again", "people", "count-again"), "what to do"),
        _option("to", "URL", "the PostgreSQL database to move to, or several clusters", nargs="*"),
        *_STORED,
    ),
    "admin": _command(
        "manage a running server: its tables, people, cases, roles, limits and key",
        _one_of(
            "do",
            (
                *("tables", "close", "people", "erase", "cases", "decide", "lift", "role", "audit"),
                *("pairs", "limits", "change-key"),
            ),
            "what to do",
        ),
        _option(
            "what",
            "ID",
            "the table to close, the person to find or erase, or the case to show or decide",
            nargs="?",
        ),
        _option("--say", "TEXT", "the reason, shown to everybody at the table, or to the person of a case"),
        _one_of("--sanction", ("none", "warning", "no_chat", "no_pairing", "closed"), "what a case leads to"),
        _number("--days", "N", "how long a sanction holds (default: for good)"),
        _one_of("--role", ("moderator", "operator", "none"), "the role of a person"),
        _DATA,
        _JSON,
    ),
    "new-game": _command(
        "write a folder with a small game of your own, to be changed",
        _NAME,
        _FOLDER,
        _switch("--web", "with a table of its own in the browser, instead of the generic one"),
    ),
    "new-bot": _command(
        "write a folder with a bot of your own, to be changed",
        _NAME,
        _option("--game", "GAME", "the game that it plays", required=True),
        _FOLDER,
    ),
    "bot": _command(
        "let a bot play on a server, wherever it is challenged, until interrupted",
        _one_of("do", ("serve",), "what to do"),
        _option("server", "SERVER", "the address of a server"),
        _option("bot", "BOT", "a bot of this program, or `module:Class` or `module:function` of yours"),
        _option("--token", "FILE", "where the bot's token is (default: the variable FACEDOWN_TOKEN)"),
        _number("--games", "N", "end after that many games"),
    ),
    "docs": _command(
        "read the documentation in the browser, or write it as static files",
        _option("--build", "DIR", "write the site to a folder, and serve nothing"),
        _number("--port", "N", "where to serve (default: a free one)", 0),
        _OPEN,
    ),
}
"""The help and the options of each command, in the order of the list that `--help` shows."""
