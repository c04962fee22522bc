"""The API's page in a real browser, under its own policy."""

from __future__ import annotations

import hashlib
import json
import urllib.error
import urllib.request
from importlib import resources

import pytest

from tests.patience import PATIENCE
from tests.server.running import Server
from tests.web.chromium import chromium


def test_the_page_shows_all_calls_and_breaks_no_policy(server: Server) -> None:
    said: list[str] = []
    asked: list[str] = []
    with chromium() as browser:
        page = browser.new_page()
        page.on("console", lambda message: said.append(f"{message.type}: {message.text}"))
        page.on("pageerror", lambda error: said.append(f"error: {error}"))
        page.on("request", lambda request: asked.append(request.url))
        page.goto(f"{server.base}/api/docs")
        page.wait_for_selector(".opblock")
        page.click("#operations-tables-post_tables .opblock-summary-control")
        page.wait_for_selector("#operations-tables-post_tables .opblock-body")
        paths = page.locator(".opblock-summary-path").all_inner_texts()

    with urllib.request.urlopen(f"{server.base}/api/openapi.json", timeout=PATIENCE) as answer:
        described = json.load(answer)["paths"]
    assert len(paths) == sum(len(methods) for methods in described.values())
    assert [each for each in said if each.startswith(("error", "warning"))] == []
    assert all(each.startswith((server.base, "data:")) for each in asked)


def test_what_is_shipped_is_what_the_manifest_says() -> None:
    folder = resources.files("facedown.server.http") / "docs_viewer"
    for package in json.loads((folder / "manifest.json").read_text(encoding="utf-8")):
        assert (folder / package["licence_text"]).is_file()
        for file in package["files"]:
            assert hashlib.sha256((folder / file["path"]).read_bytes()).hexdigest() == file["sha256"]


def test_the_viewer_is_sent_small_and_once(server: Server) -> None:
    address = f"{server.base}/api/docs/swagger-ui-bundle.js"
    request = urllib.request.Request(address, headers={"Accept-Encoding": "gzip"})
    with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
        size, tag = len(answer.read()), answer.headers["ETag"]
        policy = answer.headers["Content-Security-Policy"]

    assert size < 600_000
    assert "unsafe" not in policy
    again = urllib.request.Request(address, headers={"If-None-Match": tag})
    with pytest.raises(urllib.error.HTTPError) as refused, urllib.request.urlopen(again, timeout=PATIENCE):
        pass
    assert refused.value.code == 304
    refused.value.close()
