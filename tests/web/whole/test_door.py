"""The door to the home network: one click for the person who started Facedown, nothing for anyone else."""

from __future__ import annotations

from collections.abc import Iterator

import httpx2
import pytest
from playwright.sync_api import expect

from facedown.server.ops.home_network import network_host
from tests.needs import without
from tests.server.http.client import Caller
from tests.server.running import until
from tests.web.shell.conftest import Comes
from tests.web.shell.server_process import FAILURES, ServerProcess, visit


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """What `./facedown` starts; without a screen no browser opens."""
    if not network_host():
        without("this computer is in no network")
    screens = {"DISPLAY": "", "WAYLAND_DISPLAY": "", "BROWSER": ""}
    served = ServerProcess(tmp_path_factory.mktemp("home"), "--open", **screens)
    served.start()
    yield served
    served.stop()


def is_refused(address: str) -> bool:
    try:
        httpx2.get(f"{address}/healthz", trust_env=False)
    except httpx2.ConnectError:
        return True
    return False


def test_a_click_lets_the_phones_of_the_house_in_and_another_shuts_them_out(
    comes: Comes, server: ServerProcess
) -> None:
    host, phone = comes(wide=390, high=844), comes(wide=390, high=844, phone=True)
    for visitor in (host, phone):  # the line of one of them is cut
        visitor.forgives(*FAILURES, "Cross-Origin-Opener-Policy")
    outside = f"http://{network_host()}:{server.port}"
    assert is_refused(outside)
    page = host.goes_to("/")
    page.get_by_role("link", name="Challenge a friend").first.click()
    expect(page.locator(".address code")).to_contain_text("127.0.0.1")
    expect(page.get_by_text("Only this computer can open this link.")).to_be_visible()

    page.get_by_role("button", name="Allow devices on this Wi-Fi").click()

    expect(page.get_by_text("Allowed: every phone")).to_be_visible()
    link = page.locator(".address code").inner_text()
    assert link.startswith(f"{outside}/i/")
    until(lambda: page.locator(".qr").evaluate("image => image.naturalWidth") > 0)
    assert page.locator(".qr").get_attribute("src") != f"/api/v1/invites/{link.rpartition('/')[2]}/qr.svg"
    visit(phone.page, link)
    phone.page.get_by_label("Your name").fill("Ines")
    phone.page.get_by_role("button", name="Join").tap()
    for each in (page, phone.page):
        expect(each.locator(".table-frame[data-state=playing]")).to_be_visible()

    visit(page, f"{server.url}/settings")
    page.get_by_role("button", name="Create a link").click()
    expect(page.locator(".address code")).to_contain_text(outside)
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_role("button", name="Allow devices on this Wi-Fi")).to_be_visible()
    assert is_refused(outside)


def test_the_door_is_only_for_a_browser_of_this_computer(server: ServerProcess) -> None:
    open_it = {"door": "open"}
    with Caller(server.url) as ann:
        assert ann.refused("PUT", "/reach", open_it) == (401, "needs_session")
        ann.begin("Ann", "browser")
        assert ann.ok("GET", "/reach") == {"door": "closed", "address": ""}
        stranger = "203.0.113.9"
        assert ann.ok("GET", "/reach", X_Forwarded_For=stranger)["door"] == "none"
        assert ann.refused("PUT", "/reach", open_it, X_Forwarded_For=stranger) == (403, "not_yours")
        assert ann.refused("PUT", "/reach", open_it, Origin="http://evil.example") == (403, "wrong_origin")
        assert ann.refused("PUT", "/reach", {"door": "ajar"}) == (400, "bad_message")
        opened = ann.ok("PUT", "/reach", open_it)
        assert ann.ok("PUT", "/reach", open_it) == opened  # a second time changes nothing
        with Caller(opened["address"]) as neighbour:
            neighbour.begin("Bo", "browser")
            assert neighbour.ok("GET", "/reach") == {"door": "none", "address": ""}
            assert neighbour.refused("PUT", "/reach", {"door": "closed"}) == (403, "not_yours")
        assert ann.ok("PUT", "/reach", {"door": "closed"})["door"] == "closed"


def test_a_server_that_was_not_started_for_the_home_has_no_door(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    served = ServerProcess(tmp_path_factory.mktemp("plain"))
    served.start()
    with Caller(served.url) as ann:
        ann.begin("Ann", "browser")
        assert ann.ok("GET", "/reach")["door"] == "none"
        assert ann.refused("PUT", "/reach", {"door": "open"}) == (403, "not_yours")
    served.stop()
