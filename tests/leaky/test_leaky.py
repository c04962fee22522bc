"""The leak suite catches every leak on purpose, names it, and lets the honest game pass."""

from __future__ import annotations

import pytest

from facedown.core.game import AnyGame
from facedown.testing import CHECKS, LEAKS, Check, Leak
from facedown.testing.leaks import hidden_worlds_look_alike, sealed_picks_stay_face_down, views_lead_nowhere
from tests.leaky import leaky
from tests.leaky.honest import GAME as HONEST

CAUGHT: list[tuple[type, Check, str]] = [
    (leaky.PickInState, hidden_worlds_look_alike, r"'leak' in its view is \[\"\d\".*\] in one and \[\"\d\""),
    (
        leaky.SealedPickInState,
        sealed_picks_stay_face_down,
        r"can tell apart .*: 'leak' in its view is \"\d\" in one",
    ),
    (leaky.SealedPickSpoken, sealed_picks_stay_face_down, r"its view shows .* a pick that is face down"),
    (
        leaky.SealedPickInReach,
        sealed_picks_stay_face_down,
        r"can reach a sealed pick by way of .*leak\.behind",
    ),
    (leaky.ViewByDeletion, hidden_worlds_look_alike, r"can tell apart .* 'leak' in its view is .*stock"),
    (
        leaky.SeedInView,
        hidden_worlds_look_alike,
        r"'leak' in its view is \"table \d+\" in one and \"table \d+\"",
    ),
    (leaky.KeyInView, hidden_worlds_look_alike, r"'leak' in its view is \"[0-9a-f]{6}\" in one"),
    (
        leaky.LengthOfView,
        hidden_worlds_look_alike,
        r"'leak' in its view .* even its length differs \(\d+ and \d+\)",
    ),
    (
        leaky.LengthOfError,
        hidden_worlds_look_alike,
        r"the answer when it tries to seal .* even its length differs",
    ),
    (
        leaky.LengthOfEvents,
        hidden_worlds_look_alike,
        r"the list of events, the redacted ones among them, .* length differs",
    ),
    (leaky.WhoHasToPick, hidden_worlds_look_alike, r"'waiting' in its view is"),
    (leaky.StateInView, views_lead_nowhere, r"can reach the state by way of the view.leak\[1\]"),
    (leaky.BytesInView, views_lead_nowhere, r"can reach bytes, which may be a seed by way of the view.leak"),
    (leaky.ChanceInView, views_lead_nowhere, r"can reach the chance by way of the view.leak\[0\]"),
    (leaky.ClosureInView, views_lead_nowhere, r"can reach a function, which is no plain frozen value"),
    (leaky.StateInError, views_lead_nowhere, r"can reach the state by way of an error"),
    (leaky.HandsInNumbers, hidden_worlds_look_alike, r"the numeric form of its view is \(.* in one"),
    (
        leaky.ToldToAll,
        hidden_worlds_look_alike,
        r"says hidden_hands=True, but the spectator sees everything",
    ),
]


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_the_honest_game_passes(check: Check) -> None:
    check(HONEST)


@pytest.mark.parametrize(("kind", "check", "sentence"), CAUGHT, ids=[kind.__name__ for kind, _, _ in CAUGHT])
def test_a_leak_is_caught_and_named(kind: type[AnyGame], check: Check, sentence: str) -> None:
    with pytest.raises(Leak, match=sentence):
        check(kind())


def test_every_check_for_leaks_is_shown_to_catch_something() -> None:
    assert {check for _, check, _ in CAUGHT} == set(LEAKS)
