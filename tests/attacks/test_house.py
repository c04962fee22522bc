"""Attacks on what is known of the house: too much of it, too often, and tells asked out of it."""

from __future__ import annotations

from facedown.bots.house import house_of
from facedown.server.ops.rate_limits import HOUSES
from tests.server.http.client import Meet

PIP = {"game": "ecard", "machine": "pip", "rounds": 1, "games": 1, "won": 0, "asks": 20, "found": ""}


def test_nothing_is_kept_of_too_much_and_no_one_writes_without_end(meet: Meet) -> None:
    eve = meet("Eve")
    assert eve.refused("PUT", "/house", {"known": [PIP] * 101})[0] == 400
    assert eve.refused("PUT", "/house", {"known": [PIP | {"rounds": 10**9}]})[0] == 400
    answers = [eve.ask("PUT", "/house", {}).status_code for _ in range(int(HOUSES.count) + 5)]
    assert 429 in answers
    assert meet("Ann").ok("PUT", "/house", {})["known"] == []


def test_the_house_tells_no_tell(meet: Meet) -> None:
    """Neither what is listed nor what is kept says which of the guesses is right."""
    listed = meet().ok("GET", "/games/ecard/house")
    tells = {each.bot.name: each.tell for each in house_of("ecard")}
    for each in listed:
        tell, words = tells[each["name"]], " ".join([each["says"], *each["talk"].values()])
        assert tell is None or tell.id not in words
        assert set(each) == {"name", "says", "price", "error", "guesses", "talk"}
