"""The trainer: a seed brings the same question everywhere; what is not solved is played out."""

from __future__ import annotations

import pytest

from facedown.core import registry
from facedown.core.errors import UnreadablePick, Unsupported
from facedown.study.train import Trainings, daily_seed, exercise, mark, trainings
from tests.review.reviewed import recorded_game


def of(game: str, rules: str = "", seats: int | None = None) -> Trainings:
    found = registry.get(game)
    return trainings(found, found.rules.read(rules), seats)


def test_the_same_seed_asks_the_same_and_another_asks_something_else() -> None:
    asked = [exercise(of("ecard"), daily_seed("2026-01-02", number)) for number in (1, 1, 2, 3, 4)]

    assert asked[0] == asked[1]
    assert len({str(each.place) + str(each.say) for each in asked}) > 2


def test_positions_come_from_a_record_if_there_is_one() -> None:
    record = recorded_game("ecard", 1)
    game = registry.get(record.game)
    source = trainings(game, game.rules.read(record.rules), record=record)

    assert exercise(source, "any").rules == record.rules


def test_a_pick_is_marked_beside_the_machines_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("facedown.study.pick_trainer._TIMES", 6)
    source = of("davenport", seats=3)
    asked = exercise(source, "few")
    assert asked.kind == "pick"
    assert len(asked.picks) > 1

    first = mark(source, "few", asked.picks[0].pick)
    own = mark(source, "few", first.best)

    assert (own.points, own.right, own.answer) == (100, True, first.best)
    assert [each.chosen for each in own.picks] == [True], "there is nothing to compare it with"
    assert len(first.picks) == len({first.best, first.answer})
    assert all(each.error > 0 for each in first.picks if each.pick != first.best), "nothing is sure"
    with pytest.raises(UnreadablePick, match="there are"):
        mark(source, "few", "nonsense")


def test_a_table_that_cannot_be_is_refused() -> None:
    with pytest.raises(Unsupported, match="seats"):
        of("ecard", seats=5)


def test_a_question_names_no_card_of_another_hand() -> None:
    """Cards on the page are the seat's own, or were shown to all."""
    source = of("davenport", seats=2)
    for seed in ("one", "two", "three"):
        asked = exercise(source, seed)
        own = {each.pick.removeprefix("x") for each in asked.picks}
        assert own <= set(asked.hand)
        hand = next(str(line) for line in asked.say if "Your hand" in str(line))
        assert hand.count("\u2660") + hand.count("\u2665") + hand.count("\u2666") + hand.count(
            "\u2663"
        ) == len(asked.hand)


# --- drills against a habit ------------------------------------------------------------------------------


def test_a_drill_asks_in_the_situation_of_the_habit_alone() -> None:
    game = registry.get("ecard")
    asked = trainings(game, game.rules.read("short"), habit="S.1.lost")
    for number in range(5):
        question = exercise(asked, f"drill {number}")

        assert (question.kind, [each.pick for each in question.picks]) == ("pick", ["S", "C"])
        assert "play 1 of 3" in str(question.place)
        assert str(question.say[-1]) == "Your habit shows at the first play after a lost round."
        assert question.drill is not None
        assert question.drill.does == ("S",)
        assert 0 < (question.drill.exact or 0) < 1


@pytest.mark.parametrize("habit", ["S.1.cold", "X.1", "any.5", "any.again.lost", "any"])
def test_a_habit_that_does_not_exist_is_refused(habit: str) -> None:
    game = registry.get("ecard")
    with pytest.raises(UnreadablePick, match="is no habit"):
        trainings(game, game.rules.of(), habit=habit)


def test_a_drill_of_a_game_without_a_solution_counts_exchanges() -> None:
    game = registry.get("davenport")
    question = exercise(trainings(game, game.rules.of(), habit="lost"), "drill")

    assert question.drill is not None
    assert question.drill.exact is None
    assert question.drill.does
    assert all(pick.startswith("x") for pick in question.drill.does)
    assert "Your habit shows after a lost round." in map(str, question.say)
