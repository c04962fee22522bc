"""*Play anyone*: from home to a table with a stranger, and everything that may come between."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.server.running import until
from tests.web.shell.server_process import FAILURES, Visitor
from tests.web.violations import violations
from tests.web.whole.conftest import Invites
from tests.web.whole.plans import Script
from tests.web.whole.players import play
from tests.web.whole.pointer import PointerPlayer, device


def keeps(visitor: Visitor, values: dict[str, object]) -> Visitor:
    """A visitor whose browser keeps these values from earlier visits."""
    for key, value in values.items():
        kept = json.dumps(json.dumps(value))
        visitor.page.add_init_script(f"if (origin !== 'null') localStorage['facedown.{key}'] = {kept}")
    return visitor


def looks_for_anyone(visitor: Visitor, name: str, button: str = "Play anyone: E-Card") -> Page:
    """From home, as a person of this name, with every hint read."""
    kept: dict[str, object] = {"name": name, "guides": {"ecard": {"read": [], "done": True}}}
    page = keeps(visitor, kept).goes_to("/")
    page.get_by_role("button", name=button).press("Enter")
    return page


def in_long_games(visitor: Visitor) -> Page:
    """Home of a visitor who wants long games: no player waits for those in other tests."""
    return keeps(visitor, {"lengths": {"ecard": "classic"}}).goes_to("/")


def stops(page: Page) -> None:
    """The search is over on the server, too: the next test begins with an empty queue."""
    with page.expect_response(lambda answer: answer.request.method == "DELETE"):
        page.get_by_role("button", name="Stop").click()


WORDS = """pill => {
  const was = pill.dataset.folded;
  pill.dataset.folded = "false";  // as in its first seconds, which may be over
  const all = [...pill.querySelectorAll(".looking-words > *")];
  const words = all.filter((each) => each.getClientRects().length);
  const found = words.map((each) => [each.innerText, each.scrollWidth > each.clientWidth]);
  pill.dataset.folded = was;
  return found;
}"""


def words_of(page: Page) -> list[tuple[str, bool]]:
    """What the bar of a table says on a small phone, and whether it is cut off."""
    page.set_viewport_size({"width": 360, "height": 800})
    return [tuple(each) for each in page.locator(".looking-pill").evaluate(WORDS)]


def at_a_machine(page: Page) -> str:
    """The address of the game that is played while waiting."""
    expect(page.locator(".table-frame[data-state=playing] .stage > *")).to_be_visible()
    expect(page.locator(".looking-pill")).to_be_visible()
    return page.url


def test_two_strangers_meet_by_mouse_and_finger_and_play_to_the_end(invites: Invites) -> None:
    """One reads English on a laptop, one Japanese on a phone; the second one finds the first at once."""
    ann, mei = invites(1, **device("laptop"))[0], invites(1, **device("phone"), locale="ja", light=True)[0]
    page = looks_for_anyone(ann, "Ann")
    machine = at_a_machine(page)
    assert violations(page) == []
    phone = looks_for_anyone(mei, "Mei", "だれかと対戦：Eカード")
    for each, name in ((page, "Mei is here"), (phone, "Annが来ました")):
        expect(each.get_by_role("dialog", name=name)).to_be_visible()
        assert violations(each) == []
    expect(page.get_by_role("button", name="Sit down")).to_be_focused()
    phone.get_by_role("button", name="席に着く").tap()
    page.get_by_role("button", name="Sit down").click()
    players = [PointerPlayer(ann), PointerPlayer(mei)]
    for each in (page, phone):
        expect(each.locator(".table-frame[data-state=playing] .stage > *")).to_be_visible()
        expect(each.locator(".looking-pill")).to_have_count(0)
    assert page.url == phone.url != machine

    play(players, Script("EC"), until=lambda seen: all("2" in each.place for each in seen.values()))
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("dialog").get_by_role("button", name="Resign").click()

    for each in (page, phone):
        expect(each.locator(".ending")).to_be_visible()
    page.goto(machine)
    expect(page.locator(".table-frame[data-state=playing]")).to_be_visible()


def test_a_search_goes_on_through_reloads_tabs_and_a_lost_network_until_it_is_stopped(
    invites: Invites,
) -> None:
    (ann,) = invites(1, **device("laptop"))
    page = looks_for_anyone(ann, "Ann")
    at_a_machine(page)
    page.reload()
    at_a_machine(page)
    other = ann.tab()
    other.goto(f"{ann.url}/rules")
    expect(other.locator("h1")).to_be_visible()
    strip = other.get_by_role("complementary", name="Looking for someone to play")
    expect(strip.get_by_role("link", name="Back to the table")).to_be_visible()
    ann.forgives(*FAILURES)
    ann.context.set_offline(True)
    expect(strip).to_contain_text("No network")
    ann.context.set_offline(False)
    expect(strip).not_to_contain_text("No network")
    assert violations(other) == []
    stops(other)
    expect(strip).to_have_count(0)
    expect(page.locator(".looking-pill")).to_have_count(0)


def test_nobody_comes_and_the_honest_sentence_offers_days(invites: Invites) -> None:
    (ann,) = invites(1, **device("phone"))
    ann.page.clock.install()
    keeps(ann, {"game": "davenport"})
    page = looks_for_anyone(ann, "Ann", "Play anyone: Davenport")
    at_a_machine(page)
    pill = page.locator(".looking-pill > button")
    expect(pill).to_have_accessible_name(re.compile("Play on until someone comes"))
    assert words_of(page) == [("Looking for someone to play", False)]
    page.clock.fast_forward(16_000)
    expect(pill).to_have_accessible_name(re.compile("No one else is waiting for Davenport right now"))
    assert words_of(page) == [("No one yet. Play by days?", False)]
    page.clock.fast_forward(9_000)
    expect(page.locator(".looking-words")).not_to_be_visible()
    pill.tap()
    page.get_by_role("button", name="Play by days instead").tap()
    expect(pill).to_have_accessible_name(re.compile("Waiting for someone to play Davenport by days"))
    assert violations(page) == []
    ann.goes_to("/")
    strip = page.locator(".looking")
    expect(strip).to_contain_text("You can leave")
    stops(page)
    expect(strip).to_have_count(0)


def test_who_declines_goes_back_to_the_machine_and_the_other_is_next_in_line(invites: Invites) -> None:
    ann, bo = invites(2)
    page = looks_for_anyone(ann, "Ann")
    machine = at_a_machine(page)
    bos = looks_for_anyone(bo, "Bo")
    page.get_by_role("button", name="Sit down").click()
    expect(page.locator(".lobby")).to_be_visible()
    bos.get_by_role("button", name="Not now").click()
    expect(bos.get_by_role("dialog")).to_have_count(0)
    page.wait_for_url(machine)
    expect(page.locator(".looking-pill > button")).to_have_accessible_name(
        re.compile("Bo didn't come. Nothing was counted, and you are next in line.")
    )
    page.locator(".looking-pill > button").click()
    stops(page)
    looks_for_anyone(bo, "Bo")
    at_a_machine(bos)
    bos.locator(".looking-pill > button").click()
    bos.get_by_text("Why?").click()
    expect(bos.locator(".looking-why")).to_contain_text("You turned down a game that was found.")
    assert violations(bos) == []


def looks_again_until(visitor: Visitor, shows: Callable[[], bool]) -> None:
    """Home is opened until it shows this: the server keeps its answers for a moment."""

    def opened() -> bool:
        visitor.goes_to("/").wait_for_load_state("networkidle")
        return shows()

    until(opened)


def test_home_tells_who_is_here_what_to_watch_and_who_waits(invites: Invites) -> None:
    """A stranger's home, first alone, then while two people play in public and one waits."""
    (reader,) = invites(1, **device("laptop"))
    page = in_long_games(reader)
    expect(page.get_by_role("link", name="Open a table")).to_be_visible()
    expect(page.get_by_role("heading", name="Your games")).to_have_count(0)
    ann, bo, cleo = invites(3)
    for each in (ann, bo, cleo):
        in_long_games(each)
    anns = looks_for_anyone(ann, "Ann")
    at_a_machine(anns)
    bos = looks_for_anyone(bo, "Bo")
    for table in (anns, bos):
        table.get_by_role("button", name="Sit down").click()
    for table in (anns, bos):
        expect(table.locator(".table-frame[data-state=playing] .stage > *")).to_be_visible()
    cleos = looks_for_anyone(cleo, "Cleo")
    at_a_machine(cleos)
    three = page.get_by_role("heading", name="3 people here now")
    looks_again_until(reader, lambda: three.is_visible())
    expect(page.get_by_role("button", name="Play anyone: E-Card")).to_contain_text("1 waiting")
    expect(page.get_by_role("button", name="Play anyone: Davenport")).to_contain_text("no one waiting yet")
    watch = page.get_by_role("region", name="Being played").get_by_role("link")
    expect(watch).to_contain_text("Ann")
    expect(watch).to_contain_text("Bo")
    assert violations(page) == []
    watch.click()
    page.wait_for_url(anns.url)
    anns.get_by_role("button", name="Menu").press("Enter")
    anns.get_by_role("button", name="Resign").press("Enter")
    anns.locator("dialog").get_by_role("button", name="Resign").press("Enter")
    expect(bos.locator(".ending")).to_be_visible()
    anyone = page.get_by_role("button", name="Play anyone: E-Card")
    gone = watch.filter(has_text="Ann")  # other tests may have left games behind
    looks_again_until(reader, lambda: anyone.is_visible() and gone.count() == 0)
    cleos.locator(".looking-pill > button").click()
    stops(cleos)
