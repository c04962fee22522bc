"""Records that are none: one sentence with the code, the place and the rule's id, and status 2."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from facedown.core import registry
from tests.cli.command import failed_in_one_sentence
from tests.cli.conftest import Here
from tests.commands.recorded import finished_game, record_with

GAME = registry.names()[0]
GOOD = finished_game(GAME)
SEATS = len(GOOD.seats)
FIRST = [list(joint) for joint in GOOD.picks]

NONSENSE: dict[str, tuple[bytes, str]] = {
    "nothing": (b"", "unreadable_record"),
    "only spaces": (b" \n\n\t\n", "unreadable_record"),
    "cut short": (GOOD.write().encode()[:-40], "unreadable_record"),
    "a list": (b"[1, 2, 3]", "unreadable_record"),
    "a number": (b"7", "unreadable_record"),
    "an empty object": (b"{}", "unreadable_record"),
    "not UTF-8": (b'{"format": "\xff\xfe"}', "unreadable_record"),
    "a zero byte": (b"\0", "unreadable_record"),
    "nested too deep": (b"[" * 100_000, "unreadable_record"),
    "a number too long": (b'{"format": ' + b"9" * 10_000 + b"}", "unreadable_record"),
    "another format": (record_with(GOOD, format="facedown/2"), "unreadable_record"),
    "no game": (record_with(GOOD, game=None), "unreadable_record"),
    "an unknown game": (record_with(GOOD, game="\x1b[2J" * 1000), "unknown_game"),
    "unknown rules": (record_with(GOOD, rules="nonsense(x=y)"), "unreadable_rules"),
    "too few seats": (record_with(GOOD, seats=[]), "illegal_seats"),
    "too many seats": (record_with(GOOD, seats=["Ann"] * 99), "illegal_seats"),
    "seats that are no names": (record_with(GOOD, seats=[1, 2]), "unreadable_record"),
    "picks that are no list": (record_with(GOOD, picks="picks"), "unreadable_record"),
    "a decision that is no list": (record_with(GOOD, picks=["C"]), "unreadable_record"),
    "a pick that is an object": (record_with(GOOD, picks=[[{}] * SEATS]), "unreadable_record"),
    "a pick that is none": (record_with(GOOD, picks=[["\x1b[2J"] * SEATS]), "illegal_pick"),
    "too few picks": (record_with(GOOD, picks=[["x"]]), "illegal_pick"),
    "no picks in a decision": (record_with(GOOD, picks=[[None] * SEATS]), "illegal_pick"),
    "two resign at once": (record_with(GOOD, picks=[["resign"] * SEATS]), "illegal_pick"),
    "a pick after the end": (record_with(GOOD, picks=[*FIRST, FIRST[0]]), "not_now"),
    "chance that is left over": (record_with(GOOD, chance=[*GOOD.chance, "AS"]), "illegal_chance"),
    "chance that is no list": (record_with(GOOD, chance={}), "unreadable_record"),
    "a seed that is none": (record_with(GOOD, seed="seed"), "unreadable_record"),
    "a result that is none": (record_with(GOOD, result=[]), "unreadable_record"),
}
OF_NONSENSE = pytest.mark.parametrize("what", NONSENSE)
OF_FALSE = ("illegal_pick", "illegal_seats", "illegal_chance", "not_now")
"""What can be read, but is not so: `verify` ends with another status."""
OF_COMMANDS = pytest.mark.parametrize("name", [["replay"], ["replay", "--json"], ["verify"]], ids=" ".join)


def status_of(name: list[str], code: str) -> int:
    return 1 if name == ["verify"] and code in OF_FALSE else 2


@OF_COMMANDS
@OF_NONSENSE
def test_a_file_of_nonsense(here: Here, tmp_path: Path, what: str, name: list[str]) -> None:
    text, code = NONSENSE[what]
    file = tmp_path / "record.json"
    file.write_bytes(text)

    ran = here(*name, str(file))

    assert failed_in_one_sentence(ran, code, status_of(name, code)), ran
    assert str(file) in ran.err
    assert ran.out == ("false\n" if ran.status == 1 else "")
    assert "\x1b" not in ran.err


@OF_COMMANDS
@OF_NONSENSE
def test_nonsense_on_standard_input(here: Here, what: str, name: list[str]) -> None:
    text, code = NONSENSE[what]

    ran = here(*name, "-", stdin=text)

    assert failed_in_one_sentence(ran, code, status_of(name, code)), ran
    assert "standard input: " in ran.err


@OF_COMMANDS
@OF_NONSENSE
def test_one_bad_line_among_good_ones_is_named_and_the_others_are_done(
    here: Here, tmp_path: Path, what: str, name: list[str]
) -> None:
    text, code = NONSENSE[what]
    if not text.strip():
        return  # an empty line is none
    good = GOOD.write().encode()
    file = tmp_path / "records.jsonl"
    file.write_bytes(good + b"\n\n" + text + b"\n" + good)

    ran = here(*name, str(file))

    assert failed_in_one_sentence(ran, code, status_of(name, code)), ran
    assert f"{file}: line 3" in ran.err
    alone = here(*name, "-", stdin=good + b"\n" + good).out
    assert alone.splitlines()[-1].partition("line")[0] in ran.out.splitlines()[-1]


def test_a_bad_line_keeps_its_place_among_the_objects(here: Here) -> None:
    good = GOOD.write().encode()

    ran = here("replay", "--json", "-", stdin=good + b"\nnonsense\n" + good)

    first, bad, last = map(json.loads, ran.out.splitlines())
    assert first == last
    assert (bad["error"]["code"], bad["error"]["line"]) == ("unreadable_record", 2)


# --- files that are none ---------------------------------------------------------------------------------


@OF_COMMANDS
def test_a_file_that_is_not_there(here: Here, tmp_path: Path, name: list[str]) -> None:
    ran = here(*name, str(tmp_path / "nothing.json"))

    assert failed_in_one_sentence(ran, "unreadable_file")
    assert "no such file" in ran.err


@OF_COMMANDS
@pytest.mark.parametrize("folder", ["folder", "folder.jsonl"])
def test_a_directory(here: Here, tmp_path: Path, name: list[str], folder: str) -> None:
    (tmp_path / folder).mkdir()

    ran = here(*name, str(tmp_path / folder))

    assert failed_in_one_sentence(ran, "unreadable_file")
    assert "is a directory" in ran.err


def test_a_file_without_a_single_record_is_given_up_soon(here: Here) -> None:
    ran = here("replay", "--json", "-", stdin=GOOD.write().encode()[:-1] + b"{}\n" * 100_000)

    assert failed_in_one_sentence(ran, "unreadable_record")
    assert len(ran.out.splitlines()) <= 1000


def test_many_bad_lines_are_counted_not_listed(here: Here) -> None:
    ran = here("verify", "-", stdin=GOOD.write().encode() + b"\n{}" * 50)

    assert ran.status == 2
    assert len(ran.err.splitlines()) == 11
    assert "50 of 51 lines are wrong" in ran.err.splitlines()[-1]
