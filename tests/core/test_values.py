"""The small values: seats, cards, errors, events, views, outcomes, and what a game inherits."""

from __future__ import annotations

import copy
import json
import pickle
from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum, StrEnum
from types import MappingProxyType
from typing import NamedTuple

import pytest

from facedown.core import errors
from facedown.core.cards import DECK, Card, canonical
from facedown.core.chance import Scripted
from facedown.core.errors import ErrorPlace, FacedownError, IllegalPick, UnreadablePick
from facedown.core.events import REDACTED, Event, Redacted, Seen, private, public
from facedown.core.game import RESIGN
from facedown.core.outcome import COMPLETED, Outcome
from facedown.core.seats import SPECTATOR
from facedown.core.text.rule_page import fill_in, sentences
from facedown.core.views import plain
from tests.leaky.honest import GAME, HighestRules

# --- seats and cards -------------------------------------------------------------------------------------


def test_D1_the_deck_has_52_cards_in_canonical_order_with_their_values() -> None:
    assert len(set(DECK)) == 52
    assert [card.order for card in DECK] == list(range(52))
    assert [Card(text).value for text in ("AS", "2H", "TD", "JC", "QS", "KH")] == [1, 2, 10, 11, 12, 13]


def test_there_is_one_object_for_each_card() -> None:
    card = Card("7H")
    assert card is Card("7H")
    assert copy.copy(card) is copy.deepcopy(card) is pickle.loads(pickle.dumps(card)) is card
    assert (repr(card), card == "7H", json.dumps(card)) == ("Card('7H')", True, '"7H"')


def test_a_card_never_changes() -> None:
    with pytest.raises(AttributeError, match="a card never changes"):
        Card("7H").value = 8
    with pytest.raises(AttributeError, match="a card never changes"):
        del Card("7H").value


@pytest.mark.parametrize("text", ["", "7", "7X", "10H", "7h", "H7", "7H ", "joker"])
def test_a_text_that_is_no_card_is_refused(text: str) -> None:
    with pytest.raises(UnreadablePick, match="is not a card") as refused:
        Card(text)
    assert refused.value.text == text


def test_canonical_order_is_by_suit_then_rank() -> None:
    assert canonical([Card("AS"), Card("KC"), Card("2D"), Card("AD")]) == ("KC", "AD", "2D", "AS")


# --- errors ----------------------------------------------------------------------------------------------


def all_errors(kind: type[FacedownError] = FacedownError) -> Iterator[type[FacedownError]]:
    yield kind
    for each in kind.__subclasses__():
        yield from all_errors(each)


def test_every_error_of_the_core_has_a_stable_code_of_its_own() -> None:
    ours = [each for each in all_errors() if each.__module__ == errors.__name__]
    assert {each.code for each in ours} == {
        "already_sealed",
        "error",
        "illegal",
        "illegal_chance",
        "illegal_pick",
        "illegal_seats",
        "not_allowed",
        "not_now",
        "not_verified",
        "unknown_game",
        "unknown_version",
        "unreadable",
        "unreadable_pick",
        "unreadable_position",
        "unreadable_record",
        "unreadable_rules",
        "unsupported",
    }
    assert len({each.code for each in ours}) == len(ours)


def test_an_error_is_of_at_most_one_kind_of_refusal() -> None:
    kinds = (errors.Unreadable, errors.Illegal, errors.NotNow, errors.NotAllowed, errors.NotVerified)
    for each in all_errors():
        assert sum(issubclass(each, kind) for kind in kinds) <= 1


def test_an_error_names_its_place_and_its_rule() -> None:
    error = IllegalPick("no such card", text="9X", rule="E17")
    assert str(error) == "no such card (E17)"
    assert error.at(seat=2) is error
    error.at(decision=4).at(line=7)
    assert str(error) == "line 7, decision 4, seat 2: no such card (E17)"
    assert error.where == ErrorPlace(decision=4, seat=2, line=7)
    error.at(seat=0, decision=0)
    assert error.where == ErrorPlace(decision=0, seat=0, line=7)


# --- events ----------------------------------------------------------------------------------------------


def test_a_public_event_is_seen_by_all() -> None:
    event = public("reveal", ("E4",), cards=("E", "S"))
    for viewer in (SPECTATOR, 1, 2):
        assert event.seen_by(viewer) == Seen("reveal", {"cards": ("E", "S")}, ("E4",))


def test_a_private_event_is_seen_by_one_and_redacted_for_all_others() -> None:
    event = private(2, "drawn", ("D7",), card="KH")
    assert event.seen_by(2) == Seen("drawn", {"card": "KH"}, ("D7",))
    for viewer in (SPECTATOR, 1, 3):
        assert event.seen_by(viewer) is REDACTED
    assert (repr(REDACTED), plain(REDACTED), len(REDACTED)) == ("Redacted()", {}, 0)


def test_a_seen_event_is_another_type_and_names_no_audience() -> None:
    seen = Event("k", {}, (), frozenset((1, 2))).seen_by(1)
    assert isinstance(seen, Seen)
    assert not isinstance(seen, Event | Redacted)
    assert not hasattr(seen, "audience")


# --- views in plain form ---------------------------------------------------------------------------------


class Pair(NamedTuple):
    left: object
    right: object


@dataclass(frozen=True, slots=True)
class Inner:
    card: Card
    nothing: None = None


class Colour(StrEnum):
    RED = "red"


class Level(IntEnum):
    HIGH = 3


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (None, None),
        (True, True),
        (7, 7),
        (Level.HIGH, 3),
        ("text", "text"),
        (Card("7H"), "7H"),
        (Colour.RED, "red"),
        (HighestRules.of("long"), "long"),
        ((1, ("a", ())), [1, ["a", []]]),
        (Pair(1, Pair("x", None)), {"left": 1, "right": {"left": "x", "right": None}}),
        (Inner(Card("AS")), {"card": "AS", "nothing": None}),
        (MappingProxyType({1: (Card("2C"),)}), {"1": ["2C"]}),
        (Outcome(None, COMPLETED, (1,), (0,)),) * 2,
    ],
    ids=repr,
)
def test_plain_values_are_ready_for_json(value: object, expected: object) -> None:
    found = plain(value)
    if expected is value and isinstance(value, Outcome):
        expected = {"winner": None, "termination": "completed", "score": [1], "payoffs": [0]}
    assert found == expected
    assert json.loads(json.dumps(found)) == found


@pytest.mark.parametrize(
    "value", [b"seed", 1.5, [1], {1}, object(), Scripted([]), lambda: 1, Inner, Exception("x")]
)
def test_a_value_that_is_not_plain_is_refused(value: object) -> None:
    with pytest.raises(TypeError, match="a view may not hold a"):
        plain((1, value))


# --- outcomes, pages, memories, and what a game inherits -------------------------------------------------


def test_a_page_is_read_by_its_ids_and_filled_with_a_rule_sets_values() -> None:
    page = (
        "# Game\n\n- **T1** Deal {cards} cards,\n  one at a time.\n- none\n- **T2** Play. **T3** Win {all}."
    )
    assert sentences(page) == {"T1": "Deal {cards} cards, one at a time.", "T2": "Play.", "T3": "Win {all}."}
    assert "Deal 3 cards" in fill_in(page, HighestRules.of("long"))
    assert "Win {all}." in fill_in(page, HighestRules.of("long"))


def test_a_game_inherits_reading_refusing_and_telling() -> None:
    step = GAME.setup(HighestRules.of(), 2, Scripted(["1", "2", "3", "4"]))
    assert GAME.read_pick(" 3 ") == "3"
    assert str(GAME.refusal(step.state, 1, "9")) == "'9' is not one of 1, 3"
    after = GAME.resolve(step.state, ("1", "2"), Scripted([]))
    assert GAME.decision_json(step.state, ("1", "2"), after) == {
        "kind": "play",
        "picks": ["1", "2"],
        "events": [{"kind": "reveal", "facts": {"cards": ["1", "2"]}}],
    }
    resigned = GAME.resolve(step.state, (RESIGN, None), Scripted([]))
    assert GAME.decision_json(step.state, (RESIGN, None), resigned)["kind"] == "resign"
    assert super(type(GAME), GAME).standing(step.state) == ()
