"""The page of a table, played: the keys, sealing, the reveal, whose turn it is, and what is asked.

Knows no rule; what is shown is made in `showing`, from what whoever is at the screen may know.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from facedown.core.errors import FacedownError
from facedown.core.seats import SPECTATOR, Seat
from facedown.terminal.drawing.selection import SEALING, Selection, chosen_pick, raised
from facedown.terminal.drawing.stage import StageBuilder
from facedown.terminal.screens.chat_page import ChatPage
from facedown.terminal.screens.dialogs import absent_page, pause_page, sure_page
from facedown.terminal.screens.info_pages import keys_page, log_page, review_page, rules_page, why_page
from facedown.terminal.screens.table_view import ShownTable
from facedown.terminal.screens.text_page import TextPage
from facedown.terminal.tables.table import AbsentPlayer, SeenDecision, TerminalTable

if TYPE_CHECKING:
    from textual.events import Click, Key


class TablePage(ShownTable):
    """One table, to be played."""

    async def on_mount(self) -> None:
        """Sit down: what happened before is not shown again."""
        self._builder = StageBuilder(self.table, self.words)
        loop = asyncio.get_running_loop()

        def changed() -> None:
            with suppress(RuntimeError):  # the screen was given back meanwhile: nobody looks any more
                loop.call_soon_threadsafe(self._wake)

        self.table.listen(changed)
        self._shown = len(self.table.history(self._public))
        if self.table.company is not None:
            self._read = self.table.company.remarks_heard
            self._affairs = len(self.table.company.affairs)
        if self.table.remote:
            self.set_interval(1, self._tick)
        self._act(self.table.begin)

    def show_from(self, shown: int) -> None:
        """Tell what has happened after so much of it."""
        self._shown = shown
        self._wake()

    def review(self) -> None:
        """Look back at the game."""
        self.app.push_screen(review_page(self.builder, self._seat or 1, self.look))

    # --- what happens --------------------------------------------------------------------------------

    def _wake(self) -> None:
        """Something may have changed: tell it, unless that is being done already."""
        if self.is_attached and isinstance(self.app.screen, ChatPage):
            self.app.screen.show()
        if not self.is_attached or self._revealing:
            return
        if self._busy:
            if self._stage is not None and self.table.remote:
                self.set_stage(replace(self._stage, notice=self.table.notice))
            return
        self._revealing = True
        self.run_worker(self._tell_news(), exit_on_error=True)

    async def _tell_news(self) -> None:
        try:
            while self._shown < len(history := self.table.history(self._public)):
                entry = history[self._shown]
                if self._shown:
                    await self._reveal(history[self._shown - 1], entry)
                self._shown += 1
        finally:
            self._revealing = False
        self._next_turn()

    async def _reveal(self, before: SeenDecision, entry: SeenDecision) -> None:
        """Face down, a pause that grows with the round, then the cards; any key goes on."""
        cards = self.builder.scenes.turned(entry.seen)
        motion = self.look.motion
        if cards is None or motion == "off" or entry.view is None:
            return
        keys = (("", self.words("skip")),)
        self._curtain = 0
        for turned, seconds in self._pace.phases(self.builder.scenes.weight(entry.seen), motion):
            self._stage = self.builder.at_reveal(
                self._public, before, entry, cards, keys, turned=turned, gone=self._gone
            )
            self.show()
            if await self._pace.pause(seconds):
                return

    def _next_turn(self) -> None:
        """All is told: whose turn is it at this screen?"""
        if self.hot:
            self._seat = self._hand_over()
        turn = (self._seat, self.table.decision if self.table.started else 0)
        if turn != self._turn:
            self._turn = turn
            self._selection = Selection()
        if self.table.started and self.table.outcome is not None and not self._ended:
            self._ended = True
            self.house.game_over(self.table)
        self.settle()

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
        """Choose, seal, ask; during a reveal any key goes on."""
        event.stop()
        if self._revealing:
            self._pace.skip()
            return
        if self._busy:
            return
        self._refusal = ""
        if event.key == "escape":
            self._ask_pause()
        elif self._curtain:
            if event.key in ("enter", "space"):
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
        selection = raised(self.held(), self._selection, event.key, event.character)
        if selection is None:
            return False
        self._raise(selection)
        return True

    def _raise(self, selection: Selection) -> None:
        self._selection = selection
        self.settle()

    def _ask_by(self, event: Key) -> bool:
        """Whether the key asked something."""
        if event.character == "t" and self.table.company is not None:
            self._talk()
            return True
        if event.character == "m" and self.replaceable:
            self._ask_absent()
            return True
        if not self.table.started:
            return False
        over = self.table.outcome is not None
        page: TextPage | None = None
        if event.character == "w":
            page = why_page(self.builder, self._seat)
        elif event.character == "l":
            page = log_page(self.builder, self._seat)
        elif event.character == "r":
            page = rules_page(self.builder)
        elif event.character == "?":
            page = keys_page(self.builder, self.held())
        elif event.character == "v" and over:
            self.review()
            return True
        elif event.character == "n" and over and self.table.people:
            self._play_again()
            return True
        elif event.character == "q":
            self._ask_pause()
            return True
        if page is not None:
            self.app.push_screen(page)
        return page is not None

    def on_click(self, event: Click) -> None:
        """A click raises a card, a second one seals it; during a reveal it goes on."""
        if self._revealing:
            self._pace.skip()
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
        held = self.held()
        if not held:
            return
        card, pick = chosen_pick(held, self._selection)
        if not pick:
            return
        seat, decision = self._turn
        self._gone = None if self.hot else card.face
        if self._stage is not None:
            self._stage = self.builder.at_rest(
                seat, self._selection, self._keys(), prompt=self.words("sealing")
            )
            self.show()
        self._act(lambda: self.table.seal(seat, pick, decision))

    def resign(self) -> None:
        """Give up the seat whose turn it is, or one's own."""
        turns = [seat for seat in self.table.may_seal if seat in self.table.people]
        seat = self._seat or self._curtain or (turns or self.table.people)[0]
        self._act(lambda: self.table.resign(seat))

    def _play_again(self) -> None:
        """The same table again; with people elsewhere, the next table of all of them."""
        company = self.table.company
        if company is None:
            self.house.play_again(self.table)
            return
        found: list[TerminalTable] = []
        self._act(lambda: found.append(company.rematch()), then=lambda: self.house.move_to(found[0]))

    def _talk(self) -> None:
        company = self.table.company
        assert company is not None, "only asked for where there is one"

        def back(_: None) -> None:
            self._read = company.remarks_heard
            if self.idle:
                self.settle()

        self.app.push_screen(ChatPage(company), back)

    def _ask_absent(self) -> None:
        """Offer a machine for somebody who is missed, or agree to one; then the others are asked, or told."""
        company = self.table.company
        assert company is not None, "only asked for where there is one"

        def chosen(absent: AbsentPlayer | None) -> None:
            if absent is not None:
                self._act(lambda: (company.agree if absent.machine else company.offer)(absent.seat))

        self.app.push_screen(absent_page(self.replaceable, self.words), chosen)

    def _get_up(self) -> None:
        company = self.table.company
        assert company is not None, "only asked for where there is one"
        self._act(company.get_up, then=self.house.leave_table)

    def _act(self, do: Callable[[], None], then: Callable[[], None] | None = None) -> None:
        """Do something that may take its time, and then tell what came of it; `then` where it was done."""
        self._busy = True
        self.run_worker(self._acted(do, then), exit_on_error=True)

    async def _acted(self, do: Callable[[], None], then: Callable[[], None] | None) -> None:
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
        away = table.company is None if not table.started else table.outcome is not None
        if not table.people or away or (table.company is not None and table.company.gone):
            self.house.leave_table()
            return
        self.app.push_screen(pause_page(table, self.words), self._after_pause)

    def _after_pause(self, answer: str | None) -> None:
        if answer == "leave":
            self.house.leave_table()
        elif answer == "talk":
            self._talk()
        elif answer == "absent":
            self._ask_absent()
        elif answer == "resign":
            self.app.push_screen(
                sure_page(self.words, "resign"), lambda sure: self.resign() if sure else None
            )
        elif answer == "get up":
            self.app.push_screen(
                sure_page(self.words, "get_up"), lambda sure: self._get_up() if sure else None
            )
