"""Bots: accounts that a person makes for a program, with an owner in the name, and their own ladder."""

from __future__ import annotations

from typing import Any

import pytest

from tests.server.http.client import Caller, Meet, play_out
from tests.server.http.keeping import account, keep, new_handle
from tests.server.http.test_tokens import program

BOTS = "/account/bots"


def make_bot(owner: Caller, meet: Meet) -> tuple[Any, Caller]:
    """A new bot, and a program with its token."""
    made = owner.ok("POST", BOTS, {"handle": new_handle()}, 201)
    caller = program(meet, made["token"])
    caller.person = caller.ok("GET", "/session")["person"]
    return made["bot"], caller


def challenged(person: Caller, handle: str, rules: str = "") -> Any:
    return person.ok("POST", "/challenges", {"game": "ecard", "rules": rules, "handle": handle}, 201)


def play_challenge(person: Caller, bot: Caller, handle: str) -> str:
    """A game of a person against a bot that was challenged."""
    made = challenged(person, handle)
    (notice,) = [each for each in bot.ok("GET", "/notices")["notices"] if each["kind"] == "challenge"]
    assert notice["table"] == made["table"]
    seats = {made["seat"]: person, notice["seat"]: bot}
    for seat, caller in sorted(seats.items()):
        caller.join(made["table"], seat)
    for caller in seats.values():
        caller.open(made["table"])
    play_out(made["table"], seats[1], seats[2])
    return str(made["table"])


@pytest.fixture
def owner(ann: Caller) -> Caller:
    keep(ann)
    return ann


def test_a_bot_says_whose_it_is_and_plays_by_its_token(owner: Caller, bob: Caller, meet: Meet) -> None:
    info, bot = make_bot(owner, meet)
    handle = owner.ok("GET", "/account")["handle"]
    assert info["name"].startswith(f"{info['handle']} (bot: {handle[:5]}")
    assert account(owner)["bots"] == [info]

    table = play_challenge(bob, bot, info["handle"])

    seats = bob.ok("GET", f"/tables/{table}")["table"]["seats"]
    assert info["name"] in [each["name"] for each in seats]
    assert bob.ok("GET", f"/people/{info['handle']}")["owner"] == handle


def test_games_of_a_bot_count_on_the_ladder_of_machines(owner: Caller, bob: Caller, meet: Meet) -> None:
    info, bot = make_bot(owner, meet)
    play_challenge(bob, bot, info["handle"])

    for caller in (bob, bot):
        assert {each["machines"] for each in caller.ok("GET", "/people/me")["ladders"]} == {True}


def test_a_bots_token_is_renewed_and_a_bot_erased(owner: Caller, bob: Caller, meet: Meet) -> None:
    info, bot = make_bot(owner, meet)
    path = f"{BOTS}/{info['handle']}"

    renewed = owner.ok("POST", f"{path}/token", status=201)
    assert bot.refused("GET", "/session") == (401, "bad_token")
    assert program(meet, renewed["token"]).ok("GET", "/session")["handle"] == info["handle"]

    owner.ok("DELETE", path, status=204)
    assert program(meet, renewed["token"]).refused("GET", "/session") == (401, "bad_token")
    assert account(owner)["bots"] == []
    assert bob.refused("GET", f"/people/{info['handle']}") == (404, "not_there")


def test_bots_are_exported_and_erased_with_their_owner(owner: Caller, bob: Caller, meet: Meet) -> None:
    info, bot = make_bot(owner, meet)
    assert owner.ok("GET", "/people/me/data")["account"]["bots"] == [info]

    owner.ok("DELETE", "/people/me", status=204)

    assert bot.refused("GET", "/session") == (401, "bad_token")
    assert bob.refused("GET", f"/people/{info['handle']}") == (404, "not_there")
