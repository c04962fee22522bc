"""The ballot: seals once, in placing order, opens only when complete, and shows nothing before that."""

from __future__ import annotations

import copy
import pickle
from itertools import permutations

import pytest

from facedown.core.ballot import Ballot
from facedown.core.errors import AlreadySealed, NotAllowed, NotNow
from facedown.core.game import Citations

CITED = Citations(picking="X1", once="X2", placing="X3")


def test_a_ballot_opens_when_every_seat_has_sealed() -> None:
    ballot = Ballot(4, ((1, 4), (2,)))
    assert (ballot.may_seal, ballot.sealed, ballot.complete) == ((1, 4), (), False)
    ballot.seal(4, "d")
    assert (ballot.may_seal, ballot.sealed) == ((1,), (4,))
    ballot.seal(1, "a")
    assert (ballot.may_seal, ballot.sealed, ballot.complete) == ((2,), (1, 4), False)
    ballot.seal(2, "b")
    assert (ballot.may_seal, ballot.sealed, ballot.complete) == ((), (1, 2, 4), True)
    assert ballot.open() == ("a", "b", None, "d")


@pytest.mark.parametrize("order", list(permutations((1, 2, 3))))
def test_the_order_within_a_wave_makes_no_difference(order: tuple[int, ...]) -> None:
    ballot = Ballot(3, ((1, 2, 3),))
    for seat in order:
        ballot.seal(seat, f"pick {seat}")
    assert ballot.open() == ("pick 1", "pick 2", "pick 3")


def test_it_does_not_open_before_that() -> None:
    ballot = Ballot(2, ((1, 2),))
    ballot.seal(1, "a")
    with pytest.raises(NotAllowed, match="opens only when everybody has sealed") as refused:
        ballot.open()
    assert refused.value.code == "not_allowed"


def test_an_unknown_pick_is_named_once_and_after_all_have_sealed() -> None:
    ballot = Ballot(2, ((1,), (2,)))
    ballot.seal_unknown(1)
    with pytest.raises(NotAllowed, match="seat 1: only a sealed pick can be opened, once"):
        ballot.fill(1, "a")
    ballot.seal_unknown(2)
    assert (ballot.complete, ballot.unopened) == (False, (1, 2))
    ballot.fill(1, "a")
    with pytest.raises(NotAllowed):
        ballot.fill(1, "b")
    ballot.fill(2, "c")
    assert ballot.open() == ("a", "c")


def test_a_seat_seals_once() -> None:
    ballot = Ballot(2, ((1, 2),), CITED)
    ballot.seal(1, "a")
    with pytest.raises(
        AlreadySealed, match=r"seat 1: this seat has sealed its pick already \(X2\)"
    ) as refused:
        ballot.seal(1, "b")
    assert (refused.value.code, refused.value.rule, refused.value.where.seat) == ("already_sealed", "X2", 1)
    ballot.seal(2, "c")
    assert ballot.open() == ("a", "c")


def test_a_seat_waits_for_the_seats_that_place_before_it() -> None:
    ballot = Ballot(3, ((2, 3), (1,)), CITED)
    with pytest.raises(NotNow, match=r"seat 1: seat 2 and seat 3 must place first \(X3\)"):
        ballot.seal(1, "a")
    ballot.seal(3, "c")
    with pytest.raises(NotNow, match="seat 2 must place first"):
        ballot.check(1)
    assert ballot.sealed == (3,)


def test_a_seat_that_placed_first_has_sealed_after_its_wave_is_over() -> None:
    ballot = Ballot(2, ((1,), (2,)), CITED)
    ballot.seal(1, "a")
    with pytest.raises(AlreadySealed):
        ballot.seal(1, "a")


@pytest.mark.parametrize("seat", [0, 3, 9, -1])
def test_a_seat_that_has_nothing_to_decide_is_refused(seat: int) -> None:
    with pytest.raises(NotNow, match=r"nothing to decide now \(X1\)") as refused:
        Ballot(3, ((1, 2),), CITED).seal(seat, "a")
    assert refused.value.code == "not_now"


def test_a_ballot_without_seats_is_complete() -> None:
    assert Ballot(2, ()).complete
    assert Ballot(2, ()).open() == (None, None)


def test_no_form_of_a_ballot_shows_the_sealed_picks() -> None:
    ballot = Ballot(2, ((1, 2),))
    ballot.seal(1, "canary")
    assert repr(ballot) == "Ballot(sealed=(1,), waiting=(2,))"
    assert "canary" not in f"{ballot} {ballot!r} {ballot!s}"
    assert not hasattr(ballot, "__dict__")
    shown = [getattr(ballot, name) for name in dir(ballot) if not name.startswith("_")]
    assert not any("canary" in repr(each) for each in shown)


def test_an_emptied_ballot_is_the_one_of_another_decision() -> None:
    ballot = Ballot(3, ((1, 2),), CITED)
    ballot.seal(1, "canary")
    ballot.empty(((3,), (1,)))
    assert (ballot.may_seal, ballot.sealed, ballot.complete) == ((3,), (), False)
    assert ballot.seal(3, "c") is None
    assert ballot.seal(1, "a") == ("a", None, "c")


def test_a_ballot_is_neither_copied_nor_pickled() -> None:
    ballot = Ballot(2, ((1, 2),))
    ballot.seal(1, "canary")
    for attempt in (copy.copy, copy.deepcopy, pickle.dumps):
        with pytest.raises(NotAllowed, match="neither copied nor written"):
            attempt(ballot)
