"""The session of one screen at a table: whose turn it is there, what is raised, what has been shown.

From it and the table follows the moment: what is shown, what may be typed, what Enter does.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, TypeAlias

from facedown.core.errors import UnreadablePick
from facedown.core.game import Pick
from facedown.core.parts.scene import Face, Held
from facedown.core.seats import SPECTATOR, Seat, Viewer
from facedown.terminal.moments.commands import TableCommand, commands_of
from facedown.terminal.moments.effects import Deed, Effect
from facedown.terminal.moments.hand import Selection, chosen_pick, pick_at_place, selection_of
from facedown.terminal.moments.stage import Stage, StageBuilder
from facedown.terminal.settings import Look
from facedown.terminal.tables.table import TerminalTable
from facedown.terminal.words import Words

if TYPE_CHECKING:
    from facedown.terminal.tables.remote import OnlineTable

Kind: TypeAlias = Literal["open", "curtain", "turn", "wait", "over"]
"""Before the game; a shared screen between two players; a pick is asked for; others have to pick; the end."""


@dataclass(frozen=True, slots=True)
class TableMoment:
    """One moment of a game at one screen."""

    kind: Kind
    commands: tuple[TableCommand, ...]
    stage: Stage | None = None
    """The table; None before the game and behind the curtain."""
    said: tuple[str, ...] = ()
    """What is said in place of the table."""
    link: str = ""
    """The invitation for the free seats; empty for none."""

    @property
    def keys(self) -> dict[str, TableCommand]:
        """The commands that a key gives now."""
        return {each.key: each for each in self.commands if each.key and each.now}

    @property
    def words(self) -> dict[str, TableCommand]:
        """The commands that can be typed."""
        return {each.word: each for each in self.commands if each.typed}


class TableSession:
    """One screen at a table."""

    def __init__(self, table: TerminalTable, words: Words, look: Look) -> None:
        self.table = table
        self.words = words
        self.look = look
        self.builder = StageBuilder(table, words)
        self.shared = len(table.people) > 1
        """Whether several people share this screen."""
        self.viewer: Viewer = SPECTATOR if self.shared or not table.people else table.people[0]
        """Whose eyes everybody at the screen may look through."""
        self.seat: Seat = self.viewer
        """Whose hand is on the screen."""
        self.curtain: Seat = 0
        """The seat for which the screen waits, hiding everything; 0 for none."""
        self.decision = 0
        self.selection = Selection()
        self.note = ""
        """What became of what was typed last."""
        self.chat_read = 0 if table.players is None else table.players.remarks_heard
        self._news_seen = 0 if table.players is None else len(table.players.news)

    # --- the moment ----------------------------------------------------------------------------------

    def moment(self) -> TableMoment:
        """What is to be shown now, and what may be typed."""
        words, commands = self.words, commands_of(self)
        if not self.table.started:
            players = self.table.players
            free, link = ("", "") if players is None else (players.free_seats, players.invitation)
            said = tuple(filter(None, (self.table.notice, free, self.note)))
            return TableMoment("open", commands, said=said, link=link)
        if self.curtain:
            name = self.table.names[self.curtain - 1]
            said = ("handover", "handover.how", "handover.hides")
            return TableMoment("curtain", (), said=tuple(words(key, name=name) for key in said))
        stage = self.builder.at_rest(self.seat, self.selection)
        stage = replace(stage, prompt=self.note or stage.prompt, log=(*stage.log, *self._latest_news()))
        if self.table.outcome is not None:
            return TableMoment("over", commands, stage)
        return TableMoment("turn" if self.builder.legal(self.seat) else "wait", commands, stage)

    def enter(self) -> Effect | None:
        """What Enter does now: open the curtain, or seal the raised card."""
        if self.curtain:
            self._take(self.curtain, self.table.decision)
            self.curtain = 0
            return None
        chosen = chosen_pick(self.held_cards(), self.selection) if self.may_choose() else None
        return None if chosen is None else self.seal(chosen[1])

    def seal(self, pick: Pick) -> Deed:
        """Place a pick in the decision for which it was chosen."""
        seat, decision = self.seat, self.decision
        return Deed(lambda: self.table.seal(seat, pick, decision))

    def read_pick(self, line: str) -> Pick:
        """A pick as the game writes it, or else by its place in the hand; raises `UnreadablePick`."""
        place = pick_at_place(self.held_cards(), line)
        try:
            pick = self.table.game.read_pick(line)
        except UnreadablePick:
            if place is None:
                raise
            return place
        return place if place is not None and pick not in self.builder.legal(self.seat) else pick

    def held_cards(self) -> tuple[Held, ...]:
        return self.builder.hand(self.seat) if self.table.started else ()

    def raised_face(self) -> Face | None:
        """The raised card, unless others at this screen must not know it."""
        chosen = None if self.shared else chosen_pick(self.held_cards(), self.selection)
        return None if chosen is None else chosen[0].face

    def may_choose(self) -> bool:
        return not self.curtain and bool(self.builder.legal(self.seat))

    # --- whose turn it is ----------------------------------------------------------------------------

    @property
    def seats(self) -> list[Seat]:
        """The seats of this screen that may seal now."""
        return [seat for seat in self.table.may_seal if seat in self.table.people]

    @property
    def acting_seat(self) -> Seat:
        """The seat for which this screen acts: the one whose turn it is, or one's own."""
        return self.seat or self.curtain or (self.seats or self.table.people)[0]

    def awaits_people(self) -> bool:
        """Whether a player at this screen has to go on."""
        asked = {seat for wave in self.table.pending for seat in wave}
        return bool(self.table.people) and (self.table.over or not asked.isdisjoint(self.table.people))

    def stands(self) -> bool:
        """Whether the turn that was shown last is still open."""
        # The decision last: the seat may seal the next one already, if a reveal comes in between.
        return self.seat in self.table.may_seal and self.table.decision == self.decision

    def advance(self) -> None:
        """Go on to the open decision; the curtain falls if the device has to change hands."""
        decision = self.table.decision if self.table.started else 0
        seat = self.seat if not self.shared else self._hand_over()
        if (seat, decision) != (self.seat, self.decision):
            self._take(seat, decision)

    def _hand_over(self) -> Seat:
        """The seat whose hand may be shown."""
        if self.table.outcome is not None or not self.seats:
            self.curtain = 0
        elif (self.seat, self.decision) == (self.seats[0], self.table.decision):
            return self.seat
        else:
            self.curtain = self.seats[0]
        return SPECTATOR

    def _take(self, seat: Seat, decision: int) -> None:
        self.seat, self.decision, self.selection = seat, decision, Selection()
        legal = self.builder.legal(seat)
        if len(legal) == 1:  # a card without a choice is raised: Enter seals it
            self.selection = selection_of(self.builder.hand(seat), legal[0])

    # --- the people at the table ---------------------------------------------------------------------

    @property
    def players(self) -> OnlineTable:
        """The table, if people play it from elsewhere."""
        assert self.table.players is not None, "only such tables have these commands"
        return self.table.players

    @property
    def unread(self) -> int:
        """How many chat lines have not been read."""
        return 0 if self.table.players is None else self.table.players.remarks_heard - self.chat_read

    def _latest_news(self) -> list[str]:
        """The latest of what happened among the people, and of the unread chat lines."""
        players = self.table.players
        if players is None:
            return []
        said = players.chat_lines[-min(self.unread, 3) :] if self.unread > 0 else ()
        news = players.news[self._news_seen :][-2:]
        return [*news, *(self.words("talk.line", name=each.name, text=each.text) for each in said)]

    def clock_sentence(self) -> str:
        """How long each player on turn may still take; empty where no clock runs."""
        clocks = zip(self.table.names, self.builder.clocks(), strict=False)
        return self.words.sentences(
            [self.words("remote.clock", name=name, time=left) for name, left in clocks if left]
        )
