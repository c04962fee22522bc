"""Records (R1 to R4) as text: what is written is read back, and nonsense is refused in one sentence."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from facedown.core.errors import UnreadableRecord
from facedown.core.record import FORMAT, Record

WHOLE: dict[str, Any] = {
    "format": FORMAT,
    "game": "ecard",
    "version": 1,
    "rules": "purse",
    "seats": ["Ann", "Bo"],
    "chance": ["1"],
    "picks": [[None, 3], ["C", "S"], [None, "resign"]],
    "id": "local",
    "seed": "ab" * 32,
    "result": {"winner": 1, "termination": "resignation", "score": [30, 30]},
}
NAMES = st.text(max_size=8)
PICKS = st.none() | st.text(max_size=4) | st.integers(-5, 10**20).map(str)


def record_with(**parts: Any) -> str:
    return json.dumps({**WHOLE, **parts})


def without(name: str) -> str:
    return json.dumps({key: value for key, value in WHOLE.items() if key != name})


def refusal(text: str | bytes) -> str:
    with pytest.raises(UnreadableRecord) as refused:
        Record.read(text)
    say = str(refused.value)
    assert refused.value.code == "unreadable_record"
    assert "\n" not in say
    assert len(say) < 200
    return say


# --- round trip ------------------------------------------------------------------------------------------


def test_R1_a_stake_is_written_as_a_number_and_a_card_as_text() -> None:
    record = Record.read(json.dumps(WHOLE))
    assert record.picks[0] == (None, "3")
    assert json.loads(record.write()) == WHOLE


def test_a_record_is_written_on_one_line_in_one_order() -> None:
    shuffled = json.dumps(dict(reversed(WHOLE.items())), indent=2)
    assert Record.read(shuffled).write() == json.dumps(WHOLE)


def test_optional_parts_stay_missing() -> None:
    bare = {name: WHOLE[name] for name in ("format", "game", "rules", "seats", "chance", "picks")}
    record = Record.read(json.dumps(bare))
    assert (record.id, record.seed, record.result) == ("local", None, None)
    assert json.loads(record.write()) == {**bare, "id": "local", "version": 1}


def test_a_record_without_a_version_is_of_version_1() -> None:
    assert Record.read(without("version")).version == 1
    assert Record.read(record_with(version=7)).version == 7
    assert json.loads(Record.read(record_with(version=7)).write())["version"] == 7


@pytest.mark.parametrize("version", [0, -1, 1.0, "1", True, None, 10**9])
def test_a_version_that_is_none_is_refused(version: object) -> None:
    assert "'version' must be a whole number from 1" in refusal(record_with(version=version))


@given(
    st.lists(NAMES, max_size=4).map(tuple),
    st.lists(NAMES, max_size=4).map(tuple),
    st.lists(st.lists(PICKS, max_size=3).map(tuple), max_size=4).map(tuple),
    st.none() | st.binary(min_size=32, max_size=32).map(bytes.hex),
)
def test_any_record_is_read_back_from_its_text(
    seats: tuple[str, ...],
    chance: tuple[str, ...],
    picks: tuple[tuple[str | None, ...], ...],
    seed: str | None,
) -> None:
    record = Record("ecard", "classic", seats, chance, picks, seed=seed)
    assert Record.read(record.write()) == record
    assert Record.read(record.write().encode()) == record


def test_numbers_that_are_not_plain_stay_text() -> None:
    record = Record("x", "y", (), (), (("07", "-1", "1" * 19, "0", " 1"),))
    assert json.loads(record.write())["picks"] == [["07", "-1", "1" * 19, 0, " 1"]]


# --- nonsense --------------------------------------------------------------------------------------------


def test_a_seed_in_capitals_is_the_same_seed() -> None:
    assert Record.read(record_with(seed="AB" * 32)).seed == "ab" * 32


@pytest.mark.parametrize(
    ("text", "say"),
    [
        ("", "not a record: not JSON: Expecting value at line 1, column 1"),
        ('{"format": ', "not a record: not JSON: Expecting value at line 1, column 12"),
        (
            "\n\n{]",
            "not a record: not JSON: Expecting property name enclosed in double quotes at line 3, column 2",
        ),
        ("[]", "not a record: a JSON object is needed, this is []"),
        ("3", "not a record: a JSON object is needed, this is 3"),
        ("{}", "not a record: the format is None, not 'facedown/1'"),
        (record_with(format="chess/1"), "not a record: the format is 'chess/1', not 'facedown/1'"),
        (without("game"), "not a record: 'game' is missing"),
        (record_with(game=None), "not a record: 'game' must be text, this is None"),
        (record_with(rules=7), "not a record: 'rules' must be text, this is 7"),
        (without("seats"), "not a record: 'seats' is missing"),
        (record_with(seats="Ann"), "not a record: 'seats' must be a list of texts"),
        (record_with(seats=["Ann", 2]), "not a record: 'seats' must be a list of texts"),
        (record_with(chance=[1]), "not a record: 'chance' must be a list of texts"),
        (without("picks"), "not a record: 'picks' must be a list of lists, one per decision"),
        (record_with(picks=[["C", "C"], "C"]), "not a record: decision 2: 'C' is not a list of picks"),
        (record_with(picks=[["C", True]]), "not a record: decision 1: True is not a pick"),
        (record_with(picks=[["C", 1.5]]), "not a record: decision 1: 1.5 is not a pick"),
        (record_with(id=4), "not a record: 'id' must be text, this is 4"),
        (record_with(seed="ab"), "not a record: 'seed' must be 64 hexadecimal digits"),
        (record_with(seed=17), "not a record: 'seed' must be 64 hexadecimal digits"),
        (record_with(result=[1]), "not a record: 'result' must be an object, this is [1]"),
    ],
)
def test_a_text_that_is_no_record_is_refused_in_one_sentence(text: str, say: str) -> None:
    assert refusal(text) == say


def test_bytes_that_are_no_text_are_refused() -> None:
    assert "not UTF-8" in refusal(b'{"game": "\xff\xfe"}')


@pytest.mark.parametrize(
    "text", ["[" * 200_000, '{"a":' * 200_000, f'{{"picks": [[{"9" * 5000}]]}}', '{"a": NaN}']
)
def test_deep_nesting_and_numbers_that_JSON_does_not_have_are_refused(text: str) -> None:
    assert (
        refusal(text)
        == "not a record: not JSON that can be read: nested too deep, or a number too long or NaN"
    )


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(max_size=3), st.lists, max_leaves=6))
def test_no_part_of_the_wrong_kind_gets_through(value: Any) -> None:
    for name in WHOLE:
        try:
            record = Record.read(record_with(**{name: value}))
        except UnreadableRecord:
            continue
        assert Record.read(record.write()) == record
