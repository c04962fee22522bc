"""People's pages: one's own, and what others see of it."""

from __future__ import annotations

from typing import Any

from tests.server.http.client import Caller, Meet, sit_and_reveal, sit_down
from tests.server.http.keeping import keep, new_handle

RATED = "classic(first=drawn)"
QUICK = "decisive(rounds=2,group=1)"


def show(caller: Caller, *parts: str) -> Any:
    return caller.ok("PUT", "/people/me/page", {"shows": parts})


def test_a_guest_has_a_page_of_their_own_that_no_one_else_sees(ann: Caller) -> None:
    me = ann.ok("GET", "/people/me")
    assert (me["name"], me["page"]) == ("Ann", None)
    assert ann.refused("PUT", "/people/me/page", {"shows": ["page"]}) == (409, "not_now")


def test_a_kept_account_has_a_page_at_its_handle(ann: Caller, bob: Caller, stranger: Caller) -> None:
    handle = new_handle()
    keep(ann, handle)
    ann.do(sit_and_reveal(ann, bob, rules=RATED), "resign", decision=2)

    page = stranger.ok("GET", f"/people/{handle}")

    assert (page["handle"], page["you"]) == (handle, False)
    (rated,) = page["ratings"]
    assert (rated["game"], rated["rating"]["games"]) == ("ecard", 1)
    assert ann.person not in str(page), "an id is for its owner alone"
    assert ann.ok("GET", f"/people/{handle.upper()}") == {**page, "you": True}
    assert ann.ok("GET", "/people/me")["page"]["shows"] == ["page", "rating", "results"]


def test_each_part_is_shown_by_choice(ann: Caller, bob: Caller, stranger: Caller) -> None:
    handle = new_handle()
    keep(ann, handle)
    ann.do(sit_and_reveal(ann, bob, rules=RATED), "resign", decision=2)

    assert show(ann, "page")["shows"] == ["page"]
    assert stranger.ok("GET", f"/people/{handle}")["ratings"] is None
    show(ann, "rating", "results")
    assert stranger.refused("GET", f"/people/{handle}") == (404, "not_there")
    assert ann.refused("GET", f"/people/{handle}") == (404, "not_there"), "one sees what others see"
    show(ann, "page", "rating")
    assert stranger.ok("GET", f"/people/{handle}")["ratings"]
    show(ann, "page")
    page = stranger.ok("GET", f"/people/{handle}")
    assert [page[part] for part in ("ratings", "results", "rivals", "games")] == [None] * 4
    show(ann, "page", "rating")
    assert ann.refused("PUT", "/people/me/page", {"shows": ["everything"]}) == (400, "bad_message")
    assert ann.ok("GET", "/people/me/data")["account"]["shows"] == ["page", "rating"]


def test_results_are_counted_by_rules_and_by_opponent(ann: Caller, bob: Caller, meet: Meet) -> None:
    for loser in (ann, bob, bob):
        loser.do(sit_and_reveal(ann, bob, rules=RATED), "resign", decision=2)
    cy = meet("Cy")
    ann.do(sit_and_reveal(ann, cy, rules=QUICK), "resign", decision=2)

    me = ann.ok("GET", "/people/me")

    counts = {(each["rules"], each["side"]): (each["won"], each["lost"]) for each in me["results"]}
    assert sum(won for won, _ in counts.values()) == 2
    assert {rules for rules, _ in counts} == {RATED, QUICK}
    assert {side for rules, side in counts if rules == RATED} <= {1, -1}, "one side is worth more"
    bobs, cys = me["rivals"]
    assert (bobs["name"], bobs["handle"], bobs["won"], bobs["lost"], bobs["course"]) == (
        "Bob",
        None,
        2,
        1,
        "lww",
    )
    assert (cys["name"], cys["games"]) == ("Cy", 1)
    assert [each["name"] for each in bob.ok("GET", "/people/me")["rivals"]] == ["Ann"]


def test_others_are_named_on_a_page_only_if_they_show_the_same_of_theirs(
    ann: Caller, bob: Caller, stranger: Caller
) -> None:
    anns, bobs = new_handle(), new_handle()
    keep(ann, anns)
    show(ann, "page", "rivals", "games")
    ann.do(sit_and_reveal(ann, bob, rules=RATED), "resign", decision=2)

    page = stranger.ok("GET", f"/people/{anns}")
    (game,) = page["games"]
    assert (page["rivals"], game["names"], game["table"]) == ([], [anns, ""], "")

    keep(bob, bobs)
    page = stranger.ok("GET", f"/people/{anns}")
    assert (page["rivals"], page["games"][0]["names"]) == ([], [anns, ""]), "bob shows neither of them"
    show(bob, "page", "rivals")
    page = stranger.ok("GET", f"/people/{anns}")
    (score,) = page["rivals"]
    assert (score["handle"], score["won"], score["lost"]) == (bobs, 0, 1)
    assert page["games"][0]["names"] == [anns, ""]
    show(bob, "page", "games")
    assert stranger.ok("GET", f"/people/{anns}")["games"][0]["names"] == [anns, bobs]
    show(bob)
    page = stranger.ok("GET", f"/people/{anns}")
    assert (page["rivals"], page["games"][0]["names"]) == ([], [anns, ""])


def test_own_games_are_searched(ann: Caller, bob: Caller, meet: Meet) -> None:
    cy = meet("Cyrus")
    for other, loser, rules in ((bob, ann, RATED), (bob, bob, QUICK), (cy, cy, RATED)):
        loser.do(sit_and_reveal(ann, other, rules=rules), "resign", decision=2)

    def found(**query: object) -> list[str]:
        wanted = "&".join(f"{name}={value}" for name, value in query.items())
        answer = ann.ok("GET", f"/people/me/games?{wanted}")
        assert answer["next"] is None
        return [each["names"][1] for each in answer["games"]]

    assert found() == ["Cyrus", "Bob", "Bob"]
    assert found(opponent="cyr") == ["Cyrus"]
    assert found(result="lost") == found(rules="CLASSIC", opponent="bo") == ["Bob"]
    assert found(game="davenport") == found(result="tied") == found(since=1 << 50) == found(until=5) == []
    (latest, *_) = ann.ok("GET", "/people/me/games")["games"]
    (told,) = latest["story"]["sentences"]
    assert (told["key"], told["numbers"]["round"]) == ("story.round", 1)
    assert found(until=latest["ended_at"]) == ["Cyrus", "Bob", "Bob"]
    assert found(before=f"{latest['ended_at']}-{latest['table']}") == ["Bob", "Bob"]
    assert ann.refused("GET", "/people/me/games?before=yesterday") == (400, "bad_message")
    assert ann.refused("GET", "/people/me/games?result=all") == (400, "bad_message")


def test_people_are_found_by_the_beginning_of_their_handle(
    ann: Caller, bob: Caller, stranger: Caller
) -> None:
    start = new_handle()
    keep(ann, f"{start}_a")
    keep(bob, f"{start}_b")
    assert stranger.ok("GET", f"/people?find={start.upper()}")["people"] == [f"{start}_a", f"{start}_b"]
    after = stranger.ok("GET", f"/people?find={start}&after={start}_a")
    assert after == {"people": [f"{start}_b"], "next": None}
    show(ann)
    assert stranger.ok("GET", f"/people?find={start}")["people"] == [f"{start}_b"]
    assert stranger.refused("GET", "/people?find=") == (400, "bad_message")


# --- how readable one is ---------------------------------------------------------------------------------


def play_first(ann: Caller, bob: Caller, rounds: int) -> None:
    """A game in which Ann plays the special card at once in every round, and Bob a Citizen."""
    rules = f"classic(rounds={rounds},group=1,victory=rounds,placing=together)"
    table = sit_down(ann, bob, rules=rules)
    for decision in range(1, rounds + 1):
        ann.pick(table, 1, decision, "SE"[decision % 2])
        bob.pick(table, 2, decision, "C")
    assert ann.see(table)["table"]["state"] == "over"


def test_a_person_is_told_what_gives_them_away(ann: Caller, bob: Caller) -> None:
    play_first(ann, bob, 20)
    found = ann.ok("GET", "/people/me/readable?game=ecard")
    assert (found["games"], found["habits"]) == (1, [])
    assert found["missing"] == 30 - found["picks"] > 0

    play_first(ann, bob, 20)
    found = ann.ok("GET", "/people/me/readable?game=ecard")

    assert (found["games"], found["missing"], found["solved"]) == (2, 0, True)
    assert found["bits"] > 5
    habit = found["habits"][0]
    assert habit["say"] == "You play your Emperor or Slave at the first play."
    assert habit["did"] == habit["of"] > habit["usual"] * habit["of"]
    assert 0.5 < habit["cost"]["low"] <= habit["cost"]["value"] <= 1
    assert [week["picks"] for week in found["weeks"]] == [found["picks"]]
    told = ann.ok("GET", "/people/me/readable?game=ecard", Accept_Language="ja")["habits"][0]["say"]
    assert told == "1勝負目に皇帝や奴隷を出しがちです。"
    assert bob.ok("GET", "/people/me/readable?game=ecard")["habits"][0]["more"] is False
    assert ann.refused("GET", "/people/me/readable?game=whist") == (404, "unknown_game")
    assert ann.refused("GET", "/people/me/readable") == (400, "bad_message")


def test_what_gives_a_person_away_goes_with_their_games(ann: Caller, bob: Caller) -> None:
    play_first(ann, bob, 20)
    assert ann.ok("GET", "/people/me/readable?game=ecard")["picks"] > 0
    ann.ok("DELETE", "/people/me", status=204)
    assert ann.refused("GET", "/people/me/readable?game=ecard")[0] == 401
