"""The client while it is being written: pages show what is on disk now."""

from __future__ import annotations

import re
from typing import Final

import pytest
from playwright.sync_api import Browser, expect
from starlette.applications import Starlette
from starlette.testclient import TestClient

from facedown.web.live import live_pages
from tests.web.shell.served_copy import ServedCopy
from tests.web.shell.server_process import Visitor

_STYLE: Final = "() => getComputedStyle(document.body).outlineColor === 'rgb(1, 2, 3)'"


def test_edits_are_shown_when_the_page_is_loaded_again(served_copy: ServedCopy, browser: Browser) -> None:
    visitor = Visitor(browser, served_copy.url)
    page = visitor.goes_to("/")
    web = served_copy.package / "web"
    expect(page.get_by_role("button", name="Play now").first).to_be_visible()

    with (web / "app/styles/base.css").open("a", encoding="utf-8") as sheet:
        sheet.write("body { outline-color: rgb(1 2 3) }\n")
    with (web / "app/html.js").open("a", encoding="utf-8") as module:
        module.write("globalThis.edited = 1;\n")
    text = (web / "locale/en.po").read_text(encoding="utf-8")
    (web / "locale/en.po").write_text(text.replace("Play now", "Play at once"), encoding="utf-8")
    page.reload()

    expect(page.get_by_role("button", name="Play at once").first).to_be_visible()
    page.wait_for_function(_STYLE)
    assert page.evaluate("edited") == 1
    assert visitor.complaints == []
    visitor.leaves()


@pytest.mark.parametrize("path", ["/", "/sw.js", "/app/main.js", "/games/ecard/table.css"])
def test_no_answer_is_kept_without_asking_again(path: str) -> None:
    client = TestClient(Starlette(routes=live_pages()))
    answer = client.get(path)

    assert (answer.status_code, answer.headers["cache-control"]) == (200, "no-cache")
    assert not re.search(r"/v/\w", client.get("/").text)
