"""An online table: a seat, or a spectator's place, at a table on a server, over `facedown.client`.

Shows what the server shows this seat, and nothing that it does not.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from facedown.client.blocking import BlockingTable
from facedown.client.decode import read_events, read_view
from facedown.client.errors import ServerLost, ServerRefused
from facedown.client.memory import Alarm
from facedown.client.rest import RestClient
from facedown.core.game import Pick, Waves
from facedown.core.links import spoken_words
from facedown.core.outcome import Outcome
from facedown.core.parts.text import bot_called
from facedown.core.record import Record
from facedown.core.seats import Seat, Viewer
from facedown.core.text.names import SEAT, YOU, seat_name
from facedown.core.text.sanitise import LONGEST_NAME_SHOWN, LONGEST_REMARK, printable
from facedown.protocol.messages import ChatMessage, SeatInfo, TurnInfo
from facedown.terminal.tables.absences import absence_sentence, absent_of, affairs_of, series_sentence
from facedown.terminal.tables.spec import bot_name
from facedown.terminal.tables.table import (
    AbsentPlayer,
    Avoidance,
    ChatLine,
    SeenDecision,
    TerminalTable,
)
from facedown.terminal.words import Words

_TELLING: Final = ("dealt", "revealed", "resigned")
"""The kinds of events in which something happens in the game itself."""


class OnlineTable(TerminalTable):
    """One seat, or the spectators' place, at a table on a server."""

    def __init__(
        self,
        server: RestClient,
        connection: BlockingTable,
        words: Words,
        come_back: str = "",
        link: str = "",
        follow: Callable[[str], TerminalTable] | None = None,
        forget: Callable[[], None] = lambda: None,
    ) -> None:
        """`follow` sits down at the table of that id after this one; `forget` drops what proves the seat."""
        self._server = server
        self.connection = connection
        self._words = words
        self.link = link
        """The invitation to this table, where it was created here."""
        self.named = True
        """Whether the person at this screen chose a name; otherwise it is "you" here."""
        self.came_back = False
        """Whether the table had been created before, by the same command."""
        self._follow = follow
        self._forget = forget
        self.come_back = come_back
        """The command that goes back to this table; empty where the seat was given back."""
        self.game = connection.game
        self.rules = connection.rules
        self.people: tuple[Seat, ...] = (connection.seat,) if connection.seat else ()
        self.players = self
        self._history: list[SeenDecision] = []
        self._heard = 0

    # --- what is shown -------------------------------------------------------------------------------

    @property
    def names(self) -> tuple[str, ...]:
        """What the seats are called; machines that are alike have numbers."""
        names = [self._name(seat) for seat in self.connection.mirror.info.seats]
        return tuple(
            name if names.count(name) == 1 else f"{name} {names[: place + 1].count(name)}"
            for place, name in enumerate(names)
        )

    def _name(self, seat: SeatInfo) -> str:
        if seat.seat == self.connection.seat and seat.kind == "person" and not self.named:
            return self._words.names((YOU,))[0]
        if seat.machine and seat.name == seat.machine:
            return bot_name(self.game.name, seat.machine, self._words.language)
        shown = printable(seat.name, LONGEST_NAME_SHOWN).strip()
        return shown or self._words.text(seat_name(f"{SEAT} {seat.seat}"))

    @property
    def notice(self) -> str:
        words, connection = self._words, self.connection
        state = connection.mirror.info.state
        if connection.table.witness.alarm is not None:
            return self._alarm_sentence(connection.table.witness.alarm)
        if connection.table.failure:
            return words("remote.closed", say=printable(connection.table.failure))
        if not connection.table.connected:
            return words("remote.lost")
        if state == "open":
            return words("remote.open" if self.invitation else "remote.kept_seats")
        if state == "opening":
            return words("remote.opening")
        if state == "closed":
            return words("remote.closed", say="")
        if self.people and not connection.table.plays:
            return words("remote.reader")
        if state == "over":
            following = words("remote.following") if self.following and self.people else ""
            return words.sentences([part for part in (self.series, following) if part])
        return words.sentences([absence_sentence(each, words) for each in self.absent])

    @property
    def invitation(self) -> str:
        """The link that others join by, while there are free seats; empty for none."""
        info = self.connection.mirror.info
        if info.state != "open":
            return ""
        return self.link or (f"{self._server.address}/i/{info.invite}" if info.invite else "")

    @property
    def free_seats(self) -> str:
        """Which seats are free before the game, in a sentence; empty for none."""
        info = self.connection.mirror.info
        free = [str(seat.seat) for seat in info.seats if not seat.taken] if info.state == "open" else []
        key = "remote.free_seat" if len(free) == 1 else "remote.free_seats"
        return self._words(key, seats=self._words.all_of(free)) if free else ""

    def _alarm_sentence(self, alarm: Alarm) -> str:
        words = self._words
        name = self.names[alarm.seat - 1] if 0 < alarm.seat <= len(self.names) else "–"
        what = words(f"remote.alarm.{alarm.kind}", name=name, decision=str(alarm.decision))
        said = [words("remote.alarm", what=what)]
        if self.connection.table.evidence is not None:
            said.append(words("remote.evidence", file=str(self.connection.table.evidence)))
        return words.sentences(said)

    @property
    def decision(self) -> int:
        return self.connection.mirror.decision

    @property
    def _turn(self) -> TurnInfo | None:
        return self.connection.mirror.info.turn if self.started and self.outcome is None else None

    @property
    def pending(self) -> Waves:
        turn = self._turn
        return () if turn is None else turn.waiting

    @property
    def may_seal(self) -> tuple[Seat, ...]:
        placed = self.connection.mirror.placed is not None  # acknowledged, though the update is on its way
        turn, mine = self._turn, self._own_seat  # after `placed`, which a reveal in the other thread clears
        if turn is None:
            return ()
        done = placed or (mine is not None and mine.kind == "machine")
        return tuple(seat for seat in turn.may_seal if not (done and seat == self.connection.seat))

    @property
    def _own_seat(self) -> SeatInfo | None:
        seats = self.connection.mirror.info.seats
        return next((each for each in seats if each.seat == self.connection.seat), None)

    @property
    def sealed(self) -> tuple[Seat, ...]:
        turn = self._turn
        return () if turn is None else tuple(each.seat for each in turn.sealed)

    @property
    def outcome(self) -> Outcome | None:
        outcome: Outcome | None = self._current_view().outcome if self.started else None
        return outcome

    @property
    def started(self) -> bool:
        return self.connection.mirror.view is not None

    def view(self, viewer: Viewer) -> Any:
        return self._current_view()

    def _current_view(self) -> Any:
        view = self.connection.view
        if view is None:
            raise ServerLost("the table has not begun")
        return view

    def legal(self, seat: Seat) -> tuple[Pick, ...]:
        return self.connection.mirror.legal if seat == self.connection.seat else ()

    def placed_pick(self, seat: Seat) -> Pick | None:
        return self.connection.mirror.placed if seat == self.connection.seat else None

    def milliseconds_left(self, seat: Seat) -> int | None:
        return self.connection.mirror.milliseconds_left(seat) if seat in self.may_seal else None

    def history(self, viewer: Viewer) -> Sequence[SeenDecision]:
        events = self.connection.mirror.events
        while self._heard < len(events):
            event = events[self._heard]
            self._heard += 1
            if event.k in _TELLING:
                seen = self.connection.mirror.views.get(event.v)
                view = None if seen is None else read_view(self.game, seen)
                before = self._history[-1].decision if self._history else 0
                decision = 0 if event.k == "dealt" else event.decision or before + 1
                self._history.append(SeenDecision(decision, read_events(event.events or ()), view))
        last = self._history[-1] if self._history else None
        if last is not None and last.view is None and self.started:  # it happened before this screen sat down
            self._history[-1] = last._replace(view=self._current_view())
        return self._history

    def record(self) -> Record | None:
        if not self.started or self.outcome is None:
            return None
        try:
            return self._server.record(self.connection.id)
        except (ServerLost, ServerRefused):
            return None

    # --- what is done --------------------------------------------------------------------------------

    def seal(self, seat: Seat, pick: Pick, decision: int | None = None) -> None:
        self.connection.seal(pick, decision)

    def resign(self, seat: Seat) -> None:
        self.connection.resign()

    def listen(self, changed: Callable[[], None]) -> None:
        self.connection.listen(changed)

    def wait(self, seconds: float) -> None:
        self.connection.wait(seconds)

    def finish(self) -> list[str]:
        record = self.record() if self.people else None
        if record is None:
            return []
        differing = self.connection.table.witness.differences(record)
        if differing:
            return [self._alarm_sentence(differing[0])]
        memory = self.connection.table.witness.memory
        noted = [] if all(memory.log.values()) else [self._words("remote.unlogged")]
        return [self._words("remote.heard"), *noted] if memory.links else []

    def close(self) -> list[str]:
        over = self.started and self.outcome is not None
        self.connection.close()
        return [] if over or not self.come_back else [self._words("remote.come_back", command=self.come_back)]

    # --- the players ---------------------------------------------------------------------------------

    @property
    def chat_lines(self) -> Sequence[ChatLine]:
        """The latest chat lines, oldest first."""
        return tuple(self._chat_line(each) for each in self.connection.mirror.info.said)

    def _chat_line(self, said: ChatMessage) -> ChatLine:
        text = self._words.preset(said.preset) if said.preset else said.text or ""
        name = printable(said.name, LONGEST_NAME_SHOWN)
        return ChatLine(name or self._words("somebody"), printable(text, LONGEST_REMARK))

    @property
    def remarks_heard(self) -> int:
        """The number of chat lines so far, those included that `chat_lines` no longer has."""
        return sum(event.k == "said" for event in self.connection.mirror.events)

    @property
    def gone(self) -> bool:
        """Whether nothing will happen here any more, though the game has not ended."""
        return bool(self.connection.table.failure) or self.connection.mirror.info.state == "closed"

    @property
    def following(self) -> bool:
        """Whether the next table of these people exists."""
        return self.connection.mirror.info.next is not None

    @property
    def other_people(self) -> list[tuple[Seat, str]]:
        """The seats and names of the people elsewhere."""
        seats = self.connection.mirror.info.seats
        names = self.names
        return [
            (each.seat, names[each.seat - 1])
            for each in seats
            if each.kind == "person" and each.taken and each.seat not in self.people
        ]

    @property
    def absent(self) -> Sequence[AbsentPlayer]:
        """Absent players of a running game."""
        return absent_of(self.connection.mirror, self.names, self._words)

    @property
    def news(self) -> Sequence[str]:
        """What happened among the people, oldest first: who came back, who was replaced by whose consent."""
        return affairs_of(self.connection.mirror, self.names, self._words)

    @property
    def series(self) -> str:
        """The score of the games of these people, in a sentence; empty for their first."""
        return series_sentence(self.connection.mirror.info, self.names, self._words)

    @property
    def fairness(self) -> str:
        """Six words of the deal, which players can compare aloud; empty before it."""
        dealt = self.connection.table.witness.chain.dealt
        return "" if dealt is None else self._words("remote.fairness", deal=spoken_words(dealt))

    @property
    def replaced_by(self) -> str:
        """The bot that plays this screen's seat for now; empty if none does."""
        mine = self._own_seat
        if mine is None or mine.replaced_at is None:
            return ""
        return self._words.text(bot_called(self.game.name, mine.machine or ""))

    def avoid(self, how: Avoidance, seat: Seat) -> None:
        if how == "report":
            self._server.report(self.connection.id, seat, "name")
        else:
            self._server.relate(how, self.connection.id, seat)

    def say(self, text: str) -> None:
        preset = self._words.preset_of(text)
        if preset:
            self.connection.say_preset(preset)
        elif text.strip():
            self.connection.say(text.strip())

    def another_game(self) -> TerminalTable:
        """The next table of these people; it is created if it does not exist yet."""
        if self._follow is None:
            raise ServerRefused("not_seated", "only those who played can ask for a rematch")
        return self._follow(self.connection.rematch())

    def leave_seat(self) -> None:
        self.connection.leave()
        if self.connection.mirror.info.state not in ("opening", "playing"):  # then one may come back to it
            self.come_back = ""
            self._forget()
