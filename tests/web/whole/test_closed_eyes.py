"""A whole game of each kind from what is heard alone, by keyboard: no test here looks at a table."""

from __future__ import annotations

import re
import time
from dataclasses import dataclass
from typing import Final

import pytest
from playwright.sync_api import Page, expect

from tests.few import few
from tests.patience import PATIENCE
from tests.server.running import until
from tests.web.shell.server_process import visit
from tests.web.whole.conftest import Invites
from tests.web.whole.test_keyboard import tab_to

_HEAR: Final = """
  globalThis.heard = [];
  const hear = (kind, text) => {
    const last = heard.findLast((each) => each[0] === kind);
    if (text && text !== last?.[1]) heard.push([kind, text]);
  };
  const focus = () => hear('focus', document.activeElement?.ariaLabel ?? document.activeElement?.textContent);
  addEventListener('focusin', focus);
  new MutationObserver(() => {
    hear('region', document.querySelector('[role=log]')?.textContent);
    focus();
  }).observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
"""


@dataclass(frozen=True, slots=True)
class Voice:
    """How a game is read aloud in one language."""

    lang: str
    start: str
    """The button on home."""
    turn: str
    hand: str
    """A pattern with one's own cards."""
    and_: str
    shown: str
    """A pattern with one's own card at a reveal."""
    over: str
    """A pattern of the last sentence, with who won or what the score is."""


_ECARD: Final = Voice(
    "en",
    "Play now: E-Card",
    "Your turn.",
    r"You hold (?:the )?(.+?)\.",
    r", | and \d (?=Citizen)",
    r"you showed (?:the|a) (\w+)|, you (?:the|a) (\w+)|both showed a (Citizen)",
    r"(?:won the game|was drawn), (\d+ to \d+)",
)
_DAVENPORT: Final = Voice(
    "en",
    "Play now: Davenport",
    "Your turn.",
    r"You hold (.+?)\.",
    r", | and ",
    r"(?i)\byou: (\w+ of \w+)",
    r"(\S+(?: \d)?) won the game",
)
_JAPANESE_ECARD: Final = Voice(
    "ja",
    "すぐ.*Eカード",
    "あなたの番です。",
    r"手札は(.+?)(?:枚|だけ)?です。",
    r"と(?=市民)",
    r"あなたは(\w+?)[、。]|(市民)どうし",
    r"(\d+対\d+)で",
)
_JAPANESE_DAVENPORT: Final = Voice(
    "ja",
    "すぐ.*ダヴェンポート",
    "あなたの番です。",
    r"手札は(.+?)です。",
    r"、|と",
    r"あなた：([^、。（]+)",
    r"(\S+?)の勝ちです",
)


class Listener:
    """A person who hears a page and presses keys."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._read = 0
        self.region: list[str] = []
        self.focus = ""

    def hears(self) -> list[str]:
        """What the live region has said since the last time."""
        heard = self._page.evaluate("(from) => heard.slice(from)", self._read)
        self._read += len(heard)
        for kind, text in heard:
            if kind == "focus":
                self.focus = text
        said = [text for kind, text in heard if kind == "region"]
        self.region += said
        return said

    def goes_to(self, card: str) -> None:
        """On through the hand until this card is named."""
        for _ in range(30):
            self._page.keyboard.press("ArrowRight")
            self.hears()
            if self.focus.startswith(card):
                return
        raise AssertionError(f"{card} was not heard: {self.focus}")

    def plays(self, voice: Voice) -> list[str]:
        """A whole game, any card of those that are named; returns what was sealed."""
        sealed: list[str] = []
        end = time.monotonic() + 4 * PATIENCE
        while time.monotonic() < end:
            said = " ".join(self.hears())
            if re.search(voice.over, said):
                return sealed
            if voice.turn in said:
                held = re.findall(voice.hand, said)[-1]
                cards = [
                    re.sub(r"(?<=市民)\d+$|(?<=Citizen)s$", "", each) for each in re.split(voice.and_, held)
                ]
                sealed.append(cards[len(sealed) % len(cards)])
                self.goes_to(sealed[-1])
            self._page.keyboard.press("Enter")  # seals, hurries a reveal, or goes on from it
            self._page.wait_for_timeout(500)
        raise AssertionError(f"the game did not end: {self.region[-5:]}")


@pytest.mark.parametrize(
    "voice",
    few([_ECARD, _JAPANESE_ECARD, _DAVENPORT, _JAPANESE_DAVENPORT], 1),
    ids=lambda voice: f"{voice.start} {voice.lang}",
)
def test_a_game_with_closed_eyes(voice: Voice, invites: Invites) -> None:
    (visitor,) = invites(1, wide=1280, high=800)
    page = visitor.page
    page.add_init_script(_HEAR)
    page.add_init_script(f"localStorage['facedown.settings'] ??= JSON.stringify({{ lang: '{voice.lang}' }})")
    visit(page, visitor.url)
    listener = Listener(page)
    tab_to(page, voice.start)
    page.keyboard.press("Enter")

    sealed = listener.plays(voice)

    everything = " ".join(listener.region)
    shown = ["".join(found) for found in re.findall(voice.shown, everything)]
    assert [each.lower() for each in shown] == [each.lower() for each in sealed]
    (result,) = re.findall(voice.over, listener.region[-1])
    ending = page.locator(".ending")

    def ends() -> bool:
        page.keyboard.press("Escape")  # past the last reveal
        return ending.is_visible()

    until(ends)
    for part in re.split(" to |対", result):
        expect(ending).to_contain_text(part)
