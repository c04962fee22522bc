"""Names chosen to be taken for another player, for a machine or for the server itself."""

from __future__ import annotations

import pytest

from facedown.core.text.sanitise import LONGEST_ACCOUNT_NAME
from facedown.protocol.errors import BadMessage, ReservedName
from facedown.server.names import clean_handle, clean_name, distinct_name, skeleton
from tests.server.http.client import Meet

NOT_FOR_PEOPLE = [
    *("Equilibrium", "EQUILIBRIUM!", "equi librium", "equilibrium 2", "Еquilibriυm", "Ｓａｇｅ", "Sagе"),
    *("均衡", "無心", "someone who left", "退会した人", "System", "ѕуѕtеm", "システム", "ᴀᴅᴍɪɴ", "unífórm"),
    *("Faced0wn", "ꓢꓬꓢꓔꓰꓟ"),
    *("Support", "Mod", "Bot", "Everyone", "Équipe", "Help Team", "System Message", "Administrator²"),
    *("Official Facedown", "Facedown Team", "FacedownHQ", "The Facedown Team", "Server Admin", "Ann (Mod)"),
    *("MOD-Ann", "AnnAdmin", "A.d.m.i.n Ann", "Ann Admin2", "rnod Ann", "0fficial Ann", "Oficial Ana"),
    *("운영자 김", "管理员小王", "公式サポート", "Facedown ✓", "Admin ✔", "Mod ☑\ufe0f"),
    *(
        "ann (bot: bo)",
        "ann (bot : bo)",
        "ann [bot: bo]",
        "ann bot： bo",
        "ann bot∶bo",
        "Ann <bot>",
        "ann 〔bot〕",
    ),
]
FOR_PEOPLE = [
    *(
        "Helpmann",
        "Modesty",
        "Modi",
        "Teamo",
        "Stafford",
        "Robot Rob",
        "Rob Bot",
        "Rob's Bot!",
        "Botond",
        "Ann :)",
    ),
    *(
        "Joe Root",
        "Team Rocket",
        "Time Machine",
        "Sagebrush",
        "Moderato",
        "김지원",
        "팀",
        "(Ann)",
        "Ann & Bo",
    ),
]
HANDLES_NOT_FOR_PEOPLE = [
    *("support", "root", "staff", "official", "security", "help", "mod", "sysop", "team", "bot", "deleted"),
    *("everyone", "ann_mod", "mod7ann", "ann-official", "AnnAdmin", "the_facedown", "facedown-ann"),
]
HANDLES_FOR_PEOPLE = [
    "helpmann",
    "modesty",
    "teamo",
    "robotrob",
    "rob_bot",
    "team_rocket",
    "stafford",
    "joe-root",
]
LIKE_ANN = ["Ann", "Αnn", "Аnn", "ＡＮＮ", "ann.", "A n n", "Ánn", "𝐀𝐧𝐧", "Aɴn", "aŋŋ", "aɲɳ"]


def test_names_of_machines_and_of_the_system_are_not_for_people(meet: Meet) -> None:
    ann = meet("Ann")
    made = ann.make(hotseat=True)
    for name in NOT_FOR_PEOPLE:
        try:
            clean_name(name)
        except ReservedName:
            continue
        raise AssertionError(f"{name!r} is allowed")

    body = {"seat": 1, "commit": "0" * 64, "name": "Sagе"}
    assert meet().refused("POST", "/session", {"name": "system", "kind": "program"}) == (400, "reserved_name")
    assert ann.refused("PATCH", "/session", {"name": "均衡"}) == (400, "reserved_name")
    assert ann.refused("POST", f"/tables/{made['table']}/join", body) == (400, "reserved_name")
    assert ann.ok("GET", "/session")["name"] == "Ann"
    assert ann.see(made["table"])["table"]["state"] == "open"


def test_names_with_a_reserved_word_inside_another_are_for_people() -> None:
    assert [clean_name(name) for name in FOR_PEOPLE] == FOR_PEOPLE
    assert [clean_handle(handle) for handle in HANDLES_FOR_PEOPLE] == HANDLES_FOR_PEOPLE


@pytest.mark.parametrize("handle", HANDLES_NOT_FOR_PEOPLE)
def test_handles_of_the_system_are_not_for_people(handle: str) -> None:
    with pytest.raises(ReservedName):
        clean_handle(handle)


def test_ticks_and_badges_are_taken_out_of_names() -> None:
    assert {clean_name(f"Ann {tick}") for tick in "✓✔☑✅🗸🗹⍻√🛡"} == {"Ann"}
    assert clean_name("✔\ufe0fAnn ❤\ufe0f") == "Ann ❤\ufe0f"
    with pytest.raises(BadMessage):
        clean_name("✓ ✔")


def test_a_second_ann_has_a_number_wherever_she_is_shown(meet: Meet) -> None:
    for name in LIKE_ANN:
        assert distinct_name(name, ["Bo", "Ann"]) == f"{name} 2", name

    ann, other, third, watcher = meet("Ann"), meet("Аnn"), meet("Ann 2"), meet("Αnn")
    made = ann.make(game="davenport", people=3, watch="anyone")
    table = made["table"]
    for seat, player in enumerate((ann, other, third), 1):
        player.join(table, seat, made["invite"])
    for player in (ann, other, third):
        player.open(table)
    other.do(table, "say", text="I am Ann")
    watcher.do(table, "say", text="no, I am")
    shown = ann.see(table)
    assert [seat["name"] for seat in shown["table"]["seats"]] == ["Ann", "Аnn 2", "Ann 2 2"]
    assert [said["name"] for said in shown["table"]["said"]] == ["Аnn 2"]
    assert [said["name"] for said in watcher.see(table)["table"]["said"]] == ["Αnn 3"]

    ann.ok("PATCH", "/session", {"name": "Eve"})
    other.ok("PATCH", "/session", {"name": "Еvе"})
    third.ok("PATCH", "/session", {"name": "Ann"})
    names = [seat["name"] for seat in ann.see(table)["table"]["seats"]]
    assert names == ["Eve", "Еvе 2", "Ann"]
    assert other.ok("GET", "/session")["name"] == "Еvе"  # the account's own is as it was chosen


def test_seats_of_one_person_on_one_device_keep_their_name(meet: Meet) -> None:
    ann = meet("Ann")
    table = ann.make(hotseat=True)["table"]
    for seat in (1, 2):
        ann.join(table, seat)

    assert [seat["name"] for seat in ann.see(table)["table"]["seats"]] == ["Ann", "Ann"]


def test_numbered_names_are_distinct_and_fit() -> None:
    long = "W" * LONGEST_ACCOUNT_NAME
    shown: list[str] = []
    for _ in range(12):
        shown.append(distinct_name(long, shown))

    assert len({skeleton(name) for name in shown}) == 12
    assert max(map(len, shown)) == LONGEST_ACCOUNT_NAME
    assert distinct_name("Anna", ["Ann", "Hanna"]) == "Anna"
    assert distinct_name("かな", ["がな"]) == "かな"
    assert distinct_name("エりカ", ["エリ力"]) == "エりカ 2"
    assert distinct_name("...", ["???"]) == "..."
