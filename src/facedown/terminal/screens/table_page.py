"""The table page: the board of one table, its keys, sealing, the reveal, and whose turn it is at the screen.

Knows no rule: the stage is built from what the people at the screen may know.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from facedown.core.errors import FacedownError
from facedown.core.parts.scene import Held
from facedown.core.seats import SPECTATOR, Seat, Viewer
from facedown.terminal.drawing.board import Stage, TouchArea, paint
from facedown.terminal.drawing.selection import SEALING, Selection, chosen_pick, raise_card
from facedown.terminal.drawing.spans import Line, curtain, frame, wrap
from facedown.terminal.drawing.stage import StageBuilder
from facedown.terminal.screens.chat_page import ChatPage
from facedown.terminal.screens.info_pages import info_page, review_dialog, review_page
from facedown.terminal.screens.list_page import absence_dialog, pause_dialog, sure_dialog
from facedown.terminal.screens.page import PaintedPage
from facedown.terminal.screens.reveal_player import RevealPlayer
from facedown.terminal.tables.recorded import RecordedTable
from facedown.terminal.tables.table import AbsentPlayer, TerminalTable
from facedown.terminal.words.words import Words

if TYPE_CHECKING:
    from textual.events import Click, Key


# --- the keys it lists -----------------------------------------------------------------------------------


Keys = tuple[tuple[str, str], ...]
"""Keys and what they do."""


def table_keys(table: TerminalTable, words: Words, held: Sequence[Held] | None, unread: int) -> Keys:
    """The keys of a table; `held` is the hand of the seat whose turn it is, None where it is not asked."""
    common = (*chat_key(table, words, unread), ("w", words("key.why")), ("l", words("key.log")))
    if not table.remote:  # where there is chat, there is no room for one more
        common = (*common, ("r", words("key.rules")))
    if table.outcome is not None:
        again: Keys = (("v", words("key.review")),)
        if table.people:
            again = (*again, ("n", words("key.rematch" if table.remote else "key.again")))
        return (*again, *common, ("Esc", words("key.leave")))
    if table.players is not None and table.players.replaced_by:
        common = (("b", words("key.take_back")), *common)
    if replaceable(table):
        common = (("m", words("key.machine")), *common)
    ends = (("?", words("key.keys")), ("Esc", words("key.menu")))
    if held is None:
        return (*common, *ends)
    also = {key: word for each in held for key, _, word in each.also}
    asked = (("←→", words("key.choose")), ("Enter", words("key.seal")), *also.items())
    return (*asked, *common, *ends)


def chat_key(table: TerminalTable, words: Words, unread: int) -> Keys:
    """The key of the chat, with the number of unread chat lines; nothing where there is no chat."""
    if table.players is None:
        return ()
    return (("t", f"{words('key.talk')} {unread}" if unread > 0 else words("key.talk")),)


def replay_keys(table: RecordedTable, words: Words) -> Keys:
    """The keys of a recorded game."""
    keys: Keys = (
        ("←→", words("key.step")),
        ("w", words("key.why")),
        ("l", words("key.log")),
        ("r", words("key.rules")),
    )
    if table.over:
        keys = (*keys, (f"0-{len(table.names)}", words("key.eyes")), ("v", words("key.review")))
    return (*keys, ("Esc", words("key.leave")))


def replaceable(table: TerminalTable) -> Sequence[AbsentPlayer]:
    """Absent players for whom this screen's person may offer a bot now, or agree to one."""
    if table.players is None or not table.people:
        return ()
    return [each for each in table.players.absent if each.asks_you or not each.machine]


# --- the page --------------------------------------------------------------------------------------------


_REST: Final = 0.7
"""Seconds for which Enter rests after it was pressed, where the next thing that it would do is another's."""


class TablePage(PaintedPage):
    """One table, to be played."""

    def __init__(self, table: TerminalTable) -> None:
        super().__init__()
        self.table = table
        self._builder: StageBuilder | None = None
        self._stage: Stage | None = None
        self._touch: tuple[TouchArea, ...] = ()
        self._selection = Selection()
        self._seat: Seat = table.people[0] if len(table.people) == 1 else SPECTATOR
        """Whose hand is on the screen."""
        self._reveals = RevealPlayer(self._public, self._show_reveal, self._awaits_people)
        self._curtain: Seat = 0
        """The seat for which the screen waits, hiding everything; 0 for none."""
        self._turn: tuple[Seat, int] = (0, 0)
        self._continued: Key | None = None
        """The key that ended the latest result."""
        self._rests_until = 0.0
        """Before this time Enter opens no curtain: it was pressed for what stood there before."""
        self._busy = False
        self._refusal = ""
        self._ended = False
        self._read = 0
        """How many chat lines have been read."""
        self._news_seen = 0
        """How much of what happened among the people was there when this screen sat down."""

    async def on_mount(self) -> None:
        """Sit down: what happened before is not shown again."""
        loop = asyncio.get_running_loop()

        def on_change() -> None:
            with suppress(RuntimeError):  # the app has ended
                loop.call_soon_threadsafe(self._wake)

        self.table.listen(on_change)
        self._reveals.shown = len(self.table.history(self._public))
        if self.table.players is not None:
            self._read = self.table.players.remarks_heard
            self._news_seen = len(self.table.players.news)
        if self.table.remote:
            self.set_interval(1, self._tick)
        self._act(self.table.begin)

    @property
    def builder(self) -> StageBuilder:
        """What makes the stages, in the language of the moment."""
        if self._builder is None or self._builder.words is not self.words:
            self._builder = StageBuilder(self.table, self.words)
        return self._builder

    @property
    def hot(self) -> bool:
        """Whether several people share this screen."""
        return len(self.table.people) > 1

    @property
    def _public(self) -> Viewer:
        """Whose eyes everybody at the screen may look through."""
        return SPECTATOR if self.hot or not self.table.people else self.table.people[0]

    @property
    def idle(self) -> bool:
        """Whether nothing is being done or shown: the table waits for a pick."""
        return not self._busy and not self._reveals.playing

    def _awaits_people(self) -> bool:
        """Whether a player at this screen has to go on."""
        asked = {seat for wave in self.table.pending for seat in wave}
        return bool(self.table.people) and (
            self.table.outcome is not None or not asked.isdisjoint(self.table.people)
        )

    def held_cards(self) -> tuple[Held, ...]:
        """What the person at the screen holds."""
        return self.builder.held(self._seat)

    # --- painting ------------------------------------------------------------------------------------

    def paint(self, width: int, height: int) -> list[Line]:
        if self._curtain:
            title = self.builder.at_rest(SPECTATOR, Selection(), ()).title
            return curtain(title, self.table.names[self._curtain - 1], width, height, self.look, self.words)
        if self._stage is None:
            said: list[Line] = [[(f"  {line}", "bone")] for line in wrap(self.table.notice, width - 4)]
            said += [[(f"  {line}", "seal strong")] for line in wrap(self._refusal, width - 4)]
            keys = (*chat_key(self.table, self.words, self._unread), ("Esc", self.words("key.leave")))
            return frame(self.words("menu.title"), [[], *said], keys, width, height, self.look)
        lines, self._touch = paint(self._stage, width, height, self.look, self.words)
        return lines

    def settle(self) -> None:
        """Show the table as it is now."""
        if not self.table.started:
            self._stage = None
            self.show()
            return
        stage = self.builder.at_rest(self._seat, self._selection, self._keys(), prompt=self._refusal or None)
        self._set_stage(replace(stage, log=(*stage.log, *self._latest_company())))

    def _set_stage(self, stage: Stage) -> None:
        self._stage = stage
        self.show()

    def _show_reveal(self, stage: Stage) -> None:
        self._curtain = 0
        self._set_stage(stage)

    def _keys(self) -> Keys:
        asked = self.table.outcome is None and self._seat in self.table.may_seal
        return table_keys(self.table, self.words, self.held_cards() if asked else None, self._unread)

    @property
    def _unread(self) -> int:
        """How many chat lines came since the chat was opened."""
        return 0 if self.table.players is None else self.table.players.remarks_heard - self._read

    def _latest_company(self) -> list[str]:
        """The latest of what happened among the people, and of the unread chat lines."""
        players = self.table.players
        if players is None:
            return []
        chat_lines = players.chat_lines[-min(self._unread, 3) :] if self._unread > 0 else ()
        news = players.news[self._news_seen :][-2:]
        return [*news, *(self.words("talk.line", name=each.name, text=each.text) for each in chat_lines)]

    def _tick(self) -> None:
        """A second has passed on every clock that runs."""
        if self._stage is None or self._curtain or (self._reveals.playing and not self._reveals.turned):
            return
        clocks, notice = self.builder.clocks(), self.table.notice
        if self._reveals.playing:  # a result stands, and the next decision's clock may run already
            if clocks:
                self._set_stage(replace(self._stage, clocks=clocks, lamp=self.table.may_seal))
            return
        if notice != self._stage.notice and self.idle:
            self.settle()  # a player has been away long enough to be replaced: there is a key for that
        elif clocks != self._stage.clocks:
            self._set_stage(replace(self._stage, clocks=clocks))

    # --- what happens --------------------------------------------------------------------------------

    def _wake(self) -> None:
        """Something may have changed: show it, unless that is being done already."""
        if self.is_attached and isinstance(self.app.screen, ChatPage):
            self.app.screen.show()
        if not self.is_attached or self._reveals.playing:
            return
        if self._busy:
            if self._stage is not None and self.table.remote:
                self._set_stage(replace(self._stage, notice=self.table.notice))
            return
        if not self._reveals.is_behind(self.table):
            self._next_turn()  # a player came or spoke: keys still count
            return
        self._reveals.playing = True
        self.run_worker(self._catch_up(), exit_on_error=True)

    async def _catch_up(self) -> None:
        await self._reveals.catch_up(self.builder, self.look.motion)
        self._next_turn()

    def _next_turn(self) -> None:
        """All is shown: whose turn is it at this screen?"""
        if self.hot:
            self._seat = self._hand_over()
        turn = (self._seat, self.table.decision if self.table.started else 0)
        if turn != self._turn:
            self._turn = turn
            self._selection = Selection()
        if self.table.started and self.table.outcome is not None and not self._ended:
            self._ended = True
            self.shell.game_over(self.table)
        self.settle()
        key, self._continued = self._continued, None
        if key is not None and key.key not in (*SEALING, "escape") and not self._curtain:
            self._take_key(key)

    def _hand_over(self) -> Seat:
        """The seat whose hand may be shown; the curtain falls where the device has to change hands."""
        turns = [seat for seat in self.table.may_seal if seat in self.table.people]
        if self.table.outcome is not None or not turns:
            self._curtain = 0
            return SPECTATOR
        if (turns[0], self.table.decision) == self._turn and self._seat == turns[0]:
            return self._seat
        self._curtain = turns[0]
        return SPECTATOR

    # --- keys ----------------------------------------------------------------------------------------

    def on_key(self, event: Key) -> None:
        """Choose, seal, ask. A reveal goes on by any key, which then does what it does, unless it seals."""
        event.stop()
        early = event.time < self._rests_until
        if event.key in SEALING:
            self._rests_until = event.time + _REST
        if self._reveals.playing:
            self._continued = event if self._reveals.turned else None
            self._reveals.skip()
        elif not self._busy and not (early and self._curtain):
            self._take_key(event)

    def _take_key(self, event: Key) -> None:
        self._refusal = ""
        if event.key == "escape":
            self._ask_pause()
        elif self._curtain:
            if event.key in SEALING:
                self._open_curtain()
        elif not self._choose_by(event) and not self._ask_by(event):
            self.settle()

    def _open_curtain(self) -> None:
        self._seat, self._curtain = self._curtain, 0
        self._turn = (self._seat, self.table.decision)
        self._selection = Selection()
        self.settle()

    def _choose_by(self, event: Key) -> bool:
        """Whether the key chose or sealed something."""
        if not self.table.started or not self.builder.legal(self._seat):
            return False
        if event.key in SEALING:
            self._seal()
            return True
        selection = raise_card(self.held_cards(), self._selection, event.key, event.character)
        if selection is None:
            return False
        self._raise(selection)
        return True

    def _raise(self, selection: Selection) -> None:
        self._selection = selection
        self.settle()

    def _ask_by(self, event: Key) -> bool:
        """Whether the key asked something."""
        if event.character == "t" and self.table.players is not None:
            self._talk()
            return True
        if event.character == "b" and self.table.players is not None and self.table.players.replaced_by:
            self._act(self.table.players.take_back)
            return True
        if event.character == "m" and replaceable(self.table):
            self._ask_absent()
            return True
        if not self.table.started:
            return False
        over = self.table.outcome is not None
        page = info_page(event.character, self.builder, self._seat, self.held_cards())
        if page is not None:
            self.app.push_screen(page)
        elif event.character == "v" and over:
            self._review()
        elif event.character == "n" and over and self.table.people:
            self._play_again()
        elif event.character == "q":
            self._ask_pause()
        else:
            return False
        return True

    def on_click(self, event: Click) -> None:
        """A click raises a card, a second one seals it; during a reveal it skips."""
        if self._reveals.playing:
            self._reveals.skip()
            return
        if self._busy or self._curtain or not self.table.started or not self.builder.legal(self._seat):
            return
        for each in self._touch:
            if each.top <= event.screen_y < each.bottom and each.left <= event.screen_x < each.right:
                if each.card == self._selection.place:
                    self._seal()
                else:
                    self._raise(Selection(each.card))
                return

    # --- doing ---------------------------------------------------------------------------------------

    def _seal(self) -> None:
        chosen = chosen_pick(self.held_cards(), self._selection)
        if chosen is None:
            self.settle()
            return
        card, pick = chosen
        seat, decision = self._turn
        self._reveals.placed = None if self.hot else card.face
        if self._stage is not None:
            prompt = self.words("sealing")
            self._set_stage(self.builder.at_rest(seat, self._selection, self._keys(), prompt=prompt))
        self._act(lambda: self.table.seal(seat, pick, decision))

    def resign(self) -> None:
        """Give up the seat whose turn it is, or one's own."""
        turns = [seat for seat in self.table.may_seal if seat in self.table.people]
        seat = self._seat or self._curtain or (turns or self.table.people)[0]
        self._act(lambda: self.table.resign(seat))

    def _play_again(self) -> None:
        """The same table again; with people elsewhere, the next table of all of them."""
        players = self.table.players
        if players is None:
            self.shell.play_again(self.table)
            return
        found: list[TerminalTable] = []
        self._act(lambda: found.append(players.rematch()), then=lambda: self.shell.move_to(found[0]))

    def _review(self) -> None:
        """The review of the one person's seat; where several share the screen, of the one that is chosen."""

        def on_choice(seat: Seat | None) -> None:
            if seat is not None:
                self.app.push_screen(review_page(self.builder, seat, self.look))

        if self.hot:
            self.app.push_screen(review_dialog(self.builder), on_choice)
        else:
            on_choice(self._seat or 1)

    def _talk(self) -> None:
        players = self.table.players
        assert players is not None, "only asked for where there is one"

        def back(_: None) -> None:
            self._read = players.remarks_heard
            if self.idle:
                self.settle()

        self.app.push_screen(ChatPage(players), back)

    def _ask_absent(self) -> None:
        """Offer a bot for an absent player, or agree to one."""
        players = self.table.players
        assert players is not None, "only asked for where there is one"

        def on_choice(absent: AbsentPlayer | None) -> None:
            if absent is not None:
                self._act(lambda: (players.agree if absent.machine else players.offer)(absent.seat))

        self.app.push_screen(absence_dialog(replaceable(self.table), self.words), on_choice)

    def _get_up(self) -> None:
        players = self.table.players
        assert players is not None, "only asked for where there is one"
        self._act(players.leave_seat, then=self.shell.leave_table)

    def _act(self, do: Callable[[], None], then: Callable[[], None] | None = None) -> None:
        """Do something that may take its time, and then tell what came of it; `then` where it was done."""
        self._busy = True
        self.run_worker(self._act_then(do, then), exit_on_error=True)

    async def _act_then(self, do: Callable[[], None], then: Callable[[], None] | None) -> None:
        done = False
        try:
            await asyncio.to_thread(do)
            done = True
        except FacedownError as error:
            self._refusal = self.words("refused", why=self.words.refusal(error))
        finally:
            self._busy = False
        if done and then is not None:
            then()
        elif self.is_attached:
            self._wake()

    def _ask_pause(self) -> None:
        """Go on, talk, resign, get up, or leave; nothing is asked where there is nothing to lose."""
        table = self.table
        away = table.players is None if not table.started else table.outcome is not None
        if not table.people or away or (table.players is not None and table.players.gone):
            self.shell.leave_table()
            return
        self.app.push_screen(pause_dialog(table, self.words), self._after_pause)

    def _after_pause(self, answer: str | None) -> None:
        if answer == "leave":
            self.shell.leave_table()
        elif answer == "talk":
            self._talk()
        elif answer == "absent":
            self._ask_absent()
        elif answer == "resign":
            self.app.push_screen(
                sure_dialog(self.words, "resign"), lambda sure: self.resign() if sure else None
            )
        elif answer == "get up":
            self.app.push_screen(
                sure_dialog(self.words, "get_up"), lambda sure: self._get_up() if sure else None
            )
