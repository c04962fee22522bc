"""The argument parser of the command line: every command and its options, and how values are read."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from functools import cache
from typing import Any, Final, NoReturn, TypeAlias

from facedown.cli.added import added_commands
from facedown.version import __version__

_EXAMPLES: Final = """\
examples:
  facedown                                   play in the browser, alone or with friends
  facedown play                              play in the terminal
  facedown play GAME                         against machines; `facedown games` lists the games
  facedown play GAME --hotseat --record G.json
  facedown replay G.json --step              a recorded game, step by step
  facedown arena GAME --bots uniform --games 10000
"""


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        from facedown.cli.errors import Usage

        raise Usage(f"{message}; `{self.prog} --help` shows how it is written")


_EXTENSIBLE: Final = frozenset({"arena", "solve"})
"""Our commands to which other packages add options; for the others no entry point is read."""


def make_parser(command: str = "") -> argparse.ArgumentParser:
    """The parser of the whole command line, or of one command alone, which is made ten times as fast."""
    is_known = command in _COMMANDS or (command and command in added_commands())
    return _parser_for(command if is_known else "")


def module_of(command: str) -> str:
    """The module that runs a command."""
    if command in _COMMANDS and command not in _EXTENSIBLE:
        return f"facedown.commands.{_MODULES.get(command, command)}"
    added = added_commands().get(command)
    return f"facedown.commands.{_MODULES.get(command, command)}" if added is None else added.module


def _commands(only: str) -> dict[str, _Command]:
    """Our commands and those of other packages; of ours, only this one if it is named."""
    if only in _COMMANDS and only not in _EXTENSIBLE:
        return {only: _COMMANDS[only]}
    found = {name: command for name, command in _COMMANDS.items() if only in ("", name)}
    for name, added in added_commands().items():
        if name in found and name in _EXTENSIBLE:
            help, options = found[name]
            found[name] = help, (*options, *added.options)
        elif only in ("", name) and name not in _COMMANDS and added.help:
            found[name] = added.help, added.options
    return found


@cache
def _parser_for(only: str) -> argparse.ArgumentParser:
    parser = _Parser(
        prog="facedown",
        description="Card games in which everybody places a card face down and all are turned at once.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"facedown {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", title="commands")
    for name, (help, options) in _commands(only).items():
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
_DATA: Final = _option(
    "--data", "DIR", "the data folder (default: $XDG_DATA_HOME/facedown, or FACEDOWN_DATA)"
)
_STORE: Final = _option(
    "--store",
    "URL",
    "where tables are kept (default: SQLite in DIR)",
)
_LISTENING: Final = (
    _DATA,
    _option("--host", "ADDRESS", "where to listen (default: 127.0.0.1)"),
    _number("--port", "N", "0 takes a free one (default: 8765)"),
    _option("--tls", ("CERT", "KEY"), "serve over HTTPS, with these two PEM files", nargs=2),
    _STORE,
)

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
        _switch("--lines", "line by line, with drawn cards if the terminal is wide enough"),
        _switch("--plain", "line by line, in words only: for screen readers and pipes"),
        _switch("--ascii", "no letters beyond ASCII for cards and lines"),
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
        _option("--witness-key", "VKEY", "a witness's key: whether it has cosigned a log with the game"),
        _option("--memory", "FILE", "what a seat's own client remembers of the game"),
        _switch("--evidence", "RECORD is the evidence of an alarm: whether the server contradicts itself"),
        *_OUTPUT,
    ),
    "export": _command(
        "write the decisions of recorded games as a table, one row each",
        _RECORD,
        _option("file", "FILE", "the .csv file to write"),
        _switch("--encoding", "add what the seat saw, as numbers"),
    ),
    "bots": _command(
        "list the machines, with one honest sentence each",
        _option("game", "GAME", "only those that play this game", nargs="?"),
        *_OUTPUT,
    ),
    "arena": _command(
        "let bots play: every one against every other, or the statistics of one",
        _GAME,
        _option(
            "--bots",
            "A,B,…",
            "by name or as module:Class (default: all of the game)",
        ),
        _option("--heroes", "A,B,…", "only these against a field of every other (default: all bots)"),
        *_TABLE,
        _number("--games", "N", "games for each pairing (default: 1000)", 1000),
        _SEED,
        _number("--memory", "M", "bots remember M games with the same opponent", 0),
        _option("--save", "FILE", "save finished games to FILE; the same command resumes from it"),
        _option("--records", "FILE", "write the record of every game to FILE, one a line"),
        _JSON,
        _JOBS,
    ),
    "solve": _command(
        "solve a rule set: its exact value, and how to play its states best",
        _GAME,
        _RULES,
        _option("--at", "TEXT", "one position: `name=value,…`; the names are the game's (see its guide)"),
        _switch("--explore", "walk through its positions: what picks cost, and answers to habits"),
        _option("--habit", "TEXT", "with --explore: a habit to be answered, `name=value,…`"),
        *_OUTPUT,
    ),
    "train": _command(
        "answer questions about positions, marked by the exact answer; or play the mind of the day",
        _option("game", "GAME", "the name of a game; --today has its own", nargs="?"),
        *_TABLE,
        _option("--seed", "TEXT", "the same text asks the same (default: a fresh one)"),
        _switch("--daily", "today's questions, the same for everybody"),
        _option("--records", "FILE", "positions of recorded games, one record a line"),
        _number("--count", "N", "how many questions (default: until Enter)"),
        _option("--answer", "TEXT", "with --json: the answer to be marked"),
        _switch("--today", "the mind of the day: lay ten chips on two picks, and meet the house"),
        _option("--chips", "N", "with --today: how many lie on the first pick (default: asked here)"),
        _number("--seat", "N", "with --today: which seat to take (default: the day's)"),
        _option("--server", "URL", "with --today: seal there, to meet the server's people at midnight UTC"),
        *_OUTPUT,
    ),
    "review": _command(
        "review a recorded game: what a seat's picks gave away",
        _option("record", "RECORD", "a file with one record, or `-` for standard input"),
        _number("--line", "N", "the line, where there is one record a line"),
        _number("--seat", "N", "whose picks are judged (default: 1)", 1),
        _number("--rollouts", "N", "rollouts per position, in games that are not solved"),
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
        _switch("--take-back", "serve a data folder again, although `admin move` has moved its tables away"),
        _option("--public-url", "URL", "the address that people use, behind a proxy"),
        _option("--proxies", "A,B,…", "addresses of proxies whose X-Forwarded-For is believed"),
        _option("--hosts", "A,B,…", "more host names by which people may ask for it"),
        _option("--operators", "A,B,…", "addresses that may read /metrics and /readyz"),
        _option("--witnesses", "VKEY URL,…", "witnesses that are asked to cosign the public log"),
        _option("--sign-up", "WHO", "whether guests may keep their accounts: open (the default), or closed"),
        _option("--chat-words", "FILE,…", "files of words that chat messages may not hold (default: none)"),
        _option("--contact", "mailto:…", "whom push services may write to"),
        _option("--log", "FORMAT", "json, console, or auto (the default)"),
        _option("--client", "FORM", "bundle (the default), or sources, to work on it"),
        _option("--offline", "WHEN", "play without a network: kept (the default), fetch, or no"),
        _option(
            "--tournaments", "SWITCH", "let people set up and play tournaments: on (the default), or off"
        ),
        _option("--pairing", "SWITCH", "let people find each other: on (the default), or off"),
        _option("--public-lists", "SWITCH", "let anyone read lists: on (the default), or off"),
        _option("--ratings", "SWITCH", "rate finished games between people: on (the default), or off"),
        _option("--limit", "NAME=N", "change a limit; a wrong name lists them all", action="append"),
        _switch("--open", "open the browser"),
    ),
    "site": _command(
        "write the games as a static site, which needs no server of ours",
        _option("folder", "DIR", "the folder to write; new or empty"),
    ),
    "doctor": _command(
        "check what is installed, the data folder, the port, the network and the clock",
        *_LISTENING,
        _JSON,
    ),
    "admin": _command(
        "look after a data folder, and manage the server that runs on it",
        _one_of(
            "do",
            (
                *("check", "backup", "move"),
                *(
                    "tables",
                    "close",
                    "people",
                    "erase",
                    "cases",
                    "decide",
                    "moderators",
                    "appoint",
                    "dismiss",
                ),
                *("audit", "pairs", "limits", "change-key"),
            ),
            "what to do",
        ),
        _option(
            "what",
            "WHAT",
            "the file of a backup, the database to move to, a table, person or case",
            nargs="?",
        ),
        _option("--say", "TEXT", "the reason, shown to everybody at the table, or to the person of a case"),
        _one_of("--sanction", ("none", "warning", "no_chat", "no_pairing", "closed"), "what a case leads to"),
        _number("--days", "N", "how long a sanction holds (default: for good)"),
        _DATA,
        _STORE,
        _JSON,
    ),
    "new": _command(
        "write a folder with a small game or a bot of your own, to be changed",
        _one_of("kind", ("game", "bot"), "which"),
        _option("name", "NAME", "small letters, digits and _: also its Python module"),
        _option("--folder", "DIR", "where to write it (default: NAME)"),
        _switch("--web", "a game with a table of its own in the browser, instead of the generic one"),
        _option("--game", "GAME", "the game that a bot plays"),
    ),
    "bot": _command(
        "let a bot play on a server, wherever it is challenged, until interrupted",
        _one_of("do", ("serve",), "what to do"),
        _option("server", "SERVER", "the address of a server"),
        _option("bot", "BOT", "a bot of this program, or `module:Class` or `module:function` of yours"),
        _option("--token", "FILE", "where the bot's token is (default: the variable FACEDOWN_TOKEN)"),
        _number("--games", "N", "end after that many games"),
    ),
}
"""The help and the options of each command, in the order of the list that `--help` shows."""

_MODULES: Final = {
    "rules": "games",
    "bots": "games",
    "bot": "new",
    "readable": "review",
}
"""The modules of commands that share one; the others are called like their command."""
