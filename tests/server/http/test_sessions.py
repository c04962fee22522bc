from __future__ import annotations

from xml.etree import ElementTree

import httpx2
import pytest

from facedown.server.http.images import qr_svg
from tests.server.http.client import Caller, Meet, sit_down
from tests.server.running import Server


def test_a_program_gets_a_token_and_no_cookie(meet: Meet) -> None:
    caller = meet()

    answer = caller.ask("POST", "/session", {"kind": "program", "name": "Robo"})

    assert answer.status_code == 201
    assert answer.json()["name"] == "Robo"
    assert len(answer.json()["token"]) == 43
    assert "set-cookie" not in answer.headers


def test_a_browser_gets_a_cookie_that_scripts_cannot_read(meet: Meet) -> None:
    caller = meet()

    answer = caller.ask("POST", "/session", {"name": "Ann"})

    assert "token" not in answer.json()
    cookie = answer.headers["set-cookie"].lower()
    assert cookie.startswith("facedown_session=")
    assert {"httponly", "samesite=lax", "path=/"} <= {part.strip() for part in cookie.split(";")}
    assert "secure" not in cookie  # this server is reached over plain http
    assert caller.ok("GET", "/session")["name"] == "Ann"


def test_a_second_tab_is_the_same_person(meet: Meet) -> None:
    ann = meet("Ann", kind="browser")

    again = ann.ok("POST", "/session", {"name": "Anna"}, 200)

    assert again == {"person": ann.person, "name": "Ann"}


def test_a_call_without_a_session_is_refused(stranger: Caller) -> None:
    assert stranger.refused("GET", "/session") == (401, "needs_session")
    assert stranger.refused("GET", "/people/me") == (401, "needs_session")


def test_a_wrong_token_is_refused_and_a_stale_cookie_is_no_session(meet: Meet) -> None:
    caller = meet()

    assert caller.refused("GET", "/session", Authorization="Bearer nonsense") == (401, "bad_token")
    assert caller.refused("GET", "/session", Cookie="facedown_session=nonsense") == (401, "needs_session")


def test_a_name_is_cleaned(ann: Caller) -> None:
    assert ann.ok("PATCH", "/session", {"name": " A‮nn\n a "})["name"] == "Ann a"
    assert ann.ok("GET", "/session")["name"] == "Ann a"
    assert len(ann.ok("PATCH", "/session", {"name": "x" * 64})["name"]) == 32
    assert ann.refused("PATCH", "/session", {"name": "‮​"}) == (400, "bad_message")
    assert ann.refused("PATCH", "/session", {"name": "x" * 65}) == (400, "bad_message")


def test_a_new_name_is_published_at_the_table(ann: Caller, bob: Caller) -> None:
    table = sit_down(ann, bob)

    ann.ok("PATCH", "/session", {"name": "Anastasia"})

    assert bob.see(table)["table"]["seats"][0]["name"] == "Anastasia"


def test_a_session_can_be_forgotten(ann: Caller) -> None:
    ann.ok("DELETE", "/session", status=204)

    assert ann.refused("GET", "/session") == (401, "bad_token")


@pytest.mark.parametrize("kind", ["browser", "program"])
def test_a_code_hands_the_person_over_once(meet: Meet, kind: str) -> None:
    ann, other, third = meet("Ann", kind="browser"), meet(), meet()
    code = ann.ok("POST", "/session/handover", status=201)["code"]

    session = other.ok("POST", f"/handovers/{code.lower()}", {"kind": kind}, 201)

    assert session["person"] == ann.person
    assert ("token" in session) is (kind == "program")
    assert third.refused("POST", f"/handovers/{code}") == (401, "bad_token")


def test_a_code_comes_with_its_link_as_a_picture(meet: Meet, server: Server) -> None:
    ann, other = meet("Ann", kind="browser"), meet()
    table = "0" * 26

    made = ann.ok("POST", "/session/handover", {"table": table}, 201)

    assert made["link"] == f"{ann.base}/h/{made['code']}?to=/t/{table}"
    assert made["qr"] == qr_svg(made["link"])
    assert ElementTree.fromstring(made["qr"]).tag.endswith("svg")
    plain = ann.ok("POST", "/session/handover", status=201)
    assert plain["link"] == f"{ann.base}/h/{plain['code']}"
    assert ann.refused("POST", "/session/handover", {"table": "/t/x"}) == (400, "bad_message")
    session = other.ok("POST", f"/handovers/{made['code']}", status=201)
    assert session["person"] == ann.person
    written = server.log() + httpx2.get(f"{ann.base}/metrics", trust_env=False, verify=False).text
    assert made["code"] not in written
    assert plain["code"] not in written
    assert "/api/v1/handovers/{code}" in written


# --- other sites -----------------------------------------------------------------------------------------


def test_a_page_of_another_site_cannot_use_the_cookie(meet: Meet) -> None:
    ann = meet("Ann", kind="browser")
    del ann.http.headers["Origin"]

    for origin in ("https://evil.example", "null", f"{ann.base}.evil.example"):
        refused = ann.refused("PATCH", "/session", {"name": "Eve"}, Origin=origin)
        assert refused == (403, "wrong_origin"), origin
    assert ann.refused("PATCH", "/session", {"name": "Eve"}) == (403, "wrong_origin")
    assert ann.ok("GET", "/session")["name"] == "Ann"
    assert ann.ok("PATCH", "/session", {"name": "Anna"}, Origin=ann.base)["name"] == "Anna"


def test_a_page_of_another_site_cannot_begin_a_session(stranger: Caller) -> None:
    refused = stranger.refused("POST", "/session", {"name": "Eve"}, Origin="https://evil.example")

    assert refused == (403, "wrong_origin")
