"""Picking a card: by tap, by drag, by keys; what is called is the pick in the game's own notation."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator

from tests.web.games.sights import Played
from tests.web.games.studio import Studio


def classic() -> Played:
    """Seat 1, the Emperor side, is to place."""
    return Played("ecard", "classic", 2)


def five() -> Played:
    """Three seats with five cards each."""
    return Played("davenport", "davenport", 3)


def middle(found: Locator) -> tuple[float, float]:
    box = found.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + min(box["height"] / 2, 60)


def drag(studio: Studio, card: Locator, onto: Locator) -> None:
    mouse = studio.page.mouse
    mouse.move(*middle(card))
    mouse.down()
    mouse.move(*middle(onto), steps=6)
    mouse.up()


# --- E-Card ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("key", "pick"), [("1", "C"), ("3", "E"), ("5", "C")])
def test_a_number_raises_and_enter_seals(key: str, pick: str, studio: Studio) -> None:
    studio.show(classic().sight(1))
    studio.page.keyboard.press(key)
    assert studio.acts("pick") == []
    studio.page.keyboard.press("Enter")
    assert studio.acts("pick") == [[pick]]


def test_arrows_go_around(studio: Studio) -> None:
    studio.show(classic().sight(1))
    raised = studio.page.locator('[data-raised="true"]')
    studio.page.keyboard.press("ArrowRight")
    assert raised.count() == 1
    studio.page.keyboard.press("ArrowLeft")
    studio.page.keyboard.press("ArrowLeft")
    studio.page.keyboard.press("ArrowLeft")
    assert raised.get_attribute("data-pick") == "E"
    studio.page.keyboard.press("Escape")
    assert raised.count() == 0


def test_a_tap_raises_and_a_second_one_seals(studio: Studio) -> None:
    studio.show(classic().sight(1))
    emperor = studio.page.locator('.ec-hand-card[data-pick="E"]')
    emperor.click(position={"x": 40, "y": 20})
    assert studio.acts("pick") == []
    assert emperor.get_attribute("aria-pressed") == "true"
    emperor.click(position={"x": 40, "y": 20})
    assert studio.acts("pick") == [["E"]]


def test_the_button_says_what_it_seals(studio: Studio) -> None:
    studio.show(classic().sight(1))
    studio.page.keyboard.press("3")
    studio.page.get_by_role("button", name="Seal the Emperor").click()
    assert studio.acts("pick") == [["E"]]


def test_a_card_dragged_onto_the_table_is_sealed(studio: Studio) -> None:
    studio.show(classic().sight(1))
    drag(studio, studio.page.locator('.ec-hand-card[data-pick="E"]'), studio.page.locator('[data-who="you"]'))
    assert studio.acts("pick") == [["E"]]


def test_a_card_dropped_elsewhere_goes_back(studio: Studio) -> None:
    studio.show(classic().sight(1))
    drag(studio, studio.page.locator('.ec-hand-card[data-pick="E"]'), studio.page.locator(".ec-ledger"))
    assert studio.acts("pick") == []
    assert studio.page.locator("[data-dragging]").count() == 0


def test_nothing_can_be_picked_out_of_turn(studio: Studio) -> None:
    studio.show(classic().sight(2))
    for key in ("1", "ArrowRight", "Enter"):
        studio.page.keyboard.press(key)
    studio.page.locator(".ec-hand-card").first.click(position={"x": 20, "y": 20}, force=True)
    assert studio.acts("pick") == []


def test_only_legal_cards_can_be_raised_by_hand(studio: Studio) -> None:
    studio.show(classic().sight(1) | {"legal": ["C"]})
    studio.page.keyboard.press("3")
    studio.page.keyboard.press("Enter")
    assert studio.acts("pick") == []


def test_a_refusal_is_told_and_the_card_comes_back(studio: Studio) -> None:
    studio.show(classic().sight(1), refuse="the clock ran out")
    studio.page.keyboard.press("1")
    studio.page.keyboard.press("Enter")
    studio.page.get_by_role("alert").wait_for()
    assert studio.page.get_by_role("alert").inner_text() == "the clock ran out"
    assert studio.page.locator(".ec-hand-card").count() == 5


def test_keys_are_silent_while_a_dialog_is_open(own_studio: Studio) -> None:
    own_studio.show(classic().sight(1))
    own_studio.page.evaluate(
        "() => { const d = document.createElement('dialog'); document.body.append(d); d.showModal(); }"
    )
    own_studio.page.keyboard.press("1")
    own_studio.page.keyboard.press("Enter")
    assert own_studio.acts("pick") == []


def test_a_stake_is_a_number_within_the_legal_ones(studio: Studio) -> None:
    played = Played("ecard", "purse(first=1)", 2)
    studio.show(played.sight(2))
    for _ in range(12):
        studio.page.keyboard.press("ArrowUp")
    studio.page.keyboard.press("ArrowDown")
    studio.page.keyboard.press("Enter")
    assert studio.acts("pick") == [["9"]]


def test_a_stake_can_be_named_by_button(studio: Studio) -> None:
    studio.show(Played("ecard", "purse(first=1)", 2).sight(2))
    for _ in range(3):
        studio.page.get_by_role("button", name="One more").click()
    studio.page.get_by_role("button", name="One less").click()
    studio.page.get_by_role("button", name="Set the stake to 3").click()
    assert studio.acts("pick") == [["3"]]


# --- Davenport -------------------------------------------------------------------------------------------


def in_hand(played: Played, seat: int) -> list[str]:
    """The hand from Ace to King, as the page holds it."""
    hand: list[str] = [str(card) for card in played.match.view(seat).hand]
    return sorted(hand, key=lambda card: ("A23456789TJQK".index(card[0]), card[1]))


def test_enter_plays_and_x_exchanges(studio: Studio) -> None:
    played = five()
    hand = in_hand(played, 1)
    studio.show(played.sight(1))
    studio.page.keyboard.press("2")
    studio.page.keyboard.press("x")
    studio.page.keyboard.press("4")
    studio.page.keyboard.press("Enter")
    assert studio.acts("pick") == [[f"x{hand[1]}"], [hand[3]]]


def test_a_card_dragged_onto_the_discards_is_exchanged(studio: Studio) -> None:
    played = five()
    card = in_hand(played, 1)[0]
    studio.show(played.sight(1))
    found = studio.page.locator(f'.dv-hand-card[data-pick="{card}"]')
    drag(studio, found, studio.page.locator('[data-pile="discards"] .dv-pile-cards'))
    drag(studio, found, studio.page.locator(".dv-mine .dv-slot"))
    assert studio.acts("pick") == [[f"x{card}"], [card]]


def test_exchanging_has_a_button_only_where_it_is_legal(studio: Studio) -> None:
    studio.show(five().sight(1))
    studio.page.keyboard.press("1")
    assert studio.page.get_by_role("button", name="Exchange it").count() == 1
    studio.clear()
    studio.show(Played("davenport", "davenport(exchange=off)", 3).sight(1))
    studio.page.keyboard.press("1")
    assert studio.page.get_by_role("button", name="Exchange it").count() == 0
    studio.page.keyboard.press("x")
    assert studio.acts("pick") == []


def test_a_sealed_exchange_is_known_to_its_seat(studio: Studio) -> None:
    played = five()
    card = in_hand(played, 1)[0]
    played.seal(1, f"x{card}")
    studio.show(played.sight(1))
    assert "You exchange" in studio.page.locator(".dv-mine").inner_text()
    assert studio.page.locator(".dv-hand-card").count() == 4


def test_shown_cards_stay_until_the_next_seal(studio: Studio) -> None:
    played = five()
    played.go_on()
    studio.show(played.sight(1))
    assert studio.page.locator('.dv-place[data-state="shown"]').count() == 3
    played.seal(2, played.match.legal(2)[0])
    studio.show(played.sight(1))
    assert studio.page.locator('.dv-place[data-state="shown"]').count() == 0
    assert studio.page.locator('.dv-place[data-state="sealed"]').count() == 1
