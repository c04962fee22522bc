"""The table page: draws the moments of a table, and carries out the effects of what is typed."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from facedown.core.errors import FacedownError
from facedown.terminal.drawing.board import paint
from facedown.terminal.drawing.spans import Keys, Line, curtain, invitation
from facedown.terminal.moments.commands import KEYS, TableCommand, menu
from facedown.terminal.moments.effects import (
    AnswerOption,
    Deed,
    Effect,
    Leave,
    LongText,
    MoveTo,
    Question,
    ShortText,
    Talk,
)
from facedown.terminal.moments.hand import has_letter, raise_card
from facedown.terminal.moments.session import TableMoment, TableSession
from facedown.terminal.moments.stage import Stage
from facedown.terminal.screens.chat_page import ChatPage
from facedown.terminal.screens.list_page import ListPage
from facedown.terminal.screens.page import Page
from facedown.terminal.screens.reveal_player import RevealPlayer
from facedown.terminal.screens.text_page import TextPage
from facedown.terminal.settings import Look
from facedown.terminal.tables.table import TerminalTable
from facedown.terminal.words import Words

if TYPE_CHECKING:
    from textual.events import Key

_REST: Final = 0.7
"""Seconds to ignore Enter before it could act for the next player."""
_ENTER: Final = ("enter", "space")


class TablePage(Page[None]):
    """One table, to be played."""

    def __init__(self, table: TerminalTable, words: Words, look: Look) -> None:
        super().__init__()
        self.table = table
        self.session = TableSession(table, words, look)
        self.reveals = RevealPlayer(self.session, self._show_reveal)
        self.busy = False
        """Whether something is being done that may take its time."""
        self._moment: TableMoment | None = None
        self._stage: Stage | None = None
        """The stage that is drawn now: of the moment, or of a reveal."""
        self._continued: Key | None = None
        """The key that ended the latest result."""
        self._rests_until = 0.0
        """Ignore Enter at the curtain until then: the key press was meant for what was shown before."""
        self._ended = False

    async def on_mount(self) -> None:
        """Sit down: what happened before is not shown again."""
        loop = asyncio.get_running_loop()

        def on_change() -> None:
            with suppress(RuntimeError):  # the app has ended
                loop.call_soon_threadsafe(self.wake)

        self.table.listen(on_change)
        if self.table.players is not None:
            self.set_interval(1, self._tick)
        self.perform(Deed(self.table.begin))

    def listed_keys(self) -> Keys:
        words, common = self.words, self.command_keys()
        if not self.table.started or self.table.over:
            return (*common, ("Esc", words("key.leave")))
        ends = (("?", words("key.keys")), ("Esc", words("key.menu")))
        if not self.session.may_choose():
            return (*common, *ends)
        also = {key: word for each in self.session.held_cards() for key, _, word in each.also}
        return (("←→", words("key.choose")), ("Enter", words("key.seal")), *also.items(), *common, *ends)

    def _keys_page(self) -> LongText:
        """What every key does."""
        words = self.words
        also = {key: word for each in self.session.held_cards() for key, _, word in each.also}
        lines = [words("keys.choose"), words("keys.seal")]
        lines += [words("keys.also", key=key, word=word) for key, word in also.items()]
        lines += [
            f"{each.key}\t{words(f'help.{each.word}')}" for each in self.session.moment().commands if each.key
        ]
        lines += [words(f"keys.{name}") for name in ("menu", "quit", "any")]
        if self.table.players is not None and self.table.players.fairness:
            lines.append(self.table.players.fairness)
        return LongText(words("keys.title"), lines)

    @property
    def idle(self) -> bool:
        """Whether nothing is being done or shown: the table waits for a key."""
        return not self.busy and not self.reveals.playing

    # --- drawing -------------------------------------------------------------------------------------

    def settle(self) -> None:
        """Show the moment."""
        self._moment = self.session.moment()
        self.show_stage(self._moment.stage)

    def show_stage(self, stage: Stage | None) -> None:
        self._stage = stage
        self.show()

    def _show_reveal(self, stage: Stage) -> None:
        self.session.curtain = 0
        self.show_stage(stage)

    def fill(self, width: int, height: int) -> None:
        self.paint(self._lines(width, height))

    def _lines(self, width: int, height: int) -> list[Line]:
        moment, words, title = self._moment, self.words, self.session.builder.title
        if self._stage is not None:
            keys = self.listed_keys() if not self.reveals.playing else self._reveal_keys()
            return paint(self._stage, keys, width, height, self.look, words)
        if moment is None:
            return []
        if moment.kind == "curtain":
            keys = (("Enter", words("key.show")), ("Esc", words("key.menu")))
            return curtain(title, moment.said, keys, width, height, self.look)
        return invitation(title, moment.said, moment.link, self.listed_keys(), width, height, self.look)

    def _reveal_keys(self) -> Keys:
        return (("", self.words("go_on" if self.reveals.turned else "skip")),)

    def command_keys(self) -> list[tuple[str, str]]:
        """The keys of commands, as they are listed. With chat there is no room for the rules; if `t` raises a
        card, the chat is `T`."""
        found = {} if self._moment is None else self._moment.keys
        shown = []
        for key in KEYS:
            if key in found and not (key == "r" and self.table.players is not None):
                word = self.words(f"key.{found[key].word}")
                if key == "t":
                    word = f"{word} {self.session.unread}" if self.session.unread > 0 else word
                    key = "T" if has_letter(self.session.held_cards(), "t") else key
                shown.append((key, word))
        return shown

    def command_of(self, character: str | None) -> TableCommand | None:
        """The command that a key gives now."""
        if self._moment is None or character is None:
            return None
        return self._moment.keys.get("t" if character == "T" else character)

    # --- effects -------------------------------------------------------------------------------------

    def perform(self, effect: Effect | None) -> None:
        """Carry out what was asked for."""
        self.session.note = ""
        match effect:
            case ShortText():
                self.session.note = effect.text
                self.wake()
            case LongText():
                self.app.push_screen(TextPage(effect))
            case Question() if effect.answers:
                self.app.push_screen(ListPage(effect), self._on_answer)
            case Deed():
                self.busy = True
                self.work(self._do(effect))
            case Talk():
                self.app.push_screen(ChatPage(self.session.players), self._after_talk)
            case MoveTo():
                self.shell.move_to(effect.table)
            case Leave():
                self.shell.leave_table()
            case _:
                self.wake()

    def _on_answer(self, answer: AnswerOption | None) -> None:
        if answer is not None and answer.effect is not None:
            self.perform(answer.effect)

    def _after_talk(self, _: None) -> None:
        self.session.chat_read = self.session.players.remarks_heard
        if self.idle:
            self.settle()

    async def _do(self, deed: Deed) -> None:
        effect: Effect | None = None
        try:
            effect = await asyncio.to_thread(deed.do)
        except FacedownError as error:
            effect = ShortText(self.words("refused", why=self.words.refusal(error)))
        finally:
            self.busy = False
        if self.is_attached:
            self.perform(effect)

    def play_reveals(self) -> None:
        """Show what has happened since, and then the moment."""
        self.reveals.playing = True
        self.work(self._catch_up())

    async def _catch_up(self) -> None:
        await self.reveals.catch_up()
        self.next_turn()

    # --- what happens --------------------------------------------------------------------------------

    def wake(self) -> None:
        """Something may have changed: show it, unless that is being done already."""
        if self.is_attached and isinstance(self.app.screen, ChatPage):
            self.app.screen.show()
        if not self.is_attached or self.reveals.playing:
            return
        if self.busy:
            if self._stage is not None and self.table.players is not None:
                self.show_stage(replace(self._stage, notice=self.table.notice))
        elif self.reveals.is_behind():
            self.play_reveals()
        else:
            self.next_turn()  # a player came or spoke: keys still count

    def next_turn(self) -> None:
        """All is shown: whose turn is it at this screen?"""
        self.session.advance()
        if self.table.over and not self._ended:
            self._ended = True
            self.shell.game_over(self.table)
        self.settle()
        key, self._continued = self._continued, None
        if key is not None and key.key not in (*_ENTER, "escape") and not self.session.curtain:
            self._take_key(key)

    def _tick(self) -> None:
        """A second has passed on every clock that runs, and a player may have been away long enough."""
        if self._stage is None or self.session.curtain:
            return
        if self.reveals.turned:  # a result stands, and the next decision's clock may run already
            clocks = self.session.builder.clocks()
            self.show_stage(replace(self._stage, clocks=clocks, lamp=self.table.may_seal))
        elif self.idle:
            self.settle()

    # --- keys ----------------------------------------------------------------------------------------

    def on_key(self, event: Key) -> None:
        """Choose, seal, ask. A reveal goes on by any key, which then does what it does, unless it seals."""
        event.stop()
        early = event.time < self._rests_until
        if event.key in _ENTER:
            self._rests_until = event.time + _REST
        if self.reveals.playing:
            self._continued = event if self.reveals.turned else None
            self.reveals.skip()
        elif not self.busy and not (early and self.session.curtain):
            self._take_key(event)

    def _take_key(self, event: Key) -> None:
        self.session.note = ""
        if event.key == "escape":
            self.perform(menu(self.session))
        elif event.key in _ENTER:
            self._enter()
        elif self.session.curtain:
            self.settle()
        elif event.character == "?":
            self.perform(self._keys_page())
        elif event.character == "q" and self.table.started:
            self.perform(menu(self.session))
        elif event.character == "T" or not self._raise_by(event):
            command = self.command_of(event.character)
            if command is None:
                self.settle()
            else:
                self.perform(command.do(""))

    def _enter(self) -> None:
        effect = self.session.enter()
        if effect is None:
            self.settle()
            return
        self.reveals.placed = self.session.raised_face()
        if self._stage is not None:
            self.show_stage(replace(self._stage, prompt=self.words("sealing")))
        self.perform(effect)

    def _raise_by(self, event: Key) -> bool:
        """Whether the key raised a card."""
        if not self.session.may_choose():
            return False
        held = self.session.held_cards()
        selection = raise_card(held, self.session.selection, event.key, event.character)
        if selection is not None:
            self.session.selection = selection
            self.settle()
        return selection is not None
