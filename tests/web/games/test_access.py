"""Accessible: no violation that axe knows, in both themes, on phones and desks; all by name and keyboard."""

from __future__ import annotations

import pytest

from tests.web.games.gallery_page import GalleryPage
from tests.web.games.views import Played
from tests.web.violations import violations


def sights() -> dict[str, tuple[str, dict[str, object]]]:
    """Positions of all sorts, with what to press in them."""
    classic = Played("ecard", "classic", 2)
    decided = Played("ecard", "classic", 2)
    decided.decide("E", "C")
    named = Played("ecard", "purse(first=1)", 2)
    aces = Played("davenport", "aces", 5)
    shown = Played("davenport", "aces", 5)
    shown.go_on()
    return {
        "placing": ("3", classic.sight(1)),
        "watched": ("", classic.sight(0)),
        "decided": ("", decided.sight(1)),
        "revealed": ("", decided.sight(1, revealing=True)),
        "stake": ("", named.sight(2)),
        "oval": ("2", aces.sight(1)),
        "oval, second round": ("", shown.sight(1)),
        "oval, watched": ("", shown.sight(0)),
    }


WHOLE = ("placing", "oval")
COLOURS = ("revealed", "stake", "oval, second round")
"""What is looked at on a phone in the other theme, where every part of a table is in one of them."""


@pytest.mark.parametrize(
    ("wide", "high", "light"), [(360, 640, True), (1440, 900, False)], ids=["phone, light", "desk, dark"]
)
def test_tables_have_no_violation(wide: int, high: int, light: bool, measured: GalleryPage) -> None:
    measured.dress(wide=wide, high=high, light=light)
    for name, (key, sight) in sights().items():
        if light and name not in (*WHOLE, *COLOURS):
            continue
        measured.clear()
        measured.show(sight)
        if key:
            measured.page.keyboard.press(key)
        if sight["revealing"]:
            measured.page.locator('[data-stage="result"]').wait_for()
        assert violations(measured.page, only_colours=light and name in COLOURS) == [], name


@pytest.mark.parametrize("game", ["ecard", "davenport"])
def test_examples_have_no_violation(game: str, measured: GalleryPage) -> None:
    measured.page.evaluate("(game) => gallery.parts(game)", game)
    assert violations(measured.page) == []
    measured.dress(light=True)
    assert violations(measured.page, only_colours=True) == []


def test_a_focused_card_is_seen_to_be_focused(gallery_page: GalleryPage) -> None:
    gallery_page.show(Played("ecard", "classic", 2).sight(1))
    gallery_page.page.keyboard.press("ArrowRight")
    outline = gallery_page.page.evaluate("() => getComputedStyle(document.activeElement).outlineStyle")
    assert outline == "solid"
    assert gallery_page.page.evaluate("() => document.activeElement.dataset.pick") == "C"


def test_the_tab_key_reaches_every_card(gallery_page: GalleryPage) -> None:
    gallery_page.show(Played("davenport", "davenport", 3).sight(1))
    reached = set()
    for _ in range(12):
        gallery_page.page.keyboard.press("Tab")
        reached.add(gallery_page.page.evaluate("() => document.activeElement.dataset.pick ?? ''"))
    assert len(reached - {""}) == 5
