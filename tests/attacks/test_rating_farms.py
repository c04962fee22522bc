"""Attacks on ratings: chosen sides, uneven rules, and two accounts that trade wins."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

from facedown.core.chance import entropy_commitment
from tests.server.http.client import ENTROPY, Caller, Meet, meeting, sit_and_reveal, sit_down
from tests.server.http.keeping import keep
from tests.server.running import Server, until

DRAWN = "classic(first=drawn)"


def rating_of(caller: Caller) -> Any:
    statistics = caller.ok("GET", "/people/me")["statistics"]
    return statistics[0]["rating"] if statistics else None


def beat(winner: Caller, loser: Caller, **more: object) -> None:
    """A game that the loser gives up after its first reveal."""
    loser.do(sit_and_reveal(winner, loser, **more), "resign", decision=2)


def beat_guests(farmer: Caller, meet: Meet, number: int) -> None:
    """So many games, each against a guest who comes for it alone."""
    for each in range(number):
        beat(farmer, meet(f"Straw {each}"), rules=DRAWN)


def test_a_host_gains_nothing_by_choosing_the_sides(meet: Meet) -> None:
    """Sitting down on the better side of an uneven table, as the host or by rules that fix the sides."""
    farmer, victim = meet("Farmer"), meet("Victim")
    for rules in ("classic", "classic(first=2)", "purse(first=1)"):
        beat(farmer, victim, rules=rules)
    assert farmer.ok("GET", "/people/me")["statistics"][0]["won"] == 3
    assert rating_of(farmer) is None


def test_a_host_gains_nothing_by_rules_of_their_own(meet: Meet) -> None:
    """A game of three rounds on one side: what it is worth is not known, so that it does not count."""
    farmer, victim = meet("Farmer"), meet("Victim")
    beat(farmer, victim, rules="classic(first=drawn,rounds=3)")
    assert rating_of(farmer) is None


def test_a_game_given_up_before_its_first_reveal_is_not_rated(meet: Meet, operator: Caller) -> None:
    """Guests who sit down with an account and resign at once."""
    farmer = meet("Farmer")
    for number in range(3):
        straw = meet(f"Straw {number}")
        straw.do(sit_down(farmer, straw, rules=DRAWN), "resign", decision=1)
    assert farmer.ok("GET", "/people/me")["statistics"][0]["won"] == 3
    assert rating_of(farmer) is None


def test_guests_who_come_once_to_lose_bring_no_one_to_the_top(meet: Meet, operator: Caller) -> None:
    """They play a bit, and then they resign: the operator sees it, and the account gets no place."""
    farmer = meet("Farmer")
    beat_guests(farmer, meet, 30)
    now = rating_of(farmer)
    assert now["points"] <= 1700
    assert now["provisional"]
    winners = operator.ok("GET", "/admin/pairs")["easy_winners"]
    assert [each for each in winners if each["person"] == farmer.person] == [
        {"person": farmer.person, "name": "Farmer", "wins": 30, "easy": 30}
    ]


def test_two_accounts_that_trade_wins_gain_less_and_less(meet: Meet) -> None:
    farmer, straw = meet("Farmer"), meet("Straw")
    for number in range(8):
        beat(*((straw, farmer) if number % 2 else (farmer, straw)), rules=DRAWN)
    errors = [400, *(point["error"] for point in rating_of(farmer)["course"])]
    shrunk = [after / before for before, after in pairwise(errors)]
    assert len(shrunk) == 8
    assert min(shrunk[6:]) > max(shrunk[:6]), "the seventh and the eighth game of the day count half"


def test_one_person_on_both_seats_is_not_rated(meet: Meet) -> None:
    """A friend on the same device, and a device that is passed around: one pair of eyes sees both hands."""
    farmer = meet("Farmer")
    for hotseat in (True, False):
        table = farmer.make(rules=DRAWN, hotseat=hotseat)["table"]
        for seat in (1, 2):
            commit = {
                "seat": seat,
                "commit": _commit(table, seat),
                **({"name": "Friend"} if seat == 2 else {}),
            }
            farmer.ok("POST", f"/tables/{table}/join", commit, 201)
        for seat in (1, 2):
            token = farmer.ok("POST", f"/tables/{table}/resume", {"seat": seat})["token"]
            opening = {"id": f"open{seat}", "do": "open", "entropy": ENTROPY.hex()}
            farmer.ok("POST", f"/tables/{table}/commands", opening, facedown_seat=token)
        resigning = {"id": "end", "do": "resign", "decision": 1}
        farmer.ok("POST", f"/tables/{table}/commands", resigning, facedown_seat=token)
        assert farmer.see(table)["table"]["state"] == "over"
    assert rating_of(farmer) is None


def _commit(table: str, seat: int) -> str:
    return entropy_commitment(table, seat, ENTROPY).hex()


def test_two_accounts_in_two_windows_of_one_device_are_not_rated(tmp_path: Path) -> None:
    """The same address and the same program; another address counts, and another program does."""
    server = Server(tmp_path / "data", FACEDOWN_PROXIES="127.0.0.1").start()
    try:
        with meeting(server.base) as meet:
            farmer = meet("Farmer")
            for name, address, program, is_rated in (
                ("Window", "192.0.2.1", "Browser", False),
                ("Neighbour", "192.0.2.2", "Browser", True),
                ("Tablet", "192.0.2.1", "Another", True),
            ):
                straw = meet(name)
                for who, where, agent in ((farmer, "192.0.2.1", "Browser"), (straw, address, program)):
                    who.http.headers |= {"X-Forwarded-For": where, "User-Agent": agent}
                beat(farmer, straw, rules=DRAWN)
                assert (rating_of(straw) is not None) == is_rated, name
    finally:
        server.close()


def test_a_pair_of_which_one_feeds_the_other_is_listed_for_the_operator(meet: Meet, operator: Caller) -> None:
    """And nothing else happens to them; two who play evenly are not listed."""
    farmer, straw, ann, ben = (meet(name) for name in ("Farmer", "Straw", "Ann", "Ben"))
    for number in range(12):
        beat(farmer, straw, rules=DRAWN)
        beat(*((ann, ben) if number % 2 else (ben, ann)), rules=DRAWN)
    pairs = operator.ok("GET", "/admin/pairs")["pairs"]
    listed = [each for each in pairs if {each["one"], each["other"]} & {farmer.person, ann.person}]
    assert [{each["one"], each["other"]} for each in listed] == [{farmer.person, straw.person}]
    assert listed[0]["chance"] < 0.001
    assert rating_of(straw)["games"] == 12


def test_wins_that_are_traded_in_an_arena_are_listed_with_the_others(meet: Meet, operator: Caller) -> None:
    """Two friends wait until an arena pairs them, and one gives up: these games count like all others."""
    farmer, straw = meet("Farmer"), meet("Straw")
    for _ in range(11):
        beat(farmer, straw, rules=DRAWN)
    keep(farmer)
    clock = {"kind": "decision", "seconds": 30}
    wish = {"kind": "arena", "title": "Ours", "game": "ecard", "clock": clock, "starts_in": 0}
    path = f"/tournaments/{farmer.ok('POST', '/tournaments', wish, 201)['head']['tournament']}"
    own = {each: each.ok("PUT", f"{path}/entry", {})["own"] for each in (farmer, straw)}
    rows = {row["number"]: row for row in until_paired(farmer, path)}
    (table,) = rows[own[straw]]["tables"]
    for each in (farmer, straw):
        each.join(table, rows[own[each]]["seats"][0])
    for each in (farmer, straw):
        each.open(table)
    straw.do(table, "resign", decision=1)

    def listed() -> list[int]:
        pairs = operator.ok("GET", "/admin/pairs")["pairs"]
        return [each["games"] for each in pairs if farmer.person in (each["one"], each["other"])]

    until(lambda: listed() == [12])


def until_paired(caller: Caller, path: str) -> Any:
    until(lambda: all(row.get("tables") for row in caller.ok("GET", path)["rows"]))
    return caller.ok("GET", path)["rows"]
