"""The match: three doors with one rule behind them, resignations, whole decisions, and what is refused."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import pytest

from facedown.core import registry
from facedown.core.chance import Scripted, Seeded, seed_of
from facedown.core.errors import (
    AlreadySealed,
    FacedownError,
    Illegal,
    IllegalPick,
    IllegalSeats,
    NotAllowed,
    NotNow,
)
from facedown.core.events import Event, public
from facedown.core.game import RESIGN, Step
from facedown.core.match import Match, check_seats
from facedown.core.replay import AnyMatch
from tests.leaky.honest import GAME, HighestRules

DEALT = ("1", "2", "3", "4", "5", "6")


def highest(text: str = "short", seats: int = 2) -> Match[Any, Any, Any]:
    """Seat 1 holds the odd cards and seat 2 the even ones; with three seats, every third."""
    return Match(GAME, HighestRules.read(text), ("Ann", "Bo", "Cy")[:seats], Scripted(DEALT))


def ecard(text: str = "classic") -> AnyMatch:
    game = registry.get("ecard")
    return Match(game, game.rules.read(text), ("Ann", "Bo"), Scripted(["1"]))


def refusal(match: AnyMatch, seat: int, pick: str) -> FacedownError:
    """The error, the same from `can_pick`, `check_pick` and `seal`; the match is unchanged."""
    before = (match.state, match.sealed, match.decision)
    assert not match.can_pick(seat, pick)
    with pytest.raises(FacedownError) as checked:
        match.check_pick(seat, pick)
    with pytest.raises(FacedownError) as sealed:
        match.seal(seat, pick)
    assert str(checked.value) == str(sealed.value)
    assert (match.state, match.sealed, match.decision) == before
    return sealed.value


# --- sealing ---------------------------------------------------------------------------------------------


def test_the_last_seal_reveals() -> None:
    match = highest()
    assert match.seal(2, "4") is None
    assert (match.sealed, match.may_seal, match.decision, match.picks) == ((2,), (1,), 1, [])
    turned = match.seal(1, "3")
    assert turned is not None
    (reveal,) = turned.events
    assert (reveal.kind, reveal.facts["cards"]) == ("reveal", ("3", "4"))
    assert (match.sealed, match.may_seal, match.decision, match.picks) == ((), (1, 2), 2, [("3", "4")])


def test_a_pick_that_is_not_legal_is_refused_with_decision_and_seat() -> None:
    match = highest()
    match.decide(("1", "2"))
    error = refusal(match, 1, "1")
    assert isinstance(error, IllegalPick)
    assert (error.code, error.text) == ("illegal_pick", "1")
    assert (error.where.decision, error.where.seat) == (2, 1)
    assert str(error) == "decision 2, seat 1: '1' is not one of 3"


def test_E16_a_second_pick_is_refused_with_the_rule() -> None:
    match = ecard("classic(placing=together)")
    match.seal(2, "C")
    error = refusal(match, 2, "S")
    assert isinstance(error, AlreadySealed)
    assert str(error) == "decision 1, seat 2: this seat has sealed its pick already (E16)"


def test_E7_a_pick_before_its_turn_is_refused_with_the_rule() -> None:
    error = refusal(ecard(), 2, "C")
    assert isinstance(error, NotNow)
    assert str(error) == "decision 1, seat 2: seat 1 must place first (E7)"


def test_E15_a_pick_outside_the_picking_phase_is_refused_with_the_rule() -> None:
    match = ecard("purse")
    assert match.pending == ((2,),)
    assert str(refusal(match, 1, "C")) == "decision 1, seat 1: this seat has nothing to decide now (E15)"


@pytest.mark.parametrize("seat", [0, 3, -1])
def test_a_seat_that_is_not_there_picks_nothing(seat: int) -> None:
    assert refusal(highest(), seat, "1").code == "not_now"


def test_can_pick_check_pick_and_seal_agree_on_a_legal_pick() -> None:
    match = highest()
    match.check_pick(1, "3")
    assert match.can_pick(1, "3")
    assert not match.sealed
    match.seal(1, "3")
    assert list(match.sealed) == [1]


def test_an_illegal_pick_does_not_use_up_the_seal() -> None:
    match = highest()
    refusal(match, 1, "9")
    match.seal(1, "1")
    assert match.sealed == (1,)


# --- whole decisions -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("joint", "say"),
    [
        (("1",), "decision 1: a list of 1, where a decision has an entry for each of 2 seats"),
        (("1", "2", "3"), "decision 1: a list of 3, where a decision has an entry for each of 2 seats"),
        ((), "decision 1: a list of 0, where a decision has an entry for each of 2 seats"),
        (("1", None), "decision 1, seat 2: no pick, where this seat has to decide"),
        (("2", "1"), "decision 1, seat 1: '2' is not one of 1, 3"),
        (
            (RESIGN, "2"),
            "decision 1, seat 1: a resignation stands alone in its decision, the others null (R3)",
        ),
        ((RESIGN,), "decision 1, seat 1: a resignation stands alone in its decision, the others null (R3)"),
        (
            (RESIGN, RESIGN),
            "decision 1, seat 1: a resignation stands alone in its decision, the others null (R3)",
        ),
    ],
)
def test_R3_R4_a_decision_against_the_rules_is_refused_with_its_place(
    joint: tuple[str | None, ...], say: str
) -> None:
    match = highest()
    before = match.state
    with pytest.raises(Illegal) as refused:
        match.decide(joint)
    assert str(refused.value) == say
    assert (match.state is before, match.picks) == (True, [])


def test_a_pick_of_a_seat_that_has_nothing_to_decide_is_refused() -> None:
    match = ecard("purse")
    with pytest.raises(NotNow, match=r"decision 1, seat 1: 'C', but this seat has nothing to decide \(E15\)"):
        match.decide(("C", "3"))


@pytest.mark.parametrize("joint", [("1", "2"), (None, None)])
def test_nothing_is_decided_after_the_end(joint: tuple[str | None, ...]) -> None:
    match = highest("short(cards=1)")
    match.decide(("1", "2"))
    with pytest.raises(NotNow, match="the game is over"):
        match.decide(joint)
    assert len(match.picks) == 1


def test_E15_a_record_that_goes_on_after_the_end_is_refused_with_the_rule() -> None:
    match = ecard()
    match.resign(1)
    with pytest.raises(NotNow, match=r"decision 2: one more decision, but the game is over \(E15\)"):
        match.decide((None, None))
    with pytest.raises(NotNow, match=r"decision 2, seat 1: 'C', but the game is over \(E15\)"):
        match.decide(("C", "C"))


# --- resigning -------------------------------------------------------------------------------------------


def test_R3_a_resignation_discards_sealed_picks() -> None:
    match = highest(seats=3)
    match.seal(1, "1")
    match.resign(3)
    assert match.picks == [(None, None, RESIGN)]
    assert (match.sealed, match.may_seal, match.outcome) == ((), (1, 2), None)
    match.seal(1, "4")
    match.seal(2, "2")
    assert match.picks[-1] == ("4", "2", None)


def test_a_seat_that_has_resigned_cannot_do_it_again() -> None:
    match = highest(seats=3)
    match.resign(3)
    with pytest.raises(NotNow, match="decision 2, seat 3: this seat is not in the game and cannot resign"):
        match.resign(3)


@pytest.mark.parametrize("seat", [0, 3, -1])
def test_a_seat_that_is_not_there_cannot_resign(seat: int) -> None:
    match = highest()
    with pytest.raises(NotAllowed, match=f"there is no seat {seat} at this table") as refused:
        match.resign(seat)
    assert refused.value.where.decision == 1
    assert match.picks == []


def test_E14_no_seat_resigns_after_the_end() -> None:
    match = ecard()
    match.resign(2)
    with pytest.raises(NotNow, match=r"cannot resign \(E14\)"):
        match.resign(1)


# --- views, seats, records -------------------------------------------------------------------------------


@pytest.mark.parametrize("viewer", [-1, 3, 99])
def test_there_is_no_view_for_a_seat_that_is_not_at_the_table(viewer: int) -> None:
    with pytest.raises(NotAllowed, match=f"there is no seat {viewer} at this table"):
        highest().view(viewer)


@pytest.mark.parametrize(("count", "least", "most", "say"), [(0, 2, 3, "2 to 3"), (4, 2, 3, "2 to 3")])
def test_a_number_of_seats_that_is_not_played_is_refused(count: int, least: int, most: int, say: str) -> None:
    with pytest.raises(IllegalSeats, match=f"Highest is played with {say} seats, not {count}") as refused:
        check_seats(GAME, count)
    assert (refused.value.code, refused.value.text) == ("illegal_seats", str(count))


def test_a_running_game_has_a_record_without_result() -> None:
    match = highest()
    match.decide(("1", "2"))
    record = match.record()
    assert (record.game, record.rules, record.seats) == ("highest", "short", ("Ann", "Bo"))
    assert (record.chance, record.picks) == (DEALT[:4], (("1", "2"),))
    assert (record.id, record.seed, record.result) == ("local", None, None)


def test_a_finished_game_has_a_record_with_result_id_and_seed() -> None:
    match = highest("short(cards=1)")
    match.decide(("1", "2"))
    record = match.record(game_id="T7", seed=seed_of("s"))
    assert record.result == {"winner": 2, "termination": "completed", "score": [0, 1]}
    assert (record.id, record.seed) == ("T7", seed_of("s").hex())


def test_no_repr_shows_more_than_the_place() -> None:
    match = highest()
    match.seal(1, "3")
    assert repr(match) == "facedown.new('highest', 'short', seats=('Ann', 'Bo'))  # decision 1"


def test_a_match_with_something_sealed_is_neither_copied_nor_written() -> None:
    match = highest()
    match.seal(1, "3")
    for attempt in (copy.copy, copy.deepcopy, pickle.dumps):
        with pytest.raises(NotAllowed, match="its record is"):
            attempt(match)


def test_the_deal_has_events_and_the_match_owns_its_chance() -> None:
    match = Match(GAME, HighestRules.of(), ("Ann", "Bo"), Seeded(seed_of("s")))
    assert [event.kind for event in match.dealt.events] == ["hand", "hand"]
    assert len(match.chance.drawn) == 4


# --- what comes of a decision ----------------------------------------------------------------------------


def test_a_step_makes_its_events_once_and_only_on_request() -> None:
    asked: list[tuple[int, ...]] = []

    def make_events(*arguments: int) -> tuple[Event, ...]:
        asked.append(arguments)
        return (public("event", ("X1",)),)

    step = Step("after", make_events, (1, 2))
    assert not asked
    assert step == Step("after", (public("event", ("X1",)),))
    assert step.events is step.events
    assert asked == [(1, 2)]
