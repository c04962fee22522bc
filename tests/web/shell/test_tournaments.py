"""Tournaments in the browser: the list, entering, standings that move, and the way to the next table."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.server.http.client import meeting
from tests.server.http.keeping import keep, new_handle
from tests.web.shell.conftest import Comes
from tests.web.shell.server_process import REFUSALS, ServerProcess
from tests.web.violations import violations


def test_a_visitor_enters_and_finds_the_next_table(server: ServerProcess, comes: Comes) -> None:
    visitor = comes(wide=360, phone=True)
    visitor.forgives(REFUSALS)  # who keeps no account may set up none
    clock = {"kind": "decision", "seconds": 30}
    wish = {"kind": "arena", "title": "Evening arena", "game": "ecard", "clock": clock, "starts_in": 0}
    with meeting(server.url) as meet:
        ann = meet("Ann")
        keep(ann, handle := new_handle())
        made = ann.ok("POST", "/tournaments", wish, 201)["head"]
        page = visitor.goes_to("/tournaments")
        page.get_by_text("New tournament").click()
        page.get_by_role("textbox", name="Title").fill("Mine")
        page.get_by_role("button", name="Set up").click()
        expect(page.get_by_role("alert").get_by_role("link", name="Keep this account")).to_be_visible()
        page.get_by_role("link", name="Evening arena").first.click()
        page.get_by_role("button", name="Join").click()
        expect(page.get_by_text("You are in.")).to_be_visible()
        path = f"/tournaments/{made['tournament']}"
        ann.ok("PUT", f"{path}/entry", {})

        expect(page.get_by_role("listitem").filter(has_text=handle)).to_be_visible()
        seat_button = page.get_by_role("button", name="Go to the table")
        expect(seat_button).to_be_visible()
        assert violations(page) == []
        seat_button.click()
        expect(page).to_have_url(re.compile("/t/"))
        (row,) = [each for each in ann.ok("GET", path)["rows"] if each["name"] == handle]
        table, seat = row["tables"][0], row["seats"][0]
        ann.join(table, seat)
        ann.open(table)
        expect(page.get_by_role("list", name="Your hand").locator("button").first).to_be_visible()

        visitor.goes_to(path)
        page.locator("summary", has_text="Withdraw").click()
        page.get_by_role("button", name="Withdraw").click()
        expect(page.get_by_text("You have withdrawn")).to_be_visible()
        expect(page.get_by_text("For you as the organiser")).to_have_count(0)

        organiser = comes(wide=1440)
        organiser.continues_as(ann.token)
        own = organiser.goes_to(path)
        own.get_by_text("For you as the organiser").click()
        own.get_by_role("button", name="Pause for everyone").click()
        expect(own.get_by_text("paused by the organiser")).to_be_visible()
        assert violations(own) == []
        cancel = own.get_by_role("button", name="Cancel the tournament")
        cancel.click()
        asked = own.get_by_role("dialog", name="Cancel the tournament")
        assert violations(own) == []
        asked.get_by_role("button", name="Keep it").click()
        expect(asked).to_have_count(0)
        assert ann.ok("GET", path)["head"]["state"] != "cancelled"
        cancel.click()
        asked.get_by_role("button", name="Cancel the tournament").click()
        expect(own.locator(".tournament-head")).to_contain_text("cancelled")
        assert ann.ok("GET", path)["head"]["state"] == "cancelled"
