"""After a game: going on from a position of it, one's rating, and oneself on another device."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from playwright.sync_api import Page, expect

from tests.web.reach import small
from tests.web.screenshots.positions import Guest, lay
from tests.web.shell.conftest import Comes
from tests.web.shell.server_process import ServerProcess, visit
from tests.web.violations import violations


def resign(page: Page) -> None:
    page.get_by_role("button", name="Resign").click()
    page.locator("dialog").get_by_role("button", name="Resign").click()
    expect(page.locator(".ending")).to_be_visible()


def test_going_on_from_a_position_against_a_machine(comes: Comes, server: ServerProcess) -> None:
    ann, bob = Guest(server.url, "Ann"), Guest(server.url, "Bob")
    old = lay(ann, "ecard", [bob])
    old.plays("CC", "CC")
    old.resigns(2)
    visitor = comes()  # a spectator
    page = visitor.goes_to(f"/review/{old.id}?seat=1")  # only the loser publishes the loser's name
    expect(page.locator(".chances")).to_contain_text("Ann’s winning chances")
    page.get_by_role("link", name="the opponent").click()
    expect(page.locator(".chances")).to_contain_text("opponent’s winning chances")
    expect(page.locator("main")).not_to_contain_text("Bob")
    old.does(old.chair(2), {"id": "share", "do": "share"})
    page = visitor.goes_to(f"/review/{old.id}?seat=2")
    page.get_by_role("link", name="Ann").click()  # everybody's review is there
    expect(page.locator(".chances")).to_contain_text("Ann’s winning chances")
    page.get_by_role("link", name="Bob").click()
    page.get_by_role("button", name="One play forward").click()
    expect(page.locator(".chances")).to_contain_text("Bob’s winning chances")  # the reader is not Bob
    expect(page.locator(".chances-say")).to_contain_text("Bob’s Citizen, Ann’s Citizen")
    expect(page.locator(".review-columns")).not_to_contain_text(re.compile(r"\b[Yy]ou\b(?!r stats)"))
    page.get_by_role("button", name="Show every step").click()
    expect(page.locator(".verification-steps li[data-holds=true]")).to_have_count(4)
    expect(page.locator(".verification-steps")).to_contain_text("Card 2, Bob: Citizen")

    page.get_by_role("button", name="Continue from here against a machine").click()

    expect(page.locator(".table-frame[data-state=playing][data-seat='2']")).to_be_visible()
    expect(page.locator(".line")).to_contain_text("Continued from card 2 of another game")
    assert old.id not in page.url
    page.reload()
    expect(page.locator(".table-frame[data-seat='2']")).to_be_visible()
    resign(page)
    expect(page.locator(".ending")).to_contain_text("doesn’t count")
    page.get_by_role("link", name="Review").click()
    expect(page.locator(".review-head")).to_contain_text("Continued from card 2")
    expect(page.locator(".verification li[data-holds=true]")).to_have_count(11)
    verdict = "consistent, but not proven; missing: cards, result"
    expect(page.locator(".verification [data-verdict]")).to_have_text(verdict)
    expect(page.locator(".verification li[data-holds=false]")).to_have_count(0)
    origin = page.locator(".verification li[data-check=origin]")
    expect(origin).to_contain_text("1 card after it are those of the other")
    page.get_by_role("link", name="Go to that game").click()
    expect(page.locator(".review-head")).to_contain_text("Ann wins")
    visitor.follows("/me")
    expect(page.locator(".profile-games li")).to_contain_text("continued")
    expect(page.locator(".rating-head")).to_have_count(0)


def test_after_a_machine_comes_the_next_one(comes: Comes) -> None:
    page = comes().goes_to("/")
    page.locator(".home-options > summary").first.click()
    page.get_by_label("Against").first.select_option("equilibrium")
    page.get_by_role("button", name="Play now: E-Card").click()
    expect(page.locator(".table-frame[data-state=playing]")).to_be_visible()
    resign(page)
    expect(page.locator(".ending")).to_have_attribute("data-drawn", "true")
    expect(page.locator(".ending h2")).to_be_focused()
    assert page.evaluate("scrollY") == 0
    first = page.url

    page.keyboard.press("Enter")
    expect(page.locator(".table-frame[data-state=playing]")).to_be_visible()
    assert page.url != first
    resign(page)
    after = page.locator(".ending-next button")
    name = (after.text_content() or "").strip().removeprefix("Play ")
    expect(page.locator(".ending-next")).to_contain_text(f"Next: {name}")
    for wide, high in ((360, 780), (740, 360), (1024, 768), (1440, 900)):
        page.set_viewport_size({"width": wide, "height": high})
        for button in (page.get_by_role("button", name="Rematch"), after):
            expect(button).to_be_in_viewport(ratio=1)
    after.click()

    expect(page.locator(".table-frame[data-state=playing] .stage")).to_contain_text(name)
    resign(page)
    expect(page.locator(".ending-says")).to_be_visible()
    expect(after).to_have_count(0)  # a character of the house is to be beaten or seen through first


def shared_picture(page: Page) -> str:
    """The markup of the picture that is offered, without its fonts."""
    page.get_by_role("button", name="Share", exact=True).click()
    drawn = page.get_by_role("dialog").locator("img")
    expect(drawn).to_be_visible()
    return re.sub(r"url\(data[^)]*\)", "", unquote(drawn.get_attribute("src") or ""))


def test_a_game_is_published_by_its_link_and_not_by_the_dialog(comes: Comes, server: ServerProcess) -> None:
    visitor, stranger = comes(), comes()
    page = visitor.goes_to("/")
    page.get_by_role("button", name="Play now: E-Card").click()
    expect(page.locator(".table-frame[data-state=playing]")).to_be_visible()
    table = page.url.rpartition("/")[2]
    resign(page)
    record = f"{server.url}/api/v1/tables/{table}/record"

    assert "You" not in shared_picture(page)
    page.keyboard.press("Escape")
    assert stranger.page.request.get(record).status == 404
    page.get_by_role("button", name="Share", exact=True).click()
    page.get_by_role("dialog").get_by_role("button", name="Copy the link").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    assert stranger.page.request.get(record).status == 200


def test_only_the_loser_publishes_a_loss_with_names(comes: Comes, server: ServerProcess) -> None:
    ann, bob = Guest(server.url, "Annika"), Guest(server.url, "Bertrand")
    visitor = comes()
    visitor.continues_as(ann.bearer)
    page = visitor.page
    page.add_init_script("localStorage['facedown.known'] = true")
    for loser, names in ((2, {"Annika"}), (1, {"Annika", "Bertrand"})):
        table = lay(ann, "ecard", [bob], "classic(rounds=3,group=3)")
        table.plays(*["EC" if loser == 2 else "ES"] * 3)
        visit(page, f"{server.url}/t/{table.id}")
        numbers = page.get_by_role("table", name="After each round")
        expect(numbers.get_by_role("row").last).to_contain_text("Round 3")
        drawn = shared_picture(page)
        assert {name for name in ("Annika", "Bertrand") if name in drawn} == names
        page.keyboard.press("Escape")


def test_the_reveal_is_a_small_film_made_in_the_browser(comes: Comes, server: ServerProcess) -> None:
    ann, bob = Guest(server.url, "Annika"), Guest(server.url, "Bertrand")
    table = lay(ann, "ecard", [bob], "classic(rounds=3,group=3)")
    table.plays(*["ES"] * 3)
    visitor = comes(wide=360, high=780, painted=True)
    page = visitor.page
    visitor.goes_to(f"/review/{table.id}")
    page.wait_for_load_state("networkidle")  # without a network nothing more can be fetched
    page.get_by_role("button", name="Share", exact=True).click()
    dialog = page.get_by_role("dialog")
    expect(dialog.locator("img")).to_be_visible()  # with little motion the picture comes first
    dialog.get_by_role("button", name="The reveal").click()
    save = dialog.get_by_role("button", name="Save the reveal")
    expect(save).to_be_disabled()  # and nothing moves before the reader asks for it
    assert violations(page) == []
    page.context.set_offline(True)
    dialog.get_by_role("button", name="Show it").click()
    expect(save).to_be_enabled()
    expect(dialog.get_by_role("img")).to_have_attribute("aria-label", re.compile("^Bertrand won"))
    with page.expect_download() as saving:
        save.click()
    film = Path(saving.value.path()).read_bytes()
    page.context.set_offline(False)
    assert film[:4] == b"\x1a\x45\xdf\xa3", "WebM"
    assert 10_000 < len(film) < 1_000_000

    page.keyboard.press("Escape")
    page.evaluate("delete globalThis.MediaRecorder")
    page.get_by_role("button", name="Share", exact=True).click()
    expect(dialog).to_contain_text("This browser cannot make films.")
    expect(dialog.locator("img")).to_be_visible()


def digits_on(page: Page) -> str:
    """The two digits of a device that asks to be let in."""
    asking = page.get_by_text("Now confirm on your other device")
    return re.sub(r"\D", "", asking.inner_text())


def test_a_device_that_was_refused_stays_a_stranger(comes: Comes, server: ServerProcess) -> None:
    first, second = comes(), comes()
    page = first.goes_to("/settings")
    page.get_by_role("button", name="Create a link").click()
    visit(second.page, page.locator(".address code").inner_text())
    second.page.get_by_role("button", name="Continue as me").click()
    page.get_by_role("button", name="No", exact=True).click()

    expect(page.get_by_text("That device was not let in")).to_be_visible()
    expect(second.page.get_by_text("Your other device said no")).to_be_visible()
    expect(second.page.get_by_role("button", name="Continue as me")).to_be_enabled()


def test_a_guest_with_games_is_asked_before_a_handover(comes: Comes, server: ServerProcess) -> None:
    ann = Guest(server.url, "Ann")
    page = comes(wide=390, high=844, phone=True).goes_to("/")
    page.get_by_role("button", name="Play now: E-Card").click()
    expect(page.locator(".table-frame[data-state=playing]")).to_be_visible()
    table = page.url

    def person() -> Any:
        return page.request.get(f"{server.url}/api/v1/session").json()["person"]

    guest = person()
    dialog = page.get_by_role("dialog", name="Leave your guest games behind?")
    for stays in (True, False):
        visit(page, f"{server.url}/h#{ann.code()}")
        page.get_by_role("button", name="Continue as me").tap()
        expect(dialog).to_contain_text("Ann")
        assert violations(page) == []
        assert list(small(page)) == []
        if stays:
            dialog.get_by_role("button", name="Keep my games").tap()
            expect(dialog).to_have_count(0)
            assert person() == guest
            visit(page, table)
            page.get_by_role("button", name="Menu").click()
            resign(page)  # the seat is still theirs
            continue
        with page.expect_request("**/api/v1/handovers/session") as asking:
            dialog.get_by_role("button", name="Go on as Ann").tap()
        assert (asking.value.post_data_json or {})["leave"] is True
        ann.lets_in(digits_on(page))
        expect(page.locator(".home")).to_be_visible()
        assert person() != guest
        assert page.evaluate("localStorage['facedown.name']") == '"Ann"'


def test_a_rating_follows_its_owner_to_another_device(comes: Comes, server: ServerProcess) -> None:
    ann, bob = Guest(server.url, "Ann"), Guest(server.url, "Bob")
    for loser in (2, 1, 2):
        laid = lay(ann, "ecard", [bob], "classic(first=drawn)")
        laid.plays(("C", "C"))
        laid.resigns(loser)
    first, second = comes(), comes(wide=390, high=844, phone=True)
    first.continues_as(ann.bearer)
    page = first.goes_to("/settings")
    page.get_by_role("button", name="Create a link").click()
    expect(page.get_by_alt_text("QR code of this link")).to_be_visible()
    assert page.locator(".qr").evaluate("image => image.decode().then(() => image.naturalWidth)") > 0
    visit(second.page, page.locator(".address code").inner_text())  # the picture has not used the link up
    second.page.get_by_role("button", name="Continue as me").tap()
    digits = digits_on(second.page)
    expect(page.get_by_text(f"It shows {digits}.")).to_be_visible()
    page.get_by_role("button", name="Let it in").click()
    expect(page.get_by_text("that device continues as you")).to_be_visible()
    expect(second.page.locator(".home")).to_be_visible()
    assert second.page.evaluate("localStorage['facedown.name']") == '"Ann"', "not that of the guest before"

    rating = second.follows("/me").get_by_role("region", name="Rating")
    expect(second.page.locator(".profile-games b")).to_have_text(("Beat Bob", "Lost to Bob", "Beat Bob"))
    expect(second.page.locator(".profile-games li").first).to_contain_text("Resigned in round")
    expect(rating).to_contain_text(re.compile(r"1\d\d\d provisional"))
    expect(rating.get_by_role("img", name="E-Card: the rating over the last 3 rated games")).to_be_visible()
    rating.get_by_text("Show numbers").tap()
    expect(rating.get_by_role("row")).to_have_count(4)
