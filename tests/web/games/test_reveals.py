"""Reveals: their course, how they are skipped, what they say, and the light of a playoff."""

from __future__ import annotations

import pytest

from tests.web.games.sights import Played
from tests.web.games.studio import Studio


def slave_wins() -> Played:
    """Seat 1 beats the Emperor with the Slave in the first play."""
    played = Played("ecard", "classic(first=2)", 2)
    played.decide("S", "E")
    return played


def playoff() -> Played:
    """A game in which two or more have just gone out together."""
    for number in range(400):
        played = Played("davenport", "davenport", 4, seed=f"playoff {number}")
        while played.match.outcome is None and played.match.view(0).phase == "main":
            played.go_on()
        if played.match.outcome is None:
            return played
    raise AssertionError("no playoff in 400 games")


@pytest.mark.parametrize("motion", ["full", "less"])
def test_a_reveal_comes_to_its_end_by_itself(motion: str, studio: Studio) -> None:
    played = Played("ecard", "classic", 2)
    played.decide("C", "C")
    studio.show(played.sight(1, revealing=True), motion=motion)
    assert studio.cards() <= {"E", "C"}
    studio.page.locator('.ec[data-stage="told"]').wait_for()
    assert studio.page.locator('.ec-place[data-state="turned"]').count() == 2
    studio.page.locator('.ec[data-stage="rest"]').wait_for()
    assert len(studio.acts("revealed")) == 1


def test_while_it_is_held_nothing_is_turned(own_studio: Studio) -> None:
    played = Played("ecard", "classic(first=2)", 2)
    for _ in range(2):
        played.decide("C", "C")
    played.decide("C", "E")
    sight = played.sight(1, revealing=True)
    own_studio.page.clock.install()
    own_studio.show(sight, motion="full")
    assert own_studio.page.locator('.ec[data-stage="hold"]').count() == 1
    assert "E" not in own_studio.cards()
    own_studio.page.clock.run_for(520)
    assert "E" in own_studio.cards()


def test_a_tap_skips_to_the_end_of_a_reveal(studio: Studio) -> None:
    studio.show(slave_wins().sight(1, revealing=True), motion="full")
    studio.page.mouse.click(700, 300)
    studio.page.get_by_role("heading", name="The Slave beats the Emperor").wait_for()
    assert studio.acts("revealed") == []


def test_the_slaves_win_says_what_it_paid_and_why(studio: Studio) -> None:
    studio.show(slave_wins().sight(1, revealing=True))
    studio.page.locator(".ec-scene").wait_for()
    said = studio.page.locator(".ec-scene").inner_text()
    for part in ("+5", "pays five times", "It’s now 5–0"):
        assert part in said
    studio.page.keyboard.press("w")
    ((rules, sentence),) = studio.acts("why")
    assert {"E1", "E3", "E10"} <= set(rules)
    assert "Slave" in sentence
    studio.page.keyboard.press("Enter")
    studio.page.locator('.ec[data-stage="rest"]').wait_for()
    assert len(studio.acts("revealed")) == 1


def test_the_loser_of_a_round_reads_it_from_the_other_side(studio: Studio) -> None:
    studio.show(slave_wins().sight(2, revealing=True))
    studio.page.locator(".ec-scene").wait_for()
    assert "Round 1 goes to Ann." in studio.page.locator(".ec-scene").inner_text()
    assert ["lose", 1] in studio.acts("sound")


def test_drawn_cards_travel_from_the_stock(studio: Studio) -> None:
    played = Played("davenport", "davenport", 5)
    played.go_on()
    drew = sum(played.match.view(0).history[-1].drew)
    assert drew > 0
    studio.show(played.sight(1, revealing=True), motion="full")
    studio.page.locator(".dv-flights").wait_for(state="attached")
    assert studio.page.locator(".dv-flight").count() == drew
    assert studio.page.locator('.dv-place[data-won="true"]').count() >= 1
    studio.page.locator('.dv[data-stage="rest"]').wait_for()


def test_with_less_motion_nothing_travels(studio: Studio) -> None:
    played = Played("davenport", "davenport", 5)
    played.go_on()
    studio.show(played.sight(1, revealing=True), motion="less")
    studio.page.locator('.dv[data-stage="draw"]').wait_for()
    assert studio.page.locator(".dv-flight").count() == 0


def test_any_key_skips_a_round(studio: Studio) -> None:
    played = Played("davenport", "davenport", 5)
    played.go_on()
    studio.show(played.sight(1, revealing=True), motion="full")
    studio.page.keyboard.press("n")
    studio.page.locator('.dv[data-stage="rest"]').wait_for()
    assert len(studio.acts("revealed")) == 1
    assert studio.page.locator('.dv-place[data-state="shown"]').count() == 5


def test_a_playoff_changes_the_light_and_says_why(studio: Studio) -> None:
    played = playoff()
    studio.show(played.sight(played.match.view(0).seats_in[0]))
    assert studio.page.locator('.dv[data-phase="playoff"]').count() == 1
    said = studio.page.locator(".dv-headline").inner_text()
    assert "A playoff" in said
    assert "together" in said
    studio.page.get_by_role("button", name="Why?").click()
    ((rules, _),) = studio.acts("why")
    assert {"D10", "D16"} <= set(rules)


def test_own_drawn_cards_are_marked(studio: Studio) -> None:
    played = Played("davenport", "davenport", 5)
    while not (drawn := _drawn(played, 1)):
        played.go_on()
    studio.show(played.sight(1))
    fresh = studio.page.locator('[data-fresh="true"]')
    assert {each.get_attribute("data-pick") for each in fresh.all()} == set(drawn)


def _drawn(played: Played, seat: int) -> list[str]:
    reveal = played.reveals[seat]
    events = reveal["events"] if reveal else []
    return [card for event in events if event["kind"] == "drawn" for card in event["facts"]["cards"]]
