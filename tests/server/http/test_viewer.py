"""The API's page in a real browser, under its own policy."""

from __future__ import annotations

import hashlib
import json
import urllib.error
import urllib.request
from pathlib import Path

import pytest
from playwright.sync_api import expect

import facedown
from tests.patience import PATIENCE
from tests.server.running import Server
from tests.web.chromium import chromium


def test_the_page_shows_the_calls_tries_one_and_breaks_no_policy(server: Server) -> None:
    reported: list[str] = []
    requested: list[str] = []
    with chromium() as browser:
        page = browser.new_page(viewport={"width": 360, "height": 700})
        page.on("console", lambda message: reported.append(f"{message.type}: {message.text}"))
        page.on("pageerror", lambda error: reported.append(f"error: {error}"))
        page.on("request", lambda request: requested.append(request.url))
        page.goto(f"{server.base}/api/docs")
        page.click("#operations-tag-people")
        page.click("#operations-people-post_session .opblock-summary-control")
        page.click("#operations-people-post_session .execute")
        status = page.locator("#operations-people-post_session .live-responses-table .response-col_status")
        expect(status.last).to_contain_text("201")
        tags, shown = page.locator(".opblock-tag").count(), page.locator(".opblock").count()
        wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")

    with urllib.request.urlopen(f"{server.base}/api/openapi.json", timeout=PATIENCE) as described:
        calls = [call for path in json.load(described)["paths"].values() for call in path.values()]
    assert tags == len({call["tags"][0] for call in calls})
    assert shown == sum(call["tags"] == ["people"] for call in calls)
    assert wide <= 0
    assert [each for each in reported if each.startswith(("error", "warning"))] == []
    assert all(each.startswith((server.base, "data:")) for each in requested)


@pytest.mark.parametrize(
    ("path", "most"),
    [
        ("openapi.json", 45_000),
        ("asyncapi.json", 20_000),
        ("schema.json", 20_000),
        ("docs/", 1_000),
        ("docs/start.js", 1_000),
        ("docs/vendor/swagger-ui.css", 30_000),
        ("docs/vendor/swagger-ui-bundle.js", 480_000),
    ],
)
def test_descriptions_and_their_viewer_are_sent_compressed_and_once(
    server: Server, path: str, most: int
) -> None:
    address = f"{server.base}/api/{path}"
    request = urllib.request.Request(address, headers={"Accept-Encoding": "gzip"})
    with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
        size, tag = len(answer.read()), answer.headers["ETag"]
        policy = answer.headers["Content-Security-Policy"]

    assert size < most
    assert "unsafe" not in policy
    again = urllib.request.Request(address, headers={"If-None-Match": tag})
    with (
        pytest.raises(urllib.error.HTTPError) as refused,
        urllib.request.urlopen(again, timeout=PATIENCE),
    ):
        pass
    assert refused.value.code == 304
    refused.value.close()


def test_vendored_files_are_what_the_manifest_says() -> None:
    vendor = Path(facedown.__file__).parent / "server/http/docs_viewer/vendor"
    (package,) = json.loads((vendor / "manifest.json").read_text(encoding="utf-8"))
    listed = {file["path"]: file["sha256"] for file in package["files"]}

    assert {name: hashlib.sha256((vendor / name).read_bytes()).hexdigest() for name in listed} == listed
    assert {path.name for path in vendor.iterdir()} == {*listed, "manifest.json", package["licence_text"]}
