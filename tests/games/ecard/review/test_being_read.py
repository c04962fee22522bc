"""Being read: habits planted in real games against machines that read, and none found without one."""

from __future__ import annotations

from typing import ClassVar

import pytest

from facedown.bots.find import bots_of
from facedown.core.chance import Seeded, Stream, deal_key, seed_of
from facedown.core.game import Pick
from facedown.core.match import Match
from facedown.core.parts.bot import AnyBot, Bot, bot_stream
from facedown.core.parts.judge import Judged
from facedown.core.replay import ReplayedTurn
from facedown.core.text.translation import Text
from facedown.games.ecard.game import GAME
from facedown.games.ecard.notation import CITIZEN
from facedown.games.ecard.review.judge import judge
from facedown.games.ecard.rules import ECardRules
from facedown.games.ecard.view import ECardView

KEY = seed_of("being read")


class Planted(Bot[ECardView]):
    """A player whose special card always comes at the same play."""

    name: ClassVar[str] = "planted"
    says: ClassVar[Text] = "Always at the same play."

    def __init__(self, play: int) -> None:
        self.play = play

    def pick(self, view: ECardView, legal: tuple[Pick, ...], stream: Stream) -> Pick:
        cards = [card for card in legal if (card != CITIZEN) == (view.play == self.play)]
        return cards[0] if cards else legal[0]


def review_seat_one(number: int, ours: AnyBot, theirs: str, rules: str = "classic") -> Judged:
    """Seat 1 of a game between two machines."""
    key = deal_key(KEY, str(number))
    match = Match(GAME, ECardRules.read(rules), ("Ann", "Bo"), Seeded(key))
    crew = {1: (ours, bot_stream(key, 1)), 2: (bots_of("ecard")[theirs](), bot_stream(key, 2))}
    played = []
    while match.outcome is None:
        state = match.state
        picks = [
            machine.pick(GAME.view(state, seat), GAME.legal(state, seat), stream)
            for seat, (machine, stream) in crew.items()
        ]
        played.append(ReplayedTurn(state, tuple(picks), match.decide(tuple(picks))))
    return judge(played, 1)


def count_being_read(found: list[Judged]) -> int:
    return sum(each.being_read is not None for each in found)


@pytest.mark.parametrize(("play", "rules"), [(1, "classic"), (2, "classic"), (2, "decisive")])
def test_a_habit_that_the_reader_read_explains_the_lost_game(play: int, rules: str) -> None:
    found = [review_seat_one(number, Planted(play), "reader", rules) for number in range(10)]

    assert count_being_read(found) >= 7, "the others are over after two rounds"
    for each in found:
        if each.being_read is None or each.pattern is None:
            continue
        luck = sum(chances.luck for chances in each.chances)
        assert each.being_read.value < -0.2
        assert abs(luck) < -each.being_read.value
        assert f"at the {'first' if play == 1 else 'second'} play" in str(each.pattern.say)
        assert each.pattern.low > each.pattern.usual
        assert str(each.pattern.advice).startswith("Next time: ")


def test_a_player_who_cannot_be_read_has_no_habit_and_no_loss() -> None:
    equilibrium = bots_of("ecard")["equilibrium"]
    found = [review_seat_one(number, equilibrium(), "reader") for number in range(40)]

    assert sum(each.pattern is not None for each in found) <= 2
    assert count_being_read(found) <= 1


def test_a_habit_that_no_opponent_read_is_reported_but_costs_nothing() -> None:
    found = [review_seat_one(number, Planted(2), "equilibrium", "decisive") for number in range(10)]

    assert sum(each.pattern is not None for each in found) >= 9
    assert count_being_read(found) <= 1
    assert any("do not show that they noticed" in str(each.habit) for each in found)


def test_with_being_read_the_parts_add_up_decision_by_decision() -> None:
    found = next(each for each in map(lone, range(10)) if each.being_read is not None)
    costs = {each.decision: each.cost for each in found.appraisals}
    assert found.being_read is not None

    for each in found.chances:
        parts = each.luck + each.read + (each.gift or 0.0) - costs.get(each.decision, 0.0)
        assert each.before + parts == pytest.approx(each.after, abs=1e-9)
    assert sum(each.read for each in found.chances) == pytest.approx(found.being_read.value)


def lone(number: int) -> Judged:
    return review_seat_one(number, Planted(1), "reader")


def test_a_game_that_only_a_mistake_can_turn_is_lost_in_theory_and_decided_when_nothing_can() -> None:
    """Five behind before the last round: the Slave could still draw level, the Emperor could not."""
    behind = [("E", "S"), ("C", "C")]
    level = judge(game("classic(rounds=2,group=1,first=1)", *behind), 1)
    over = judge(game("classic(rounds=2,group=2,first=1)", *behind), 1)

    assert [each.decided for each in level.appraisals] == ["", "lost"]
    assert [each.decided for each in over.appraisals] == ["", "decided"]
    assert over.appraisals[-1].advice == {}


def game(rules: str, *joints: tuple[Pick, Pick]) -> list[ReplayedTurn]:
    match = Match(GAME, ECardRules.read(rules), ("Ann", "Bo"), Seeded(KEY))
    found = []
    for joint in joints:
        before = match.state
        found.append(ReplayedTurn(before, joint, match.decide(joint)))
    return found
