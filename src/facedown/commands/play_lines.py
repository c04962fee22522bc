"""`facedown play` line by line: with `--plain`, in a pipe, and where a terminal can do no more."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from shlex import quote
from types import FrameType

from facedown.cli import DONE
from facedown.cli.errors import InputEndedEarly
from facedown.commands.hosting import remember
from facedown.core.parts.text import about
from facedown.core.replay import AnyMatch
from facedown.core.text.phrases import said
from facedown.files import UnwritableFile, writing
from facedown.terminal.lines.console import Console, InputEnded, LeaveTable
from facedown.terminal.lines.table import LineTable
from facedown.terminal.tables.local import LocalTable
from facedown.terminal.tables.table import TerminalTable
from facedown.terminal.words.words import Words


def line_by_line(table: TerminalTable, words: Words) -> int:
    """Play at the console; with people elsewhere, one game after the other."""
    console = Console()
    following = _one_game(console, table, words)
    while following is not None:
        following = _one_game(console, following, words)
    return DONE


def _one_game(console: Console, table: TerminalTable, words: Words) -> TerminalTable | None:
    """One table, which is let go of however it ends; the next one, where somebody wants it."""
    with closing(table):
        return _from_welcome_to_end(console, table, words)


def _from_welcome_to_end(console: Console, table: TerminalTable, words: Words) -> TerminalTable | None:
    local = table if isinstance(table, LocalTable) else None
    _welcome(console, table, words)
    game = LineTable(console, table, words)
    record = None if local is None or local.spec is None else local.spec.record
    with _saved(console, table, record), _closing_as_exit():
        left = _play(console, game, table, words)
    if left or not table.started or table.outcome is None:
        return None
    if local is not None and local.spec is not None:
        for line in remember(local):
            console.say_wrapped(line)
        console.say_wrapped(words("dealt_from", seed=quote(local.spec.seed)))
    with suppress(InputEnded, LeaveTable):
        return game.answer_questions()
    return None


def _welcome(console: Console, table: TerminalTable, words: Words) -> None:
    known = about(table.game.name, words.language)
    names = words.listed([words.name(name) for name in table.names])
    title = console.strong(known["title"])
    console.say_wrapped(words("welcome", title=title, rules=table.rules, names=names))
    console.say_wrapped(known[f"preset.{table.rules.preset}"])
    for note in table.rules.notes():
        console.say_wrapped(words("worth_knowing", note=said(note, words.language)))
    if isinstance(table, LocalTable) and table.resumed:
        console.say_wrapped(words("resumed", decisions=table.resumed))
    console.say(words("type_a_pick"))


def _play(console: Console, game: LineTable, table: TerminalTable, words: Words) -> bool:
    """Play; whether somebody left before the end. A pipe that ends too early is a failure."""
    try:
        game.play()
    except KeyboardInterrupt:
        console.say()
        _say_kept(console, table, words)
        raise
    except LeaveTable:
        console.say(words("left"))
        _say_kept(console, table, words)
        return True
    except InputEnded:
        if console.typed:
            console.say(words("left"))
            _say_kept(console, table, words)
            return True
        say = "the input ended before the game did: the game was left"
        raise InputEndedEarly(say).at(decision=table.decision) from None
    return False


def _say_kept(console: Console, table: TerminalTable, words: Words) -> None:
    command = getattr(table, "come_back", "")
    if command:
        console.say_wrapped(words(table.how_kept, command=command))


@contextmanager
def _saved(console: Console, table: TerminalTable, path: str | None) -> Iterator[None]:
    """Write the game down however it is left; the seed stays out until the game is over."""
    try:
        yield
    finally:
        if path is not None and isinstance(table, LocalTable):
            match: AnyMatch = table.match
            over = match.outcome is not None
            record = table.record() or match.record()
            _save(console, record.write(), path)
            command, words = f"facedown replay {quote(path)}", table.words
            if over:
                console.say(words("saved_game", command=command))
            else:
                decisions = words.decisions(len(match.picks))
                console.say(words("saved_so_far", decisions=decisions, command=command))


def _save(console: Console, record: str, path: str) -> None:
    """Write the record; where that fails, print it, so that the game is not lost."""
    try:
        with writing(path) as file:
            file.write(record + "\n")
    except UnwritableFile:
        console.say(record)
        raise


@contextmanager
def _closing_as_exit() -> Iterator[None]:
    """A terminal that is closed, or a polite kill, leaves the table like anybody else."""

    def leave(number: int, frame: FrameType | None) -> None:
        sys.exit(128 + number)

    numbers = [signal.SIGTERM] + ([signal.SIGHUP] if hasattr(signal, "SIGHUP") else [])
    try:
        before = {number: signal.signal(number, leave) for number in numbers}
    except ValueError:  # not the main thread: nobody else is told of signals
        before = {}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
