"""A game in line mode, from the welcome to the last question: `--plain`, pipes, simple terminals."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from types import FrameType

from facedown.core import registry
from facedown.core.errors import FacedownError
from facedown.core.game import AnyGame
from facedown.core.text.translation import Message
from facedown.terminal.lines.console import Console, InputEnded, LeaveTable
from facedown.terminal.lines.table import LineTable
from facedown.terminal.tables.local import RecordNotSaved
from facedown.terminal.tables.table import TerminalTable, story_of_table
from facedown.terminal.words import Words, message

# --- the choice of a game --------------------------------------------------------------------------------


def chosen_game(words: Words) -> str | None:
    """The game chosen by number or name; None for none."""
    console = Console()
    names = registry.names()
    console.say(console.strong("Facedown"))
    for number, name in enumerate(names, 1):
        game = registry.get(name)
        title, summary = game.meta.title, game.meta.summary
        line = words("welcome.game", title=title, seats=seats_in_words(game), summary=summary)
        console.say_wrapped(line, indent="     ", first=f"  {number}  ")
    console.say(words("welcome.more"))
    while True:
        try:
            answer = console.ask(words("welcome.which")).strip().lower()
        except InputEnded:
            return None
        if not answer or answer in ("quit", "exit", "q"):
            return None
        if answer in names:
            return answer
        if answer.isascii() and answer.isdigit() and 1 <= int(answer[:3]) <= len(names):
            return names[int(answer) - 1]
        console.say(words("welcome.unknown", name=repr(answer[:20])))


def seats_in_words(game: AnyGame) -> Message:
    """With how many seats the game is played."""
    least, most = game.meta.least_seats, game.meta.most_seats
    if least == most:
        return message("games.seats", count=least)
    return message("games.seats_range", least=least, most=most)


# --- a table ---------------------------------------------------------------------------------------------


class InputEndedEarly(FacedownError):
    """A pipe that ended before the game did."""

    code = "input_ended"


def play_lines(table: TerminalTable, words: Words, *, drawn: bool = False) -> None:
    """Play at the console, one game after the other; `drawn`: with cards, where the screen can."""
    console = Console()
    following: TerminalTable | None = table
    while following is not None:
        following = _one_game(console, following, words, drawn=drawn and console.seen)


def _one_game(console: Console, table: TerminalTable, words: Words, *, drawn: bool) -> TerminalTable | None:
    """One table, closed however the game ends; returns the next one after a rematch."""
    try:
        following = _from_welcome_to_end(console, table, words, LineTable(console, table, words, drawn=drawn))
    except SystemExit:  # a signal: the terminal may be gone, and nothing can be printed
        with suppress(OSError):
            _say_all(console, table.close)
        raise
    except BaseException:
        _say_all(console, table.close)
        raise
    _say_all(console, table.close)
    return following


def _from_welcome_to_end(
    console: Console, table: TerminalTable, words: Words, game: LineTable
) -> TerminalTable | None:
    _welcome(console, table, words)
    with _signals_exit():
        left = _play(console, game, table, words)
    if left or not table.started or table.outcome is None:
        return None
    if story := story_of_table(table, words.language):
        console.say_wrapped(story, indent="  ")
    _say_all(console, table.finish)
    with suppress(InputEnded, LeaveTable):
        return game.answer_questions()
    return None


def _say_all(console: Console, ending: Callable[[], Sequence[str]]) -> None:
    """What there is to say at an end; a record that cannot be written is printed, so that it is not lost."""
    try:
        lines = ending()
    except RecordNotSaved as error:
        console.say(error.record)
        raise
    for line in lines:  # not wrapped: commands in them are to be copied whole
        console.say(line)


def _welcome(console: Console, table: TerminalTable, words: Words) -> None:
    title = console.strong(words.text(table.game.meta.title))
    names = words.all_of(table.names)
    console.say_wrapped(words("welcome", title=title, rules=str(table.rules), names=names))
    meanings = {each.name: each.meaning for each in table.rules.presets}
    console.say_wrapped(words.text(meanings[table.rules.preset]))
    for note in table.rules.notes():
        console.say_wrapped(words("worth_knowing", note=note))
    if table.resumed:
        console.say_wrapped(words("resumed", decisions=table.resumed))
    console.say(words("type_a_pick"))


def _play(console: Console, game: LineTable, table: TerminalTable, words: Words) -> bool:
    """Play; whether the table was left before the end. A pipe that ends early raises."""
    try:
        game.play()
    except KeyboardInterrupt:
        console.say()
        raise
    except LeaveTable:
        console.say(words("left"))
        return True
    except InputEnded:
        if console.typed:
            console.say(words("left"))
            return True
        say = "the input ended before the game did: the game was left"
        raise InputEndedEarly(say).at(decision=table.decision) from None
    return False


@contextmanager
def _signals_exit() -> Iterator[None]:
    """A hangup or SIGTERM raises `SystemExit`, so that the table is closed in order."""

    def leave(number: int, frame: FrameType | None) -> None:
        sys.exit(128 + number)

    numbers = [signal.SIGTERM] + ([signal.SIGHUP] if hasattr(signal, "SIGHUP") else [])
    try:
        before = {number: signal.signal(number, leave) for number in numbers}
    except ValueError:  # signals reach the main thread only
        before = {}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
