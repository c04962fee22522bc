"""Previews of links: what an invitation or a shared game shows without script, and what it does not."""

from __future__ import annotations

import re
import struct
import urllib.error
import urllib.request

import pytest

from tests.server.http.client import Caller, sit_down
from tests.server.running import Server


def tags(server: Server, path: str, language: str = "en") -> dict[str, str]:
    request = urllib.request.Request(server.base + path, headers={"Accept-Language": language})
    with urllib.request.urlopen(request) as answer:
        body: str = answer.read().decode()
    assert body.startswith("<!doctype html>")
    return dict(re.findall(r'<meta property="([^"]+)" content="([^"]*)">', body))


def test_an_invitation_shows_host_and_game(server: Server, ann: Caller) -> None:
    made = ann.make()
    ann.join(made["table"], 1)

    said = tags(server, f"/i/{made['invite']}")

    assert said["og:title"] == "Ann invites you to E-Card"
    assert said["og:description"].startswith("Free seats: 1.")
    with urllib.request.urlopen(said["og:image"]) as picture:
        assert picture.headers["Content-Type"] == "image/png"
    assert tags(server, f"/i/{made['invite']}", "ja")["og:title"].startswith("Annから")


def test_names_are_text_and_a_wrong_code_shows_nothing(
    server: Server, meet: object, stranger: Caller
) -> None:
    rude = meet('"><script>alert(1)</script>')  # type: ignore[operator]
    made = rude.make()

    body = urllib.request.urlopen(f"{server.base}/i/{made['invite']}").read().decode()

    assert "<script>alert" not in body
    assert "&lt;script&gt;alert" in body
    assert tags(server, "/i/NOSUCHCODE") == {}


def test_a_game_has_a_preview_once_it_is_over_and_shared(server: Server, ann: Caller, bob: Caller) -> None:
    table = sit_down(ann, bob, rules="decisive(rounds=2,group=1)", watch="nobody")
    assert tags(server, f"/review/{table}") == {}
    bob.do(table, "resign", decision=1)
    assert tags(server, f"/review/{table}") == {}
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(f"{server.base}/review/{table}/result.png")
    refused.value.close()
    assert refused.value.code == 404
    ann.do(table, "share")

    said = tags(server, f"/review/{table}")

    assert said["og:title"] == "E-Card: Ann won"
    assert re.fullmatch(r"Ann – Seat 2\. [A-Z][^{}]{5,59}\.", said["og:description"])
    with urllib.request.urlopen(said["og:image"]) as picture:
        assert picture.headers["Content-Type"] == "image/png"
        head = picture.read(24)
    assert said["twitter:card"] == "summary_large_image"
    assert head[:8] == b"\x89PNG\r\n\x1a\n"
    assert struct.unpack(">II", head[16:24]) == (1200, 630)
    assert tags(server, f"/t/{table}") == {}

    bob.do(table, "share")
    assert tags(server, f"/review/{table}")["og:description"] == "Ann – Bob. Resigned in round 1 of 2."
