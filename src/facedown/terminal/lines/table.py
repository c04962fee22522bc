"""A table in line mode: one person against others, or several on one device (hot seat).

Shows views and seen events only; everything that the full screen offers is a command here.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import Final

from facedown.core.errors import FacedownError, Unreadable, UnreadablePick
from facedown.core.game import Pick
from facedown.core.parts.scene import Held, Scenes
from facedown.core.seats import SPECTATOR, Seat, Viewer
from facedown.core.text.widths import pad
from facedown.terminal.lines.console import Console, LeaveTable
from facedown.terminal.lines.players import PlayerCommands
from facedown.terminal.lines.replay import Narrator
from facedown.terminal.tables.table import TerminalTable
from facedown.terminal.words import Words, review_text

_LONGEST: Final = 200
_PATIENCE: Final = 10
"""Lines without sense, one after the other, after which a pipe is taken for a mistake."""
_MOST_QUESTIONS: Final = 100
"""Questions from a pipe, one after the other, after which it is taken for one that never ends."""
_TICK: Final = 0.5
"""Seconds to wait for others at a time."""

_PLACE: Final = re.compile(r"([a-z]?) *([0-9]{1,2})")


class LineTable:
    """Runs one table to its end at a console."""

    def __init__(self, console: Console, table: TerminalTable, words: Words | None = None) -> None:
        self._console = console
        self._table = table
        self._words = words or Words()
        self._hot = len(table.people) > 1
        self._heard: dict[Viewer, int] = {}
        """How many decisions each viewer of this screen has seen."""
        self._scenes = Scenes(table.game.name, self._words.language)
        self._narrator = Narrator(console, table.game, table.rules, table.names, self._words)
        self._wrong = 0
        self._questions = 0
        self._notice = ""
        self._waited = ""
        self._commands: dict[str, Callable[[Viewer, str], None]] = {
            "?": self._help,
            "help": self._help,
            "why": self._why,
            "why?": self._why,
            "table": lambda viewer, _: self._show(viewer),
            "hand": self._hand,
            "log": self._log,
            "rules": lambda *_: self._console.say_page(self._narrator.rulebook.page),
            "resign": lambda seat, _: self._resign(seat),
            "quit": self._quit,
            "exit": self._quit,
        }
        self._players: PlayerCommands | None = None
        if table.players is not None:
            self._players = PlayerCommands(console, table, table.players, self._words)
            self._commands |= self._players.commands

    # --- the course of a game ------------------------------------------------------------------------

    def play(self) -> None:
        """From the deal to the end; raises `LeaveTable` or `InputEnded` where the game is left."""
        self._table.begin()
        self._tell_news()
        while not self._table.started or self._table.outcome is None:
            turns = [seat for seat in self._table.may_seal if seat in self._table.people]
            if turns:
                self._turn(turns[0])
            else:
                self._wait()

    def answer_questions(self) -> TerminalTable | None:
        """After the end: *why?* and the other questions, until an empty line; the next table if asked for."""
        viewer = self._viewer
        self._wrong = self._questions = 0
        while not self._ask_no_more() and (line := self._ask_after()):
            self._questions += 1
            command, _, rest = line.partition(" ")
            command = command.lower()
            if command in ("quit", "exit"):
                return None
            if command == "review":
                self._review(rest)
            elif command in ("resign", "leave") or command not in self._commands:
                self._console.say(self._words("game_over"))
                self._wrong += 1
            else:
                self._try(partial(self._commands[command], viewer, rest))
            if self._players is not None and self._players.next is not None:
                return self._players.next
        return None

    def _ask_no_more(self) -> bool:
        """Whether a pipe goes on and on: lines without sense, or questions without a pick."""
        endless = self._wrong >= _PATIENCE or self._questions >= _MOST_QUESTIONS
        return endless and not self._console.typed

    def _ask_after(self) -> str:
        if self._players is None or not self._table.people:
            return self._console.ask(self._words("after_prompt")).strip()
        line = self._console.ask_while(self._words("after_prompt_remote"), self._stands_always)
        return (line or "").strip()

    def _stands_always(self) -> bool:
        self._tell_news()
        return True

    @property
    def _viewer(self) -> Viewer:
        """Whose eyes everybody at the screen may look through."""
        return SPECTATOR if self._hot or not self._table.people else self._table.people[0]

    def _wait(self) -> None:
        """Others have to place: say whom the table waits for, once, and then what happens."""
        waiting = [self._table.names[seat - 1] for seat in self._table.may_seal]
        notice = ""  # the table's own notice is shown with the news
        if waiting and not self._table.notice:
            notice = self._words("waiting_for", names=self._words.all_of(waiting))
        if notice and notice != self._waited:
            self._console.say_wrapped(notice)
            if self._players is not None:
                self._players.tell_clocks()
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
        if line is None:
            return
        command, _, rest = line.strip().partition(" ")
        if command.lower() in self._commands:
            self._try(lambda: self._commands[command.lower()](self._viewer, rest))
        self._waited = ""

    def _turn(self, seat: Seat) -> None:
        decision = self._table.decision
        self._waited = ""
        if self._hot:
            self._hand_over(seat)
        self._show(seat)
        prompt = f"{self._table.names[seat - 1]}> " if self._hot else "> "
        # The decision last: the seat may seal the next one already, if a reveal comes in between.
        while seat in self._table.may_seal and self._table.decision == decision:
            line = self._read_line(seat, decision, prompt)
            if line is None:
                self._console.say_wrapped(self._words("remote.too_late"))
            else:
                self._answer(seat, line, decision)
            self._tell_news()

    def _read_line(self, seat: Seat, decision: int, prompt: str) -> str | None:
        """What the person types; None where the table went on without it."""
        if self._players is None:
            return self._console.ask(prompt)

        def stands() -> bool:
            if seat not in self._table.may_seal or self._table.decision != decision:
                return False
            self._tell_news()
            return True

        return self._console.ask_while(prompt, stands)

    def _hand_over(self, seat: Seat) -> None:
        """The pause in which the device changes hands: no player sees another's cards."""
        name = self._table.names[seat - 1]
        shown = self._words("next_is", name=name).replace(name, self._console.strong(name), 1)
        self._console.ask(shown)
        self._console.clear()
        heard = self._heard.get(seat, 0)
        history = self._table.history(seat)
        public = self._table.history(SPECTATOR)
        for mine, everybodys in zip(history[heard:], public[heard:], strict=True):
            self._narrator.tell(each for each in mine.seen if each not in everybodys.seen)
        self._heard[seat] = len(history)

    def _tell_news(self) -> None:
        """Tell what was turned up since; nothing where others have yet to seal."""
        viewer = self._viewer
        history = self._table.history(viewer)
        for each in history[self._heard.get(viewer, 0) :]:
            self._console.say()
            self._narrator.names = self._table.names
            self._narrator.tell(each.seen)
        self._heard[viewer] = len(history)
        over = self._table.started and self._table.outcome is not None
        notice = "" if over and self._players is not None else self._table.notice  # shown as news below
        if notice and notice != self._notice:
            self._console.say_wrapped(notice)
        self._notice = notice
        if self._players is not None:
            self._players.tell_news()

    # --- what a person writes ------------------------------------------------------------------------

    def _answer(self, seat: Seat, line: str, decision: int) -> None:
        command, _, rest = line.strip().partition(" ")
        self._questions += 1
        if command.lower() in self._commands:
            self._try(lambda: self._commands[command.lower()](seat, rest))
        else:
            self._try(lambda: self._pick(seat, line, decision))
        if self._ask_no_more():
            raise UnreadablePick(f"{_MOST_QUESTIONS} lines in a row asked something, and none was a pick")

    def _try(self, do: Callable[[], None]) -> None:
        try:
            do()
        except FacedownError as error:
            self._refuse(error)
        else:
            self._wrong = 0

    def _pick(self, seat: Seat, line: str, decision: int) -> None:
        """Seal what was written. An empty line will do where there is no choice."""
        legal = self._table.legal(seat)
        if not line.strip() and len(legal) != 1:
            self._ask(seat)
            return
        if len(line) > _LONGEST:
            raise UnreadablePick(f"{len(line)} characters are too many for a pick", text=line[:_LONGEST])
        pick = self._read_pick(seat, line, legal) if line.strip() else legal[0]
        self._table.seal(seat, pick, decision)
        self._questions = 0
        if self._hot:
            self._console.clear()

    def _read_pick(self, seat: Seat, line: str, legal: tuple[Pick, ...]) -> Pick:
        """A pick as the game writes it, or else by its place in the hand."""
        place = _pick_at_place(self._scenes.hand(self._table.view(seat), legal), line)
        try:
            pick = self._table.game.read_pick(line)
        except UnreadablePick:
            if place is None:
                raise
            return place
        return place if place is not None and pick not in legal else pick

    def _refuse(self, error: FacedownError) -> None:
        key = "refused_help" if isinstance(error, Unreadable) else "refused"
        self._console.say_wrapped(self._words(key, why=self._words.refusal(error)))
        self._wrong += 1
        if self._wrong >= _PATIENCE and not self._console.typed:
            say = f"{_PATIENCE} lines in a row were refused, the last one because {error.message}"
            raise UnreadablePick(say, text=error.text, rule=error.rule)

    # --- the commands --------------------------------------------------------------------------------

    def _show(self, viewer: Viewer) -> None:
        self._console.say()
        self._console.say(self._narrator.text.table(self._table.view(viewer), self._table.names))
        if self._table.outcome is None:
            self._ask(viewer)

    def _ask(self, seat: Seat) -> None:
        sealed = [self._table.names[each - 1] for each in self._table.sealed]
        if 3 < len(sealed) == sum(map(len, self._table.pending)) - 1:
            self._console.say(self._words("face_down_everybody"))
        elif sealed:
            self._console.say_wrapped(self._words("face_down", names=self._words.all_of(sealed)))
        view = self._table.view(seat)
        legal = self._table.legal(seat) if seat in self._table.may_seal else ()
        self._console.say_wrapped(self._narrator.text.ask(view, legal, self._table.names))
        if self._players is not None:
            self._players.tell_clocks()

    def _hand(self, viewer: Viewer, rest: str) -> None:
        legal = self._table.legal(viewer) if viewer in self._table.may_seal else ()
        held = self._scenes.hand(self._table.view(viewer), legal)
        for each in dict.fromkeys(held):
            places = [place for place, other in enumerate(held, 1) if other == each]
            at = f"{places[0]}-{places[-1]}" if len(places) > 1 else f"{places[0]}"
            name = " ".join(filter(None, (each.face.ascii_index, each.face.name)))
            said = f"{name}: {each.tip}" if each.tip else name
            self._console.say_wrapped(said, indent="       ", first=f"  {at:<4} ")

    def _log(self, viewer: Viewer, rest: str) -> None:
        for each in self._table.history(viewer):
            self._narrator.tell_numbered(each.decision, each.seen)

    def _help(self, viewer: Viewer, rest: str) -> None:
        words = self._words
        rows = [(words("help.pick.name"), words("help.pick"))]
        asked: tuple[str, ...] = ("why", "table", "hand", "log", "rules", "resign", "quit")
        asked += () if self._players is None else tuple(self._players.commands)
        rows += [(word, words(f"help.{word}")) for word in asked]
        for word, meaning in rows:
            self._console.say_wrapped(meaning, indent="          ", first=f"  {pad(word, 7)} ")
        if self._table.players is not None and self._table.players.fairness:
            self._console.say_wrapped(self._table.players.fairness)

    def _why(self, viewer: Viewer, rest: str) -> None:
        if rest.strip():
            self._narrator.cite(tuple(rest.upper().replace(",", " ").split())[:5])
            return
        history = self._table.history(viewer)
        if history:
            self._narrator.explain(history[-1].seen)
        else:
            self._console.say(self._words("why.nothing"))

    def _review(self, rest: str) -> None:
        """The review of the seat named, or of the one person's."""
        record = self._table.record()
        seats = len(self._table.names)
        word = rest.strip()
        if self._hot and not word:
            choices = [f"`review {seat}` ({self._table.names[seat - 1]})" for seat in self._table.people]
            self._console.say_wrapped(f"{self._words('review.whose')} {', '.join(choices)}")
            return
        seat = (
            int(word) if word.isdigit() and 1 <= int(word[:3]) <= seats else (self._table.people or (1,))[0]
        )
        if record is not None:
            self._console.say("\n".join(review_text(record, seat, self._words, self._console.width)))

    def _resign(self, seat: Seat) -> None:
        answer = self._console.ask(self._words("ask_resign"))
        if answer.strip().lower() not in ("yes", "y"):
            name = self._table.names[seat - 1]
            self._console.say(self._words("plays_on", name=name) if self._hot else self._words("you_play_on"))
            return
        self._table.resign(seat)
        if self._hot:
            self._console.clear()

    def _quit(self, viewer: Viewer, rest: str) -> None:
        raise LeaveTable


def _pick_at_place(held: tuple[Held, ...], text: str) -> Pick | None:
    """The pick that a typed place means, from 1 at the left, after the key of what else is to be done with it
    (`3`, `x3`); None if it is no place of this hand."""
    found = _PLACE.fullmatch(text.strip().lower())
    if found is None or not 1 <= int(found[2]) <= len(held):
        return None
    card = held[int(found[2]) - 1]
    picks = {"": card.pick, **{key: pick for key, pick, _ in card.also}}
    return picks.get(found[1]) or None
