"""The client while it is being written: pages show what is on disk now. Ordinary servers do nothing of it."""

from __future__ import annotations

import re
from typing import Final

import pytest
from playwright.sync_api import Browser, Page, expect
from starlette.applications import Starlette
from starlette.testclient import TestClient

from facedown.web.bundle import bundle
from facedown.web.live import live_pages
from facedown.web.serve import pages
from tests.web.shell.served_copy import ServedCopy
from tests.web.shell.server_process import Visitor

_STYLE: Final = "() => getComputedStyle(document.body).outlineColor === 'rgb(1, 2, 3)'"


def mark(page: Page) -> None:
    """Mark a page: the mark is gone once it was loaded again."""
    page.evaluate("document.documentElement.dataset.marked = 1")


def is_marked(page: Page) -> bool:
    return page.locator("html[data-marked]").count() == 1


def test_edits_are_shown_at_once_and_those_of_style_sheets_without_a_reload(
    served_copy: ServedCopy, browser: Browser
) -> None:
    visitor = Visitor(browser, served_copy.url)
    with visitor.page.expect_response("**/live/events?*"):
        page = visitor.goes_to("/")
    web = served_copy.package / "web"
    expect(page.get_by_role("button", name="Play now").first).to_be_visible()

    mark(page)
    with (web / "app/styles/base.css").open("a", encoding="utf-8") as sheet:
        sheet.write("body { outline-color: rgb(1 2 3) }\n")
    page.wait_for_function(_STYLE)
    assert is_marked(page)
    expect(page.locator("link[rel=stylesheet][href*='shell.css']")).to_have_count(1)

    with (web / "app/html.js").open("a", encoding="utf-8") as module:
        module.write("globalThis.edited = 1;\n")
    text = (web / "locale/en.po").read_text(encoding="utf-8")
    (web / "locale/en.po").write_text(text.replace("Play now", "Play at once"), encoding="utf-8")
    expect(page.get_by_role("button", name="Play at once").first).to_be_visible()
    assert page.evaluate("edited") == 1
    assert not is_marked(page)
    assert visitor.complaints == []
    visitor.leaves()


@pytest.mark.parametrize("path", ["/", "/sw.js", "/app/main.js", "/live/reload.js", "/games/ecard/table.css"])
def test_no_answer_is_kept_without_asking_again(path: str) -> None:
    client = TestClient(Starlette(routes=live_pages()))
    answer = client.get(path)

    assert (answer.status_code, answer.headers["cache-control"]) == (200, "no-cache")
    assert not re.search(r"/v/\w", client.get("/").text)


@pytest.mark.parametrize("form", [bundle, lambda: None], ids=["bundle", "sources without Bun"])
def test_an_ordinary_server_has_none_of_it(form: object) -> None:
    assert callable(form)
    client = TestClient(Starlette(routes=pages(form())))

    assert "/live" not in client.get("/").text
    for path in ("/live/events", "/live/reload.js", "/app/live.js", "/live.js"):
        assert client.get(path).status_code == 404
    assert not any("EventSource(`/live" in body.decode() for body, _ in bundle().values())
