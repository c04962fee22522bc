from __future__ import annotations

import re

from tests.server.http.client import Caller, play_out, sit_down

JAPANESE = re.compile(r"[ぁ-んァ-ヶ一-龠]")


def test_a_page_of_rules_is_in_the_requested_language(stranger: Caller) -> None:
    path = "/games/ecard/rules?rules=classic(tie=extra)"
    ours, theirs = (
        stranger.ok("GET", path),
        stranger.ok("GET", path, Accept_Language="ja-JP,ja;q=0.9,en;q=0.5"),
    )

    assert ours["page"].startswith("# E-Card")
    assert theirs["page"].startswith("# Eカード")
    assert theirs["rules"] == ours["rules"]
    assert list(theirs["sentences"]) == list(ours["sentences"])
    assert all(map(JAPANESE.search, [*theirs["notes"], *theirs["sentences"].values()]))
    assert stranger.ok("GET", path, Accept_Language="sl, en;q=0.1") == ours


def test_problems_of_a_rule_set_are_too(stranger: Caller, ann: Caller) -> None:
    found = stranger.ok("GET", "/games/ecard/rules?rules=classic(rounds=2,group=3)", Accept_Language="ja")
    assert [bool(JAPANESE.search(each)) for each in found["problems"]] == [True]
    wanted = {
        "game": "ecard",
        "rules": "classic(nosuch=1)",
        "seats": [{"kind": "person"}, {"kind": "person"}],
    }

    refused = ann.ask("POST", "/tables", wanted, Accept_Language="ja", Idempotency_Key="k1").json()

    assert refused["code"] == "unreadable_rules"
    assert JAPANESE.search(refused["problems"][0])


def test_the_list_of_games_has_a_tag_for_each_language(stranger: Caller) -> None:
    ours, theirs = stranger.ask("GET", "/games"), stranger.ask("GET", "/games", Accept_Language="ja")

    assert ours.headers["etag"] != theirs.headers["etag"]
    assert theirs.headers["vary"] == "Accept-Language, Accept-Encoding"
    assert [game["name"] for game in theirs.json()] == [game["name"] for game in ours.json()]
    assert all(JAPANESE.search(game["summary"]) for game in theirs.json())


def test_a_review_is_in_the_language_of_its_reader(ann: Caller, bob: Caller) -> None:
    table = sit_down(ann, bob, rules="decisive(rounds=2,group=1)")
    play_out(table, ann, bob)

    ours = ann.ok("GET", f"/tables/{table}/review?seat=1")
    theirs = ann.ok("GET", f"/tables/{table}/review?seat=1", Accept_Language="ja")

    assert theirs["luck_and_skill"] == ours["luck_and_skill"]
    assert not any(map(JAPANESE.search, [*ours["told"], *filter(None, ours["say"].values())]))
    assert all(map(JAPANESE.search, [*theirs["told"], *filter(None, theirs["say"].values())]))


def test_a_guest_without_a_name_is_called_one(stranger: Caller) -> None:
    made = stranger.ok("POST", "/session", {"kind": "program"}, 201, Accept_Language="ja")
    assert made["name"].startswith("ゲスト ")
    assert stranger.ok("POST", "/session", {"kind": "program"}, 201)["name"].startswith("Guest ")
