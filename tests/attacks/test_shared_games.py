"""Attacks on shared games: naming a loser who did not publish the loss."""

from __future__ import annotations

import json
import urllib.request

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
