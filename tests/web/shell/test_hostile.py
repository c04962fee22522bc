"""A hostile server and hostile people: nothing is executed, nothing breaks."""

from __future__ import annotations

import json
import re
from typing import Any

from playwright.sync_api import WebSocketRoute, expect

from tests.web.shell.conftest import Comes
from tests.web.shell.server_process import places_first, visit

MARKUP = "<img src=x onerror=\"document.title='owned'\"><script>document.title='owned'</script>"
TURNED = "\u202e\u2066txet desrever"
ENDLESS = "W" * 10_000
FACE = re.compile(r"(/v/[0-9a-f]+)?/games/[a-z]+/faces/[a-z]+-small(-[a-z]+)?\.svg")


def test_markup_direction_and_length_in_what_people_say(comes: Comes) -> None:
    host, friend = comes(), comes(wide=360, high=640, phone=True)
    page = host.goes_to("/new")
    page.get_by_role("button", name="Open the table").click()
    visit(friend.page, page.locator(".address code").inner_text())
    friend.page.get_by_label("Your name").fill("<b>" + TURNED)
    friend.page.get_by_role("button", name="Join").tap()
    expect(page.locator(".table-frame[data-state=playing]")).to_be_visible()

    page.keyboard.press("t")
    page.get_by_label("Message").fill(MARKUP)
    page.keyboard.press("Enter")

    expect(page.locator(".log li")).to_contain_text("onerror")
    assert page.locator("main b, .log img, .log script").count() == 0
    assert page.title() != "owned"
    assert friend.page.evaluate("document.documentElement.scrollWidth") <= 360


def rewritten(frame: dict[str, Any]) -> list[dict[str, Any] | str]:
    """What a broken server makes of an honest frame: noise around it, and impossible names."""
    if frame.get("t") == "snap":
        for seat in frame["table"]["seats"]:
            seat["name"] = MARKUP + TURNED + ENDLESS
        frame["table"]["title"] = ENDLESS
        frame["table"]["said"] = [{"seat": 1, "name": MARKUP, "text": ENDLESS}]
    odd: list[dict[str, Any] | str] = ["{", "[]", "null", {"t": "confetti"}, {"t": "ev", "k": "x", "v": "1"}]
    if frame.get("t") == "ev":
        odd.append({**frame, "v": frame["v"] - 1})
    return [*odd, frame, {"t": "ev", "v": 0, "k": "revealed"}]


def test_a_server_gone_mad(comes: Comes) -> None:
    visitor = comes(wide=390, high=844, phone=True)

    def between(line: WebSocketRoute) -> None:
        server = line.connect_to_server()

        def passed_on(said: str | bytes) -> None:
            for each in rewritten(json.loads(said)):
                line.send(each if isinstance(each, str) else json.dumps(each))

        server.on_message(passed_on)

    visitor.page.route_web_socket("**/ws/v1/*", between)
    page = visitor.goes_to("/")
    page.get_by_role("button", name="Play now").first.click()
    expect(page.locator(".table-frame[data-state=playing]")).to_be_visible()
    places_first(page)

    expect(page.locator("[role=log]")).not_to_be_empty()
    assert page.title() != "owned"
    assert page.locator("main img:not([src^='data:image/svg+xml,'], .seat-face), main script").count() == 0
    portraits = page.locator("main img.seat-face")
    faces = portraits.evaluate_all("all => all.map((each) => new URL(each.src).pathname)")
    assert all(FACE.fullmatch(path) for path in faces), faces
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
