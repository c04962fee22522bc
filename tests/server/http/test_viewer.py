"""The API's page in a real browser, under its own policy."""

from __future__ import annotations

import json
import urllib.error
import urllib.request

import pytest
from playwright.sync_api import expect

from facedown.protocol.schema import CLIENT_MESSAGES, SERVER_MESSAGES
from tests.patience import PATIENCE
from tests.server.running import Server
from tests.web.chromium import chromium


def test_the_page_shows_all_calls_tries_one_and_breaks_no_policy(server: Server) -> None:
    said: list[str] = []
    asked: list[str] = []
    with chromium() as browser:
        page = browser.new_page(viewport={"width": 360, "height": 700})
        page.on("console", lambda message: said.append(f"{message.type}: {message.text}"))
        page.on("pageerror", lambda error: said.append(f"error: {error}"))
        page.on("request", lambda request: asked.append(request.url))
        page.goto(f"{server.base}/api/docs#post_session")
        page.click("#post_session button")
        expect(page.locator("#post_session [role=status]")).to_contain_text("201", timeout=PATIENCE * 1000)
        shown = page.locator("details").count()
        wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
        page.fill("#find", "bad_seal")
        found = page.locator("details:not([hidden]) .path").all_inner_texts()

    with urllib.request.urlopen(f"{server.base}/api/openapi.json", timeout=PATIENCE) as answer:
        described = json.load(answer)["paths"]
    calls = sum(len(methods) for methods in described.values())
    assert shown == calls + len(CLIENT_MESSAGES) + len(SERVER_MESSAGES)
    assert "/api/v1/tables/{table}/commands" in found
    assert wide <= 0
    assert [each for each in said if each.startswith(("error", "warning"))] == []
    assert all(each.startswith((server.base, "data:")) for each in asked)


def test_descriptions_and_their_page_are_sent_small_and_once(server: Server) -> None:
    for path in ("openapi.json", "asyncapi.json", "schema.json", "docs/page.js"):
        address = f"{server.base}/api/{path}"
        request = urllib.request.Request(address, headers={"Accept-Encoding": "gzip"})
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            size, tag = len(answer.read()), answer.headers["ETag"]
            policy = answer.headers["Content-Security-Policy"]

        assert size < 20_000
        assert "unsafe" not in policy
        again = urllib.request.Request(address, headers={"If-None-Match": tag})
        with (
            pytest.raises(urllib.error.HTTPError) as refused,
            urllib.request.urlopen(again, timeout=PATIENCE),
        ):
            pass
        assert refused.value.code == 304
        refused.value.close()
