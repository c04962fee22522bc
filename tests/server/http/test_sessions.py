from __future__ import annotations

from typing import Any
from xml.etree import ElementTree

import httpx2
import pytest

from facedown.server.http.images import qr_svg
from tests.patience import PATIENCE
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


# --- handover --------------------------------------------------------------------------------------------


def answer(first: Caller, digits: str, *, allow: bool = True) -> None:
    first.ok("POST", "/session/handover/answer", {"digits": digits, "allow": allow}, 204)


def claim(first: Caller, other: Caller) -> Any:
    code = first.ok("POST", "/session/handover", status=201)["code"]
    return other.ok("POST", "/handovers", {"code": code}, 201)


def take(other: Caller, claimed: Any, kind: str = "program") -> Any:
    return other.ok("POST", "/handovers/session", {"claim": claimed["claim"], "kind": kind})


@pytest.mark.parametrize("kind", ["browser", "program"])
def test_another_device_continues_once_the_first_one_lets_it_in(meet: Meet, kind: str) -> None:
    ann, other, third = meet("Ann", kind="browser"), meet(), meet()
    other.http.headers["User-Agent"] = "Mozilla/5.0 (Android 14; rv:140.0) Gecko/140.0 Firefox/140.0"
    code = ann.ok("POST", "/session/handover", status=201)["code"]
    assert ann.ok("GET", "/session/handover")["state"] == "made"

    claimed = other.ok("POST", "/handovers", {"code": code.lower()}, 201)
    assert take(other, claimed, kind) == {"state": "waiting", "session": None}
    asking = ann.ok("GET", "/session/handover")
    assert (asking["state"], asking["app"], asking["system"]) == ("claimed", "Firefox", "Android")
    assert asking["digits"] == claimed["digits"]
    answer(ann, asking["digits"])
    taken = take(other, claimed, kind)

    assert (taken["state"], taken["session"]["person"]) == ("done", ann.person)
    assert ("token" in taken["session"]) is (kind == "program")
    body = {"claim": claimed["claim"], "kind": kind}
    assert third.refused("POST", "/handovers/session", body) == (401, "bad_token")  # it makes one session
    assert third.refused("POST", "/handovers", {"code": code}) == (401, "bad_token")
    made = [each["made"] for each in ann.ok("GET", "/account")["devices"]]
    assert sorted(made) == ["guest", "handover"]


def test_a_device_that_is_refused_gets_nothing(meet: Meet) -> None:
    ann, other = meet("Ann", kind="browser"), meet()
    claimed = claim(ann, other)

    answer(ann, claimed["digits"], allow=False)

    assert take(other, claimed) == {"state": "refused", "session": None}
    body = {"digits": claimed["digits"], "allow": True}
    assert ann.refused("POST", "/session/handover/answer", body) == (409, "not_now")
    assert take(other, claimed)["state"] == "refused"


def test_only_the_session_that_made_the_code_lets_a_device_in(meet: Meet) -> None:
    ann, bob, other = meet("Ann"), meet("Bob"), meet()
    claimed = claim(ann, other)
    wrong = f"{(int(claimed['digits']) + 1) % 100:02d}"

    for caller, digits in ((bob, claimed["digits"]), (ann, wrong)):
        body = {"digits": digits, "allow": True}
        assert caller.refused("POST", "/session/handover/answer", body) == (409, "not_now")

    assert take(other, claimed)["state"] == "waiting"
    ann.ok("POST", "/session/handover", status=201)  # the device that asks is not forgotten over a new code
    assert ann.ok("GET", "/session/handover")["digits"] == claimed["digits"]


def test_a_code_comes_with_its_link_as_a_picture_and_in_no_log(meet: Meet, server: Server) -> None:
    ann = meet("Ann", kind="browser")
    table = "0" * 26

    made = ann.ok("POST", "/session/handover", {"table": table}, 201)

    assert made["link"] == f"{ann.base}/h?to=/t/{table}#{made['code']}"  # browsers keep what is behind the #
    assert made["qr"] == qr_svg(made["link"])
    assert ElementTree.fromstring(made["qr"]).tag.endswith("svg")
    plain = ann.ok("POST", "/session/handover", status=201)
    assert plain["link"] == f"{ann.base}/h#{plain['code']}"
    assert ann.refused("POST", "/session/handover", {"table": "/t/x"}) == (400, "bad_message")
    claimed = meet().ok("POST", "/handovers", {"code": plain["code"]}, 201)
    metrics = httpx2.get(f"{ann.base}/metrics", trust_env=False, verify=False, timeout=PATIENCE)
    written = server.log() + metrics.text
    for secret in (made["code"], plain["code"], claimed["claim"]):
        assert secret not in written


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
