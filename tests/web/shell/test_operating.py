"""The operator's console in the browser, and what a person sees of a decision."""

from __future__ import annotations

import json
from collections.abc import Callable

from playwright.sync_api import expect

from tests.server.http.client import Caller, meeting, sit_down
from tests.server.http.keeping import keep, new_handle
from tests.server.http.test_cases import with_role
from tests.web.shell.server_process import ServerProcess, Visitor
from tests.web.shell.test_accounts import fits

Comes = Callable[..., Visitor]


def becomes(visitor: Visitor, caller: Caller) -> None:
    """The visitor's browser has the session of this caller."""
    cookies = [
        {"name": name, "value": value, "url": caller.base} for name, value in caller.http.cookies.items()
    ]
    visitor.context.add_cookies(cookies)  # type: ignore[arg-type]  # the form that playwright takes
    visitor.context.add_init_script("localStorage.setItem('facedown.known', 'true')")


def test_a_case_is_judged_and_answered_in_the_browser(comes: Comes, server: ServerProcess) -> None:
    with meeting(server.url) as meet:
        operator, ann, rude = meet(), meet("Ann"), meet("Rude", kind="browser")
        token = json.loads((server.data / "server.json").read_text())["token"]
        operator.http.headers["Authorization"] = f"Bearer {token}"
        boss = with_role(operator, meet, "Boss", "operator")
        keep(rude, handle := new_handle())
        table = sit_down(ann, rude)
        v = rude.do(table, "say", text="an insult that hurts")["v"]
        ann.ok("POST", "/reports", {"table": table, "message": v, "why": "rude"}, 204)
        operating, reading, home = comes(wide=360, high=780), comes(wide=1440, high=900, light=True), comes()
        becomes(operating, boss)
        becomes(reading, rude)

        page = operating.goes_to("/operate")
        page.get_by_label("Text").fill("We move on Sunday")
        page.get_by_role("button", name="Announce").click()
        expect(page.get_by_role("button", name="Take it away")).to_be_visible()
        fits(page, "en-GB")
        page.get_by_role("link", name="Cases").click()
        page.locator("li", has_text=handle).get_by_role("link", name="Open").click()
        expect(page.locator("blockquote")).to_have_text("an insult that hurts")
        page.get_by_label("What follows").select_option("no_chat")
        page.get_by_label("Reason").fill("Be kind to the people you play with, every time.")
        page.get_by_role("button", name="Decide").click()
        expect(page.locator(".operate-events")).to_contain_text("decided")
        fits(page, "en-GB")

        page = reading.goes_to("/account")
        expect(page.locator(".decision")).to_contain_text("Be kind to the people you play with, every time.")
        fits(page, "en-GB")
        page.get_by_label("Your answer").fill("I am sorry")
        page.get_by_role("button", name="Send the answer").click()
        expect(page.locator(".decision")).to_contain_text("with another moderator")
        page = home.goes_to("/")
        expect(page.locator(".announcement")).to_have_text("We move on Sunday")
        operator.ok("PUT", "/admin/announcement", {"text": ""}, 204)
