"""Every language on a narrow screen: no page is too wide, no button's text cut off, no word of it broken."""

from __future__ import annotations

import re
from typing import Final

import pytest
from playwright.sync_api import Page, expect

from facedown.core.text.translation import languages
from facedown.web.words import shell_texts
from tests.few import few
from tests.web.shell.conftest import Comes

LONGEST_FIRST: Final = sorted(
    set(languages()) - {"en", "ja"}, key=lambda language: -len(str(shell_texts("", language)))
)
"""English and Japanese have tests of their own."""
SCREENS: Final = {
    "/settings": "main.settings h1",
    "/people": "main.people .people-lists",
    "/house": ".house-step",
    "/today": ".today-cards",
    "/notices": "main.notices h1",
    "/rules/ecard": ".example",
    "/new": "dialog .preset",
}
CUT_OFF: Final = """() => {
  const wide = document.documentElement.scrollWidth - innerWidth;
  const isOut = (button) => {
    const box = button.getBoundingClientRect();
    const texts = document.createTreeWalker(button, NodeFilter.SHOW_TEXT);
    const range = document.createRange();
    while (texts.nextNode()) {
      const text = texts.currentNode;
      range.selectNode(text);
      const out = ({ left, right, width }) => width > 1 && (right > box.right + 4 || left < box.left - 4);
      if ([...range.getClientRects()].some(out)) return true;
      for (const { index, 0: word } of text.data.matchAll(/\\p{Script=Latin}+/gu)) {
        range.setStart(text, index);
        range.setEnd(text, index + word.length);
        if (range.getClientRects().length > 1) return true;
      }
    }
    return false;
  };
  const shown = "button, .button:not(.skip), summary, .choices label";
  const cut = [...document.querySelectorAll(shown)].filter((each) => each.checkVisibility() && isOut(each));
  return [...(wide > 0 ? [`the page, by ${wide} px`] : []), ...cut.map((each) => each.innerText.trim())];
}"""
"""What sticks out of the screen, or out of what is pressed, and what is pressed with a word on two lines."""


def fits(page: Page) -> None:
    expect(page.locator("[aria-busy=true]")).to_have_count(0)
    assert page.evaluate(CUT_OFF) == [], page.url
    assert re.findall(".*[。！？] [\u3040-\u9fff].*", page.locator("body").inner_text()) == [], page.url


@pytest.mark.parametrize("language", few(LONGEST_FIRST, 2))
def test_every_screen_fits_in_360_pixels(comes: Comes, language: str) -> None:
    visitor = comes(wide=360, high=780, phone=True, locale=language)
    page = visitor.goes_to("/")
    expect(page.locator("html")).to_have_attribute("lang", language)
    expect(page.locator(".home button.first").first).to_be_visible()
    fits(page)
    for path, only_there in SCREENS.items():
        visitor.follows(path)
        expect(page.locator(only_there).first).to_be_visible()
        fits(page)

    visitor.goes_to("/")
    page.locator(".home button.first").first.click()
    hand = page.locator(".stage ul[data-free=true] button")
    expect(hand.first).to_be_visible()
    fits(page)
    page.set_viewport_size({"width": 1024, "height": 768})
    expect(page.locator(".coach-acts")).to_be_visible()
    fits(page)
    page.set_viewport_size({"width": 360, "height": 780})
    hand.last.click()
    fits(page)
