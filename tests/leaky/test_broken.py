"""The contract catches every way of breaking it on purpose, and names the sentence that was broken."""

from __future__ import annotations

import pytest

from facedown.core.game import AnyGame
from facedown.testing import CONTRACT, Broken, Check, tables
from facedown.testing.encodings import encodings_keep_their_shape
from facedown.testing.endings import any_standing_seat_may_resign, every_game_ends
from facedown.testing.picks import (
    illegal_picks_are_refused,
    picks_keep_to_the_alphabet,
    seats_are_counted,
    seats_that_have_to_pick_can,
)
from facedown.testing.recall import views_remember
from facedown.testing.records import records_round_trip, rules_are_written_canonically
from facedown.testing.steps import (
    chance_is_the_argument_alone,
    functions_are_pure,
    meta_tells_the_truth,
    nothing_happens_before_all_have_sealed,
)
from tests.leaky import broken

CAUGHT: list[tuple[type, Check, str]] = [
    (
        broken.UsesGlobalRandom,
        chance_is_the_argument_alone,
        "two different games, from decision 0 on|uses the",
    ),
    (broken.ChangesWhenSeen, nothing_happens_before_all_have_sealed, "the table changed when seat . sealed"),
    (broken.WritesIntoTheState, functions_are_pure, "resolve|the state before decision 1 changed afterwards"),
    (broken.HidesItsChance, meta_tells_the_truth, "draws after the set-up, but its meta says chance=False"),
    (broken.HidesItsHands, meta_tells_the_truth, "an event is private, but .* hidden_hands=False"),
    (broken.LeavesNothingToPick, seats_that_have_to_pick_can, "seat 2 has to pick .* but has no legal pick"),
    (
        broken.ReadsItsPicksDifferently,
        seats_that_have_to_pick_can,
        "is read as 'card .': it is not in canonical",
    ),
    (broken.AsksAStranger, seats_that_have_to_pick_can, "a seat has to pick that is not there"),
    (broken.OffersAPickItDoesNotName, picks_keep_to_the_alphabet, "offers seat . .*, which picks.. does not"),
    (broken.EncodesTooLittle, encodings_keep_their_shape, "has . numbers, where encoding.. names"),
    (broken.EncodesTooMuch, encodings_keep_their_shape, "is 52.0, which is no number from -1 to 1"),
    (broken.CrashesOnNonsense, illegal_picks_are_refused, "was not refused with a code, but with ValueError"),
    (broken.TakesAnything, illegal_picks_are_refused, "the decision .* was not refused in decision 1"),
    (broken.NeverEnds, every_game_ends, "uniform picks reach no outcome in 200 decisions"),
    (broken.AsksAfterTheEnd, every_game_ends, "but these have to pick"),
    (broken.PaysFromNowhere, every_game_ends, "the payoffs do not add up to nothing"),
    (broken.SaysWhoeverIsWaiting, every_game_ends, "the view of the spectator says"),
    (broken.StaysAfterResigning, any_standing_seat_may_resign, "seat 1 has resigned, but still stands"),
    (broken.ForgetsWhatItSaw, views_remember, "its view has forgotten"),
    (broken.RemembersInItself, records_round_trip, "the record, played again, leads to another state"),
    (
        broken.StammersItsRules,
        rules_are_written_canonically,
        r"the preset short is written as short\(cards=2\)",
    ),
    (broken.SeatsForNobody, seats_are_counted, "a table with . seats was not refused|is played with"),
]


@pytest.mark.parametrize(
    ("kind", "check", "sentence"),
    CAUGHT,
    ids=[f"{kind.__name__}-{check.__name__}" for kind, check, _ in CAUGHT],
)
def test_a_broken_game_is_caught_with_a_reason(
    kind: type[AnyGame], check: Check, sentence: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tables, "MOST_DECISIONS", 200)
    with pytest.raises(Broken, match=sentence):
        check(kind())


def test_every_check_of_the_contract_is_shown_to_catch_something() -> None:
    assert {check for _, check, _ in CAUGHT} == set(CONTRACT)
