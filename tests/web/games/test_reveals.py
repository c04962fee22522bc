"""Reveals: their course, how they are skipped, what they say, and the light of a playoff."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.web.games.gallery_page import GalleryPage
from tests.web.games.views import Played


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
def test_a_reveal_comes_to_its_result_by_itself_which_stays(motion: str, gallery_page: GalleryPage) -> None:
    played = Played("ecard", "classic", 2)
    played.decide("C", "C")
    gallery_page.show(played.sight(1, revealing=True), motion=motion)
    assert gallery_page.cards() <= {"E", "C"}
    gallery_page.page.locator('.ec[data-stage="result"]').wait_for()
    assert gallery_page.page.locator('.ec-place[data-state="turned"]').count() == 2
    assert len(gallery_page.acts_after("settled")) == 1
    assert gallery_page.acts("revealed") == []
    gallery_page.page.keyboard.press("Escape")
    gallery_page.page.locator('.ec[data-stage="rest"]').wait_for()
    assert len(gallery_page.acts_after("revealed")) == 1


def test_a_spectators_page_goes_on_by_itself(gallery_page: GalleryPage) -> None:
    gallery_page.show(slave_wins().sight(0, revealing=True))
    gallery_page.page.get_by_role("heading", name="Ann’s Slave beats Ines’s Emperor").wait_for()
    gallery_page.page.locator('.ec[data-stage="rest"]').wait_for()
    assert len(gallery_page.acts_after("revealed")) == 1


def test_while_it_is_held_nothing_is_turned(stopped: GalleryPage) -> None:
    played = Played("ecard", "classic(first=2)", 2)
    for _ in range(2):
        played.decide("C", "C")
    played.decide("C", "E")
    sight = played.sight(1, revealing=True)
    stopped.show(sight, motion="full")
    assert stopped.page.locator('.ec[data-stage="hold"]').count() == 1
    assert "E" not in stopped.cards()
    stopped.page.clock.run_for(520)
    assert stopped.page.locator('.ec[data-stage="lift"]').count() == 1
    assert "E" not in stopped.cards()
    stopped.page.clock.run_for(300)
    assert "E" in stopped.cards()


# --- a card keeps its element ------------------------------------------------------------------------------

FRAME = 20
"""More than a frame takes, in ms: cards start to fly with the first one after a change."""
_MARK_RAISED = """() => {
  const card = document.querySelector('.ec-hand-card[data-raised="true"] .carried');
  card.mark = 'the very one';
  card.animate = (...way) => {
    card.flew = true;
    return Element.prototype.animate.apply(card, way);
  };
}"""
_RAISED_IN = """(where) => document.querySelector(`${where} .carried`)?.mark ?? null"""


def test_a_card_is_one_element_from_the_hand_to_the_result(stopped: GalleryPage) -> None:
    played = Played("ecard", "classic(first=1,placing=together)", 2)
    page = stopped.page
    stopped.show(played.sight(1), motion="full")
    page.keyboard.press("3")
    page.clock.run_for(FRAME)
    page.evaluate(_MARK_RAISED)
    played.seal(1, "E")
    stopped.show(played.sight(1), motion="full")
    assert page.evaluate(_RAISED_IN, '.ec-place[data-who="you"]') == "the very one"
    assert page.locator("[data-raised=true], [data-up=true]").count() == 0, "no neighbour stands up"
    page.clock.run_for(FRAME)
    assert page.evaluate("document.querySelector('.ec-place .carried').flew"), "it flies"

    played.seal(2, "C")
    stopped.show(played.sight(1, revealing=True), motion="full")
    other = page.locator('.ec-place[data-who="other"]')
    other.locator(".carried").evaluate("(card) => { card.mark = 'the other one'; }")
    assert other.locator('[data-side="face"]').count() == 0, "its face is nowhere in the page"
    for _ in range(40):
        page.clock.run_for(50)
    assert page.evaluate(_RAISED_IN, '.ec-scene-card[data-who="you"]') == "the very one"
    assert page.evaluate(_RAISED_IN, '.ec-scene-card[data-who="other"]') == "the other one"


def test_a_tap_ends_the_flights_and_a_second_one_does_what_it_says(stopped: GalleryPage) -> None:
    played = Played("ecard", "classic(first=1,placing=together)", 2)
    played.decide("E", "S")
    stopped.show(played.sight(1, revealing=True), motion="full")
    page = stopped.page
    for _ in range(60):  # until the seal bursts
        page.clock.run_for(20)
        if page.locator('.ec[data-stage="settle"]').count():
            break
    assert page.locator(".ec-burst").count() == 1
    assert not page.locator(".ec-scene-go .ec-seal").is_visible()
    page.mouse.click(700, 300)
    page.locator('.ec[data-stage="result"]').wait_for()
    assert page.locator(".ec-burst").count() == 0
    assert page.evaluate("document.querySelectorAll('.ec-scene-card .carried').length") == 2
    flights = "[...document.querySelectorAll('.carried')].flatMap((card) => card.getAnimations()).length"
    assert page.evaluate(flights) == 0
    assert page.locator('.ec-seat[data-where="above"] .ec-score-number').inner_text() == "5"
    assert stopped.acts("revealed") == []
    page.locator(".ec-scene-go .ec-seal").click()
    assert len(stopped.acts_after("revealed")) == 1


def test_with_less_motion_no_card_flies(gallery_page: GalleryPage) -> None:
    played = Played("ecard", "classic(first=1,placing=together)", 2)
    page = gallery_page.page
    gallery_page.show(played.sight(1), motion="less")
    page.keyboard.press("3")
    page.evaluate(_MARK_RAISED)
    page.evaluate(
        "() => { globalThis.flown = 0; const { animate } = Element.prototype;"
        " Element.prototype.animate = function (...given) { flown++; return animate.apply(this, given); }; }"
    )
    played.seal(1, "E")
    gallery_page.show(played.sight(1), motion="less")
    played.seal(2, "S")
    gallery_page.show(played.sight(1, revealing=True), motion="less")
    page.locator('.ec[data-stage="result"]').wait_for()
    assert page.evaluate(_RAISED_IN, '.ec-scene-card[data-who="you"]') == "the very one"
    page.keyboard.press("Enter")
    page.locator('.ec[data-stage="rest"]').wait_for()
    assert page.evaluate("flown") == 0
    assert page.locator(".ec-burst, .departing .carried").count() == 0


def test_played_cards_leave_the_table_by_a_path(stopped: GalleryPage) -> None:
    played = Played("ecard", "classic(first=1,placing=together)", 2)
    played.decide("E", "C")
    page = stopped.page
    stopped.show(played.sight(1, revealing=True), motion="full")
    page.mouse.click(700, 300)
    page.locator('.ec[data-stage="result"]').wait_for()
    page.locator(".ec-scene-go .ec-seal").click()
    page.locator('.ec[data-stage="rest"]').wait_for()
    page.clock.run_for(FRAME)
    leaving = page.locator(".departing .carried")
    assert leaving.count() == 2
    page.evaluate(
        "document.querySelectorAll('.departing .carried').forEach((card) => card.getAnimations()[0].finish())"
    )
    expect(leaving).to_have_count(0)
    assert page.locator(".ec-hand .carried").count() == 5


def test_the_slaves_win_says_what_it_paid_and_why(gallery_page: GalleryPage) -> None:
    gallery_page.show(slave_wins().sight(1, revealing=True))
    gallery_page.page.locator(".ec-scene").wait_for()
    said = gallery_page.page.locator(".ec-scene").inner_text()
    for part in ("+5", "a Slave win pays five", "It’s now 5–0"):
        assert part in said
    gallery_page.page.keyboard.press("l")  # the shell's own key: no result goes by it
    gallery_page.page.keyboard.press("w")
    ((rules, sentence, events),) = gallery_page.acts("why")
    assert gallery_page.acts("revealed") == []
    assert {"E1", "E3", "E10"} <= set(rules)
    assert "Slave" in sentence
    assert "reveal" in [each["kind"] for each in events]
    gallery_page.page.keyboard.press("Enter")
    gallery_page.page.locator('.ec[data-stage="rest"]').wait_for()
    assert len(gallery_page.acts_after("revealed")) == 1


_WATCH_FLIGHTS = """() => {
  globalThis.flew = { cards: 0, winners: 0 };
  globalThis.flights = new MutationObserver(() => {
    const cards = document.querySelectorAll(".dv-flight").length;
    if (cards < 1) return;
    flew.cards = Math.max(flew.cards, cards);
    flew.winners = Math.max(flew.winners, document.querySelectorAll('.dv-place[data-won="true"]').length);
  });
  flights.observe(document.body, { childList: true, subtree: true, attributes: true });
}"""
"""Notes how many cards were seen to fly: on a busy machine a flight is over before anybody asks."""


def test_drawn_cards_travel_from_the_stock(gallery_page: GalleryPage) -> None:
    played = Played("davenport", "davenport", 5)
    played.go_on()
    drew = sum(played.match.view(0).history[-1].drew)
    assert drew > 0
    gallery_page.page.evaluate(_WATCH_FLIGHTS)
    gallery_page.show(played.sight(1, revealing=True), motion="full")
    gallery_page.page.locator('.dv[data-stage="result"]').wait_for()
    flew = gallery_page.page.evaluate("() => { flights.disconnect(); return flew; }")
    assert flew["cards"] == drew
    assert flew["winners"] >= 1
    assert gallery_page.page.locator(".dv-drew").all_inner_texts() == ["+1"] * drew


def test_with_less_motion_nothing_travels(gallery_page: GalleryPage) -> None:
    played = Played("davenport", "davenport", 5)
    played.go_on()
    gallery_page.show(played.sight(1, revealing=True), motion="less")
    gallery_page.page.locator('.dv[data-stage="result"]').wait_for()
    assert gallery_page.page.locator(".dv-flight").count() == 0
    flying = "({ effect }) => effect.target?.closest('.carried, .departing')"
    assert gallery_page.page.evaluate(f"() => document.getAnimations().filter({flying}).length") == 0
    gallery_page.page.get_by_role("button", name="On to round 2").click()
    assert gallery_page.page.locator(".departing > *").count() == 0


def test_any_key_skips_a_round(stopped: GalleryPage) -> None:
    played = Played("davenport", "davenport", 5)
    played.go_on()
    stopped.show(played.sight(1, revealing=True), motion="full")
    stopped.page.keyboard.press("n")
    stopped.page.locator('.dv[data-stage="result"]').wait_for()
    assert stopped.acts("revealed") == []
    assert stopped.page.locator('.dv-place[data-state="shown"]').count() == 5


def test_a_playoff_changes_the_light_and_says_why(gallery_page: GalleryPage) -> None:
    played = playoff()
    gallery_page.show(played.sight(played.match.view(0).seats_in[0]))
    assert gallery_page.page.locator('.dv[data-phase="playoff"]').count() == 1
    said = gallery_page.page.locator(".dv-headline").inner_text()
    assert "A playoff" in said
    assert "together" in said
    gallery_page.page.get_by_role("button", name="Why?").click()
    ((rules, *_),) = gallery_page.acts("why")
    assert {"D10", "D16"} <= set(rules)


def test_own_drawn_cards_are_marked(gallery_page: GalleryPage) -> None:
    played = Played("davenport", "davenport", 5)
    while not (drawn := _drawn(played, 1)):
        played.go_on()
    gallery_page.show(played.sight(1))
    fresh = gallery_page.page.locator('[data-fresh="true"]')
    assert {each.get_attribute("data-pick") for each in fresh.all()} == set(drawn)


def _drawn(played: Played, seat: int) -> list[str]:
    reveal = played.reveals[seat]
    events = reveal["events"] if reveal else []
    return [card for event in events if event["kind"] == "drawn" for card in event["facts"]["cards"]]


_MARK = """(card) => { document.querySelector(`[data-pick="${card}"] .carried`).id = "the-card"; }"""
_WHERE = """() => {
  const card = document.getElementById("the-card");
  const places = [".dv-hand", ".dv-mine .dv-place", "[data-pile=discards]", ".departing"];
  return places.find((each) => card?.closest(each));
}"""


@pytest.mark.parametrize("exchange", [False, True])
def test_the_very_card_goes_from_the_hand_to_the_discards(exchange: bool, stopped: GalleryPage) -> None:
    """Its element is the same in the hand, sealed, turned, in the result, and on its way off the table."""
    played = Played("davenport", "davenport", 3)
    card = next(each for each in played.match.legal(1) if not each.startswith("x"))
    stopped.show(played.sight(1), motion="full")
    stopped.page.evaluate(_MARK, card)
    played.seal(1, f"{'x' * exchange}{card}")
    stopped.show(played.sight(1), motion="full")
    assert stopped.page.evaluate(_WHERE) == ("[data-pile=discards]" if exchange else ".dv-mine .dv-place")
    assert stopped.page.locator('#the-card [data-down="true"]').count() == 1

    for seat in (2, 3):
        played.seal(seat, next(each for each in played.match.legal(seat) if not each.startswith("x")))
    stopped.show(played.sight(1, revealing=True), motion="full")
    if exchange:
        return
    stopped.page.mouse.click(700, 300)
    stopped.page.locator('.dv[data-stage="result"]').wait_for()
    assert stopped.page.evaluate(_WHERE) == ".dv-mine .dv-place"
    assert stopped.page.locator('#the-card [data-down="false"]').count() == 1
    stopped.page.get_by_role("button", name="On to round 2").click()
    stopped.page.locator('.dv[data-stage="rest"]').wait_for()
    assert stopped.page.evaluate(_WHERE) in (".departing", None)


def test_all_beaten_cards_look_alike(gallery_page: GalleryPage) -> None:
    played = Played("davenport", "davenport", 4)
    played.go_on()
    gallery_page.show(played.sight(1, revealing=True))
    gallery_page.page.locator('.dv[data-stage="result"]').wait_for()
    beaten = gallery_page.page.locator('.dv-turner[data-lost="true"]')
    looks = beaten.evaluate_all(
        "all => all.map((each) => getComputedStyle(each)).map(({ opacity, filter }) => [opacity, filter])"
    )
    assert len(looks) == 4 - len(played.match.view(0).history[-1].winners)
    assert looks == [["0.7", "saturate(0.35)"]] * len(looks)


def reveal_with(rules: str, fact: str) -> Played:
    """A game just after a reveal that has an event of this kind, or follows this rule and ends nothing."""
    for number in range(300):
        played = Played("davenport", rules, 4, seed=f"moment {number}")
        while played.go_on():
            events = (played.reveals[1] or {"events": []})["events"]
            kinds = {event["kind"] for event in events}
            if fact in kinds or (
                "end" not in kinds and any(fact in each.get("rules", ()) for each in events)
            ):
                return played
    raise AssertionError(f"no reveal with {fact} in 300 games")


@pytest.mark.parametrize(
    ("rules", "fact", "moment"), [("aces", "D11", "upset"), ("davenport", "end", "decided")]
)
def test_moments_have_a_staging_and_a_sound_of_their_own(
    rules: str, fact: str, moment: str, gallery_page: GalleryPage
) -> None:
    gallery_page.show(reveal_with(rules, fact).sight(1, revealing=True))
    gallery_page.acts_after("sound", moment)
    assert gallery_page.page.locator(f'.dv[data-moment="{moment}"]').count() == 1


MOMENTS = {
    "comeback": (6, "ES EC EC SE"),  # three behind, then two ahead
    "still behind": (6, "ES ES EC SE"),
    "decided": (1, "EC"),
    "decided from behind": (4, "ES EC EC SE"),
    "decided long before": (6, "ES ES EC CE CE CE"),
}
"""The rounds of a game of E-Card, and those played: the cards of seats 1 and 2. Sides change after three."""


@pytest.mark.parametrize(
    ("name", "moment", "heard"),
    [
        ("comeback", "comeback", [["plus5", "comeback"], ["plus5", "comeback"]]),
        ("still behind", "", [["plus5"], ["plus5"]]),
        ("decided", "decided", [["decided"], ["decided"]]),
        ("decided from behind", "decided", [["plus5", "decided"], ["plus5", "decided"]]),
        ("decided long before", "", [["lose"], ["win"]]),
    ],
)
@pytest.mark.parametrize("seat", [1, 2])
def test_a_comeback_and_a_deciding_round_have_a_staging_and_a_sound(
    name: str, moment: str, heard: list[list[str]], seat: int, gallery_page: GalleryPage
) -> None:
    rounds, plays = MOMENTS[name]
    played = Played("ecard", f"classic(rounds={rounds},group={min(rounds, 3)},placing=together)", 2)
    for both in plays.split():
        played.decide(*both)
    sight = played.sight(seat, revealing=True)
    sight["view"]["outcome"] = None  # a browser hears of it after the reveal
    gallery_page.show(sight, motion="full")
    gallery_page.acts_after("settled")
    leads_on = gallery_page.page.locator(".ec-scene-go .ec-seal")
    assert ("To the result" in str(leads_on.text_content())) == (len(plays.split()) == rounds)
    after = [given[0] for given in gallery_page.acts("sound")][-len(heard[seat - 1]) :]
    assert after == heard[seat - 1]
    assert gallery_page.page.locator(".ec").get_attribute("data-moment") == moment
    said = gallery_page.page.locator(".ec-scene-words").inner_text()
    assert ("decides the game" in said) == (moment == "decided")


def test_a_tie_has_a_staging_and_a_sound_of_its_own(gallery_page: GalleryPage) -> None:
    played = Played("davenport", "davenport", 4, seed="tie")
    while len(played.match.view(0).history[-1].winners if played.match.view(0).history else ()) < 2:
        played.go_on()
    gallery_page.show(played.sight(1, revealing=True))
    gallery_page.acts_after("sound", "tie")
    assert gallery_page.page.locator('.dv[data-moment="tie"]').count() == 1


def test_a_last_card_is_announced_before_it_is_turned(stopped: GalleryPage) -> None:
    played = Played("davenport", "davenport", 4, seed="last")
    while 1 not in played.match.view(0).hands:
        played.go_on()
    seat = played.match.view(0).hands.index(1) + 1
    played.go_on()
    stopped.show(played.sight(seat, revealing=True), motion="full")
    assert "last card" in stopped.page.locator(".dv-headline").inner_text()
    assert stopped.page.locator(f'.dv-place[data-seat="{seat}"][data-last="true"]').count() == 1
    stopped.page.clock.run_for(100)
    assert ["last"] in stopped.acts("sound")
