"""Screens that anybody can go to: the one list for whatever is asked of all of them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Final

from playwright.sync_api import expect

from tests.web.shell.server_process import Visitor

SCREENS: Final = {
    "/rules/ecard": "[href$='/rules/ecard'][aria-current]",
    "/rules/davenport": "[href$='/rules/davenport'][aria-current]",
    "/about": ".about .list li",
    "/tables": "main.page > h1.unseen",
    "/people": "main.people .people-lists",
    "/me": "main.profile h1",
    "/me/games": "main.profile .search-form",
    "/notices": "main.notices h1",
    "/settings": "main.settings h1",
    "/today": ".today-cards",
    "/today?day=yesterday": ".today-graph",
    "/house/ecard": ".house-step",
    "/explore/ecard": ".study-found h2",
    "/train/ecard": ".study-asked",
    "/tournaments": "main h1",
    "/account": ".asked-back",
    "/sign-in": ".sign-in",
    "/new?game=ecard": "dialog .means .verdict",
}
"""What only this screen has, by its address; the last one is a dialog."""


def opens(visitor: Visitor, path: str) -> None:
    """A screen, once all of it is there; the page that is open goes on to it."""
    yesterday = str(datetime.now(UTC).date() - timedelta(days=1))
    page = visitor.follows(path.replace("yesterday", yesterday))
    expect(page.locator(SCREENS[path]).first).to_be_visible()
    expect(page.locator("[aria-busy=true]")).to_have_count(0)
