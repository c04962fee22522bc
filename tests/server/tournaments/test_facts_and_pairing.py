"""The fold of a tournament, and who plays whom next: pure functions."""

from __future__ import annotations

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from facedown.protocol.messages import Clock
from facedown.protocol.tournaments import TournamentKind
from facedown.server.tournaments.facts import (
    EntrantChanged,
    EntrantJoined,
    GamePlayed,
    PlannedTable,
    TablesPaired,
    Tournament,
    TournamentBegun,
    TournamentCreated,
    TournamentEnded,
)
from facedown.server.tournaments.pairing import (
    AGAIN_MS,
    REST_MS,
    WAIT_MS,
    NextGames,
    arena_pairs,
    next_games,
    round_tables,
    table_sizes,
)


def tournament(kind: TournamentKind, people: int, *, seats: int = 2, rounds: int = 5) -> Tournament:
    """A tournament that has begun; entrant 1 has the highest rating."""
    state = Tournament("T")
    created = TournamentCreated(kind, "ecard", "", Clock("decision"), seats, 0, 60, rounds)
    state.apply(created, 0)
    for number in range(1, people + 1):
        state.apply(EntrantJoined(number, 2000 - number), 0)
    state.apply(TournamentBegun(), 0)
    return state


def play(state: Tournament, games: NextGames, at: int, *, tied: bool = False) -> None:
    """Play these games: the better number wins."""
    tables = tuple(
        PlannedTable(f"{state.round}-{index}", each.numbers, each.weaker)
        for index, each in enumerate(games.tables)
    )
    state.apply(TablesPaired(1, tables, games.byes), at)
    for each in tables:
        state.apply(GamePlayed(each.table, 0 if tied else min(each.numbers), tied), at)


def game(state: Tournament, one: int, other: int, winner: int, *, weaker: int = 0) -> None:
    table = f"{len(state.entrants[one].scores)}-{one}-{other}"
    state.apply(TablesPaired(1, (PlannedTable(table, (one, other), weaker),)), 0)
    state.apply(GamePlayed(table, winner, not winner), 0)


def numbers(pairs: object) -> list[tuple[int, ...]]:
    return [tuple(each.number for each in pair) for pair in pairs]  # type: ignore[attr-defined]


# --- arena -----------------------------------------------------------------------------------------------


def test_neighbours_in_rank_meet() -> None:
    state = tournament("arena", 8)
    assert numbers(arena_pairs(state, 0)) == [(1, 2), (3, 4), (5, 6), (7, 8)]


def test_rank_is_points_first_and_nobody_meets_their_last_opponent() -> None:
    state = tournament("arena", 8)
    play(state, next_games(state, 2, 1, 0), 0)
    # 1, 3, 5 and 7 have won.
    assert numbers(arena_pairs(state, 0)) == [(1, 3), (5, 7), (2, 4), (6, 8)]
    play(state, next_games(state, 2, 1, 0), 0)
    again = {frozenset(pair) for pair in numbers(arena_pairs(state, 0))}
    assert not again & {frozenset(each) for each in ((1, 3), (5, 7), (2, 4), (6, 8))}
    assert len(again) == 4


def test_with_an_odd_number_the_last_to_be_free_waits() -> None:
    state = tournament("arena", 4)
    state.apply(EntrantJoined(5, 3000), 500)
    assert numbers(arena_pairs(state, 600)) == [(1, 2), (3, 4)]


def test_the_free_wait_a_moment_for_others_to_be_free() -> None:
    state = tournament("arena", 6)
    busy = (PlannedTable("A", (1, 2)),)
    state.apply(TablesPaired(1, busy), 0)
    assert arena_pairs(state, WAIT_MS - 1) == []
    assert numbers(arena_pairs(state, WAIT_MS)) == [(3, 4), (5, 6)]


def test_two_who_met_last_wait_for_others_unless_they_are_alone() -> None:
    state = tournament("arena", 3)
    state.apply(EntrantChanged(3, "paused"), 0)
    game(state, 1, 2, 1)
    assert numbers(arena_pairs(state, 0)) == [(1, 2)]
    state.apply(EntrantChanged(3, "in"), 0)
    state.entrants[3].tables.append("elsewhere")
    assert arena_pairs(state, WAIT_MS) == []
    assert numbers(arena_pairs(state, AGAIN_MS)) == [(1, 2)]


def test_machines_rest_between_games_of_an_arena() -> None:
    state = tournament("arena", 0)
    for number in (1, 2):
        state.apply(EntrantJoined(number, 1500, "sage"), 0)
    play(state, next_games(state, 2, 1, 0), 1000)
    assert arena_pairs(state, REST_MS) == []
    assert numbers(arena_pairs(state, 1000 + REST_MS)) == [(1, 2)]


def test_points_and_series() -> None:
    state = tournament("arena", 2)
    for winner in (1, 1, 1, 1, 2, 1, 0):
        game(state, 1, 2, winner)
    assert state.entrants[1].scores == [2, 2, 4, 4, 0, 2, 1]
    assert state.entrants[2].scores == [0, 0, 0, 0, 2, 0, 1]


def test_series_count_double_in_an_arena_only() -> None:
    state = tournament("rounds", 2)
    for winner in (1, 1, 1, 1):
        game(state, 1, 2, winner)
    assert state.entrants[1].scores == [2, 2, 2, 2]


def test_the_weaker_side_is_worth_a_point_more_to_the_winner() -> None:
    state = tournament("arena", 2)
    game(state, 1, 2, 1, weaker=1)
    game(state, 1, 2, 2, weaker=1)
    assert state.entrants[1].scores == [3, 0]
    assert state.entrants[2].scores == [0, 2]
    state.apply(EntrantChanged(2, "in", weaker=True), 0)
    (seated,) = next_games(state, 2, 1, AGAIN_MS).tables
    assert seated.weaker == 2


def test_the_same_seed_gives_the_same_seats() -> None:
    state = tournament("arena", 20)
    assert next_games(state, 2, 7, 0) == next_games(state, 2, 7, 0)
    assert len({next_games(state, 2, seed, 0) for seed in range(20)}) > 1


@given(st.integers(2, 40), st.integers(1, 12), st.randoms(use_true_random=False))
def test_an_arena_seats_nobody_twice_and_leaves_few_alone(people: int, turns: int, dice: object) -> None:
    state = tournament("arena", people)
    for turn in range(turns):
        at = turn * 60_000
        games = next_games(state, 2, turn, at)
        seated = [number for each in games.tables for number in each.numbers]
        assert len(seated) == len(set(seated))
        assert len(seated) >= people - 2
        play(state, games, at, tied=dice.random() < 0.2)  # type: ignore[attr-defined]
    assert sum(each.points for each in state.entrants.values()) >= 2 * turns * ((people - 2) // 2)


# --- rounds ----------------------------------------------------------------------------------------------


@given(st.integers(0, 60), st.integers(2, 4), st.integers(4, 7))
def test_tables_are_as_even_as_can_be(people: int, least: int, most: int) -> None:
    sizes = table_sizes(people, least, most)
    assert all(least <= size <= most for size in sizes)
    assert people - sum(sizes) < least
    assert not sizes or max(sizes) - min(sizes) <= 1


def test_people_of_equal_points_meet_and_as_few_as_can_be_again() -> None:
    state = tournament("rounds", 12, seats=4)
    met: list[frozenset[int]] = []
    for turn in range(3):
        games = next_games(state, 3, turn, 0)
        assert [len(each.numbers) for each in games.tables] == [4, 4, 4]
        met += [frozenset(pair) for each in games.tables for pair in combinations(each.numbers, 2)]
        play(state, games, 0)
    assert len(met) - len(set(met)) <= 9, "of 54 meetings, of which at least 6 are again"


def test_no_two_meet_twice_in_rounds_of_two() -> None:
    state = tournament("rounds", 16, rounds=5)
    met: list[frozenset[int]] = []
    assert [set(each.numbers) for each in next_games(state, 2, 0, 0).tables][:2] == [{1, 9}, {2, 10}]
    while games := next_games(state, 2, state.round, 0).tables:
        met += [frozenset(each.numbers) for each in games]
        play(state, NextGames(games), 0)
    assert (len(met), len(set(met))) == (40, 40)
    assert state.round == 5
    assert state.places()[1] == 1


def test_everyone_has_a_bye_before_anyone_has_two() -> None:
    state = tournament("rounds", 5, rounds=5)
    byes: list[int] = []
    for turn in range(5):
        games = next_games(state, 2, turn, 0)
        byes += games.byes
        play(state, games, 0)
    assert sorted(byes) == [1, 2, 3, 4, 5]


def test_people_who_paused_or_withdrew_are_not_paired() -> None:
    state = tournament("rounds", 5, seats=2)
    state.apply(EntrantChanged(1, "paused"), 0)
    state.apply(EntrantChanged(2, "out"), 0)
    tables, byes = round_tables(state, 2)
    assert [*sorted(each.number for table in tables for each in table), byes[0].number] == [3, 4, 5]


def test_equals_share_a_place_and_the_points_of_opponents_decide() -> None:
    state = tournament("rounds", 4)
    game(state, 1, 2, 1)
    game(state, 3, 4, 3)
    assert state.places() == {1: 1, 3: 1, 2: 3, 4: 3}
    game(state, 2, 4, 2)
    assert state.places() == {1: 1, 2: 1, 3: 3, 4: 4}
    state.apply(TournamentEnded("played"), 0)
    assert state.state == "over"
