"""The mailbox of moderators in the browser, and what a person sees of a decision."""

from __future__ import annotations

import json
import re

from playwright.sync_api import Page, expect

from tests.server.http.client import ENTROPY, Caller, meeting, sit_down
from tests.server.http.keeping import keep
from tests.server.http.test_cases import case_of, decide, moderator_of
from tests.web.reach import small
from tests.web.shell.conftest import Comes
from tests.web.shell.server_process import REFUSALS, ServerProcess, Visitor
from tests.web.shell.test_accounts import fits
from tests.web.violations import violations


def becomes(visitor: Visitor, caller: Caller) -> None:
    """The visitor's browser has the session of this caller."""
    cookies = [
        {"name": name, "value": value, "url": caller.base} for name, value in caller.http.cookies.items()
    ]
    visitor.context.add_cookies(cookies)  # type: ignore[arg-type]  # the form that playwright takes
    visitor.context.add_init_script("localStorage.setItem('facedown.known', 'true')")


def takes_seat(visitor: Visitor, caller: Caller, table: str, seat: int) -> Page:
    """The visitor's browser has the session of this caller, and is at their seat."""
    becomes(visitor, caller)
    token = caller.ok("POST", f"/tables/{table}/resume", {})["token"]
    kept = json.dumps({"token": token, "entropy": ENTROPY.hex()})
    visitor.context.add_init_script(f"localStorage.setItem('facedown.seat.{table}.{seat}', '{kept}')")
    page = visitor.goes_to(f"/t/{table}")
    expect(page.locator(".stage > *")).to_be_visible()
    return page


def test_a_case_is_judged_and_answered_in_the_browser(comes: Comes, server: ServerProcess) -> None:
    with meeting(server.url) as meet:
        operator, ann, rude = meet(), meet("Ann", kind="browser"), meet("Rude", kind="browser")
        token = json.loads((server.data / "server.json").read_text())["token"]
        operator.http.headers["Authorization"] = f"Bearer {token}"
        boss = moderator_of(operator, meet, "Boss")
        keep(rude)
        table = sit_down(ann, rude)
        rude.do(table, "say", text="an insult that hurts")
        operating = comes(wide=360, high=780)
        hurt, reading = comes(wide=360, high=780, phone=True), comes(wide=1440, high=900, light=True)
        reading.forgives(REFUSALS)
        becomes(operating, boss)

        # a report says what it is about, and is sent by a second press
        page = takes_seat(hurt, ann, table, 1)
        page.get_by_role("button", name="Menu").click()
        page.get_by_role("button", name="Chat").click()
        dialog = page.get_by_role("dialog", name="Chat")
        dialog.locator("li", has_text="an insult that hurts").get_by_label("About", exact=False).first.click()
        dialog.get_by_role("button", name="Report").click()
        send = dialog.get_by_role("button", name="Send the report")
        expect(dialog.get_by_role("radio", name="What they wrote")).to_be_focused()
        expect(send).to_be_disabled()
        dialog.get_by_text("What they wrote").tap()
        assert violations(page) == []
        assert list(small(page)) == []
        send.tap()
        expect(dialog.get_by_text("Reported.")).to_be_visible()

        writing = takes_seat(reading, rude, table, 2)
        writing.keyboard.press("t")
        page = operating.goes_to("/operate")
        expect(page.get_by_role("link", name="Open").first).to_be_visible()
        fits(page)
        page.locator("li", has_text=f"case {case_of(operator, rude)['id']},").get_by_role(
            "link", name="Open"
        ).click()
        expect(page.locator("blockquote")).to_have_text("an insult that hurts")
        expect(page.locator(".operate-reports")).to_contain_text("Reported: words")
        page.get_by_label("What follows").select_option("no_chat")
        page.get_by_label("Reason").fill("Be kind to the people you play with, every time.")
        page.get_by_role("button", name="Decide").click()
        expect(page.locator(".operate-case")).to_contain_text(re.compile("Decided by h[0-9a-f]+: Be kind"))
        fits(page)

        # who may not write is told so, and keeps what was typed until then
        chat = writing.get_by_role("dialog", name="Chat")
        chat.get_by_label("Message").fill("and one more")
        chat.get_by_role("button", name="Send").click()
        expect(chat.get_by_role("status")).to_contain_text("You can’t write in chats until")
        expect(chat.get_by_label("Message")).to_have_count(0)
        assert violations(writing) == []
        chat.get_by_role("link", name="Why?").click()
        expect(writing.locator(".decision")).to_contain_text("Be kind to the people you play with")

        page = reading.goes_to("/notices")
        expect(page.locator(".account-notice")).to_contain_text("You can’t write in chats until")
        expect(page.locator(".notice-line")).to_contain_text("You can’t write in chats until")
        fits(page)
        page = reading.goes_to("/account")
        expect(page.locator(".decision")).to_contain_text("Be kind to the people you play with, every time.")
        fits(page)
        page.get_by_label("Your answer").fill("I am sorry")
        page.get_by_role("button", name="Send the answer").click()
        expect(page.locator(".decision")).to_contain_text("with another moderator")

        # what is refused otherwise says why and until when, too
        ann.ok("POST", "/reports", {"about": "stalling", "table": table, "seat": 2}, 204)
        decide(operator, case_of(operator, rude)["id"], "no_pairing", why="You let others wait.")
        page = reading.goes_to("/")
        page.get_by_role("button", name="Play anyone").first.click()
        looking = page.get_by_role("alert").filter(has_text="You can’t play with strangers until")
        expect(looking).to_contain_text("You let others wait.")
        expect(looking.locator("blockquote")).to_have_count(1)  # the other decision is not why
        banners = page.locator(".account-notice")
        expect(banners).to_have_count(1)  # and this one is said once
        expect(banners).to_contain_text("You can’t write in chats until")
        page.get_by_role("button", name="Close").click()
        expect(banners).to_have_count(2)
