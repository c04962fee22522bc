"""Friends: from a recent opponent over follow, challenge and notice to a game, and the score of the two."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.server.http.client import Caller, meeting, play_out, sit_down
from tests.web.shell.server_process import ServerProcess, Visitor
from tests.web.violations import violations
from tests.web.whole.conftest import Invites
from tests.web.whole.pointer import device


def arrives(visitor: Visitor, person: Caller) -> None:
    """The browser is a device of this person from the first page on."""
    visitor.continues_as(person.token)
    visitor.context.add_init_script("localStorage.setItem('facedown.known', 'true')")


def test_an_opponent_is_followed_challenged_and_played(invites: Invites, server: ServerProcess) -> None:
    """One reads English on a laptop, one Japanese on a phone."""
    ann, mei = invites(1, **device("laptop"))[0], invites(1, **device("phone"), locale="ja", light=True)[0]
    with meeting(server.url) as meet:
        one, other = meet("Ann"), meet("Mei")
        table = sit_down(one, other)
        play_out(table, one, other)
        winner = one.see(table)["table"]["result"]["winner"]
        arrives(ann, one)
        arrives(mei, other)
    score = f"You {int(winner == 1)}, Mei {int(winner == 2)}"

    page, phone = ann.goes_to("/notices"), mei.goes_to("/")
    recent = page.get_by_role("listitem").filter(has_text="Mei")
    expect(recent).to_contain_text(score)
    recent.get_by_role("button", name="Follow Mei").click()
    expect(page.get_by_role("heading", name="People you follow")).to_be_visible()
    page.get_by_role("button", name="Challenge Mei").click()
    expect(page.get_by_role("dialog", name="Challenge Mei")).to_be_visible()
    assert violations(page) == []
    page.get_by_role("dialog").get_by_role("radio", name="None").check(force=True)
    page.get_by_role("button", name="Send challenge").click()
    expect(page.locator(".lobby")).to_contain_text("Mei")

    phone.reload()
    bell = phone.get_by_role("link", name="お知らせ、新着あり")
    expect(bell).to_be_visible()
    bell.tap()
    asked = phone.get_by_role("listitem").filter(has_text="Annから対局の申し込み")
    expect(asked).to_be_visible()
    assert violations(phone) == []
    asked.get_by_role("button", name="受ける").tap()
    for each in (page, phone):
        expect(each.locator(".table-frame[data-state=playing] .stage > *")).to_be_visible()
    assert page.url == phone.url

    page.get_by_role("button", name="Resign").click()
    page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    expect(page.locator(".ending")).to_be_visible()
    page = ann.goes_to("/notices")
    expect(page.get_by_role("listitem").filter(has_text="Mei").first).to_contain_text(
        f"You {int(winner == 1)}, Mei {int(winner == 2) + 1}"
    )
    expect(page.get_by_role("link", name="Notices", exact=True)).to_be_visible()
    assert violations(page) == []


def test_a_challenge_is_declined(invites: Invites, server: ServerProcess) -> None:
    (ann,) = invites(1, **device("laptop"))
    with meeting(server.url) as meet:
        one, other = meet("Ann"), meet("Bo")
        table = sit_down(one, other)
        made = other.ok("POST", "/challenges", {"game": "ecard", "table": table, "seat": 1}, 201)
        arrives(ann, one)
        page = ann.goes_to("/notices")
        page.get_by_role("button", name="Decline").click()
        expect(page.get_by_text("Bo challenges you")).to_have_count(0)
        assert other.see(made["table"])["table"]["state"] == "closed"
        page.locator("label", has_text="People I follow").click()
        expect(page.get_by_role("radio", name="People I follow")).to_be_checked()
        assert one.ok("GET", "/people/me/friends")["settings"]["challenges"] == "followed"
    assert violations(page) == []
