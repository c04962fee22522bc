"""The page of a table: the fan and the keys, sealing, the reveal with its pause, and the hand-over curtain.

Shows one sitting to whoever is at the screen; knows no rule, and nothing that the viewer may not know.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from facedown.core.errors import FacedownError
from facedown.core.seats import SPECTATOR, Seat, Viewer
from facedown.terminal.board import Stage, Touch, framed, paint
from facedown.terminal.canvas import Page
from facedown.terminal.choosing import Entry, ListPage
from facedown.terminal.look import Line, centred, wrapped
from facedown.terminal.reading import TextPage
from facedown.terminal.scene import Face, Held
from facedown.terminal.sitting import Sitting, Told
from facedown.terminal.staging import Choice, Staging
from facedown.terminal.table_pages import keys_page, log_page, review_page, rules_page, why_page

if TYPE_CHECKING:
    from textual.events import Click, Key

_HOLDS: Final = (0.5, 0.9, 1.4, 2.0, 2.8)
"""Seconds before the cards are turned: the longer a round stays undecided, the longer."""
_LOOKS: Final = (0.9, 1.1, 1.3, 1.6, 2.0)
"""Seconds in which the turned cards lie there before the game goes on."""
_SHORT: Final = (0.15, 0.5)


class TablePage(Page[None]):
    """One sitting."""

    def __init__(self, sitting: Sitting) -> None:
        super().__init__()
        self.sitting = sitting
        self._staging: Staging | None = None
        self._stage: Stage | None = None
        self._touch: tuple[Touch, ...] = ()
        self._choice = Choice()
        self._shown = 0
        """How much of what was told has been shown."""
        self._seat: Seat = sitting.people[0] if len(sitting.people) == 1 else SPECTATOR
        """Whose hand is on the screen."""
        self._curtain: Seat = 0
        """For whom the screen waits, hiding everything; 0 for nobody."""
        self._turn: tuple[Seat, int] = (0, 0)
        self._busy = False
        self._revealing = False
        self._skip = asyncio.Event()
        self._refusal = ""
        self._ended = False
        self._gone: Face | None = None
        """The card that the one person placed last."""

    # --- sitting down --------------------------------------------------------------------------------

    async def on_mount(self) -> None:
        """Sit down: what happened before is not shown again."""
        self._staging = Staging(self.sitting, self.words)
        loop = asyncio.get_running_loop()

        def changed() -> None:
            loop.call_soon_threadsafe(self._wake)

        self.sitting.listen(changed)
        self._shown = len(self.sitting.told(self._public))
        self._act(self.sitting.begin)

    @property
    def staging(self) -> Staging:
        """What makes the stages."""
        if self._staging is None or self._staging.words is not self.words:
            self._staging = Staging(self.sitting, self.words)
        return self._staging

    @property
    def hot(self) -> bool:
        """Whether several people share this screen."""
        return len(self.sitting.people) > 1

    @property
    def _public(self) -> Viewer:
        """Whose eyes everybody at the screen may look through."""
        return SPECTATOR if self.hot or not self.sitting.people else self.sitting.people[0]

    # --- painting ------------------------------------------------------------------------------------

    def painted(self, width: int, height: int) -> list[Line]:
        if self._curtain:
            return self._painted_curtain(width, height)
        if self._stage is None:
            said: list[Line] = [[(f"  {line}", "bone")] for line in wrapped(self.sitting.notice, width - 4)]
            keys = (("Esc", self.words("key_leave")),)
            return framed(self.words("menu_title"), [[], *said], keys, width, height, self.look)
        lines, self._touch = paint(self._stage, width, height, self.look, self.words)
        return lines

    def _painted_curtain(self, width: int, height: int) -> list[Line]:
        name = self.sitting.names[self._curtain - 1]
        texts = (
            (self.words("handover", name=name), "bone strong"),
            ("", ""),
            (self.words("handover_how", name=name), "lamp"),
            (self.words("handover_hides"), "ash"),
        )
        body: list[Line] = [[] for _ in range(max(0, height // 2 - 4))]
        body += [[(centred(text, min(width, 116)), role)] for text, role in texts]
        keys = (("Enter", self.words("key_show")), ("Esc", self.words("key_menu")))
        return framed(
            self.staging.at_rest(SPECTATOR, Choice(), ()).title, body, keys, width, height, self.look
        )

    def settle(self) -> None:
        """Show the table as it is now."""
        if not self.sitting.started:
            self._stage = None
            self.show()
            return
        prompt = self._refusal or None
        self.set_stage(self.staging.at_rest(self._seat, self._choice, self._keys(), prompt=prompt))

    def set_stage(self, stage: Stage) -> None:
        """Show this."""
        self._stage = stage
        self.show()

    def show_from(self, shown: int) -> None:
        """Tell what has happened after so much of it."""
        self._shown = shown
        self._wake()

    @property
    def idle(self) -> bool:
        """Whether nothing is being done or told: the table waits for somebody."""
        return not self._busy and not self._revealing

    @property
    def revealing(self) -> bool:
        """Whether cards are being turned."""
        return self._revealing

    def review(self) -> None:
        """Look back at the game."""
        self.app.push_screen(review_page(self.staging, self._seat or 1, self.look))

    def _keys(self) -> tuple[tuple[str, str], ...]:
        words = self.words
        common = (("w", words("key_why")), ("l", words("key_log")), ("r", words("key_rules")))
        ends = (("?", words("key_keys")), ("Esc", words("key_menu")))
        if self.sitting.outcome is not None:
            again = (("v", words("key_review")), ("n", words("key_again")))
            return (*again, *common, ("Esc", words("key_leave")))
        if self._seat in self.sitting.may_seal:
            also = {key: word for held in self.held() for key, _, word in held.also}
            asked = (("←→", words("key_choose")), ("Enter", words("key_seal")), *also.items())
            return (*asked, *common, *ends)
        return (*common, *ends)

    # --- what happens --------------------------------------------------------------------------------

    def _wake(self) -> None:
        """Something may have changed: tell it, unless that is being done already."""
        if not self.is_attached or self._revealing:
            return
        if self._busy:
            if self._stage is not None and self.sitting.remote:
                self.set_stage(replace(self._stage, notice=self.sitting.notice))
            return
        self._revealing = True
        self.run_worker(self._tell_news(), exit_on_error=True)

    async def _tell_news(self) -> None:
        try:
            while self._shown < len(told := self.sitting.told(self._public)):
                entry = told[self._shown]
                if self._shown:
                    await self._reveal(told[self._shown - 1], entry)
                self._shown += 1
        finally:
            self._revealing = False
        self._next_turn()

    async def _reveal(self, before: Told, entry: Told) -> None:
        """Face down, a pause that grows with the round, then the cards; any key goes on."""
        cards = self.staging.scenes.turned(entry.seen)
        motion = self.look.motion
        if cards is None or motion == "off" or entry.view is None:
            return
        weight = min(self.staging.scenes.weight(entry.seen), len(_HOLDS)) - 1
        hold, look = (_HOLDS[weight], _LOOKS[weight]) if motion == "full" else _SHORT
        keys = (("", self.words("skip")),)
        self._curtain = 0
        self._skip.clear()
        for turned, seconds in ((False, hold), (True, look)):
            self._stage = self.staging.at_reveal(
                self._public, before, entry, cards, keys, turned=turned, gone=self._gone
            )
            self.show()
            if await self._pause(seconds):
                return

    async def _pause(self, seconds: float) -> bool:
        """Wait; whether somebody did not want to."""
        try:
            await asyncio.wait_for(self._skip.wait(), seconds)
        except TimeoutError:
            return False
        return True

    def _next_turn(self) -> None:
        """All is told: whose turn is it at this screen?"""
        if self.hot:
            self._seat = self._hand_over()
        turn = (self._seat, self.sitting.decision if self.sitting.started else 0)
        if turn != self._turn:
            self._turn = turn
            self._choice = Choice()
        if self.sitting.started and self.sitting.outcome is not None and not self._ended:
            self._ended = True
            self.house.game_over(self.sitting)
        self.settle()

    def _hand_over(self) -> Seat:
        """The seat whose hand may be shown; the curtain falls where the device has to change hands."""
        turns = [seat for seat in self.sitting.may_seal if seat in self.sitting.people]
        if self.sitting.outcome is not None or not turns:
            self._curtain = 0
            return SPECTATOR
        if (turns[0], self.sitting.decision) == self._turn and self._seat == turns[0]:
            return self._seat
        self._curtain = turns[0]
        return SPECTATOR

    # --- keys ----------------------------------------------------------------------------------------

    def on_key(self, event: Key) -> None:
        """Choose, seal, ask; during a reveal any key goes on."""
        event.stop()
        if self._revealing:
            self._skip.set()
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
        self._turn = (self._seat, self.sitting.decision)
        self._choice = Choice()
        self.settle()

    def held(self) -> tuple[Held, ...]:
        """What the person at the screen holds."""
        return self.staging.held(self._seat)

    def _choose_by(self, event: Key) -> bool:
        """Whether the key chose or sealed something."""
        if not self.sitting.started or not self.staging.legal(self._seat):
            return False
        held = self.held()
        here = min(self._choice.place, len(held) - 1)
        moves = {"left": -1, "right": 1, "up": -1, "down": 1, "shift+tab": -1, "tab": 1}
        if event.key in moves:
            self._raise((here + moves[event.key]) % len(held))
        elif event.key in ("home", "end"):
            self._raise(0 if event.key == "home" else len(held) - 1)
        elif event.key in ("enter", "space"):
            self._seal()
        elif event.character and event.character.lower() in (key for key, _, _ in held[here].also):
            key = event.character.lower()
            self._choice = Choice(here, "" if self._choice.also == key else key)
            self.settle()
        elif (place := _lettered(held, here, event.character)) is not None:
            self._raise(place)
        else:
            return False
        return True

    def _raise(self, place: int) -> None:
        self._choice = Choice(place, "")
        self.settle()

    def _ask_by(self, event: Key) -> bool:
        """Whether the key asked something."""
        if not self.sitting.started:
            return False
        over = self.sitting.outcome is not None
        page: TextPage | None = None
        if event.character == "w":
            page = why_page(self.staging, self._seat)
        elif event.character == "l":
            page = log_page(self.staging, self._seat)
        elif event.character == "r":
            page = rules_page(self.staging)
        elif event.character == "?":
            page = keys_page(self.staging, self.held())
        elif event.character == "v" and over:
            self.review()
            return True
        elif event.character == "n" and over:
            self.house.play_again()
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
            self._skip.set()
            return
        if self._busy or self._curtain or not self.sitting.started or not self.staging.legal(self._seat):
            return
        for each in self._touch:
            if each.top <= event.screen_y < each.bottom and each.left <= event.screen_x < each.right:
                if each.card == self._choice.place:
                    self._seal()
                else:
                    self._raise(each.card)
                return

    # --- doing ---------------------------------------------------------------------------------------

    def _seal(self) -> None:
        held = self.held()
        if not held:
            return
        raised = held[min(self._choice.place, len(held) - 1)]
        pick = next((pick for key, pick, _ in raised.also if key == self._choice.also), raised.pick)
        if not pick:
            return
        seat = self._seat
        self._gone = None if self.hot else raised.face
        if self._stage is not None:
            self._stage = self.staging.at_rest(seat, self._choice, self._keys(), prompt=self.words("sealing"))
            self.show()
        self._act(lambda: self.sitting.seal(seat, pick))

    def resign(self) -> None:
        """Give up the seat whose turn it is, or one's own."""
        turns = [seat for seat in self.sitting.may_seal if seat in self.sitting.people]
        seat = self._seat or self._curtain or (turns or self.sitting.people)[0]
        self._act(lambda: self.sitting.resign(seat))

    def _act(self, do: Callable[[], None]) -> None:
        """Do something that may take its time, and then tell what came of it."""
        self._busy = True
        self.run_worker(self._acted(do), exit_on_error=True)

    async def _acted(self, do: Callable[[], None]) -> None:
        try:
            await asyncio.to_thread(do)
        except FacedownError as error:
            rule = f" ({error.rule})" if error.rule else ""
            self._refusal = self.words("refused", say=error.say, rule=rule)
        finally:
            self._busy = False
        if self.is_attached:
            self._wake()

    def _ask_pause(self) -> None:
        """Go on, resign, or leave."""
        if not self.sitting.people or self.sitting.outcome is not None or not self.sitting.started:
            self.house.leave_table()
            return
        words = self.words
        leave = "pause_leave_remote" if self.sitting.remote else "pause_leave"
        entries = [
            Entry(words("pause_go"), "go"),
            Entry(words("pause_resign"), "resign"),
            Entry(words(leave), "leave"),
        ]
        asked = ListPage(lambda: words("pause"), lambda: entries)
        self.app.push_screen(asked, self._after_pause)

    def _after_pause(self, answer: str | None) -> None:
        if answer == "leave":
            self.house.leave_table()
        elif answer == "resign":
            words = self.words
            entries = [Entry(words("resign_no"), False), Entry(words("resign_yes"), True)]
            asked = ListPage(lambda: words("resign_sure"), lambda: entries)
            self.app.push_screen(asked, lambda sure: self.resign() if sure else None)


def _lettered(held: tuple[Held, ...], here: int, letter: str | None) -> int | None:
    """The next card whose index begins with the letter, after the one that is raised."""
    if not letter or not letter.isalnum():
        return None
    found = [
        place
        for place, each in enumerate(held)
        if letter.lower() in (each.face.index[:1].lower(), each.face.ascii_index[:1].lower())
    ]
    return next((place for place in found if place > here), found[0] if found else None)
