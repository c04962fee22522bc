"""E-Card's table: whose card and number it is, what stays until the player acts, room at every size."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, expect

from tests.web.games.gallery_page import GalleryPage
from tests.web.games.views import JSON, Played

SIZES = [
    (360, 640),
    (360, 780),
    (740, 360),
    (720, 450),
    (768, 1024),
    (1024, 768),
    (1024, 1366),
    (1280, 800),
    (1440, 900),
]


def after(*picks: str, rules: str = "classic(first=1)") -> Played:
    """A game in which both have shown these cards, seat 1 first in each word."""
    played = Played("ecard", rules, 2)
    for both in picks:
        played.decide(*both)
    return played


def box(found: Locator) -> dict[str, float]:
    """Where something lies, as its four edges."""
    at = found.first.bounding_box()
    assert at is not None, found
    return {
        "left": at["x"],
        "top": at["y"],
        "right": at["x"] + at["width"],
        "bottom": at["y"] + at["height"],
    }


def apart(one: dict[str, float], other: dict[str, float]) -> bool:
    """Whether two boxes share nothing but an edge, to half a pixel."""
    beside = one["right"] <= other["left"] + 0.5 or other["right"] <= one["left"] + 0.5
    above = one["bottom"] <= other["top"] + 0.5 or other["bottom"] <= one["top"] + 0.5
    return beside or above


# --- whose is it? ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("wide", "high"), [(360, 640), (740, 360), (1440, 900)])
def test_cards_and_number_stay_on_their_owners_side(wide: int, high: int, measured: GalleryPage) -> None:
    """Theirs left, yours right, for either winner; the number beside the winner's card."""
    measured.dress(wide=wide, high=high)
    page = measured.page
    fills = set()
    for seat, outcome, said in ((1, "lost", "Ines’s Slave beats your Emperor"), (2, "won", "Your Slave")):
        measured.clear()
        measured.show(after("ES").sight(seat, revealing=True))
        page.locator(f'.ec-scene[data-outcome="{outcome}"]').wait_for()
        theirs, yours = (box(page.locator(f'.ec-scene-card[data-who="{who}"]')) for who in ("other", "you"))
        assert theirs["left"] < yours["left"]
        assert theirs["right"] < yours["right"]
        winner, beaten = (theirs, yours) if outcome == "lost" else (yours, theirs)
        assert winner["top"] < beaten["top"], "the winner is lifted"
        number = box(page.locator(".ec-plate"))
        assert (number["left"] < theirs["left"]) == (outcome == "lost")
        assert (number["right"] > yours["right"]) == (outcome == "won")
        plate = page.locator(".ec-plate").inner_text().split()
        assert plate == ["Ines" if outcome == "lost" else "You", "+5"]
        assert said in page.locator(".ec-scene h2").inner_text()
        fills.add(page.locator(".ec-plate").evaluate("(plate) => getComputedStyle(plate).backgroundColor"))
        assert ["plus5", 0 if outcome == "lost" else 1] in measured.acts_after("sound", "plus5")
    assert len(fills) == 2, "the fill says whose it is"


def test_labels_belong_to_the_round_that_is_shown(stopped: GalleryPage) -> None:
    """After the third round the sides swap: not before the player goes on, and then in plain sight."""
    page = stopped.page
    stopped.show(after("EC", "EC", "EC").sight(1, revealing=True))
    page.clock.run_for(1000)
    expect(page.locator(".ec-scene")).to_be_attached()
    assert "Emperor side" in page.locator('.ec-seat[data-where="below"]').inner_text()
    assert page.locator('.ec-seat[data-where="below"] .ec-score-number').inner_text() == "3"
    page.locator(".ec-scene-go .ec-seal").click()
    expect(page.locator(".ec-swap")).to_contain_text("You hold the Slave")
    assert "Slave side" in page.locator('.ec-seat[data-where="below"]').inner_text()
    page.clock.run_for(1000)
    assert page.locator(".ec-swap").count() == 1
    page.clock.run_for(2000)
    expect(page.locator(".ec-swap")).to_have_count(0)
    page.keyboard.press("b")
    expect(page.locator('.ec-seat[data-where="below"]')).to_contain_text("Emperor side")


# --- a result stays until the player acts -----------------------------------------------------------------


def drawn() -> tuple[JSON, JSON]:
    """A drawn play as seat 2 sees it, who may place; and the same when the other has sealed behind it."""
    played = after("CC", rules="classic(first=1,placing=together)")
    first = played.sight(2, revealing=True)
    played.seal(1, "C")
    return first, {**played.sight(2, revealing=True), "mayPick": False}


def test_a_drawn_play_stays_until_the_next_card_is_raised(gallery_page: GalleryPage) -> None:
    """The other's next card takes the place of their drawn one; it is never said to be ready and not seen."""
    first, sealed = drawn()
    page = gallery_page.page
    gallery_page.show(first)
    page.locator('.ec[data-stage="result"]').wait_for()
    assert page.locator('.ec-place[data-state="turned"]').count() == 2
    gallery_page.show(sealed)
    page.locator('.ec-place[data-who="other"][data-state="sealed"]').wait_for()
    assert "Ann is ready" in page.locator('.ec-place[data-who="other"]').inner_text()
    assert page.locator('.ec-place[data-who="you"][data-state="turned"]').count() == 1
    page.get_by_role("button", name="Why?").click()
    ((rules, *_),) = gallery_page.acts("why")
    assert "E5" in rules
    assert gallery_page.acts("revealed") == []
    page.locator(".ec-hand-card").first.click(position={"x": 20, "y": 20})
    assert len(gallery_page.acts_after("revealed")) == 1
    page.locator('.ec-hand-card[data-raised="true"]').wait_for()
    assert page.locator('.ec-place[data-who="other"][data-state="sealed"]').count() == 1
    assert gallery_page.acts("pick") == []


def test_people_at_one_device_go_on_from_a_drawn_play_by_a_button(gallery_page: GalleryPage) -> None:
    played = Played("ecard", "classic", 2)
    played.seal(1, "C")
    played.seal(2, "C")
    gallery_page.show(played.sight(0, revealing=True) | {"shared": True})
    gallery_page.page.get_by_role("button", name="On to play 2").click()
    assert len(gallery_page.acts_after("revealed")) == 1


def test_enter_seals_nothing_that_was_not_raised_after_the_reveal(stopped: GalleryPage) -> None:
    """Many presses in a row hurry the reveal and nothing else, whether or not a card has the focus."""
    page = stopped.page
    for focused in (False, True):
        stopped.clear()
        played = after("CC", rules="classic(placing=together)")
        stopped.show(played.sight(1, revealing=True), motion="full")
        if focused:
            page.locator(".ec-hand-card").nth(1).focus()
        for _ in range(8):
            page.keyboard.press("Enter")
        expect(page.locator('.ec[data-stage="rest"]')).to_be_attached()
        assert stopped.acts("pick") == []
        assert page.locator('[data-raised="true"]').count() == 0
        page.keyboard.press("1")
        page.keyboard.press("Enter")
        assert stopped.acts("pick") == [["C"]]


def test_a_stake_that_was_chosen_is_named_at_once(stopped: GalleryPage) -> None:
    """Enter is ignored after a reveal, but not once a number has been chosen."""
    page = stopped.page
    played = Played("ecard", "purse(first=1,group=1)", 2)
    played.seal(2, "3")
    played.decide("E", "C")
    stopped.show(played.sight(1, revealing=True))
    for _ in range(8):
        page.keyboard.press("Enter")
    expect(page.locator(".ec-stake")).to_be_visible()
    assert stopped.acts("pick") == []
    page.keyboard.press("ArrowRight")
    expect(page.locator(".ec-stake output")).to_have_text("2")
    page.keyboard.press("Enter")
    assert stopped.acts("pick") == [["2"]]


def test_the_last_round_can_be_looked_at_again(gallery_page: GalleryPage) -> None:
    """Also a round from before this page was opened: then the page fetches the rules."""
    page = gallery_page.page
    sight = after("EC", "ES").sight(1)
    for known in (True, False):
        gallery_page.clear()
        gallery_page.show(sight if known else sight | {"lastReveal": None})
        page.get_by_role("button", name="Last round").click()
        page.get_by_role("heading", name="Ines’s Slave beats your Emperor").wait_for()
        page.keyboard.press("w")
        ((rules, *_),) = gallery_page.acts_after("why")
        assert ("E10" in rules) == known
        assert (gallery_page.acts("reveals") == []) == known
        page.get_by_role("button", name="Back to round 3").click()
        page.locator(".ec-hand").wait_for()
        assert gallery_page.acts("revealed") == []


def test_a_raised_card_goes_back_by_a_tap_elsewhere(gallery_page: GalleryPage) -> None:
    gallery_page.show(after().sight(1))
    gallery_page.page.keyboard.press("3")
    assert gallery_page.page.locator('[data-raised="true"]').count() == 1
    gallery_page.page.locator(".ec-place-label").first.click()
    assert gallery_page.page.locator('[data-raised="true"]').count() == 0
    assert gallery_page.acts("pick") == []


# --- room -------------------------------------------------------------------------------------------------


def crowded() -> JSON:
    """The twelfth round with a long name, clocks, and two digits for each."""
    played = after(*("EC",) * 3, *("CE",) * 3, *("EC",) * 3, *("CE",) * 2)
    sight = played.sight(played.match.may_seal[0])
    sight["names"] = ["Maximiliana Fontaine"] * 2
    sight["view"]["score"] = [17, 25]
    sight["turn"]["banks"] = {"1": 60_000, "2": 60_000}
    return sight


PARTS = (
    ".ec-seat-name",
    ".ec-seat-side > *",
    ".ec-score",
    ".ec-line-row > *",
    ".ec-place",
    ".ec-seal",
)

VISIBLE = """(parts) => parts.flatMap((part) => [...document.querySelectorAll(part)]
  .filter((each) => each.checkVisibility({ visibilityProperty: true }))
  .map((each) => each.getBoundingClientRect())
  .filter((box) => box.width > 0 && box.height > 0)
  .map(({ left, top, right, bottom }) => [part, { left, top, right, bottom }]))"""
"""Where everything lies that is seen, in one question: asked one by one it takes a second."""
IN_REACH = """() => {
  const seal = document.querySelector(".ec-seal");
  const { left, right, top, bottom } = seal.getBoundingClientRect();
  return seal.contains(document.elementFromPoint((left + right) / 2, (top + bottom) / 2))
    && document.documentElement.scrollWidth <= innerWidth;
}"""
Boxes = list[tuple[str, dict[str, float]]]


def outside(boxes: Boxes, wide: int, high: int) -> list[str]:
    """The parts that are not wholly in view."""
    return [
        part
        for part, at in boxes
        if at["top"] < 0 or at["bottom"] > high + 0.5 or at["left"] < 0 or at["right"] > wide + 0.5
    ]


def test_hand_places_and_button_are_in_view_and_nothing_collides(measured: GalleryPage) -> None:
    page = measured.page
    wrong: list[str] = []
    for name, shown in (("crowded", crowded()), ("third play", after("CC", "CC").sight(1))):
        measured.clear()
        measured.show(shown)
        page.keyboard.press("2")
        page.locator('[data-raised="true"]').wait_for()
        for wide, high in SIZES:
            measured.resizes(wide, high)
            where = f"{name}, {wide} × {high}"
            whole: Boxes = page.evaluate(
                VISIBLE, [".ec-hand", ".ec-places", ".ec-seal", '.ec-seat[data-where="below"]']
            )
            assert len(whole) >= 4, where
            wrong += [
                f"{where}: {part} is below the fold"
                for part, at in whole
                if at["top"] < 0 or at["bottom"] > high + 0.5
            ]
            boxes: Boxes = page.evaluate(VISIBLE, PARTS)
            assert {part for part, _ in boxes} >= {".ec-seat-name", ".ec-score", ".ec-place", ".ec-seal"}
            wrong += [
                f"{where}: {part} lies on {other_part}"
                for number, (part, one) in enumerate(boxes)
                for other_part, other in boxes[number + 1 :]
                if not apart(one, other)
            ]
            if not page.evaluate(IN_REACH):
                wrong.append(f"{where}: the button cannot be pressed, or the page is too wide")
            if len(page.evaluate(VISIBLE, [".ec-prospect, .ec-meets"])) != 1:
                wrong.append(f"{where}: the raised card does not say what it would win or lose")
        page.locator(".ec-seal").click()
        assert len(measured.acts("pick")) == 1
    assert wrong == []


def test_a_stake_can_be_named_at_every_size(measured: GalleryPage) -> None:
    measured.show(Played("ecard", "purse(first=1)", 2).sight(2))
    for wide, high in SIZES:
        measured.resizes(wide, high)
        ((_, at),) = measured.page.evaluate(VISIBLE, [".ec-stake .ec-seal"])
        assert 0 <= at["left"] < at["right"] <= wide, f"{wide} × {high}"
        assert at["bottom"] - at["top"] >= 44, f"{wide} × {high}"


def test_a_finished_round_and_its_buttons_are_in_view(measured: GalleryPage) -> None:
    page = measured.page
    wrong: list[str] = []
    for name, played in (("decided", after("ES")), ("drawn", after("CC", "CC", "CC"))):
        measured.clear()
        measured.show(played.sight(1, revealing=True))
        page.locator(".ec-scene-go button").nth(1).wait_for()
        for wide, high in SIZES:
            measured.resizes(wide, high)
            where = f"{name}, {wide} × {high}"
            words: Boxes = page.evaluate(VISIBLE, [".ec-scene-words", ".ec-scene-go button"])
            assert len(words) == 3, where
            wrong += [f"{where}: {part} is not in view" for part in outside(words, wide, high)]
            cards: Boxes = page.evaluate(VISIBLE, [".ec-scene-card", ".ec-plate"])
            assert len(cards) >= 2, where
            for part, at in cards:
                if at["left"] < 0 or at["right"] > wide:
                    wrong.append(f"{where}: {part} leaves the screen")
                if not apart(at, words[0][1]):
                    wrong.append(f"{where}: {part} lies on the words")
    assert wrong == []


@pytest.mark.parametrize("wide", [1280, 1440])
def test_the_others_fan_leaves_the_bar_free(wide: int, measured: GalleryPage) -> None:
    """The buttons of the bar begin left of the middle of the right half."""
    measured.dress(wide=wide, high=900)
    measured.show(after().sight(1))
    right = max(box(each)["right"] for each in measured.page.locator('[data-where="above"] > .ec-held').all())
    assert right < wide - 48 - 520


def test_all_twelve_rounds_fit_a_narrow_phone(measured: GalleryPage) -> None:
    measured.dress(wide=320, high=640)
    measured.show(after().sight(1))
    assert box(measured.page.locator(".ec-cell").last)["right"] <= 320 - 20


def test_the_mark_around_the_latest_round_is_not_cut(measured: GalleryPage) -> None:
    for wide, high in ((360, 640), (1440, 900)):
        measured.dress(wide=wide, high=high)
        measured.clear()
        measured.show(after("ES").sight(1, revealing=True))
        cell = measured.page.locator('.ec-cell[data-latest="true"]')
        cell.wait_for()
        at, ledger = box(cell), box(measured.page.locator(".ec-ledger"))
        assert at["top"] - 2 >= ledger["top"]
        assert at["left"] - 2 >= ledger["left"]


def test_rounds_can_be_paged_back_with_the_score_they_left(gallery_page: GalleryPage) -> None:
    played = Played("ecard", "classic(first=1)", 2)
    for cards in (("E", "C"), ("C", "S"), ("E", "S")):  # 1 to 0, 2 to 0, 2 to 5
        played.decide(*cards)
    gallery_page.show(played.sight(1))
    said = gallery_page.page.locator(".ec-scene-words")
    gallery_page.page.get_by_role("button", name="Last round").click()
    assert "It’s now 2–5." in said.inner_text()
    for round_, score in ((2, "2–0"), (1, "1–0")):
        gallery_page.page.get_by_role("button", name=f"Round {round_}", exact=True).click()
        assert f"Round {round_} is yours." in said.inner_text()
        assert f"It’s now {score}." in said.inner_text()
    gallery_page.page.keyboard.press("ArrowRight")
    assert "Round 2 is yours." in said.inner_text()
    gallery_page.page.keyboard.press("Escape")
    gallery_page.page.locator(".ec-hand").wait_for()


def test_a_machine_thinks_and_a_person_is_to_play(gallery_page: GalleryPage) -> None:
    sight = Played("ecard", "classic(first=1)", 2).sight(2)
    label = gallery_page.page.locator(".ec-place[data-who=other] .ec-place-label")
    gallery_page.show(sight)
    assert label.inner_text().endswith("to play")
    sight["table"]["seats"] = [{**each, "kind": "machine"} for each in sight["table"]["seats"]]
    gallery_page.clear()
    gallery_page.show(sight)
    assert label.inner_text().endswith("is thinking…")
