"""Gymnasium environments: its own check, a whole game, and what an agent may not do."""

from __future__ import annotations

from typing import Any

import gymnasium
import pytest
from gymnasium.utils.env_checker import check_env

import facedown
import facedown_lab.adapters.gymnasium
from lab.tests.adapters.tables import SOME


@pytest.mark.parametrize(("game", "rules", "seats"), SOME)
def test_their_own_check_passes(game: str, rules: str, seats: int) -> None:
    made = gymnasium.make(f"Facedown/{game}-v1", rules=rules, seats=seats, render_mode="ansi")
    check_env(made.unwrapped)


def test_a_game_is_the_one_that_bots_play_with_the_same_seed() -> None:
    env: Any = gymnasium.make("Facedown/ecard-v1", rules="decisive", seat=2, against="reader").unwrapped
    _, info = env.reset(seed=11)
    over, picks = False, []
    while not over:
        action = int(info["action_mask"].nonzero()[0][-1])
        picks.append(env.table.picks[action])
        _, reward, over, _, info = env.step(action)

    class Last(facedown.Bot):
        """Always takes the last of its actions."""

        def pick(self, view: Any, legal: tuple[str, ...], stream: facedown.Stream) -> str:
            return max(legal, key="CES".index)

    match = facedown.play("ecard", ["reader", Last], "decisive", seed=11)
    assert match.outcome is not None
    assert [joint[1] for joint in match.picks] == picks
    assert reward == match.outcome.payoffs[1]


def test_an_illegal_action_resigns_or_raises() -> None:
    env = gymnasium.make("Facedown/ecard-v1", seat=1, against="sage")
    env.reset(seed=1)
    _, reward, over, _, info = env.step(2)
    assert (reward, over, info["error"]) == (-1, True, "illegal_pick")
    strict = gymnasium.make("Facedown/ecard-v1", illegal="raise")
    strict.reset(seed=1)
    with pytest.raises(facedown.IllegalPick, match="may not do now; it has"):
        strict.step(2)


def test_four_seats_against_different_bots() -> None:
    env = gymnasium.make("Facedown/davenport-v1", seats=4, seat=3, against=["careful", "uniform", "careful"])
    _, info = env.reset(seed=3)
    over = False
    while not over:
        _, reward, over, _, info = env.step(int(info["action_mask"].argmax()))
    assert reward in (-1, 3)
    assert not info["action_mask"].any()


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"against": ["sage", "sage"]}, "2 bots, but there are 1 other seats"),
        ({"against": "nosuch"}, "nosuch"),
        ({"seat": 3}, "there is no seat 3"),
        ({"rules": "classic(tie=no)"}, "tie"),
        ({"render_mode": "cinema"}, "`render_mode` is one of"),
    ],
)
def test_wrong_arguments_get_one_sentence(arguments: dict[str, Any], sentence: str) -> None:
    with pytest.raises(facedown.FacedownError, match=sentence) as no:
        facedown_lab.adapters.gymnasium.FacedownEnv("ecard", **arguments)
    assert no.value.code


def test_a_bot_that_fails_is_named() -> None:
    class Wild(facedown.Bot):
        """Picks what there is not."""

        def pick(self, view: Any, legal: tuple[str, ...], stream: facedown.Stream) -> str:
            return "nothing"

    env = gymnasium.make("Facedown/ecard-v1", rules="classic", against=Wild)
    env.reset(seed=1)
    with pytest.raises(facedown.FacedownError, match=r"wild failed: .*not in this seat's hand") as no:
        env.step(0)
    assert no.value.code == "bot_fault"
