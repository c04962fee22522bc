"""Pass and play: nothing private is in the page unless its owner has lifted the curtain.

A recorder in the page notes every face, every pick and every word of the live region, with the seat that had
lifted the curtain at that moment; afterwards each of them must have been public, or that person's own.
"""

from __future__ import annotations

import base64
import re
from dataclasses import dataclass, field
from typing import Any, Final

from playwright.sync_api import Page, expect

from tests.web.shell.server_process import visit
from tests.web.unpainted import painted
from tests.web.whole.conftest import Invites
from tests.web.whole.page_spy import found

DECK: Final = frozenset(rank + suit for rank in "A23456789TJQK" for suit in "CDHS")

_RECORDER: Final = """() => {
  const seen = window.seen = { holder: '', notes: {} };
  const note = (kind, what) => { if (what) (seen.notes[`${seen.holder}|${kind}`] ??= new Set()).add(what); };
  const look = () => {
    if (document.querySelector('dialog.curtain[open]')) seen.holder = '';
    const stage = document.querySelector('.stage [data-stage]')?.dataset.stage ?? 'rest';
    if (stage !== 'rest') seen.holder = '';
    for (const each of document.querySelectorAll('.table-frame [data-card]')) note('card', each.dataset.card);
    for (const each of document.querySelectorAll('.table-frame [data-pick]')) note('card', each.dataset.pick);
    note('says', document.querySelector('[role=log]')?.textContent);
    note('title', document.title);
  };
  const clicked = (event) => {
    if (event.target.closest('dialog.curtain button'))
      seen.holder = document.querySelector('dialog.curtain').dataset.for;
  };
  addEventListener('click', clicked, true);
  const all = { subtree: true, childList: true, attributes: true, characterData: true };
  new MutationObserver(look).observe(document, all);
}"""
_NOTES: Final = "() => Object.entries(seen.notes).map(([where, what]) => [...where.split('|'), [...what]])"
_HANDS: Final = """async (table) => {
  const seats = Object.keys(localStorage).filter((name) => name.startsWith(`facedown.seat.${table}.`));
  const hands = seats.map(async (name) => {
    const { token } = JSON.parse(localStorage.getItem(name));
    const asked = await fetch(`/api/v1/tables/${table}`, { headers: { 'Facedown-Seat': token } });
    return [name.split('.').pop(), (await asked.json()).view.hand];
  });
  return Object.fromEntries(await Promise.all(hands));
}"""
_SHOWN: Final = """async (table) => {
  const asked = await fetch(`/api/v1/tables/${table}`);
  return (await asked.json()).view.history.flatMap((round) => (round.shown ?? []).filter(Boolean));
}"""
_BRIGHT: Final = """async (png) => {
  const bytes = Uint8Array.from(atob(png), (sign) => sign.charCodeAt(0));
  const picture = await createImageBitmap(new Blob([bytes]));
  const canvas = new OffscreenCanvas(picture.width, picture.height).getContext('2d');
  canvas.drawImage(picture, 0, 0);
  const { data } = canvas.getImageData(0, 0, picture.width, picture.height);
  let bright = 0;
  for (let at = 0; at < data.length; at += 4) if (data[at] > 150 && data[at + 1] > 140) bright += 1;
  return bright / (data.length / 4);
}"""


@dataclass
class Device:
    """One device with everybody around it, and what its page has shown to whom."""

    page: Page
    hands: dict[str, set[str]] = field(default_factory=dict)
    """All cards that each seat ever held."""

    @property
    def table(self) -> str:
        """Its id."""
        return self.page.url.rpartition("/")[2]

    def deals(self) -> None:
        """Note what everybody holds now."""
        held: dict[str, list[str]] = self.page.evaluate(_HANDS, self.table)
        for seat, cards in held.items():
            self.hands.setdefault(seat, set()).update(cards)

    def public(self) -> set[str]:
        """All cards that lay open on the table so far."""
        return set(self.page.evaluate(_SHOWN, self.table))

    def hides(self) -> None:
        """The curtain is down, and a screen reader finds no card behind it."""
        expect(self.page.locator("dialog.curtain[open]")).to_be_visible()
        assert not self.spoken_cards(), "the curtain is down, and cards can be read"

    def lifts(self) -> str:
        """The one whose turn it is lifts the curtain; their seat."""
        curtain = self.page.locator("dialog.curtain[open]")
        expect(curtain).to_be_visible()
        seat = str(curtain.get_attribute("data-for"))
        curtain.get_by_role("button").click()
        expect(
            self.page.locator(f".table-frame[data-seat='{seat}'] .stage [data-pick]").first
        ).to_be_visible()
        return seat

    def seals(self) -> None:
        """By the pointer: a tap raises the first card, another one seals it."""
        card = self.page.locator(".stage [data-pick][aria-disabled=false]").first
        card.click()
        expect(self.page.locator(".stage [data-raised=true]")).to_be_visible()
        self.page.locator(".stage [data-raised=true]").click()

    def spoken_cards(self) -> set[str]:
        """The cards that a screen reader can find in the page."""
        session = self.page.context.new_cdp_session(self.page)
        nodes: list[dict[str, Any]] = session.send("Accessibility.getFullAXTree")["nodes"]
        session.detach()
        words = "\n".join(str(node.get("name", {}).get("value", "")) for node in nodes if not node["ignored"])
        return {card for card in DECK if found(card, words)}

    def bright(self, where: str) -> float:
        """The share of a part of the page that is as bright as the face of a card."""
        buttons = self.page.locator(".dv-acts")
        with painted(self.page):
            png = self.page.locator(where).screenshot(animations="disabled", mask=[buttons])
        share: float = self.page.evaluate(_BRIGHT, base64.b64encode(png).decode())
        return share

    def leaks(self) -> list[tuple[str, str, str]]:
        """What was in the page but not the seat's that had lifted the curtain: holder, kind, card."""
        public = self.public()
        notes: list[tuple[str, str, list[str]]] = self.page.evaluate(_NOTES)
        return [
            (holder, kind, card)
            for holder, kind, what in notes
            for card in DECK - public - self.hands.get(holder, set())
            for text in what
            if (card == text if kind == "card" else found(card, text))
        ]


def test_no_hand_lies_open_before_its_owner_has_lifted_the_curtain(invites: Invites) -> None:
    """One round of four at one device, whose page has a recorder."""
    (visitor,) = invites(1, wide=390, high=844)
    visitor.page.add_init_script(f"({_RECORDER})()")
    page = visitor.goes_to("/new?game=davenport&with=here")
    page.get_by_role("dialog").locator("label", has_text=re.compile("^4$")).click()
    page.get_by_label("Name of seat 4").wait_for()
    page.get_by_role("button", name="Open the table").click()
    expect(page.locator("dialog.curtain[open]")).to_be_visible()
    device = Device(page)
    device.deals()
    asked = []
    for number in range(4):
        if number in (0, 3):  # the recorder looks at all of them
            device.hides()
        asked.append(device.lifts())
        if len(asked) == 1:
            assert device.bright(".dv-below") > 0.1, "a hand that is held would not be found by its light"
        device.seals()
    assert asked == ["1", "2", "3", "4"]
    expect(page.get_by_role("button", name="Why?")).to_be_visible()
    device.deals()
    assert device.spoken_cards() <= device.public(), "hands can be read while everybody looks"
    expect(page.locator(".dv-on")).to_be_visible()  # bright itself: masked once it lies still
    assert device.bright(".dv-below") < 0.1, "a hand can be seen while everybody looks"
    page.locator(".dv-on").click()
    expect(page.locator("dialog.curtain[data-for='1']")).to_be_visible()

    assert device.leaks() == []


def test_people_at_one_device_have_names_and_a_score_over_the_evening(invites: Invites) -> None:
    """Two share a device, a third comes by invitation; the names are kept for the next table."""
    host, friend = invites(2)
    page = host.goes_to("/new?game=davenport&with=here")
    page.get_by_label("Name of seat 1").fill("Ann")
    page.get_by_label("Name of seat 2").fill("Bo")
    page.get_by_role("button", name="Open the table").click()
    page.get_by_role("button", name="I am Ann").click()
    resigns(page)

    expect(page.locator(".ending h2")).to_contain_text("Bo won")
    page.get_by_role("button", name="Rematch").click()
    expect(page.get_by_role("heading", name="Pass the device to Bo")).to_be_visible()
    page.get_by_role("button", name="I am Bo").click()
    resigns(page)
    expect(page.locator(".ending-more")).to_contain_text("Game 2 of this series: Bo 1, Ann 1.")

    page = host.goes_to("/new?game=davenport&with=here")
    expect(page.get_by_label("Name of seat 2")).to_have_value("Bo")
    page.locator("label", has_text="One each").click()
    page.get_by_role("dialog").locator("label", has_text=re.compile("^3$")).click()
    page.get_by_role("button", name="Open the table").click()
    page.get_by_label("Someone else is playing on this device, too").fill("Bo")
    page.get_by_role("button", name="Add", exact=True).click()
    expect(page.locator(".lobby-seats li", has_text="Bo")).to_contain_text("on this device")
    visit(friend.page, page.locator(".address code").inner_text())
    friend.page.get_by_role("button", name="Join").click()

    device = Device(page)
    for _ in range(2):
        device.hides()
        device.lifts()
        device.seals()
    expect(friend.page.locator(".dv-seat [data-state=sealed]")).to_have_count(2)
    assert device.spoken_cards() == set()
    expect(page.locator(".table-frame[data-seat='0']")).to_be_visible()


def resigns(page: Page) -> None:
    """The player who has lifted the curtain resigns."""
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name="Resign").click()
    page.locator("dialog").get_by_role("button", name="Resign").click()
