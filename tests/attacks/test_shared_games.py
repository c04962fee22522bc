"""Attacks on shared games: naming a loser who did not publish the loss, and framing pages in other sites."""

from __future__ import annotations

import json
import re
import urllib.error
import urllib.request
from collections.abc import Mapping

from facedown.core.record import Record
from facedown.core.replay import verify
from facedown.proof.checks import signature_finding
from tests.server.http.client import Caller, Meet, sit_down
from tests.server.running import Server

QUICK = "decisive(rounds=2,group=1)"


def lost_by_bob(ann: Caller, bob: Caller, **more: object) -> str:
    """A game that Ann has won."""
    table = sit_down(ann, bob, rules=QUICK, **more)
    bob.do(table, "say", text="Good luck")
    bob.do(table, "resign", decision=1)
    return table


def everything_about(table: str, caller: Caller, base: str) -> dict[str, str]:
    """What can be read of a table without a seat, by its address."""
    api = ("", "/record", "/events?after=0", "/review?seat=1", "/review?seat=2&by=2", "/links")
    pages = (f"/review/{table}", f"/review/{table}?by=2")
    found = {path: caller.ask("GET", f"/tables/{table}{path}").text for path in api}
    found["list"] = caller.ask("GET", "/tables?state=over").text
    return found | {path: urllib.request.urlopen(base + path).read().decode() for path in pages}


def test_no_address_names_a_loser_who_did_not_share_the_game(server: Server, meet: Meet) -> None:
    ann, bob, stranger = meet("Winning Ann"), meet("Losing Bob"), meet("Stranger")
    table = lost_by_bob(ann, bob, watch="nobody", public=True)
    ann.do(table, "share")
    for reader in (stranger, meet()):
        found = everything_about(table, reader, server.base)
        assert [path for path, text in found.items() if "Losing Bob" in text] == []
        assert "Winning Ann" in found["/record"]
    assert "Losing Bob" in ann.ask("GET", f"/tables/{table}/record").text, "players know each other"
    bob.ok("PATCH", "/session", {"name": "Losing Bob II"})
    assert "Losing Bob" not in stranger.ask("GET", f"/tables/{table}/events?after=0").text
    bob.do(table, "share")
    assert "Losing Bob" in stranger.ask("GET", f"/tables/{table}/record").text


def test_a_record_without_a_name_is_signed_and_proves_as_much(meet: Meet) -> None:
    ann, bob, stranger = meet("Ann"), meet("Bob"), meet()
    table = lost_by_bob(ann, bob)
    seen = stranger.ok("GET", f"/tables/{table}/record")
    assert seen["seats"] == ["Ann", ""]
    record = Record.read(json.dumps(seen))
    assert all(verify(record)), "the game itself"
    signed = signature_finding(record)
    assert signed is not None
    assert signed.holds


# --- games in frames of other sites ----------------------------------------------------------------------


def page_at(server: Server, path: str, **headers: str) -> tuple[int, Mapping[str, str], str]:
    request = urllib.request.Request(server.base + path, headers=headers)
    try:
        with urllib.request.urlopen(request) as answer:
            return answer.status, dict(answer.headers), answer.read().decode()
    except urllib.error.HTTPError as refused:
        with refused:
            return refused.code, dict(refused.headers), refused.read().decode()


def rules_of(headers: Mapping[str, str]) -> dict[str, str]:
    """The directives of a page's policy."""
    parts = (each.strip().partition(" ") for each in headers["content-security-policy"].split(";"))
    return {name: value for name, _, value in parts}


def test_no_page_but_an_embedded_game_can_be_framed(server: Server, meet: Meet) -> None:
    """Clickjacking: another site lays one of our pages under the visitor's pointer."""
    ann, bob = meet("Ann"), meet("Bob")
    table = lost_by_bob(ann, bob)
    status, headers, _ = page_at(server, f"/embed/{table}")
    assert status == 200
    assert rules_of(headers)["frame-ancestors"] == "*"
    pages = (
        "/",
        "/new",
        "/settings",
        "/account",
        f"/t/{table}",
        f"/review/{table}",
        f"/embed/{table}/",
        "/embed",
    )
    files = (f"/review/{table}/result.png", f"/api/v1/tables/{table}/record", "/embed/none", "/sw.js")
    for path in (*pages, *files):
        _, headers, _ = page_at(server, path, Accept="text/html")
        assert rules_of(headers)["frame-ancestors"] == "'none'", path


def test_an_embedded_game_runs_apart_from_the_site(server: Server, meet: Meet) -> None:
    """Whatever ran in it could use no session: it has an origin of its own, and reaches no server."""
    ann, bob = meet("Ann", kind="browser"), meet("Bob")
    table = lost_by_bob(ann, bob)
    cookie = "; ".join(f"{each.name}={each.value}" for each in ann.http.cookies.jar)
    assert cookie
    status, headers, with_session = page_at(server, f"/embed/{table}", Cookie=cookie)
    _, _, without = page_at(server, f"/embed/{table}")
    rules = rules_of(headers)
    assert status == 200
    assert rules["default-src"] == "'none'"
    assert "connect-src" not in rules
    assert "allow-same-origin" not in rules["sandbox"]
    assert "unsafe" not in headers["content-security-policy"]
    assert "set-cookie" not in headers
    assert "Bob" not in with_session, "not even a player's own cookie names the loser"
    assert without_time(with_session) == without_time(without)


def without_time(page: str) -> str:
    return re.sub(r'"now":\d+', "", page)


def test_only_a_finished_game_that_everyone_may_read_can_be_embedded(server: Server, meet: Meet) -> None:
    ann, bob = meet("Ann"), meet("Bob")
    running = sit_down(ann, bob, rules=QUICK)
    private = lost_by_bob(ann, bob, watch="nobody")
    for table in (running, private, "0" * 26, "../api/v1/tables", "%3Cscript%3E"):
        status, _, text = page_at(server, f"/embed/{table}")
        assert status == 404, table
        assert "Ann" not in text
    ann.do(private, "share")
    assert page_at(server, f"/embed/{private}")[0] == 200


def test_a_name_does_not_leave_the_data_of_an_embedded_game(server: Server, meet: Meet) -> None:
    ann, bob = meet("</script><script>alert(1)</script>"), meet("Bob")
    table = lost_by_bob(ann, bob)
    _, _, text = page_at(server, f"/embed/{table}")
    assert "<script>alert" not in text
    given = re.search(r'<script type="application/json" id="game">(.*?)</script>', text)
    assert given is not None
    assert json.loads(given[1])["record"]["seats"][1] == ""
    assert "Good luck" not in text, "what was said at the table is not part of the game"
