"""How readable a person is: habits that are found, habits that are not there, and what they cost."""

from __future__ import annotations

from dataclasses import replace

import pytest

import facedown
from facedown.core.chance import Stream
from facedown.core.fairness import Proof
from facedown.core.links import Link
from facedown.core.record import Record
from facedown.games.davenport.bots.careful import Careful
from facedown.games.davenport.notation import EXCHANGE
from facedown.games.davenport.view import DavenportRound, DavenportView
from facedown.games.ecard.bots.house import CHARACTERS
from facedown.games.ecard.bots.price import price
from facedown.games.ecard.rules import ECardRules
from facedown.review.readable import LEAST_PICKS, Readability, TimedRecord, readability

WEEK_MS = 7 * 24 * 3_600_000
MONDAY_MS = 1_699_833_600_000  # 13 November 2023


def games_of(name: str, games: int, seed: str = "readable") -> list[Record]:
    return list(facedown.play_many("ecard", [name, "equilibrium"], "short", games=games, seed=seed))


def read(name: str, games: int, seed: str = "readable") -> Readability:
    return facedown.readable(games_of(name, games, seed), name)


@pytest.mark.parametrize(
    ("name", "games", "where", "more"),
    [
        ("pip", 20, "any.1", True),
        ("anselm", 120, "E.last", True),  # on the Slave side it is close to exact play
        ("teun", 100, "any.again", False),
        ("odile", 80, "any.1.lost", True),
        ("vesna", 150, "any.theirs", True),
        ("corvin", 80, "any.1.ahead", False),
        ("mara", 100, "E.1", False),
    ],
)
def test_each_character_is_given_away_by_its_own_tell(name: str, games: int, where: str, more: bool) -> None:
    found = read(name, games)

    assert [(habit.where, habit.more) for habit in found.habits] == [(where, more)]
    assert found.bits > 5


def test_who_plays_exactly_is_told_that_nothing_gives_them_away() -> None:
    found = read("notary", 100)

    assert not found.habits
    assert found.bits < 1
    assert "Nothing gives you away." in str(found)


def test_few_of_many_players_without_habits_are_told_of_one() -> None:
    accused = sum(bool(read("notary", 10, f"honest {number}").habits) for number in range(60))

    assert accused <= 3


def test_the_cost_of_a_tell_is_what_the_best_answer_wins() -> None:
    mara = next(each for each in CHARACTERS if each.name == "mara")
    (habit,) = read("mara", 60).habits

    assert habit.cost is not None
    assert habit.cost.low <= habit.cost.value <= habit.cost.high
    assert habit.cost.value == pytest.approx(price(ECardRules.of("short"), mara), abs=0.01)


def test_what_cannot_be_priced_has_no_cost() -> None:
    games = facedown.play_many("ecard", ["pip", "equilibrium"], "decisive(tie=pair)", games=15, seed=1)
    (habit,) = facedown.readable(games, "pip").habits

    assert habit.where == "any.1"
    assert habit.cost is None


def test_nothing_is_said_of_fewer_than_thirty_picks() -> None:
    found = read("pip", 2)

    assert 0 < found.picks < LEAST_PICKS
    assert found.missing == LEAST_PICKS - found.picks
    assert (found.habits, found.bits) == ((), 0)


def test_habits_are_counted_by_week() -> None:
    games = games_of("pip", 20)
    timed = [
        TimedRecord(record, 1, MONDAY_MS + number // 10 * WEEK_MS) for number, record in enumerate(games)
    ]
    found = readability("ecard", timed)

    assert [each.week for each in found.weeks] == ["2023-11-13", "2023-11-20"]
    assert sum(each.picks for each in found.weeks) == found.picks
    assert sum(each.bits for each in found.weeks) == pytest.approx(found.bits)
    (habit,) = found.habits
    assert sum(each.did for each in habit.weeks) == habit.did
    assert sum(each.of for each in habit.weeks) == habit.of


def test_records_of_servers_are_read_in_the_order_of_their_ends() -> None:
    later, sooner = (
        replace(record, fair=Proof((Link("over", at, ()),), ()))
        for record, at in zip(games_of("pip", 2), (MONDAY_MS + WEEK_MS, MONDAY_MS), strict=True)
    )
    first = len(list(facedown.readable([sooner], "pip").weeks))
    both = facedown.readable([later, sooner] * 10, "pip")

    assert first == 0  # too few picks
    assert [each.week for each in both.weeks] == ["2023-11-13", "2023-11-20"]


def test_records_without_the_player_are_left_out() -> None:
    games = [*games_of("pip", 20), *games_of("mara", 5)]

    assert facedown.readable(games, "pip").games == 20
    assert facedown.readable(games, 1).games == 25
    with pytest.raises(facedown.FacedownError, match="'Ann' has no seat in any of these 25 records"):
        facedown.readable(games, "Ann")


# --- a game without a solution ---------------------------------------------------------------------------


class Sulking(Careful):
    """Exchanges its lowest card after a lost round, and never otherwise."""

    name = "sulking"

    def pick(self, view: DavenportView, legal: tuple[facedown.Pick, ...], stream: Stream) -> facedown.Pick:
        rounds = [each for each in view.history if isinstance(each, DavenportRound)]
        if rounds and view.viewer not in rounds[-1].winners and view.phase == "main":
            return EXCHANGE[min(view.hand, key=lambda card: card.value)]
        return max(view.hand, key=lambda card: card.value)


def test_an_exchange_after_each_lost_round_gives_a_seat_of_davenport_away() -> None:
    games = facedown.play_many("davenport", [Sulking, "careful"], games=40, seed=1)
    found = facedown.readable(games, 1)
    habit = found.habits[0]

    assert not found.solved
    assert found.bits > 20
    assert (habit.where, habit.more, habit.did, habit.usual) == ("lost", True, habit.of, 0)
    assert str(habit.say) == "You exchange a card after a lost round."
    assert "Your other picks: 0 %." in str(found)
    assert habit.cost is not None
    assert habit.cost.measured
    assert habit.cost.low <= habit.cost.value <= habit.cost.high


def test_few_blind_players_of_davenport_are_told_of_a_habit() -> None:
    series = [
        facedown.play_many("davenport", ["uniform", "careful"], games=12, seed=f"blind {number}")
        for number in range(40)
    ]

    assert sum(bool(facedown.readable(games, 1).habits) for games in series) <= 2
