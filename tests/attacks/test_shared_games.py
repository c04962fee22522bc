"""Attacks on shared games: naming a loser who did not publish the loss, and framing pages in other sites."""

from __future__ import annotations

import json
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
    api = ("", "/record", "/events?after=0", "/review?seat=1", "/review?seat=2&by=2")
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


# --- frames of other sites ------------------------------------------------------------------------------


def headers_of(server: Server, path: str, **headers: str) -> Mapping[str, str]:
    request = urllib.request.Request(server.base + path, headers=headers)
    try:
        with urllib.request.urlopen(request) as answer:
            return dict(answer.headers)
    except urllib.error.HTTPError as refused:
        with refused:
            return dict(refused.headers)


def rules_of(headers: Mapping[str, str]) -> dict[str, str]:
    """The directives of a page's policy."""
    parts = (each.strip().partition(" ") for each in headers["content-security-policy"].split(";"))
    return {name: value for name, _, value in parts}


def test_no_page_can_be_framed(server: Server, meet: Meet) -> None:
    """Clickjacking: another site lays one of our pages under the visitor's pointer."""
    ann, bob = meet("Ann"), meet("Bob")
    table = lost_by_bob(ann, bob)
    pages = (
        "/",
        "/new",
        "/settings",
        "/account",
        f"/t/{table}",
        f"/review/{table}",
    )
    files = (f"/review/{table}/result.png", f"/api/v1/tables/{table}/record", "/sw.js")
    for path in (*pages, *files):
        headers = headers_of(server, path, Accept="text/html")
        assert rules_of(headers)["frame-ancestors"] == "'none'", path
