"""Attacks on tournaments: floods of them, other people's entries, texts that other programs run."""

from __future__ import annotations

from typing import Any

from tests.server.http.client import Meet
from tests.server.http.keeping import keep

ALL = "/tournaments"


def wish(**more: object) -> dict[str, Any]:
    clock = {"kind": "decision", "seconds": 30}
    return {"kind": "arena", "title": "Evening", "game": "ecard", "clock": clock, "starts_in": 60, **more}


def test_a_guest_sets_up_none_and_an_account_only_a_few(meet: Meet) -> None:
    guest = meet("Guest")
    assert guest.refused("POST", ALL, wish()) == (403, "not_yours")
    keep(guest)
    for _ in range(3):
        guest.ok("POST", ALL, wish(), 201)
    assert guest.refused("POST", ALL, wish()) == (429, "too_many")


def test_what_is_too_large_or_of_another_game_is_refused(meet: Meet) -> None:
    ann = meet("Ann")
    keep(ann)
    for more in (
        {"title": "x" * 61},
        {"minutes": 10_000},
        {"rounds": 0},
        {"starts_in": 1_000_000},
        {"machines": ["os:system"]},
        {"machines": [f"m{number}" for number in range(33)]},
        {"seats": 8, "kind": "rounds"},
        {"prize": "money"},
    ):
        assert ann.refused("POST", ALL, wish(**more))[0] in (400, 404), more
    assert ann.refused("POST", ALL, wish(seats=7, kind="rounds")) == (409, "illegal_seats")


def test_nobody_enters_twice_or_for_another(meet: Meet) -> None:
    ann, bob = meet("Ann"), meet("Bob")
    keep(ann)
    path = f"{ALL}/{ann.ok('POST', ALL, wish(), 201)['head']['tournament']}"
    assert [bob.ok("PUT", f"{path}/entry", {})["own"] for _ in range(3)] == [1, 1, 1]
    ann.ok("PUT", f"{path}/entry", {"withdrawn": True})
    assert [each.get("state", "in") for each in bob.ok("GET", path)["rows"]] == ["in"]
    bob.ok("PUT", f"{path}/entry", {"withdrawn": True})
    assert bob.refused("PUT", f"{path}/entry", {}) == (409, "entry_closed"), "withdrawn for good"
    assert bob.ok("GET", path)["rows"][0].keys() & {"person", "id"} == set()


def test_twelve_guests_cannot_block_a_tournament_of_kept_accounts(meet: Meet) -> None:
    ann, ben = meet("Ann"), meet("Ben")
    keep(ann)
    keep(ben, "ben_at_club")
    path = f"{ALL}/{ann.ok('POST', ALL, wish(kept=True), 201)['head']['tournament']}"
    for number in range(12):
        assert meet(f"Guest {number}").refused("PUT", f"{path}/entry", {}) == (403, "keep_first")
    assert ben.ok("PUT", f"{path}/entry", {})["own"] == 1
    assert ben.ok("GET", path)["head"]["kept"]


def test_only_the_organiser_puts_an_entrant_out_and_for_good(meet: Meet) -> None:
    ann, ben, cat = meet("Ann"), meet("Ben"), meet("Cat")
    keep(ann)
    path = f"{ALL}/{ann.ok('POST', ALL, wish(), 201)['head']['tournament']}"
    for each in (ben, cat):
        each.ok("PUT", f"{path}/entry", {})
    first = {"do": "put_out", "number": 1}
    assert cat.refused("POST", f"{path}/order", first) == (403, "not_yours")
    for number in (3, 0, -1):
        assert ann.refused("POST", f"{path}/order", {**first, "number": number}) == (404, "not_there"), number
    for _ in range(2):
        ann.ok("POST", f"{path}/order", first, 204)
    assert [each.get("state", "in") for each in ann.ok("GET", path)["rows"]] == ["out", "in"]
    assert ben.refused("PUT", f"{path}/entry", {}) == (409, "entry_closed")


def test_a_name_is_no_formula_in_the_results(meet: Meet) -> None:
    ann, evil = meet("Ann"), meet("=1+2")
    keep(ann)
    path = f"{ALL}/{ann.ok('POST', ALL, wish(), 201)['head']['tournament']}"
    evil.ok("PUT", f"{path}/entry", {})
    assert "1,'=1+2,0" in ann.ask("GET", f"{path}/results.csv").text


def test_streams_of_standings_are_counted_like_all_streams(meet: Meet) -> None:
    ann = meet("Ann")
    keep(ann)
    path = f"{ALL}/{ann.ok('POST', ALL, wish(), 201)['head']['tournament']}"
    open_streams = [ann.http.stream("GET", f"{path}/events") for _ in range(4)]
    for each in open_streams:
        each.__enter__()
    try:
        assert ann.refused("GET", f"{path}/events") == (429, "too_many")
    finally:
        for each in open_streams:
            each.__exit__(None, None, None)
