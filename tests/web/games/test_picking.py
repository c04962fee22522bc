"""Picking a card: by tap, by drag, by keys; what is called is the pick in the game's own notation."""

from __future__ import annotations

from itertools import count

import pytest
from playwright.sync_api import Locator

from tests.web.games.gallery_page import GalleryPage
from tests.web.games.views import JSON, Played


def classic() -> Played:
    """Seat 1, the Emperor side, is to place."""
    return Played("ecard", "classic", 2)


def five() -> Played:
    """Three seats with five cards each."""
    return Played("davenport", "davenport", 3)


def in_hand(played: Played, seat: int) -> list[str]:
    """The hand from Ace to King, as the page holds it."""
    hand: list[str] = [str(card) for card in played.match.view(seat).hand]
    return sorted(hand, key=lambda card: ("A23456789TJQK".index(card[0]), card[1]))


def middle(found: Locator) -> tuple[float, float]:
    box = found.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + min(box["height"] / 2, 60)


def hold(gallery_page: GalleryPage, card: Locator, over: Locator) -> None:
    """Take a card, and hold it over a place."""
    mouse = gallery_page.page.mouse
    mouse.move(*middle(card))
    mouse.down()
    mouse.move(*middle(over), steps=6)


def drag(gallery_page: GalleryPage, card: Locator, onto: Locator) -> None:
    """Take a card to a place, and let it go there."""
    hold(gallery_page, card, onto)
    gallery_page.page.mouse.up()
    assert gallery_page.page.locator("[data-under], [data-dragging]").count() == 0


# --- E-Card ----------------------------------------------------------------------------------------------


KEYS: dict[str, tuple[JSON, str, list[str]]] = {
    "a number raises, and nothing is sealed yet": (classic().sight(1), "3", []),
    "a number raises, and Enter seals": (classic().sight(1), "1 Enter", ["C"]),
    "the card in the middle": (classic().sight(1), "3 Enter", ["E"]),
    "the last card": (classic().sight(1), "5 Enter", ["C"]),
    "arrows go around": (classic().sight(1), "ArrowRight ArrowLeft ArrowLeft ArrowLeft Enter", ["E"]),
    "Escape lets a card go": (classic().sight(1), "3 Escape Enter", []),
    "not one's turn": (classic().sight(2), "1 ArrowRight Enter", []),
    "a card that is not legal": (classic().sight(1) | {"legal": ["C"]}, "3 Enter", []),
    "a stake within the legal ones": (
        Played("ecard", "purse(first=1)", 2).sight(2),
        "ArrowUp " * 12 + "ArrowDown Enter",
        ["9"],
    ),
    "a stake needs a second Enter": (Played("ecard", "purse(first=1)", 2).sight(2), "Enter", []),
    "the second Enter": (Played("ecard", "purse(first=1)", 2).sight(2), "Enter Enter", ["1"]),
    "exchanged by x, played by Enter": (
        five().sight(1),
        "2 x 4 Enter",
        [f"x{in_hand(five(), 1)[1]}", in_hand(five(), 1)[3]],
    ),
    "no exchange where there is none": (
        Played("davenport", "davenport(exchange=off)", 3).sight(1),
        "1 x",
        [],
    ),
}
"""What is seen, which keys are pressed, and what is sealed."""


@pytest.mark.parametrize("case", KEYS)
def test_keys_seal(case: str, gallery_page: GalleryPage) -> None:
    sight, keys, sealed = KEYS[case]
    gallery_page.show(sight)
    for key in keys.split():
        gallery_page.page.keyboard.press(key)
    assert [pick for (pick,) in gallery_page.acts("pick")] == sealed


def test_a_tap_raises_and_a_second_one_seals(gallery_page: GalleryPage) -> None:
    gallery_page.show(classic().sight(1))
    emperor = gallery_page.page.locator('.ec-hand-card[data-pick="E"]')
    emperor.click(position={"x": 40, "y": 20})
    assert gallery_page.acts("pick") == []
    assert emperor.get_attribute("aria-pressed") == "true"
    emperor.click(position={"x": 40, "y": 20})
    assert gallery_page.acts("pick") == [["E"]]


@pytest.mark.parametrize(("key", "pick"), [("3", "E"), ("1", "C")])
def test_no_other_card_takes_the_place_of_the_one_that_is_sealed(
    key: str, pick: str, gallery_page: GalleryPage
) -> None:
    played = classic()
    gallery_page.show(played.sight(1))
    page = gallery_page.page
    page.keyboard.press(key)
    cards = page.locator(".ec-hand-card")
    cards.evaluate_all("all => all.forEach((each, place) => { each.was = `${each.dataset.pick}${place}`; })")
    played.seal(1, pick)
    gallery_page.show(played.sight(1))

    left = [f"{card}{place}" for place, card in enumerate("CCECC") if place != int(key) - 1]
    assert cards.evaluate_all("all => all.map((each) => each.was)") == left
    assert page.locator("[data-raised=true], [data-up=true]").count() == 0
    assert page.evaluate("document.activeElement.matches('.ec-hand-card')"), "the focus is lost"


def test_the_button_says_what_it_seals(gallery_page: GalleryPage) -> None:
    gallery_page.show(classic().sight(1))
    gallery_page.page.keyboard.press("3")
    gallery_page.page.get_by_role("button", name="Seal the Emperor").click()
    assert gallery_page.acts("pick") == [["E"]]


@pytest.mark.parametrize(("onto", "sealed"), [('[data-who="you"]', [["E"]]), (".ec-ledger", [])])
def test_a_dragged_card_is_sealed_on_the_table_only(
    onto: str, sealed: list[list[str]], gallery_page: GalleryPage
) -> None:
    gallery_page.show(classic().sight(1))
    card = gallery_page.page.locator('.ec-hand-card[data-pick="E"]')
    drag(gallery_page, card, gallery_page.page.locator(onto))
    assert gallery_page.acts("pick") == sealed


def test_a_refusal_is_shown_and_the_card_comes_back(gallery_page: GalleryPage) -> None:
    gallery_page.show(classic().sight(1), refuse="the clock ran out")
    gallery_page.page.keyboard.press("1")
    gallery_page.page.keyboard.press("Enter")
    gallery_page.page.get_by_role("alert").wait_for()
    assert gallery_page.page.get_by_role("alert").inner_text() == "the clock ran out"
    assert gallery_page.page.locator(".ec-hand-card").count() == 5


def test_keys_are_silent_while_a_dialog_is_open(gallery_page: GalleryPage) -> None:
    gallery_page.show(classic().sight(1))
    gallery_page.page.evaluate(
        "() => { const d = document.createElement('dialog'); document.body.append(d); d.showModal(); }"
    )
    gallery_page.page.keyboard.press("1")
    gallery_page.page.keyboard.press("Enter")
    assert gallery_page.acts("pick") == []
    gallery_page.page.evaluate("() => document.querySelector('dialog').remove()")


def test_a_stake_can_be_named_by_button(gallery_page: GalleryPage) -> None:
    gallery_page.show(Played("ecard", "purse(first=1)", 2).sight(2))
    for _ in range(3):
        gallery_page.page.get_by_role("button", name="One more").click()
    gallery_page.page.get_by_role("button", name="One less").click()
    gallery_page.page.get_by_role("button", name="Set the stake to 3").click()
    assert gallery_page.acts("pick") == [["3"]]


# --- Davenport -------------------------------------------------------------------------------------------


def test_a_card_dragged_onto_the_discards_is_exchanged(gallery_page: GalleryPage) -> None:
    played = five()
    card = in_hand(played, 1)[0]
    gallery_page.show(played.sight(1))
    found = gallery_page.page.locator(f'.dv-hand-card[data-pick="{card}"]')
    drag(gallery_page, found, gallery_page.page.locator('[data-pile="discards"] .dv-pile-cards'))
    drag(gallery_page, found, gallery_page.page.locator(".dv-mine .dv-slot"))
    assert gallery_page.acts("pick") == [[f"x{card}"], [card]]


def test_the_discards_are_marked_while_a_card_hangs_over_them(gallery_page: GalleryPage) -> None:
    played = five()
    gallery_page.show(played.sight(1))
    card = gallery_page.page.locator(f'.dv-hand-card[data-pick="{in_hand(played, 1)[0]}"]')
    discards = gallery_page.page.locator('[data-pile="discards"] .dv-pile-cards')
    hold(gallery_page, card, discards)
    assert outline(discards) == "solid"
    gallery_page.page.mouse.move(*middle(gallery_page.page.locator(".dv-mine .dv-slot")))
    assert outline(discards) == "none"
    gallery_page.page.mouse.move(*middle(discards))
    gallery_page.show(played.sight(2))  # the card goes away under the hand
    assert outline(discards) == "none"
    gallery_page.page.mouse.up()


def outline(found: Locator) -> str:
    """The line around something."""
    return str(found.evaluate("(each) => getComputedStyle(each).outlineStyle"))


def test_exchanging_has_a_button_only_where_it_is_legal(gallery_page: GalleryPage) -> None:
    gallery_page.show(five().sight(1))
    gallery_page.page.keyboard.press("1")
    assert gallery_page.page.get_by_role("button", name="Exchange it").count() == 1
    gallery_page.clear()
    gallery_page.show(Played("davenport", "davenport(exchange=off)", 3).sight(1))
    gallery_page.page.keyboard.press("1")
    assert gallery_page.page.get_by_role("button", name="Exchange it").count() == 0


def test_a_sealed_exchange_is_known_to_its_seat(gallery_page: GalleryPage) -> None:
    played = five()
    card = in_hand(played, 1)[0]
    played.seal(1, f"x{card}")
    gallery_page.show(played.sight(1))
    assert "You exchange" in gallery_page.page.locator(".dv-mine").inner_text()
    assert gallery_page.page.locator(".dv-hand-card").count() == 4


def test_a_result_stays_until_the_player_goes_on(stopped: GalleryPage) -> None:
    """Machines that seal at once clear nothing; the last round can be looked at again at any time."""
    played = five()
    played.go_on()
    shown = stopped.page.locator('.dv-place[data-state="shown"]')
    stopped.show(played.sight(1, revealing=True), motion="full")
    stopped.page.mouse.click(700, 300)
    stopped.page.locator('.dv[data-stage="result"]').wait_for()
    title = stopped.page.locator(".dv-headline h2").inner_text()
    for seat in (2, 3):
        played.seal(seat, played.match.legal(seat)[0])
    stopped.show(played.sight(1, revealing=True), motion="full")

    assert shown.count() == 3
    assert stopped.acts("revealed") == []
    stopped.page.get_by_role("button", name="On to round 2").click()
    stopped.page.locator('.dv[data-stage="rest"]').wait_for()
    assert len(stopped.acts_after("revealed")) == 1
    assert stopped.page.locator('.dv-place[data-state="sealed"]').count() == 2

    stopped.page.get_by_role("button", name="Last round").click()
    assert (shown.count(), stopped.page.locator(".dv-headline h2").inner_text()) == (3, title)
    stopped.page.locator(".dv-hand-card").first.click(position={"x": 20, "y": 20})
    assert shown.count() == 0
    assert stopped.page.locator('.dv-hand-card[data-raised="true"]').count() == 1


def test_rounds_can_be_paged_back_to_the_first(gallery_page: GalleryPage) -> None:
    played = five()
    shown = []
    for _ in range(3):
        played.go_on()
        shown.append({card for card in played.match.view(0).history[-1].shown if card})
    gallery_page.show(played.sight(1))
    on_table = ".dv-place [data-card]:not([data-card=sealed]):not([data-card=back])"
    faces = "all => all.map(each => each.dataset.card)"

    def lying() -> set[str]:
        return set(gallery_page.page.locator(on_table).evaluate_all(faces))

    gallery_page.page.get_by_role("button", name="Last round").click()
    seen = [lying()]
    for _ in range(2):
        gallery_page.page.get_by_role("button", name="The round before").click()
        seen.append(lying())
    assert seen == shown[::-1]
    assert gallery_page.page.get_by_role("button", name="The round before").is_disabled()
    gallery_page.page.keyboard.press("ArrowRight")
    gallery_page.page.get_by_role("button", name="Back to the table").click()
    assert lying() == set()


def test_raising_the_next_card_goes_on_from_a_result(gallery_page: GalleryPage) -> None:
    played = five()
    played.go_on()
    gallery_page.show(played.sight(1, revealing=True))
    gallery_page.page.locator('.dv[data-stage="result"]').wait_for()
    gallery_page.page.locator(".dv-hand-card").first.click(position={"x": 20, "y": 20})
    gallery_page.page.locator('.dv-hand-card[data-raised="true"]').wait_for()

    assert len(gallery_page.acts_after("revealed")) == 1
    assert gallery_page.acts("pick") == []


def test_a_raised_card_says_what_it_may_win_or_cost(gallery_page: GalleryPage) -> None:
    said: dict[str, str] = {}
    for number in count():
        played = Played("davenport", "aces", 3, seed=f"hint {number}")
        hand = in_hand(played, 1)
        if {"A", "J", "9"} <= {card[0] for card in hand}:
            break
    gallery_page.show(played.sight(1))
    for place, card in enumerate(hand, 1):
        gallery_page.page.keyboard.press(str(place))
        said[card[0]] = gallery_page.page.locator(".dv-headline p").inner_text()

    assert "beats J, Q and K" in said["A"]
    assert "Ace" in said["J"]
    assert "draw one" in said["9"]


def test_hurrying_a_round_by_enter_seals_nothing(gallery_page: GalleryPage) -> None:
    played = five()
    played.go_on()
    gallery_page.show(played.sight(1, revealing=True), motion="full")
    for _ in range(6):
        gallery_page.page.keyboard.press("Enter")
    gallery_page.page.locator('.dv[data-stage="result"], .dv[data-stage="rest"]').wait_for()

    assert gallery_page.acts("pick") == []
    assert gallery_page.page.locator('[data-raised="true"]').count() == 0


def test_those_who_pass_one_device_around_go_on_by_hand(gallery_page: GalleryPage) -> None:
    played = five()
    played.go_on()
    gallery_page.show(played.sight(0, revealing=True) | {"shared": True})
    gallery_page.page.locator('.dv[data-stage="result"]').wait_for()

    assert gallery_page.cards() == {card for card in played.match.view(0).history[-1].shown if card}
    gallery_page.page.get_by_role("button", name="On to round 2").click()
    assert len(gallery_page.acts_after("revealed")) == 1
