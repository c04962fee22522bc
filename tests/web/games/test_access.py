"""Accessible: no violation that axe knows, in both themes; all by name and keyboard."""

from __future__ import annotations

from tests.web.games.gallery_page import GalleryPage
from tests.web.games.views import Played
from tests.web.violations import violations


def test_a_stake_and_examples_have_no_violation(measured: GalleryPage) -> None:
    """Every other position is in tests/web/screenshots."""
    measured.show(Played("ecard", "purse(first=1)", 2).sight(2))
    assert violations(measured.page) == []
    for game in ("ecard", "davenport"):
        measured.page.evaluate("(game) => gallery.parts(game)", game)
        measured.dress()
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
