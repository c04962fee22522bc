"""The machines of E-Card: what they may do, what they do in known situations, and what they remember."""

from __future__ import annotations

import json
from collections import Counter

import pytest

from facedown.core.chance import Stream, deal_key, seed_of
from facedown.core.game import Pick
from facedown.core.parts.bot import Memory
from facedown.core.registry import part
from facedown.games.ecard.bots import BOTS
from facedown.games.ecard.bots.plain import Equilibrium, Habit, Machine, PickMix, RandomECard
from facedown.games.ecard.bots.reader import Reader, Sage
from facedown.games.ecard.rules import ECardRules
from facedown.games.ecard.solve.solution import solve
from facedown.games.ecard.view import ECardView
from tests.few import few
from tests.games.ecard.bot_games import Stubborn, play, series
from tests.games.ecard.table import Table, sit

RULES = (
    "classic",
    "victories",
    "decisive",
    "purse",
    "classic(plays=1,tie=extra)",
    "classic(plays=2,tie=pair,first=2)",
    "victories(plays=4,group=1,tie=pair)",
    "decisive(slave_pays=7,victory=winnings,rounds=5,group=5)",
    "decisive(rounds=1,group=1)",
    "classic(stakes=named,rounds=7,group=2)",
    "purse(purse=3,max_stake=1000)",
    "purse(plays=2,purse=2,tie=extra)",
)


def mix_at(bot: Machine, table: Table, seat: int) -> PickMix:
    return bot.mix(table.match.view(seat), table.match.legal(seat))


def remembers(rules: str, bot: type[Machine], opponent: type[Machine] = Stubborn) -> Memory:
    """The memory of ten games against an opponent."""
    return series(rules, bot, opponent, 10, "earlier games")[1]


# --- every machine ---------------------------------------------------------------------------------------


def test_the_registry_finds_the_machines_and_the_house_with_a_sentence_or_two_each() -> None:
    module = part("ecard", "bots")

    assert module is not None
    house = [each.bot.name for each in module.HOUSE]
    assert [bot.name for bot in module.BOTS] == [*house, "random", "habit", "equilibrium", "reader", "sage"]
    said = [str(bot.says) for bot in module.BOTS]
    assert all(each.rstrip("”").endswith((".", "?")) and each.count(". ") <= 1 for each in said)


@pytest.mark.parametrize("rules", few(RULES, 4))
@pytest.mark.parametrize("bot", BOTS, ids=lambda bot: bot.name)
def test_E17_every_game_is_played_to_its_end_with_legal_picks(bot: type[Machine], rules: str) -> None:
    """The match refuses what is not legal. Mixes are checked on the way, and the game comes out twice."""

    def look(bot: Machine, view: ECardView, mix: PickMix) -> None:
        assert sum(mix.values()) == pytest.approx(1.0, abs=1e-12)
        assert all(0.0 <= chance <= 1.0 for chance in mix.values())
        special = "E" if view.emperor == view.viewer else "S"
        if view.stake is not None:
            assert set(mix) == ({special} if view.play == 5 else {"C", special})

    for seat in (1, 2):
        memory = series(rules, bot, Habit, 2, "before")[1]
        games = [
            play(rules, {seat: bot(memory), 3 - seat: RandomECard()}, rules, each) for each in (look, None)
        ]
        assert games[0].outcome is not None
        assert games[0].picks == games[1].picks


@pytest.mark.parametrize("bot", BOTS, ids=lambda bot: bot.name)
def test_picks_are_as_frequent_as_in_the_mix(bot: type[Machine]) -> None:
    table = sit("purse", "1")
    machine = bot(remembers("purse", bot))
    for stake in (True, False):
        view, legal = table.match.view(2), table.match.legal(2)
        stream = Stream(deal_key(seed_of("often"), "1"), "bot/2")
        seen = Counter(machine.pick(view, legal, stream) for _ in range(4000))
        for pick, chance in machine.mix(view, legal).items():
            assert seen[pick] / 4000 == pytest.approx(chance, abs=4 * (chance * (1 - chance) / 4000) ** 0.5)
        if stake:
            table.name(3)


@pytest.mark.parametrize("bot", BOTS, ids=lambda bot: bot.name)
def test_the_same_view_gives_the_same_mix_whatever_was_seen_before(bot: type[Machine]) -> None:
    memory = remembers("decisive", bot, Habit)
    one, other = bot(memory), bot(memory)
    seen: list[tuple[ECardView, PickMix]] = []
    play("decisive", {1: one, 2: Habit()}, "a game", lambda who, view, mix: seen.append((view, mix)))
    play("decisive", {1: Habit(), 2: other}, "another game", None)

    ours = [(view, mix) for view, mix in seen if view.viewer == 1]
    assert len(ours) > 12
    for view, mix in reversed(ours):
        assert other.mix(view, tuple(mix)) == mix


def test_the_remainder_of_rounding_belongs_to_the_last_pick() -> None:
    class Rounded(Machine):
        name, says = "rounded", "Has chances that add up to less than one."

        def mix(self, view: ECardView, legal: tuple[Pick, ...]) -> PickMix:
            return dict.fromkeys(legal, 0.0)

    table = sit("classic")
    stream = Stream(deal_key(seed_of("left over"), "1"), "bot/1")
    assert Rounded().pick(table.match.view(1), table.match.legal(1), stream) == "E"


# --- random, equilibrium, habit --------------------------------------------------------------------------


def test_random_draws_one_card_of_its_hand() -> None:
    table = sit("decisive", "1")
    for cards in (5, 4, 3, 2):
        assert mix_at(RandomECard(), table, 1)["E"] == 1 / cards
        assert mix_at(RandomECard(), table, 2)["S"] == 1 / cards
        table.draw()
    assert mix_at(RandomECard(), table, 1) == {"E": 1.0}
    assert mix_at(RandomECard(), sit("purse", "1"), 2) == {str(stake): 0.1 for stake in range(1, 11)}


@pytest.mark.parametrize("rules", RULES)
def test_equilibrium_plays_the_mix_of_the_solution(rules: str) -> None:
    solution = solve(ECardRules.read(rules))
    compared = Counter[str]()

    def look(bot: Machine, view: ECardView, mix: PickMix) -> None:
        if not isinstance(bot, Equilibrium):
            return
        first = view.rounds[0].emperor if view.rounds else view.emperor
        score = view.score[first - 1], view.score[2 - first]
        if view.stake is None:
            named = solution.naming(view.round, score).stakes
            assert mix == {pick: pytest.approx(float(named.get(int(pick), 0))) for pick in mix}
            compared["stake"] += 1
            return
        moment = solution.at(view.round, score, view.play, view.stake)
        side, special = ("E", moment.emperor) if view.emperor == view.viewer else ("S", moment.slave)
        assert mix[side] == pytest.approx(float(special[0]))
        compared["card"] += 1

    for seed in range(5):
        play(rules, {1: Equilibrium(), 2: Habit()}, f"{rules} {seed}", look)
        play(rules, {1: RandomECard(), 2: Equilibrium()}, f"{rules} {seed}", look)
    assert compared["card"] > 0
    assert bool(compared["stake"]) == ("purse" in rules or "named" in rules)


def times(bot: Machine, view: ECardView) -> list[float]:
    """How likely the special card is to come in each play of the round."""
    special = "E" if view.emperor == view.viewer else "S"
    chances = []
    held = 1.0
    for play_number in range(1, 6):
        there = view._replace(play=play_number, cards_left=6 - play_number)
        now = bot.mix(there, ("C", special) if play_number < 5 else (special,))[special]
        chances.append(held * now)
        held *= 1 - now
    return chances


def test_habit_likes_the_middle() -> None:
    liked = times(Habit(), sit("decisive", "1").match.view(1))

    assert sum(liked) == pytest.approx(1)
    assert sorted(range(1, 6), key=lambda play: -liked[play - 1])[:2] == [3, 2]
    assert liked[0] < 0.1


def test_habit_avoids_the_play_at_which_it_was_seen_last_on_this_side() -> None:
    table = sit("decisive(group=1)", "1")
    table.draw(2)
    table.turn("E", "C")  # seat 1 shows the Emperor in the third play

    as_slave = times(Habit(), table.match.view(1))
    table.turn("E", "C")  # seat 2 shows its own; of seat 1 only a Citizen is seen
    as_emperor = times(Habit(), table.match.view(1))
    assert as_slave[2] == max(as_slave)
    assert as_emperor[2] < as_slave[2] / 2


def test_habit_is_sooner_after_a_loss_than_after_a_win() -> None:
    won, lost = (sit("decisive", "1") for _ in range(2))
    won.turn("E", "C")
    lost.turn("E", "S")

    after_win, after_loss = (times(Habit(), table.match.view(1)) for table in (won, lost))
    assert sum(after_loss[:2]) > sum(after_win[:2])


# --- reader ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("bot", [Reader, Sage])
@pytest.mark.parametrize("rules", RULES)
def test_a_bot_that_has_seen_nothing_plays_the_equilibrium(bot: type[Machine], rules: str) -> None:
    for seat in (1, 2):
        table = sit(rules, "1")
        if table.seen.stake is None:
            stakes = mix_at(bot(), table, 2)
            assert stakes == pytest.approx(mix_at(Equilibrium(), table, 2))
            table.name(1)
        assert mix_at(bot(), table, seat) == pytest.approx(mix_at(Equilibrium(), table, seat))


def test_reader_waits_for_a_stubborn_emperor_and_avoids_a_stubborn_slave() -> None:
    memory = remembers("decisive", Reader)
    table = sit("decisive", "1")

    as_slave = times(Reader(memory), table.match.view(2))
    as_emperor = times(Reader(memory), table.match.view(1))
    assert as_slave == [0, 1, 0, 0, 0]
    assert as_emperor[1] == 0
    assert max(as_emperor) == 1


def test_reader_names_the_stake_that_pays_if_it_is_right() -> None:
    """A Slave side that knows when the Emperor comes wins, and names a stake that ruins the Emperor side."""
    memory = remembers("purse(purse=10)", Reader)
    table = sit("purse(purse=10)", "1")

    assert mix_at(Reader(memory), table, 2)["1"] == 0
    assert sum(chance for stake, chance in mix_at(Reader(memory), table, 2).items() if int(stake) > 1) == 1


def test_reader_wins_most_games_against_habit_once_it_remembers_ten() -> None:
    scores = series("decisive", Reader, Habit, 160, "habit")[0][10:]

    assert sum(scores) / len(scores) > 0.7  # 84 % over many games, less four standard errors


# --- memory ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("bot", [Reader, Sage])
def test_a_note_holds_only_what_every_seat_saw_and_is_plain_json(bot: type[Machine]) -> None:
    match = play("decisive", {1: bot(), 2: Stubborn()}, "noted")
    note = bot().note(match.view(1))

    assert json.loads(json.dumps(note)) == note
    assert isinstance(note, dict)
    assert (note["rules"], note["you"]) == ("decisive", 2)
    shown = [[each.emperor, each.plays, "".join(each.cards), each.winner] for each in match.state.rounds]
    assert note["rounds"] == shown
    assert repr(note) in repr(Memory([note]))


@pytest.mark.parametrize("bot", [RandomECard, Habit, Equilibrium])
def test_a_bot_that_does_not_learn_keeps_no_notes(bot: type[Machine]) -> None:
    match = play("decisive", {1: bot(), 2: Stubborn()}, "noted")

    assert bot().note(match.view(1)) is None


@pytest.mark.parametrize("bot", [Reader, Sage])
def test_erased_notes_are_forgotten_at_once(bot: type[Machine]) -> None:
    memory = remembers("decisive", bot)
    table = sit("decisive", "1")
    machine = bot(memory)
    assert mix_at(machine, table, 2) != pytest.approx(mix_at(Equilibrium(), table, 2))

    memory.erase()
    assert mix_at(machine, table, 2) == pytest.approx(mix_at(Equilibrium(), table, 2))


@pytest.mark.parametrize("bot", [Reader, Sage])
def test_games_under_other_rules_teach_nothing(bot: type[Machine]) -> None:
    memory = remembers("classic", bot)
    table = sit("decisive", "1")

    assert mix_at(bot(memory), table, 2) == pytest.approx(mix_at(Equilibrium(), table, 2))
