"""The table page: the board of one table, its keys, sealing and the reveal; `turn` knows whose turn it is.

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
from facedown.core.seats import SPECTATOR, Seat
from facedown.terminal.drawing.board import Stage, TouchArea, paint
from facedown.terminal.drawing.invitation import copy_to_clipboard, waiting_page
from facedown.terminal.drawing.spans import Line, curtain
from facedown.terminal.drawing.stage import (
    SEALING,
    Selection,
    StageBuilder,
    chosen_pick,
    has_letter,
    raise_card,
)
from facedown.terminal.screens.chat_page import ChatPage
from facedown.terminal.screens.info_pages import info_page, review_dialog, review_page
from facedown.terminal.screens.list_page import absence_dialog, pause_dialog, sure_dialog
from facedown.terminal.screens.page import PaintedPage
from facedown.terminal.screens.reveal_player import RevealPlayer
from facedown.terminal.screens.turn import ScreenTurn
from facedown.terminal.tables.table import AbsentPlayer, TerminalTable
from facedown.terminal.words import Words

if TYPE_CHECKING:
    from textual.events import Click, Key


# --- the keys it lists -----------------------------------------------------------------------------------


Keys = tuple[tuple[str, str], ...]
"""Keys and what they do."""


def table_keys(table: TerminalTable, words: Words, held: Sequence[Held] | None, unread: int) -> Keys:
    """The keys of a table; `held` is the hand of the seat whose turn it is, None where it is not asked."""
    common = (*chat_key(table, words, unread, held or ()), ("w", words("key.why")), ("l", words("key.log")))
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


def chat_key(table: TerminalTable, words: Words, unread: int, held: Sequence[Held] = ()) -> Keys:
    """The key of the chat, with the number of unread chat lines; nothing where there is no chat. Where `t`
    raises a card, it is `T`."""
    if table.players is None:
        return ()
    key = "T" if has_letter(held, "t") else "t"
    return ((key, f"{words('key.talk')} {unread}" if unread > 0 else words("key.talk")),)


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
        self._turn = ScreenTurn(table)
        self._reveals = RevealPlayer(self._turn.viewer, self._show_reveal, self._turn.awaits_people)
        self._continued: Key | None = None
        """The key that ended the latest result."""
        self._rests_until = 0.0
        """Before this time Enter opens no curtain: it was pressed for what stood there before."""
        self._busy = False
        self._refusal = ""
        self._copied = ""
        """That the invitation was copied; before the game, until the next key."""
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
        self._reveals.shown = len(self.table.history(self._turn.viewer))
        if self.table.players is not None:
            self._read = self.table.players.remarks_heard
            self._news_seen = len(self.table.players.news)
        if self.table.remote:
            self.set_interval(1, self._tick)
        self._act(self.table.begin)

    @property
    def builder(self) -> StageBuilder:
        if self._builder is None or self._builder.words is not self.words:
            self._builder = StageBuilder(self.table, self.words)
        return self._builder

    @property
    def idle(self) -> bool:
        """Whether nothing is being done or shown: the table waits for a pick."""
        return not self._busy and not self._reveals.playing

    def held_cards(self) -> tuple[Held, ...]:
        return self.builder.hand(self._turn.seat)

    # --- painting ------------------------------------------------------------------------------------

    def paint(self, width: int, height: int) -> list[Line]:
        if self._turn.curtain:
            title = self.builder.at_rest(SPECTATOR, Selection(), ()).title
            name = self.table.names[self._turn.curtain - 1]
            return curtain(title, name, width, height, self.look, self.words)
        if self._stage is None:
            return self._paint_waiting(width, height)
        lines, self._touch = paint(self._stage, width, height, self.look, self.words)
        return lines

    def _paint_waiting(self, width: int, height: int) -> list[Line]:
        """The table before its game: the invitation, and which seats are free."""
        words, players = self.words, self.table.players
        link = "" if players is None else players.invitation
        said = [(self.table.notice, "bone")]
        said += [(players.free_seats, "bone")] if players is not None and players.free_seats else []
        said += [(text, "seal strong") for text in (self._refusal, self._copied) if text]
        copy: Keys = (("c", words("key.copy")),) if link else ()
        keys = (*copy, *chat_key(self.table, words, self._unread), ("Esc", words("key.leave")))
        title = words.text(self.table.game.meta.title)
        return waiting_page(title, said, link, keys, width, height, self.look)

    def settle(self) -> None:
        if not self.table.started:
            self._stage = None
            self.show()
            return
        turn, prompt = self._turn, self._refusal or None
        stage = self.builder.at_rest(turn.seat, turn.selection, self._keys(), prompt=prompt)
        self._set_stage(replace(stage, log=(*stage.log, *self._latest_news())))

    def _set_stage(self, stage: Stage) -> None:
        self._stage = stage
        self.show()

    def _show_reveal(self, stage: Stage) -> None:
        self._turn.curtain = 0
        self._set_stage(stage)

    def _keys(self) -> Keys:
        asked = self.table.outcome is None and self._turn.seat in self.table.may_seal
        return table_keys(self.table, self.words, self.held_cards() if asked else None, self._unread)

    @property
    def _unread(self) -> int:
        return 0 if self.table.players is None else self.table.players.remarks_heard - self._read

    def _latest_news(self) -> list[str]:
        """The latest of what happened among the people, and of the unread chat lines."""
        players = self.table.players
        if players is None:
            return []
        chat_lines = players.chat_lines[-min(self._unread, 3) :] if self._unread > 0 else ()
        news = players.news[self._news_seen :][-2:]
        return [*news, *(self.words("talk.line", name=each.name, text=each.text) for each in chat_lines)]

    def _tick(self) -> None:
        """A second has passed on every clock that runs."""
        if self._stage is None or self._turn.curtain or (self._reveals.playing and not self._reveals.turned):
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
        self._turn.advance()
        if self.table.started and self.table.outcome is not None and not self._ended:
            self._ended = True
            self.shell.game_over(self.table)
        self.settle()
        key, self._continued = self._continued, None
        if key is not None and key.key not in (*SEALING, "escape") and not self._turn.curtain:
            self._take_key(key)

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
        elif not self._busy and not (early and self._turn.curtain):
            self._take_key(event)

    def _take_key(self, event: Key) -> None:
        self._refusal = self._copied = ""
        if event.key == "escape":
            self._ask_pause()
        elif self._turn.curtain:
            if event.key in SEALING:
                self._turn.open_curtain()
                self.settle()
        elif event.character == "T" and self.table.players is not None:
            self._talk()
        elif not self._choose_by(event) and not self._ask_by(event):
            self.settle()

    def _may_choose(self) -> bool:
        return self.table.started and bool(self.builder.legal(self._turn.seat))

    def _choose_by(self, event: Key) -> bool:
        """Whether the key chose or sealed something."""
        if not self._may_choose():
            return False
        if event.key in SEALING:
            self._seal()
            return True
        selection = raise_card(self.held_cards(), self._turn.selection, event.key, event.character)
        if selection is None:
            return False
        self._raise(selection)
        return True

    def _raise(self, selection: Selection) -> None:
        self._turn.selection = selection
        self.settle()

    def _ask_by(self, event: Key) -> bool:
        """Whether the key asked something."""
        if event.character == "t" and self.table.players is not None:
            self._talk()
            return True
        if event.character in ("c", "y") and not self.table.started:
            self._copy_invitation()
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
        page = info_page(event.character, self.builder, self._turn.seat, self.held_cards())
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
        if self._busy or self._turn.curtain or not self._may_choose():
            return
        for each in self._touch:
            if each.top <= event.screen_y < each.bottom and each.left <= event.screen_x < each.right:
                if each.card == self._turn.selection.place:
                    self._seal()
                else:
                    self._raise(Selection(each.card))
                return

    # --- doing ---------------------------------------------------------------------------------------

    def _seal(self) -> None:
        chosen = chosen_pick(self.held_cards(), self._turn.selection)
        if chosen is None:
            self.settle()
            return
        card, pick = chosen
        seat, decision = self._turn.seat, self._turn.decision
        self._reveals.placed = None if self._turn.shared else card.face
        if self._stage is not None:
            prompt = self.words("sealing")
            self._set_stage(self.builder.at_rest(seat, self._turn.selection, self._keys(), prompt=prompt))
        self._act(lambda: self.table.seal(seat, pick, decision))

    def resign(self) -> None:
        """Give up the seat whose turn it is, or one's own."""
        seat = self._turn.seat or self._turn.curtain or (self._turn.seats or self.table.people)[0]
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

        if self._turn.shared:
            self.app.push_screen(review_dialog(self.builder), on_choice)
        else:
            on_choice(self._turn.seat or 1)

    def _talk(self) -> None:
        players = self.table.players
        assert players is not None, "only asked for where there is one"

        def back(_: None) -> None:
            self._read = players.remarks_heard
            if self.idle:
                self.settle()

        self.app.push_screen(ChatPage(players), back)

    def _copy_invitation(self) -> None:
        link = "" if self.table.players is None else self.table.players.invitation
        if link:
            copy_to_clipboard(link, self.shell.write_to_terminal)
            self._copied = self.words("remote.copied")
        self.settle()

    def _ask_absent(self) -> None:
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
