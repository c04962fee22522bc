"""A game in line mode, from the welcome to the last question: `--plain`, pipes, simple terminals."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from types import FrameType

from facedown.core.errors import FacedownError
from facedown.terminal.lines.console import Console, InputEnded, LeaveTable
from facedown.terminal.lines.table import LineTable
from facedown.terminal.moments.effects import ChosenGame
from facedown.terminal.moments.menu import start_menu
from facedown.terminal.tables.local import RecordNotSaved
from facedown.terminal.tables.table import TerminalTable, story_of_table
from facedown.terminal.words import Words

# --- the choice of a game --------------------------------------------------------------------------------


def chosen_game(words: Words) -> ChosenGame | None:
    """The game chosen from the start menu, by its number or name; None for none."""
    console, menu = Console(), start_menu(words)
    console.say(console.strong(menu.text))
    numbered = {str(number): each for number, each in enumerate(menu.answers, 1)}
    for number, each in numbered.items():
        console.say_wrapped(each.label, indent="     ", first=f"  {number}  ")
        if each.note:
            console.say_wrapped(each.note, indent="     ")
    console.say(words("welcome.more"))
    while True:
        try:
            typed = console.ask(words("welcome.which")).strip().lower()
        except InputEnded:
            return None
        if not typed or typed in ("quit", "exit", "q"):
            return None
        answer = numbered.get(typed) or menu.answer(typed)
        if answer is not None and isinstance(answer.effect, ChosenGame):
            return answer.effect
        console.say(words("welcome.unknown", name=repr(typed[:20])))


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
        return _from_welcome_to_end(console, table, words, LineTable(console, table, words, drawn=drawn))
    finally:
        with suppress(OSError):  # after a signal the terminal may be gone, and nothing can be printed
            _say_all(console, table.close)


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
