"""A table in line mode: one person against others, or several on one device (hot seat).

Draws the moments of its session, and reads what is typed: a command, a pick, or Enter.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from facedown.core.errors import FacedownError, Unreadable, UnreadablePick
from facedown.core.seats import SPECTATOR, Viewer
from facedown.terminal.lines.console import Console, LeaveTable
from facedown.terminal.lines.players import PlayersNews
from facedown.terminal.lines.view import LineView
from facedown.terminal.moments.effects import LongText, ShortText
from facedown.terminal.moments.session import TableSession
from facedown.terminal.settings import Look
from facedown.terminal.tables.table import TerminalTable
from facedown.terminal.words import Words

_LONGEST: Final = 200
_PATIENCE: Final = 10
"""Lines without sense, one after the other, after which a pipe is taken for a mistake."""
_MOST_QUESTIONS: Final = 100
"""Questions from a pipe, one after the other, after which it is taken for one that never ends."""
_TICK: Final = 0.5
"""Seconds to wait for others at a time."""
_SAME: Final = {"help": "?", "why?": "why", "exit": "quit"}
"""Other words for commands."""
_AFTER: Final = ("why", "log", "table", "review", "again", "say", "rematch")
"""The commands that are offered after the end."""


class LineTable:
    """Runs one table to its end at a console."""

    def __init__(
        self, console: Console, table: TerminalTable, words: Words | None = None, *, drawn: bool = False
    ) -> None:
        self._console = console
        self._table = table
        self._words = words or Words()
        look = Look(self._words.language, console.ascii_only)
        self._session = TableSession(table, self._words, look)
        self._view = LineView(console, self._session, drawn=drawn)
        self._players = None if table.players is None else PlayersNews(console, self._session)
        self._heard: dict[Viewer, int] = {}
        """How many decisions each viewer of this screen has seen."""
        self._wrong = 0
        self._questions = 0
        self._notice = ""
        self._waited = ""

    # --- the course of a game ------------------------------------------------------------------------

    def play(self) -> None:
        """From the deal to the end; raises `LeaveTable` or `InputEnded` where the game is left."""
        self._table.begin()
        self._tell_news()
        while not self._table.over:
            self._session.advance()
            match self._session.moment().kind:
                case "curtain":
                    self._hand_over()
                case "turn":
                    self._turn()
                case _:
                    self._wait()
        self._session.advance()

    def answer_questions(self) -> TerminalTable | None:
        """After the end: *why?* and the other questions, until an empty line; the next table if asked for."""
        self._wrong = self._questions = 0
        while not self._ask_no_more() and (line := self._ask_after()):
            self._questions += 1
            try:
                if not self._command(line):
                    self._console.say(self._words("game_over"))
                    self._wrong += 1
            except LeaveTable:
                return None
            if self._view.next is not None:
                return self._view.next
        return None

    def _ask_no_more(self) -> bool:
        """Whether a pipe goes on and on: lines without sense, or questions without a pick."""
        endless = self._wrong >= _PATIENCE or self._questions >= _MOST_QUESTIONS
        return endless and not self._console.typed

    def _ask_after(self) -> str:
        typed = self._session.moment().words
        offered = [word for word in _AFTER if word in typed and (typed[word].now or word == "say")]
        prompt = self._words("prompt.leave", commands=", ".join(offered))
        if self._players is None or not self._table.people:
            return self._console.ask(prompt).strip()
        return (self._console.ask_while(prompt, self._stands_always) or "").strip()

    def _stands_always(self) -> bool:
        self._tell_news()
        return True

    def _wait(self) -> None:
        """Others have to place: say whom the table waits for, once, and then what happens."""
        stage = self._session.moment().stage
        asked = bool(self._table.may_seal) and not self._table.notice  # the notice is shown with the news
        notice = stage.prompt if stage is not None and asked else ""
        if notice and notice != self._waited:
            self._console.say_wrapped(notice)
            self._view.say_clocks()
        self._waited = notice
        if self._players is not None and self._console.typed:
            self._listen()
        else:
            self._table.wait(_TICK)
        self._tell_news()
        if self._table.players is not None and self._table.players.gone:
            raise LeaveTable

    def _listen(self) -> None:
        """Commands while others have to pick; a pick would be too early."""
        line = self._console.read_line(_TICK)
        if line is not None:
            self._command(line)
            self._waited = ""

    def _turn(self) -> None:
        """A pick is asked for, until it is sealed or the table goes on without it."""
        session = self._session
        self._waited = ""
        self._view.show_table()
        prompt = f"{self._table.names[session.seat - 1]}> " if session.shared else "> "
        while session.stands():
            line = self._read_line(prompt)
            if line is None:
                self._console.say_wrapped(self._words("remote.too_late"))
            else:
                self._answer(line)
            if session.shared and not session.stands():
                self._console.clear()
            self._tell_news()

    def _read_line(self, prompt: str) -> str | None:
        """What the person types; None where the table went on without it."""
        if self._players is None:
            return self._console.ask(prompt)

        def stands() -> bool:
            if not self._session.stands():
                return False
            self._tell_news()
            return True

        return self._console.ask_while(prompt, stands)

    def _hand_over(self) -> None:
        """The pause in which the device changes hands: no player sees another's cards."""
        session = self._session
        name = self._table.names[session.curtain - 1]
        asked = " ".join(session.moment().said[:2]).replace(name, self._console.strong(name), 1)
        self._console.ask(f"{asked} ")
        self._console.clear()
        session.enter()
        heard = self._heard.get(session.seat, 0)
        history = self._table.history(session.seat)
        public = self._table.history(SPECTATOR)
        for mine, everybodys in zip(history[heard:], public[heard:], strict=True):
            own = tuple(each for each in mine.seen if each not in everybodys.seen)
            self._view.tell(mine._replace(seen=own))
        self._heard[session.seat] = len(history)

    def _tell_news(self) -> None:
        """Tell what was turned up since; nothing where others have yet to seal."""
        viewer = self._session.viewer
        history = self._table.history(viewer)
        for place in range(self._heard.get(viewer, 0), len(history)):
            self._console.say()
            self._view.tell(history[place], history[place - 1] if place else None)
        self._heard[viewer] = len(history)
        over = self._table.over and self._players is not None  # then the notice is shown as news below
        notice = "" if over else self._table.notice
        if notice and notice != self._notice:
            self._console.say_wrapped(notice)
        self._notice = notice
        if self._players is not None:
            self._players.tell()

    # --- what a person writes ------------------------------------------------------------------------

    def _answer(self, line: str) -> None:
        self._questions += 1
        if not self._command(line):
            self._try(lambda: self._pick(line))
        if self._ask_no_more():
            raise UnreadablePick(f"{_MOST_QUESTIONS} lines in a row asked something, and none was a pick")

    def _command(self, line: str) -> bool:
        """Carry out the command of a line; false if it has none, or one that means nothing after the end."""
        word, _, rest = line.strip().partition(" ")
        word = _SAME.get(word.lower(), word.lower())
        command = self._session.moment().words.get(word)
        if word == "?":
            self._try(lambda: self._view.read(self._help()))
        elif command is None or (self._table.over and not command.now):
            return False
        elif not command.now:
            self._console.say_wrapped(self._words(f"help.{word}"))
        else:
            self._try(lambda: self._view.perform(command.do(rest), word, rest))
        return True

    def _try(self, do: Callable[[], None]) -> None:
        try:
            do()
        except FacedownError as error:
            self._refuse(error)
        else:
            self._wrong = 0

    def _pick(self, line: str) -> None:
        """Seal what was written; an empty line is Enter."""
        session = self._session
        if not line.strip():
            effect = session.enter()
            if effect is None:
                self._view.show_table()
                return
        elif len(line) > _LONGEST:
            raise UnreadablePick(f"{len(line)} characters are too many for a pick", text=line[:_LONGEST])
        else:
            effect = session.seal(session.read_pick(line))
        self._view.perform(effect)
        self._questions = 0

    def _refuse(self, error: FacedownError) -> None:
        key = "refused_help" if isinstance(error, Unreadable) else "refused"
        self._view.perform(ShortText(self._words(key, why=self._words.refusal(error))))
        self._wrong += 1
        if self._wrong >= _PATIENCE and not self._console.typed:
            say = f"{_PATIENCE} lines in a row were refused, the last one because {error.message}"
            raise UnreadablePick(say, text=error.text, rule=error.rule)

    def _help(self) -> LongText:
        """Every word, and what it means."""
        words = self._words
        rows = [f"{words('help.pick.name')}\t{words('help.pick')}"]
        rows += [f"{word}\t{words(f'help.{word}')}" for word in self._session.moment().words]
        if self._table.players is not None and self._table.players.fairness:
            rows.append(self._table.players.fairness)
        return LongText("", rows)
