"""Rules text (R2): forgiving reading, canonical writing, and all problems at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from facedown.core import registry
from facedown.core.errors import UnreadableRules
from facedown.core.game import AnyGame
from facedown.core.rules import Choice, Number, Option, Preset, Rules, Switch
from facedown.testing.tables import TableSetup, tables

GAMES = [registry.get(name) for name in registry.names()]


@dataclass(frozen=True, slots=True)
class Sample(Rules):
    number: int = 3
    word: str = "red"
    switch: bool = False
    second: int = 5

    options: ClassVar[tuple[Option, ...]] = (
        Number("number", "Number", "A number.", "X1", 1, 9),
        Choice("word", "Word", "A word.", "X2", ("red", "blue")),
        Switch("switch", "Switch", "On or off.", "X3"),
        Number("second", "Second", "Not below the first.", "X4", 1, 9),
    )
    presets: ClassVar[tuple[Preset, ...]] = (
        Preset("plain", "As it comes."),
        Preset("fancy", "With everything.", {"word": "blue", "switch": True}),
    )

    def conflicts(self) -> tuple[str, ...]:
        return ("second is below number",) if self.second < self.number else ()


def problems(text: str) -> tuple[str, ...]:
    with pytest.raises(UnreadableRules) as refused:
        Sample.read(text)
    assert refused.value.code == "unreadable_rules"
    found = tuple(map(str, refused.value.problems))
    assert str(refused.value) == "; ".join(found)
    return found


# --- reading and writing ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("written", "canonical"),
    [
        ("", "plain"),
        ("plain", "plain"),
        ("plain()", "plain"),
        ("  fancy  ", "fancy"),
        ("(number=4)", "plain(number=4)"),
        ("plain(number=3)", "plain"),
        ("fancy(switch=on)", "fancy"),
        ("fancy(switch=off,word=red)", "fancy(word=red,switch=off)"),
        (" plain ( switch = on , number = 4 ) ", "plain(number=4,switch=on)"),
        ("plain(number=04,)", "plain(number=4)"),
        ("plain\n(\tword =blue )", "plain(word=blue)"),
    ],
)
def test_R2_reading_is_forgiving_and_writing_canonical(written: str, canonical: str) -> None:
    rules = Sample.read(written)
    assert str(rules) == canonical
    assert Sample.read(canonical) == rules


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_R2_any_rules_are_read_back_from_their_text(game: AnyGame) -> None:
    @given(tables(game))
    def round_trip(table: TableSetup) -> None:
        kind, text = type(table.rules), str(table.rules)
        assert kind.read(text) == table.rules
        assert str(kind.read(text.replace("(", " ( ").replace(",", " , ").replace("=", " = "))) == text

    round_trip()


@given(st.data())
def test_R2_the_order_in_which_options_are_given_makes_no_difference(data: st.DataObject) -> None:
    given_options = data.draw(st.permutations(["number=2", "word=blue", "switch=on", "second=7"]))
    assert (
        str(Sample.read(f"plain({','.join(given_options)})"))
        == "plain(number=2,word=blue,switch=on,second=7)"
    )


# --- problems --------------------------------------------------------------------------------------------


def test_R2_all_problems_are_listed_at_once() -> None:
    found = problems("nice(number=10, colour=red, word=green, switch, switch=yes, number=2)")
    assert found == (
        "there is no preset 'nice': the presets are plain, fancy",
        "number=10 is not allowed: number must be a whole number from 1 to 9",
        "there is no option 'colour': the options are number, word, switch, second",
        "word=green is not allowed: word must be one of red, blue",
        "'switch' is not an option: write it as name=value",
        "switch=yes is not allowed: switch must be one of on, off",
    )


def test_R2_an_option_given_twice_is_a_problem() -> None:
    assert problems("plain(number=2,number=3)") == ("number is given twice",)


def test_R2_options_that_do_not_go_together_are_a_problem_beside_the_others() -> None:
    assert problems("plain(number=7,word=green)") == (
        "word=green is not allowed: word must be one of red, blue",
        "second is below number",
    )


@pytest.mark.parametrize(
    "text", ["plain(", "plain)", "plain(a(b))", "two words", "plain,fancy", "plain(number=2)x", "=" * 3]
)
def test_R2_an_unreadable_rule_set_is_refused_with_an_example(text: str) -> None:
    assert problems(text) == (f"{text!r} is not a rule set: write it like plain(number=…)",)


@pytest.mark.parametrize("number", ["0", "10", "-1", "+3", "3.0", "٣", "9" * 40, "on", ""])
def test_R2_a_number_is_a_whole_number_between_its_ends(number: str) -> None:
    assert problems(f"plain(number={number})")[0].endswith("number must be a whole number from 1 to 9")


def test_R2_text_that_is_far_too_long_is_refused_without_being_repeated() -> None:
    with pytest.raises(UnreadableRules) as refused:
        Sample.read("x" * 10_000_000)
    assert len(str(refused.value)) < 200
    assert len(refused.value.text) <= 200


@given(st.text(max_size=60) | st.text(alphabet="plainfcy numberword(),=12on", max_size=40))
def test_R2_nonsense_is_refused_or_read_but_never_crashes(text: str) -> None:
    try:
        rules = Sample.read(text)
    except UnreadableRules:
        assert problems(text)
    else:
        assert Sample.read(str(rules)) == rules


def test_of_refuses_all_problems_at_once_too() -> None:
    with pytest.raises(UnreadableRules) as refused:
        Sample.of("nice", number=0, word="green", switch="perhaps", colour=1)
    assert [str(problem).split(":")[0] for problem in refused.value.problems] == [
        "there is no preset 'nice'",
        "there is no option 'colour'",
        "number=0 is not allowed",
        "word=green is not allowed",
        "switch=on is not allowed",
    ]


def test_a_rule_set_built_by_hand_reports_its_problems() -> None:
    assert Sample("plain").problems() == ()
    assert Sample("plain", number=7).problems() == ("second is below number",)
    (problem,) = Sample("plain", number=70).problems()
    assert str(problem) == "number=70 is not allowed: number must be a whole number from 1 to 9"


# --- options as data -------------------------------------------------------------------------------------


def test_an_option_lists_its_allowed_values() -> None:
    assert [str(option.allowed) for option in Sample.options] == ["1 to 9", "red, blue", "on, off", "1 to 9"]
    assert [option.write(Sample.of("fancy").value(option)) for option in Sample.options] == [
        "3",
        "blue",
        "on",
        "5",
    ]
