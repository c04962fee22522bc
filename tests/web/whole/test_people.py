"""The whole story of a person: a first game, an account, two devices, a stranger, pages, and goodbye."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.few import few
from tests.server.http.keeping import new_handle
from tests.web.shell.server_process import Visitor
from tests.web.shell.test_accounts import begins, confirms, fits, signs_in
from tests.web.violations import violations
from tests.web.whole.conftest import Invites

SETTLED = "[data-state=playing], [data-state=closed]"
SAYS = {
    "en-GB": {
        "play": "Play now: E-Card",
        "anyone": "Play anyone: E-Card",
        "resign": "Resign",
        "erase": "Erase me",
    },
    "ja-JP": {
        "play": "今すぐ遊ぶ：Eカード",
        "anyone": "だれかと対戦：Eカード",
        "resign": "投了",
        "erase": "自分のデータを消す",
    },
}


def keeps(visitor: Visitor, handle: str) -> list[str]:
    """Keep an account with this handle; the groups of its code."""
    page = visitor.goes_to("/account")
    groups = begins(page, handle)
    confirms(page, groups)
    return groups


def resigns(page: Page, says: dict[str, str]) -> None:
    expect(page.locator(".table-frame[data-state=playing] .stage > *").first).to_be_visible()
    if page.get_by_role("button", name=says["resign"], exact=True).count() == 0:
        page.locator(".table-bar .unfold").click()
    page.get_by_role("button", name=says["resign"], exact=True).click()
    page.locator("dialog").get_by_role("button").last.click()
    expect(page.locator(".ending")).to_be_visible()


def meet(people: tuple[Visitor, Visitor], button: str) -> bool:
    """Both look for anyone and sit down; whether both did within the twenty seconds."""
    for each in people:
        each.goes_to("/").get_by_role("button", name=button).click()
    for each in people:
        found = each.page.locator("dialog.found .button.first")
        found.wait_for()
        before = each.page.url
        found.click()
        each.page.wait_for_url(lambda url, before=before: url != before)  # type: ignore[misc]  # a default
    for each in people:
        each.page.locator(".table-frame").and_(each.page.locator(SETTLED)).wait_for()
    return all(each.page.locator("[data-state=playing]").count() for each in people) and (
        people[0].page.url == people[1].page.url
    )


@pytest.mark.parametrize(("locale", "wide"), few([("en-GB", 360), ("ja-JP", 1440)], 1))
def test_from_the_first_visit_to_the_last(invites: Invites, locale: str, wide: int) -> None:
    says, how = SAYS[locale], {"wide": wide, "high": 900, "locale": locale, "light": wide == 360}
    ann, phone, bo = (invites(1, **how)[0] for _ in range(3))
    names = new_handle(), new_handle()
    foreign = (*re.findall("[A-Za-z_']+", " ".join(names)), "Chrome", "HeadlessChrome", "Linux", "localhost")

    page = ann.goes_to("/")
    fits(page, locale)
    page.get_by_role("button", name=says["play"]).click()
    resigns(page, says)
    assert violations(page) == []
    groups = keeps(ann, names[0])
    fits(page, locale, *foreign)

    second = phone.goes_to("/sign-in")
    signs_in(second, names[0], " ".join(groups))
    expect(second.get_by_role("heading", name=names[0])).to_be_visible()
    ann.goes_to("/")
    page.locator(".account-notice").get_by_role("button").first.click()
    expect(page.locator(".account-notice")).to_have_count(0)

    keeps(bo, names[1])
    while not meet((phone, bo), says["anyone"]):
        pass  # one of them came too late on a busy machine: both look again
    resigns(bo.page, says)
    expect(second.locator(".ending")).to_be_visible()

    for each, other in ((phone, names[1]), (bo, names[0])):
        own = each.goes_to("/me")
        expect(own.locator("main.profile h1")).to_be_visible()
        fits(own, locale, *foreign)
        theirs = each.goes_to(f"/people/{other}")
        expect(theirs.get_by_role("heading", name=other)).to_be_visible()
        fits(theirs, locale, *foreign)
    standings = phone.goes_to("/people")
    expect(standings.locator("main.people .people-lists")).to_be_visible()
    fits(standings, locale, *foreign)

    ann.goes_to("/settings")
    page.get_by_role("button", name=says["erase"]).click()
    page.locator("dialog").get_by_role("button").last.click()
    expect(page.locator("main.home")).to_be_visible()
    gone = bo.goes_to(f"/people/{names[0]}")
    expect(gone.locator("main.profile h1")).to_be_visible()
    expect(gone.get_by_role("heading", name=names[0])).to_have_count(0)
    fits(gone, locale, *foreign)
    phone.goes_to("/")
    expect(second.locator("main.home")).to_be_visible()
    for each in (ann, phone, bo):
        each.page.goto("about:blank")
        gone_by_now = "status of 401", "status of 404"  # the session, and the page that is not there any more
        each.complaints[:] = [
            said for said in each.complaints if not any(map(said.__contains__, gone_by_now))
        ]
