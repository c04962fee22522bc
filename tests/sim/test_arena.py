"""The arena: the same for any number of processes, and nothing that a bot does stops it."""

from __future__ import annotations

import random
import signal
from collections.abc import Iterable
from dataclasses import replace
from itertools import permutations
from pathlib import Path

import pytest

from facedown.core.chance import seed_of
from facedown.core.errors import FacedownError, Unsupported
from facedown.core.record import Record
from facedown.core.replay import verify
from facedown.sim import arena as arena_module
from facedown.sim.arena import CHUNK, Arena, Played, play
from facedown.sim.checkpoint import OtherRun, checkpoint
from facedown.sim.ratings import START, Ladder, rate
from facedown.sim.standing import Standing
from facedown.sim.statistics import Bout

TWO_SEATS = Arena("ecard", "decisive", 2, seed_of("arena"), ("random", "uniform"), 3 * CHUNK + 7)
FAULTY = "tests.sim.faulty:"


def test_equals_on_unequal_seats_gain_nothing_on_average() -> None:
    """Each seat wins as often as it is worth: no rating moves, as it would if all seats counted as equal."""
    shares = 0.444477, 0.555523
    for given, moves in ((shares, False), ((), True)):
        gained = 0.0
        for winner, share in enumerate(shares, 1):
            ladder = Ladder()
            ladder.add_game(("one", "other"), winner, given)
            gained += share * (ladder.of("one").mean - START.mean)
        assert (abs(gained) > 1e-9) == moves


def line_of(text: str) -> str:
    """The first index of a text among the failing bots."""
    lines = Path(__file__).with_name("faulty.py").read_text(encoding="utf-8").splitlines()
    return f"faulty.py:{next(number for number, line in enumerate(lines, 1) if text in line)}"


def together(chunks: Iterable[Played], seats: int) -> Bout:
    whole = Bout(seats)
    for chunk in chunks:
        whole.add(chunk.bout)
    return whole


def against(bot: str, games: int = 20, **changes: object) -> Bout:
    arena = replace(TWO_SEATS, bots=(FAULTY + bot, "uniform"), games=games, **changes)  # type: ignore[arg-type]  # any field
    return together(play(arena, 1), arena.seats)


def test_the_same_games_whatever_the_number_of_processes() -> None:
    alone = list(play(TWO_SEATS, 1))
    assert list(play(TWO_SEATS, 2)) == alone
    assert list(play(TWO_SEATS, 3)) == alone


def test_every_pairing_plays_all_its_games_on_every_seat() -> None:
    arena = Arena("davenport", "aces", 3, seed_of("x"), ("random", "uniform"), 9)
    chunks = list(play(arena, 1))
    assert [(chunk.hero, chunk.field) for chunk in chunks] == [("random", "uniform"), ("uniform", "random")]
    assert [chunk.bout.games for chunk in chunks] == [[3, 3, 3], [3, 3, 3]]


@pytest.mark.parametrize(
    ("seats", "pairings"),
    [
        (2, [("b", "a"), ("b", "c")]),
        (3, [("b", "a"), ("b", "c")]),
    ],
)
def test_only_heroes_are_heroes_and_every_bot_is_a_field(seats: int, pairings: list[tuple[str, str]]) -> None:
    arena = Arena("davenport", "", seats, seed_of("x"), ("a", "b", "c"), 9, heroes=("b",))

    assert list(arena.pairings) == pairings


def test_two_heroes_meet_once_on_two_seats_and_twice_on_more() -> None:
    arena = Arena("davenport", "", 2, seed_of("x"), ("a", "b", "c"), 9, heroes=("c", "a"))

    assert arena.pairings == (("a", "b"), ("a", "c"), ("c", "b"))
    assert {("a", "c"), ("c", "a")} < set(replace(arena, seats=4).pairings)


@pytest.mark.parametrize(
    ("bot", "fault"),
    [
        ("Crashes", f"ZeroDivisionError ({line_of('raise ZeroDivisionError')})"),
        ("Cheats", "illegal_pick"),
        ("CannotStart", f"RuntimeError: nothing to start with ({line_of('raise RuntimeError')})"),
    ],
)
def test_a_bot_at_fault_loses_that_game_and_is_reported(bot: str, fault: str) -> None:
    bout = against(bot)
    assert (bout.played, sum(bout.wins), sum(bout.draws)) == (20, 0, 0)
    assert bout.faults == {f"{FAULTY}{bot}: {fault}": 20}
    assert bout.first_faults == {f"{FAULTY}{bot}: {fault}": (1, 1)}


def test_a_fault_reports_the_error_of_the_bot_but_never_its_hand() -> None:
    arena = Arena("davenport", "davenport", 2, seed_of("x"), (FAULTY + "Blabs", "uniform"), 3)
    (chunk,) = play(arena, 1)
    (fault,) = chunk.bout.faults
    where = line_of("raise ValueError")
    assert fault == f"{FAULTY}Blabs: ValueError: I hold … … … … … and 5 of them ({where})"
    assert chunk.bout.first_faults[fault] == (1, 1)


def test_a_bot_that_stalls_loses_that_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arena_module, "PATIENCE", 0.05)
    bout = against("Sleeps", games=2)
    assert (bout.wins, bout.draws) == ([0, 0], [0, 0])
    assert sum(bout.faults.values()) == 2


def test_a_bot_that_stalls_loses_that_game_where_there_are_no_alarms(monkeypatch: pytest.MonkeyPatch) -> None:
    """As on Windows, and in any thread but the first."""
    monkeypatch.setattr(arena_module, "PATIENCE", 0.05)
    monkeypatch.delattr(signal, "SIGALRM")
    bout = against("Loops", games=4)
    assert (bout.wins, bout.draws) == ([0, 0], [0, 0])
    assert sum(bout.faults.values()) == 4


def test_a_process_that_was_stopped_for_long_loses_no_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arena_module, "PATIENCE", 1.0)
    bout = against("StopsItself", games=1)
    assert not bout.faults


def test_a_bot_that_fails_while_noting_keeps_the_result_of_its_game() -> None:
    bout = against("ForgetsHow", games=10, memory=2)
    plain = together(play(replace(TWO_SEATS, bots=("uniform", "random"), games=10, memory=2), 1), 2)
    assert bout.faults == {f"{FAULTY}ForgetsHow: LookupError ({line_of('raise LookupError')})": 10}
    assert bout.played == plain.played == 10


def test_among_many_seats_the_others_play_on_without_the_one_at_fault() -> None:
    arena = Arena("davenport", "davenport", 4, seed_of("x"), (FAULTY + "Crashes", "uniform"), 8)
    hero, field = play(arena, 1)
    assert (hero.bout.played, sum(hero.bout.wins)) == (8, 0)
    assert sum(field.bout.wins) == 8  # three of the field crash: the hero is the last seat left


def test_games_are_recorded_on_request() -> None:
    arena = replace(TWO_SEATS, games=3, records=True)
    chunks = list(play(arena, 1))
    records = [Record.read(line) for chunk in chunks for line in chunk.records]

    assert len({record.id for record in records}) == len(records) == 3 * len(arena.pairings)
    for record, chunk in zip(records, [chunk for chunk in chunks for _ in range(3)], strict=True):
        assert set(record.seats) == {chunk.hero, chunk.field}
        assert all(finding.holds is not False for finding in verify(record))
    assert not any(chunk.records for chunk in play(replace(arena, records=False), 1))


def test_a_killed_process_loses_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KILLED_ONCE", str(tmp_path / "killed"))
    arena = replace(TWO_SEATS, bots=(FAULTY + "KillsOnce", "random"), games=5 * CHUNK)
    played = list(play(arena, 2))
    assert (tmp_path / "killed").exists()
    assert played == list(play(arena, 1))


def test_processes_that_keep_dying_end_the_run_in_words() -> None:
    arena = replace(TWO_SEATS, bots=(FAULTY + "KillsAlways", "random"), games=5 * CHUNK)
    with pytest.raises(Unsupported, match="keep dying"):
        list(play(arena, 2))


def test_bots_remember_the_last_games_and_the_first_ones_do_not_count() -> None:
    arena = replace(TWO_SEATS, bots=(FAULTY + "Counts", "random"), games=CHUNK + 10, memory=3)
    bout = together(play(arena, 1), 2)
    assert bout.played == CHUNK + 10
    assert not bout.faults  # it crashes when it remembers nothing, and only games that do not count are so


# --- kept on disk ----------------------------------------------------------------------------------------


def test_an_interrupted_run_continues(tmp_path: Path) -> None:
    file = tmp_path / "run.jsonl"
    whole = list(play(TWO_SEATS, 1))
    with checkpoint(file, TWO_SEATS) as (done, write):
        assert done == []
        for chunk in whole[:2]:
            write(chunk)
    with checkpoint(file, TWO_SEATS) as (done, write):
        assert done == whole[:2]
        for chunk in play(TWO_SEATS, 1, frozenset(each.number for each in done)):
            write(chunk)
    with checkpoint(file, TWO_SEATS) as (done, _):
        assert done == whole


def test_a_line_that_was_cut_off_is_played_again(tmp_path: Path) -> None:
    file = tmp_path / "run.jsonl"
    whole = list(play(TWO_SEATS, 1))
    with checkpoint(file, TWO_SEATS) as (_, write):
        for chunk in whole[:2]:
            write(chunk)
    file.write_bytes(file.read_bytes()[:-10])
    with checkpoint(file, TWO_SEATS) as (done, write):
        assert done == whole[:1]
        write(whole[1])
    with checkpoint(file, TWO_SEATS) as (done, _):
        assert done == whole[:2]


@pytest.mark.parametrize("text", ["nonsense\n", "{}\n", '{"arena": "facedown/1"}\n'])
def test_a_file_of_something_else_is_refused_and_left_alone(tmp_path: Path, text: str) -> None:
    file = tmp_path / "run.jsonl"
    file.write_text(text)
    with pytest.raises(OtherRun), checkpoint(file, TWO_SEATS):
        pass
    assert file.read_text() == text


def test_a_broken_batch_is_named_by_its_line(tmp_path: Path) -> None:
    file = tmp_path / "run.jsonl"
    with checkpoint(file, TWO_SEATS):
        pass
    file.write_text(file.read_text() + '{"chunk": 0}\n')
    with pytest.raises(OtherRun, match="line 2"), checkpoint(file, TWO_SEATS):
        pass


# --- ratings ---------------------------------------------------------------------------------------------


def test_the_winner_is_rated_higher() -> None:
    games = [(("strong", "weak"), 1), (("weak", "strong"), 2)] * 20 + [(("strong", "weak"), 0)]
    ratings = rate(("strong", "weak"), games)
    assert ratings["strong"].mean > 30 > 20 > ratings["weak"].mean


@pytest.mark.parametrize(
    ("game", "seats", "bots"),
    [
        ("ecard", 2, ("habit", "random", FAULTY + "Crashes")),
        ("davenport", 3, ("lowest", "random", "highest")),
    ],
)
def test_the_order_of_the_bots_changes_no_rating(game: str, seats: int, bots: tuple[str, ...]) -> None:
    found = []
    for order in permutations(bots):
        arena = Arena(game, "", seats, seed_of("order"), order, 6)
        standing = Standing(arena)
        for chunk in play(arena, 1):
            standing.add(chunk)
        assert tuple(standing.ratings()) == order
        found.append((standing.ratings(), {pair: standing.score(*pair) for pair in permutations(bots, 2)}))

    assert all(each == found[0] for each in found)


def test_the_cross_table_counts_draws_as_halves() -> None:
    bout = Bout(2)
    bout.count(1, won=False, drawn=True)
    bout.count(2, won=False, drawn=True)
    assert bout.score().value == 0.5
    assert bout.score(1).value == 0.5


def test_an_unknown_bot_is_refused_before_anything_is_played() -> None:
    with pytest.raises(FacedownError, match="there is no bot"):
        list(play(replace(TWO_SEATS, bots=("random", "nosuch")), 1))


def test_any_single_game_of_an_arena_can_be_played_and_verified_alone() -> None:
    number = arena_module.game_number(TWO_SEATS, chunk=2, place=4)
    assert number == 2 * CHUNK + 5
    table = arena_module._Table(TWO_SEATS, number, ("random", "uniform"), [None, None])
    table.play()
    record = table.match.record(game_id=str(number), seed=TWO_SEATS.seed)
    found = {finding.check: finding.holds for finding in verify(record)}
    assert found == {"picks": True, "result": True, "links": None, "deal": True}


# --- ratings of many seats -------------------------------------------------------------------------------


def games_of_seven(chances: dict[str, float], count: int) -> list[tuple[tuple[str, ...], int]]:
    """Each bot in turn as the hero against six of each other; seats win in proportion to the chances."""
    source = random.Random("seven seats")
    pairings = [(hero, other) for hero in chances for other in chances if hero != other]
    games: list[tuple[tuple[str, ...], int]] = []
    for number in range(count):
        hero, other = pairings[number % len(pairings)]
        names = tuple(hero if seat == number % 7 else other for seat in range(7))
        games.append((names, source.choices(range(1, 8), [chances[name] for name in names])[0]))
    return games


def test_a_stronger_bot_on_seven_seats_is_rated_higher() -> None:
    ratings = rate(("weak", "strong"), games_of_seven({"weak": 1, "strong": 3}, 600))

    assert ratings["strong"].mean - ratings["weak"].mean > 3
    assert abs(ratings["strong"].mean + ratings["weak"].mean - 50) < 3


def test_games_of_a_bot_against_itself_change_no_rating() -> None:
    assert rate(("a",), [(("a", "a", "a"), 2)])["a"].mean == pytest.approx(25)
