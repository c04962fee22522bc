"""A table that continues a finished game: the same position, new chance, and a record of its origin."""

from __future__ import annotations

import json
import random
from dataclasses import replace

import pytest

from facedown.core.errors import IllegalSeats, NotNow, NotVerified, UnreadableRecord
from facedown.core.record import Origin, Record
from facedown.core.replay import until, verify
from facedown.protocol.messages import Cmd
from facedown.server.table.record import finished_record
from facedown.server.table.setup import rematch_of
from facedown.server.table.summary import details_of, summary_of
from tests.server.playing import Bench, order

GAMES = [("ecard", 2, "decisive"), ("davenport", 4, "aces")]


def played(game: str, seats: int, rules: str) -> Bench:
    bench = Bench(order(game, seats, rules), seed=5)
    bench.begin()
    bench.play_out(random.Random(f"{game} to go on from"))
    return bench


@pytest.fixture(scope="module", params=GAMES, ids=[each[0] for each in GAMES])
def old(request: pytest.FixtureRequest) -> Bench:
    return played(*request.param)


@pytest.fixture(scope="module")
def cards() -> Bench:
    return played(*GAMES[1])


def gone_on(old: Bench, keep: int, seat: int = 1) -> Bench:
    bench = old.go_on(keep, seat)
    bench.begin()
    return bench


def checked(record: Record) -> dict[str, bool | None]:
    return {finding.check: finding.holds for finding in verify(record)}


# --- the position ----------------------------------------------------------------------------------------


def test_it_begins_at_the_position_of_the_other_game(old: Bench) -> None:
    record = finished_record(old.state)
    for keep in range(len(record.picks)):
        bench = gone_on(old, keep, seat=2)
        there, here = until(record, keep), bench.state.match
        assert here.decision == keep + 1
        assert [here.view(viewer) for viewer in range(3)] == [there.view(viewer) for viewer in range(3)]
        assert here.pending == there.pending


def test_one_person_sits_there_again_and_machines_on_the_other_seats(old: Bench) -> None:
    places = old.go_on(1, 2).state.places
    assert [place.kind for place in places] == [
        "person" if place.seat == 2 else "machine" for place in places
    ]
    assert places[1].kept_for == "person 2"


def test_what_was_stored_is_enough_to_go_on(old: Bench) -> None:
    bench = gone_on(old, 2)
    source = random.Random("read back")
    while bench.state.playing:
        stored = bench.read_back()
        assert stored.match.state == bench.state.match.state
        assert stored.heads == bench.state.heads
        match = bench.state.match
        seat = source.choice(match.may_seal)
        bench.pick(seat, source.choice(match.legal(seat)))
    assert finished_record(bench.read_back()) == finished_record(bench.state)


def test_later_draws_differ_from_those_of_the_old_game(cards: Bench) -> None:
    """The later draws of the old game are in its record: none of them may be used again."""
    keep, record = 3, finished_record(cards.state)
    before = len(until(record, keep).chance.drawn)
    drawn = set()
    for _ in range(8):
        bench = gone_on(cards, keep)
        for seat in bench.state.match.may_seal:
            bench.pick(seat, str(record.picks[keep][seat - 1]))
        chance = tuple(map(str, bench.state.match.chance.drawn))
        assert chance[:before] == record.chance[:before]
        drawn.add(chance[before:])
    assert len(drawn) > 1


# --- the record --------------------------------------------------------------------------------


def test_its_record_names_the_game_it_continues(old: Bench) -> None:
    bench = gone_on(old, 2)
    bench.play_out(random.Random("truth"))
    record = finished_record(bench.state)
    assert record.continues == Origin(old.table, 2, len(until(record, 2).chance.drawn))
    assert Record.read(record.write()) == record
    assert checked(record) == {
        "picks": True,
        "result": True,
        "links": True,
        "promises": True,
        "seals": True,
        "placers": True,
        "deal": True,
        "origin": None,  # the other game's record has the proof
    }
    found = " ".join(str(finding.say) for finding in verify(record))
    assert f"the first 2 decisions and {record.continues.draws} draw" in found


def test_a_continued_game_can_be_continued_again(cards: Bench) -> None:
    second = gone_on(cards, 3)
    second.play_out(random.Random("second"))
    third = gone_on(second, 4)
    third.play_out(random.Random("third"))
    record = finished_record(third.state)
    assert record.continues is not None
    assert (record.continues.id, record.continues.decisions) == (second.table, 4)
    assert checked(record)["deal"] is True


def test_a_record_that_hides_its_origin_does_not_verify(cards: Bench) -> None:
    bench = gone_on(cards, 3)
    bench.play_out(random.Random("claims"))
    record = finished_record(bench.state)
    assert record.continues is not None
    claims = [
        (None, "their origin is not the record's"),
        (replace(record.continues, decisions=2), "takes over .* draws, but its first decisions made"),
        (replace(record.continues, draws=1), "takes over 1 draws, but its first decisions made"),
        (replace(record.continues, decisions=999), "takes over 999 decisions, but has only"),
    ]
    for claim, say in claims:
        with pytest.raises(NotVerified, match=say):
            list(verify(replace(record, continues=claim)))


def test_the_record_of_the_other_game_proves_what_was_taken_over(old: Bench) -> None:
    bench = gone_on(old, 2)
    bench.play_out(random.Random("proof"))
    record, origin = finished_record(bench.state), finished_record(old.state)
    assert {each.check: each.holds for each in verify(record, origin)}["origin"] is True
    assert record.continues is not None
    other = ("something", "else")
    first = replace(origin, picks=(other, *origin.picks[1:]))
    second = replace(origin, picks=(origin.picks[0], other, *origin.picks[2:]))
    for claimed, wrong, say in [
        (record, replace(origin, id="another"), "goes on from game .*, this is the record of another"),
        (record, replace(origin, rules="another"), "game .* was .*, another"),
        (record, first, "decision 1 is not the one that game .* made"),
        (record, second, "decision 2 is not the one that game .* made"),
        (record, replace(origin, picks=origin.picks[:1]), "decision 2 is not the one that game .* made"),
        (origin, record, "goes on from no other game"),
    ]:
        with pytest.raises(NotVerified, match=say):
            list(verify(claimed, wrong))


def test_draws_that_the_other_game_did_not_make_are_found(cards: Bench) -> None:
    bench = gone_on(cards, 2)
    bench.play_out(random.Random("draws"))
    origin = finished_record(cards.state)
    with pytest.raises(NotVerified, match=r"chance entry 1 is not the one that game .* made"):
        list(verify(finished_record(bench.state), replace(origin, chance=("?", *origin.chance[1:]))))


@pytest.mark.parametrize("wrong", [[], {}, {"id": 5}, {"id": "T", "decisions": -1, "draws": 0}, {"id": "T"}])
def test_nonsense_is_refused(cards: Bench, wrong: object) -> None:
    whole = json.loads(finished_record(cards.state).write())
    with pytest.raises(UnreadableRecord, match="'continues' must"):
        Record.read(json.dumps({**whole, "continues": wrong}))


# --- what it does not count for --------------------------------------------------------------------------


def test_it_is_marked_and_a_rematch_begins_a_new_series(old: Bench) -> None:
    bench = gone_on(old, 1)
    bench.play_out(random.Random("marked"))
    assert details_of(summary_of(bench.state).about).continued
    assert not details_of(summary_of(old.state).about).continued
    made = rematch_of(bench.state, "person 1").created
    assert made.continues is None
    assert (made.series.number, set(made.series.wins), made.series.ties) == (1, {0}, 0)


def test_positions_that_cannot_be_continued(cards: Bench) -> None:
    last = len(cards.state.match.picks)
    with pytest.raises(NotNow, match="the game was over at that point"):
        cards.go_on(last, 1)
    with pytest.raises(IllegalSeats):
        cards.go_on(1, 5)
    with pytest.raises(NotNow, match="only a finished game"):
        gone_on(cards, 1).go_on(1, 1)


def test_a_seat_that_was_out_of_the_game_cannot_continue_it() -> None:
    bench = Bench(order("davenport", 3))
    bench.begin()
    bench.act(2, Cmd("r", "resign", decision=1))
    bench.play_out(random.Random("out"))
    with pytest.raises(NotNow, match="seat 2 was out of the game at that point"):
        bench.go_on(1, 2)
    assert bench.go_on(0, 2).state.place(2).kind == "person"
