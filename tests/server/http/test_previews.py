"""Previews of links: what an invitation or a shared game shows without script, and what it does not."""

from __future__ import annotations

import re
import struct
import urllib.error
import urllib.request
from io import BytesIO

import pytest
from PIL import Image, ImageChops

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


def picture_of(server: Server, path: str, language: str = "en") -> Image.Image:
    request = urllib.request.Request(f"{server.base}{path}/result.png", headers={"Accept-Language": language})
    with urllib.request.urlopen(request) as answer:
        return Image.open(BytesIO(answer.read())).convert("RGB")


def test_the_picture_of_a_game_shows_the_two_cards_that_decided(
    server: Server, ann: Caller, bob: Caller
) -> None:
    table = sit_down(ann, bob, rules="classic(rounds=1,group=1)")
    ann.pick(table, 1, 1, "E")
    bob.pick(table, 2, 1, "S")
    without = sit_down(ann, bob, rules="classic(rounds=3,group=3)")
    ann.do(without, "resign", decision=1)

    shown, empty = (picture_of(server, f"/review/{each}") for each in (table, without))

    assert paper_in(shown) > 10_000 > 100 > paper_in(empty)
    japanese = picture_of(server, f"/review/{table}", "ja")
    assert japanese.tobytes() == shown.tobytes(), "our typeface writes no kanji: the picture is in English"


def paper_in(picture: Image.Image) -> int:
    """How many pixels on the right, where cards lie, have the colour of a card's paper."""
    right = picture.crop((680, 80, 1160, 520))
    far = ImageChops.difference(right, Image.new("RGB", right.size, (239, 230, 210))).convert("L")
    return sum(far.histogram()[:6])
