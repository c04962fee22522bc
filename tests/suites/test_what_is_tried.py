"""What the suites try: every preset, every value of every option, every number of seats, and other worlds."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from facedown.core import registry
from facedown.core.game import AnyGame
from facedown.core.rules import Choice, Number, Switch
from facedown.testing import HOW, Leak, check_game
from facedown.testing.tables import Deal, all_tables, deals, rule_sets, seat_counts
from facedown.testing.worlds import World, bent, stopped_world
from tests.leaky.honest import GAME
from tests.leaky.leaky import ViewByDeletion

GAMES = [GAME, *(registry.get(name) for name in registry.names())]
each_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)


@each_game
def test_every_preset_is_tried_with_every_number_of_seats(game: AnyGame) -> None:
    tried = {(str(table.rules), table.seats) for table in all_tables(game)}
    assert tried >= {(preset.name, count) for preset in game.rules.presets for count in seat_counts(game)}


@each_game
def test_every_word_and_switch_and_both_ends_of_every_number_are_tried(game: AnyGame) -> None:
    sets = rule_sets(game)
    for option in game.rules.options:
        tried = {rules.value(option) for rules in sets}
        if isinstance(option, Choice):
            assert tried == set(option.values)
        elif isinstance(option, Switch):
            assert tried == {True, False}
        elif isinstance(option, Number):
            assert {option.low, option.high} <= tried


@each_game
def test_hypothesis_deals_at_possible_tables_only(game: AnyGame) -> None:
    found: set[tuple[str, int]] = set()

    @settings(max_examples=60)
    @given(deals(game))
    def look(deal: Deal) -> None:
        assert deal.table.rules.problems() == ()
        found.add((str(deal.table.rules), deal.table.seats))

    look()
    assert len(found) > 20
    assert {seats for _, seats in found} == set(seat_counts(game))


@each_game
def test_a_world_that_follows_a_story_is_the_same_world(game: AnyGame) -> None:
    deal = Deal(all_tables(game)[-1], 5)
    world = stopped_world(deal, 30, deal.stream("test"))
    again = World(deal.table, world.trace, "another seed").run(len(world.match.picks))
    assert again.match.state == world.match.state
    assert again.trace == world.trace


@each_game
def test_bent_stories_lead_to_other_worlds_most_of_the_time(game: AnyGame) -> None:
    deal = Deal(all_tables(game)[0], 6)
    stream = deal.stream("test")
    whole = World(deal.table, stopped_world(deal, 1000, stream).trace, "6").run(8)
    worlds = [World(deal.table, bent(whole, stream), "6").run(len(whole.match.picks)) for _ in range(40)]
    assert sum(world.match.state != whole.match.state for world in worlds) > 15


def test_a_game_is_checked_with_one_call() -> None:
    few = settings(HOW, max_examples=2)
    check_game(GAME, few)
    with pytest.raises(Leak):
        check_game(ViewByDeletion(), few)
