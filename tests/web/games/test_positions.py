"""Every preset's positions are drawn without a complaint, with all words, and with no card that is hidden."""

from __future__ import annotations

from typing import Any

import pytest

from facedown.core import registry
from tests.web.games.gallery_page import GalleryPage
from tests.web.games.views import Played, positions

SEATS = {"davenport": 2, "aces": 5, "pointed": 7}
PRESETS = [
    (game, preset.name, SEATS.get(preset.name, 2))
    for game in ("ecard", "davenport")
    for preset in registry.get(game).rules.presets
]


def may_see(played: Played, viewer: int) -> set[str]:
    """The faces that a viewer's page may hold: the own hand, and what was shown."""
    view: Any = played.match.view(viewer)
    if played.game == "ecard":
        past = {"C"} if view.play > 1 else set()
        left = set(view.rounds[-1].cards) if view.outcome else set()  # they stay when the game is over
        return set(view.hand) | past | left
    last = view.history[-1] if view.history else None
    shown = {card for card in getattr(last, "shown", ()) if card}
    return set(view.hand) | shown


@pytest.mark.parametrize(("game", "rules", "seats"), PRESETS)
def test_positions_are_drawn_and_show_nothing_hidden(
    game: str, rules: str, seats: int, gallery_page: GalleryPage
) -> None:
    sights, allowed = [], []
    for number, played in enumerate(positions(game, rules, seats, decisions=40)):
        if number > 4 and number % 8:
            continue  # the first ones, and then every eighth: they differ little
        for viewer in (0, 1, seats):
            sights.append(played.sight(viewer))
            allowed.append(may_see(played, viewer))
    seen = gallery_page.tour(sights)
    assert len(seen) > 10
    assert [cards - may for cards, may in zip(seen, allowed, strict=True) if cards - may] == []
    # both languages have the same keys (test_words): some positions are enough for the other one
    assert gallery_page.tour(sights[::7], lang="ja") == seen[::7]
    assert gallery_page.missing() == []


@pytest.mark.parametrize(("game", "rules", "seats"), PRESETS)
def test_reveals_are_drawn_and_can_be_skipped(
    game: str, rules: str, seats: int, gallery_page: GalleryPage
) -> None:
    gallery_page.dress(wide=390, high=844)
    for number, played in enumerate(positions(game, rules, seats, decisions=3)):
        sight = played.sight(number % 3 if seats > 2 else number % 2, revealing=True)
        gallery_page.clear()
        gallery_page.show(sight)
        if sight["revealing"]:
            gallery_page.page.keyboard.press("Escape")
            gallery_page.page.keyboard.press("Escape")
            assert len(gallery_page.acts_after("revealed")) == 1
        assert gallery_page.missing() == []


@pytest.mark.parametrize(
    ("game", "rules", "seats"), [("ecard", "decisive", 2), ("ecard", "purse", 2), ("davenport", "pointed", 3)]
)
def test_a_game_is_drawn_to_its_end(game: str, rules: str, seats: int, gallery_page: GalleryPage) -> None:
    *_, end = positions(game, rules, seats, decisions=1000)
    sight = end.sight(1)
    assert sight["view"]["outcome"] is not None
    gallery_page.show(sight)
    assert (
        gallery_page.page.locator(".ec-place[data-state=turned], .dv-place[data-state=shown]").count()
        == seats
    )
    assert gallery_page.missing() == []


def test_the_buttons_are_below_the_whole_hand(measured: GalleryPage) -> None:
    measured.show(Played("davenport", "davenport", 4).sight(1))
    measured.page.keyboard.press("2")
    for wide, high in ((360, 780), (390, 844), (768, 1024)):
        measured.resizes(wide, high)
        button = measured.page.locator(".dv-play").bounding_box()
        assert button
        for card in measured.page.locator(".dv-hand-card").all():
            box = card.bounding_box()
            assert box
            ends = box["y"] + box["height"]
            assert ends <= button["y"], f"{wide} × {high}: {ends:.0f}, {button['y']:.0f}"


def test_a_sealed_card_leaves_no_trace(gallery_page: GalleryPage) -> None:
    """Two worlds that differ only in what the other sealed look the same, to the last character."""
    pages = []
    for hidden in ("E", "C"):
        played = Played("ecard", "classic(first=2)", 2)
        played.seal(2, hidden)
        for viewer in (0, 1):
            gallery_page.clear()
            gallery_page.show(played.sight(viewer))
            pages.append(gallery_page.markup())
    assert pages[:2] == pages[2:]


def test_an_exchange_looks_like_a_play(gallery_page: GalleryPage) -> None:
    pages = []
    for exchange in ("", "x"):
        played = Played("davenport", "davenport", 3)
        played.seal(2, exchange + played.match.legal(2)[0])
        for viewer in (0, 1, 3):
            gallery_page.clear()
            gallery_page.show(played.sight(viewer))
            pages.append(gallery_page.markup())
    assert pages[:3] == pages[3:]


def test_the_fan_closes_in_the_middle(gallery_page: GalleryPage) -> None:
    """However many cards are left, the other's fan stands around the same middle."""
    middles = set()
    played = Played("ecard", "decisive(first=1)", 2)
    for _ in range(4):
        gallery_page.show(played.sight(1))
        boxes = [
            each.bounding_box() for each in gallery_page.page.locator('[data-where="above"] > .ec-held').all()
        ]
        sides = [(box["x"], box["x"] + box["width"]) for box in boxes if box]
        middles.add(round((min(a for a, _ in sides) + max(b for _, b in sides)) / 2))
        played.decide("C", "C")
    assert len(middles) == 1


def overlap(gallery_page: GalleryPage, one: str, other: str) -> bool:
    """Whether two things on the page cover each other."""
    boxes = [gallery_page.page.locator(each).first.bounding_box() for each in (one, other)]
    a, b = boxes
    assert a is not None
    assert b is not None
    beside = a["x"] + a["width"] <= b["x"] or b["x"] + b["width"] <= a["x"]
    above = a["y"] + a["height"] <= b["y"] or b["y"] + b["height"] <= a["y"]
    return not (beside or above)


@pytest.mark.parametrize(
    ("wide", "high", "seats"), [(360, 640, 2), (360, 640, 4), (768, 1024, 3), (1440, 900, 2), (1440, 900, 4)]
)
def test_a_lifted_card_covers_nothing(wide: int, high: int, seats: int, gallery_page: GalleryPage) -> None:
    """The card of the seat opposite lies near the piles, and a word stands under it."""
    opposite = seats // 2 + 1
    played = exchange_wins(seats, opposite)
    gallery_page.dress(wide=wide, high=high)
    gallery_page.show(played.sight(1, revealing=True))
    gallery_page.page.locator('.dv[data-stage="result"]').wait_for()
    card = f'.dv-place[data-seat="{opposite}"][data-won="true"]'
    for pile in ("stock", "discards"):
        for part in (f"{card} .dv-slot", f"{card} .dv-place-note", ".dv-mine .dv-place"):
            assert not overlap(gallery_page, part, f'[data-pile="{pile}"]'), f"{part} lies on the {pile}"


def exchange_wins(seats: int, winner: int) -> Played:
    """A round that one seat has won with an exchanged card."""
    for number in range(200):
        played = Played("davenport", "davenport", seats, seed=f"exchanged {number}")
        legal = [played.match.legal(seat) for seat in range(1, seats + 1)]
        played.decide(*("x" * (seat == winner) + each[0] for seat, each in enumerate(legal, 1)))
        if played.match.view(0).history[-1].winners == (winner,):
            return played
    raise AssertionError("no seat won with an exchanged card in 200 games")


@pytest.mark.parametrize("victory", ["winnings", "rounds"])
@pytest.mark.parametrize("preset", [preset.name for preset in registry.get("ecard").rules.presets])
def test_what_a_score_counts_is_said_by_the_rules(
    preset: str, victory: str, gallery_page: GalleryPage
) -> None:
    """Before the first round all numbers are equal: only the rules can tell."""
    played = Played("ecard", f"{preset}(victory={victory})", 2)
    rules = played.match.rules
    counts = "Purse" if rules.stakes == "named" else {"winnings": "Winnings", "rounds": "Rounds won"}[victory]
    gallery_page.show(played.sight(1))
    label = gallery_page.page.locator('[data-where="below"] .ec-score').get_attribute("aria-label")
    assert label == f"{counts}: {rules.purse if counts == 'Purse' else 0}"


ROOMS = [(360, 780), (740, 360), (720, 450), (768, 1024), (1024, 768), (1024, 1366), (1440, 900)]
_INSIDE = """() => {
  const inside = ({ left, top, right, bottom }) =>
    left >= -1 && top >= -1 && right <= innerWidth + 1 && bottom <= innerHeight + 1;
  const peeks = ({ left, top, right, bottom, height }) => // a hand may be cut below its indices
    left >= -1 && right <= innerWidth + 1 && innerHeight - top >= Math.min(height, 40);
  const boxes = (where) => [...document.querySelectorAll(where)].map((each) => each.getBoundingClientRect());
  const played = (box) => inside(box) && box.width >= 40;
  const outside = [['.dv-slot', played], ['.dv-play, .dv-exchange', inside], ['.dv-seat .dv-name', inside],
    ['.dv-hand-card', peeks]].flatMap(([where, holds]) => boxes(where).every(holds) ? [] : [where]);
  if (document.documentElement.scrollWidth > innerWidth) outside.push('page');
  return outside;
}"""
_COLLIDE = """(where) => {
  const boxes = [...document.querySelectorAll(where)].map((each) => each.getBoundingClientRect());
  const near = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 4
    && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 4;
  return boxes.flatMap((a, i) => boxes.slice(i + 1).filter((b) => near(a, b))).length;
}"""
LONG = ["Maximiliana Wintergarten", "Bartholomew the Third", "Christopher Robin", "Konstantinos Pa."] * 2


def test_hand_places_and_buttons_are_in_view(measured: GalleryPage) -> None:
    """Around the oval in every room, without scrolling; with long names and clocks that touch nothing."""
    wrong: list[str] = []
    for seats in (2, 4, 7):
        sight = Played("davenport", "aces", seats).sight(1)
        sight["names"] = LONG[:seats]
        sight["turn"]["deadlines"] = {str(seat): sight["now"] + 63_000 for seat in range(1, seats + 1)}
        measured.clear()
        measured.show(sight)
        measured.page.keyboard.press("2")
        measured.page.locator(".dv-play").wait_for()
        for wide, high in ROOMS:
            measured.resizes(wide, high)
            where = f"{seats} seats, {wide} × {high}"
            wrong += [f"{where}: {each} is not in view" for each in measured.page.evaluate(_INSIDE)]
            if measured.page.evaluate(_COLLIDE, ".dv-slot, .dv-seat .dv-name, .dv-seat .dv-doing"):
                wrong.append(f"{where}: parts touch each other")
    assert wrong == []


def test_lifted_neighbours_do_not_cover_each_other(measured: GalleryPage) -> None:
    """All seven lifted at once: more than can win beside each other."""
    played = Played("davenport", "davenport", 7)
    played.go_on()
    sight = played.sight(1, revealing=True)
    turned = next(each for each in sight["lastReveal"]["events"] if each["kind"] == "reveal")
    turned["facts"]["winners"] = list(range(1, 8))
    measured.show(sight)
    measured.page.locator('.dv[data-stage="result"]').wait_for()
    assert measured.page.locator('.dv-place[data-won="true"]').count() == 7

    covered = []
    for wide, high in ROOMS:
        measured.resizes(wide, high)
        if measured.page.evaluate(_COLLIDE, ".dv-slot, .dv-pile-cards"):
            covered.append(f"{wide} × {high}")
    assert covered == []
