"""A table played line by line: one person against machines, or several on one device (the hot seat).

Whoever sits at the screen sees a view and is told seen events; machines pick from their own views.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from facedown.core.bot import Bot
from facedown.core.chance import Stream
from facedown.core.errors import FacedownError, Unreadable, UnreadablePick
from facedown.core.events import Event
from facedown.core.game import Step
from facedown.core.replay import AnyMatch
from facedown.core.seats import SPECTATOR, Seat, Viewer
from facedown.core.views import View
from facedown.core.words import inside, listed
from facedown.terminal.console import Console, Left
from facedown.terminal.telling import Telling, sight_of

_HELP: Final = (
    ("a pick", "places it face down; nobody can see it or change it before the reveal"),
    ("why", "the rules behind what happened last; `why ID` for the rule of that id"),
    ("table", "the table again, and what can be picked"),
    ("log", "the game so far"),
    ("rules", "all the rules of this game"),
    ("resign", "give up (asks first)"),
    ("quit", "leave the table"),
)
_LONGEST: Final = 200
_PATIENCE: Final = 10
"""Lines without sense, one after the other, after which a pipe is taken for a mistake."""


class LineTable:
    """Runs one match to its end at a console."""

    def __init__(
        self,
        console: Console,
        match: AnyMatch,
        names: tuple[str, ...],
        machines: Mapping[Seat, tuple[Bot[View], Stream]],
    ) -> None:
        self._console = console
        self._match = match
        self._names = names
        self._machines = machines
        self._people = tuple(seat for seat in range(1, len(names) + 1) if seat not in machines)
        self._hot = len(self._people) > 1
        self._whispers: dict[Seat, list[Event]] = {seat: [] for seat in self._people}
        self._telling = Telling(console, match.game, match.rules, names)
        self._wrong = 0
        self._commands: dict[str, Callable[[Viewer, str], None]] = {
            "?": self._help,
            "help": self._help,
            "why": self._why,
            "why?": self._why,
            "table": lambda viewer, _: self._show(viewer),
            "log": lambda viewer, _: self._telling.tell_again(sight_of(viewer)),
            "rules": lambda *_: self._console.say_page(self._telling.page()),
            "resign": lambda seat, _: self._resign(seat),
            "quit": self._quit,
            "exit": self._quit,
        }

    # --- the course of a game ------------------------------------------------------------------------

    def play(self) -> None:
        """From the deal to the end; raises `Left` or `InputEnded` where somebody leaves before it."""
        self._reveal(0, self._match.dealt)
        while self._match.outcome is None:
            waiting = self._match.may_seal
            machines = [seat for seat in waiting if seat in self._machines]
            if machines:
                self._seal_machine(machines[0])
            else:
                self._turn(waiting[0])

    def answer_questions(self) -> None:
        """After the end: *why?* and the other questions, until an empty line."""
        viewer = SPECTATOR if self._hot else self._people[0]
        while line := self._console.ask("Enter leaves; why, log and table answer > ").strip():
            command, _, rest = line.lower().partition(" ")
            if command in ("quit", "exit"):
                return
            if command == "resign" or command not in self._commands:
                self._console.say("The game is over.")
            else:
                self._commands[command](viewer, rest)

    def _seal_machine(self, seat: Seat) -> None:
        bot, stream = self._machines[seat]
        decision = self._match.decision
        pick = bot.pick(self._match.view(seat), self._match.legal(seat), stream)
        self._reveal(decision, self._match.seal(seat, pick))

    def _turn(self, seat: Seat) -> None:
        """Ask one person until the decision goes on without them."""
        decision = self._match.decision
        if self._hot:
            self._hand_over(seat)
        self._show(seat)
        while self._match.decision == decision and seat in self._match.may_seal:
            self._answer(seat, self._console.ask(f"{self._names[seat - 1]}> " if self._hot else "> "))

    def _hand_over(self, seat: Seat) -> None:
        """The pause in which the device changes hands: nobody sees another's cards."""
        name = self._names[seat - 1]
        self._console.ask(f"{self._console.strong(name)} is next: Enter when only {name} sees the screen. ")
        self._console.clear()
        self._telling.tell(self._whispers[seat], sight_of(seat))
        self._whispers[seat].clear()

    def _reveal(self, decision: int, step: Step[Any] | None) -> None:
        """Tell what the last seal turned up; nothing where others have yet to seal."""
        if step is None:
            return
        events = step.events
        self._telling.happened(decision, events)
        self._console.say()
        self._telling.tell(events, sight_of(SPECTATOR if self._hot else self._people[0]))
        for seat, whispers in self._whispers.items():
            whispers += (event for event in events if event.audience and seat in event.audience)

    # --- what a person writes ------------------------------------------------------------------------

    def _answer(self, seat: Seat, line: str) -> None:
        command, _, rest = line.strip().lower().partition(" ")
        try:
            if command in self._commands:
                self._commands[command](seat, rest)
            else:
                self._pick(seat, line)
        except FacedownError as error:
            self._refuse(error)
        else:
            self._wrong = 0

    def _pick(self, seat: Seat, line: str) -> None:
        """Seal what was written. An empty line will do where there is no choice."""
        legal = self._match.legal(seat)
        if not line.strip() and len(legal) > 1:
            self._ask(seat)
            return
        if len(line) > _LONGEST:
            raise UnreadablePick(f"{len(line)} characters are too many for a pick", text=line[:_LONGEST])
        decision = self._match.decision
        pick = self._match.game.read_pick(line) if line.strip() else legal[0]
        step = self._match.seal(seat, pick)
        if self._hot:
            self._console.clear()
        self._reveal(decision, step)

    def _refuse(self, error: FacedownError) -> None:
        rule = f" ({error.rule})" if error.rule else ""
        hint = "; ? for help" if isinstance(error, Unreadable) else ""
        self._console.say_wrapped(f"Refused: {error.say}{rule}{hint}.")
        self._wrong += 1
        if self._wrong >= _PATIENCE and not self._console.typed:
            say = f"{_PATIENCE} lines in a row were refused, the last one because {error.say}"
            raise UnreadablePick(say, text=error.text, rule=error.rule)

    # --- the commands --------------------------------------------------------------------------------

    def _show(self, viewer: Viewer) -> None:
        self._console.say()
        self._console.say(self._telling.text.table(self._match.view(viewer), self._names))
        if self._match.outcome is None:
            self._ask(viewer)

    def _ask(self, seat: Seat) -> None:
        sealed = [inside(self._names[each - 1]) for each in self._match.sealed]
        if 3 < len(sealed) == sum(map(len, self._match.pending)) - 1:
            self._console.say("Face down already: everybody else.")
        elif sealed:
            self._console.say_wrapped(f"Face down already: {listed(sealed)}.")
        view = self._match.view(seat)
        self._console.say_wrapped(self._telling.text.ask(view, self._match.legal(seat), self._names))

    def _help(self, viewer: Viewer, rest: str) -> None:
        for word, meaning in _HELP:
            self._console.say_wrapped(meaning, indent="          ", first=f"  {word:<7} ")

    def _why(self, viewer: Viewer, rest: str) -> None:
        if rest.strip():
            self._telling.cite(tuple(rest.upper().replace(",", " ").split())[:5])
        else:
            self._telling.explain(sight_of(viewer))

    def _resign(self, seat: Seat) -> None:
        answer = self._console.ask("Resign? This cannot be taken back. Type yes: ")
        if answer.strip().lower() not in ("yes", "y"):
            self._console.say("You play on." if not self._hot else f"{self._names[seat - 1]} plays on.")
            return
        decision = self._match.decision
        step = self._match.resign(seat)
        if self._hot:
            self._console.clear()
        self._reveal(decision, step)

    def _quit(self, viewer: Viewer, rest: str) -> None:
        raise Left
