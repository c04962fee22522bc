"""Commands at a table: what they do, and when they are refused; a refused command adds nothing."""

from __future__ import annotations

import random
from contextlib import suppress

import pytest

from facedown.core.chain import Chain
from facedown.core.chance import entropy_commitment
from facedown.core.errors import AlreadySealed, FacedownError, IllegalPick, NotNow
from facedown.core.record import Record
from facedown.core.replay import verify
from facedown.protocol.errors import (
    BadMessage,
    BadSeal,
    NotSeated,
    NotYours,
    SeatTaken,
    TableFull,
    WrongDecision,
)
from facedown.protocol.messages import Clock, Cmd
from facedown.protocol.views import ViewEncoder
from facedown.server.table import commands, facts, seating
from facedown.server.table.actor import Actor, Attendance
from facedown.server.table.record import finished_record, record_of
from facedown.server.table.setup import from_order, rematch_of
from facedown.server.table.snapshot import snapshot_of, turn_info
from facedown.server.table.state import (
    MOST_CHANGES,
    MOST_SAID,
    MOST_SAID_BY_SPECTATORS,
    MOST_SAID_WATCHING,
)
from facedown.server.table.updates import ViewerUpdates, missed_events
from tests.server.playing import Bench, entropy_of, order, pick_command

DECISION = Clock("decision", seconds=10, bank=5)
WAITING = Clock("decision", seconds=10, bank=5, ready=60)


def playing(game: str = "ecard", seats: int = 2, rules: str = "", **more: object) -> Bench:
    bench = Bench(order(game, seats, rules, **more))  # type: ignore[arg-type]
    bench.begin()
    return bench


def kinds(bench: Bench) -> list[str]:
    return [entry.fact.kind for entry in bench.state.log]


# --- the deal --------------------------------------------------------------------------------------------


def test_a_game_begins_when_all_have_sat_down_and_opened() -> None:
    bench = Bench(order("ecard"))
    bench.sit(1)
    assert bench.phase == "open"
    bench.sit(2)
    assert bench.phase == "opening"
    bench.open(2)
    assert not bench.state.dealt
    bench.open(1)
    assert kinds(bench) == ["made", "sat", "sat", "full", "opened", "opened", "dealt"]
    assert bench.state.playing


def test_entropy_must_match_its_commitment() -> None:
    bench = Bench(order("ecard"))
    bench.sit(1)
    bench.sit(2)
    with pytest.raises(BadSeal):
        bench.act(1, Cmd("o", "open", entropy=entropy_of(2).hex()))
    with pytest.raises(BadMessage):
        bench.act(1, Cmd("o", "open"))
    bench.open(1)
    with pytest.raises(NotNow):
        bench.act(1, Cmd("again", "open", entropy=entropy_of(1).hex()))


def test_without_every_number_nothing_is_dealt() -> None:
    """The seats that did not open theirs are free; all others promise fresh ones, and the record shows it."""
    bench = Bench(order("davenport", 3))
    for seat in (1, 2, 3):
        bench.sit(seat)
    bench.open(2)
    bench.at = (bench.state.open_until or 0) - 1
    commands.apply_timeouts(bench.tx(), bench.at, {})
    assert bench.phase == "opening"
    bench.at += 1
    commands.apply_timeouts(bench.tx(), bench.at, {})
    assert (bench.phase, kinds(bench)[-1]) == ("open", "void")
    assert [place.taken for place in bench.state.places] == [False, True, False]
    first = bench.state.full_head
    with pytest.raises(NotNow):
        bench.act(2, Cmd("late", "open", entropy=entropy_of(2).hex()))
    fresh = entropy_commitment(bench.table, 2, bytes(32)).hex()
    bench.act(2, Cmd("again", "promise", commit=fresh))
    with pytest.raises(NotNow):
        bench.act(2, Cmd("twice", "promise", commit=fresh))
    bench.sit(1, "another")
    bench.sit(3)
    assert bench.phase == "opening"
    bench.act(2, Cmd("o", "open", entropy=bytes(32).hex()))
    commands.execute(bench.tx(), Actor(1, "another", "A"), Cmd("o", "open", entropy=entropy_of(1).hex()))
    bench.act(3, Cmd("o", "open", entropy=entropy_of(3).hex()))
    assert bench.state.playing
    assert bench.state.full_head != first
    assert bench.read_back().heads == bench.state.heads


def test_a_person_may_leave_while_numbers_are_opened() -> None:
    """The seats are fixed: the game is dealt all the same; if it comes to nothing, the seat is free."""
    bench = Bench(order("davenport", 3))
    for seat in (1, 2, 3):
        bench.sit(seat)
    bench.act(1, Cmd("gone", "leave"))
    bench.open(1)
    assert bench.state.place(1).left, "the number is opened by the device itself"
    bench.open(2)
    bench.at = bench.state.open_until or 0
    commands.apply_timeouts(bench.tx(), bench.at, {})
    assert kinds(bench)[-2:] == ["void", "stood"]
    assert [place.taken for place in bench.state.places] == [False, True, False]
    chain = Chain()
    for link in bench.state.links:
        chain.add(link)


@pytest.mark.parametrize(("sitting", "opening"), [((), ()), ((2,), ()), ((1, 2), (2,))])
def test_a_paired_table_whose_people_do_not_come_is_closed(
    sitting: tuple[int, ...], opening: tuple[int, ...]
) -> None:
    """Only those who came still hold their seats; nothing was dealt, and no clock is left to run out."""
    bench = Bench.paired("ecard", 2)
    for seat in sitting:
        bench.sit(seat)
    for seat in opening:
        bench.open(seat)
    bench.at = (bench.state.deadline or 0) - 1
    commands.apply_timeouts(bench.tx(), bench.at, {})
    assert bench.phase == ("opening" if opening else "open")
    bench.at += 1
    commands.apply_timeouts(bench.tx(), bench.at, {})
    assert (bench.phase, bench.state.deadline) == ("closed", None)
    freed = {holder.seat for tx in bench.transactions for holder in tx.seat_holders if not holder.token}
    came = opening if opening else sitting
    assert {place.seat for place in bench.state.places if place.taken} == set(came)
    assert freed == set(sitting) - set(came)
    chain = Chain()
    for link in bench.state.links:
        chain.add(link)


def test_a_paired_game_whose_people_are_not_ready_is_closed() -> None:
    """A player who is ready or has sealed was there: only the others lose their seats."""
    bench = Bench.paired("davenport", 4)
    bench.begin()
    bench.act(1, Cmd("ready", "ready"))
    bench.pick(2, bench.state.match.legal(2)[0])
    bench.at = (bench.state.deadline or 0) - 1
    commands.apply_timeouts(bench.tx(), bench.at, {})
    assert bench.state.playing
    bench.at += 1
    tx = bench.tx()
    commands.apply_timeouts(tx, bench.at, {})
    assert (bench.phase, bench.state.deadline, bench.state.result) == ("closed", None, None)
    assert [holder.seat for holder in tx.seat_holders] == [3, 4]
    assert bench.read_back().heads == bench.state.heads


def test_a_paired_game_whose_people_are_all_ready_goes_on() -> None:
    bench = Bench.paired("ecard", 2)
    bench.begin()
    for seat in (1, 2):
        bench.act(seat, Cmd("ready", "ready"))
    assert bench.state.comes_until is None
    bench.at = bench.state.deadline or 0
    commands.apply_timeouts(bench.tx(), bench.at, {})
    assert bench.state.playing, "from now on it is the clock's"


def test_a_paired_game_is_like_any_other_and_so_is_its_rematch() -> None:
    bench = Bench.paired("ecard", 2)
    with pytest.raises(SeatTaken):
        bench.sit(1, "stranger")
    bench.begin()
    bench.play_out(random.Random("paired"))
    following = rematch_of(bench.state, "person 1").created
    assert (following.seating, following.opening) == (0, facts.OPENING_MS)


def test_a_host_may_close_a_table_that_waits_for_a_number() -> None:
    bench = Bench(order("ecard"))
    bench.sit(1, "host")
    bench.sit(2)
    with pytest.raises(NotNow):
        commands.execute(bench.tx(), Actor(1, "host", "H"), Cmd("f", "free", seat=2))
    commands.execute(bench.tx(), Actor(1, "host", "H"), Cmd("c", "close"))
    assert (bench.phase, bench.state.deadline) == ("closed", None)


def test_a_table_of_machines_begins_at_once() -> None:
    bench = Bench(order("ecard", machines=(1, 2)))
    assert bench.state.playing


@pytest.mark.parametrize("seat", [0, 3, 99])
def test_a_seat_outside_the_table_is_refused(seat: int) -> None:
    bench = Bench(order("ecard"))
    with pytest.raises(BadMessage):
        bench.sit(seat)


def test_a_taken_seat_is_refused() -> None:
    bench = Bench(order("ecard", machines=(2,)))
    with pytest.raises(SeatTaken):
        bench.sit(2)
    bench.sit(1, "Ann")
    with pytest.raises(SeatTaken):
        bench.sit(1, "Bo")
    three = Bench(order("davenport", 3))
    three.sit(1, "Ann")
    with pytest.raises(SeatTaken):
        three.sit(2, "Ann")


def test_on_one_device_the_host_holds_all_seats() -> None:
    bench = Bench(order("ecard", hotseat=True))
    with pytest.raises(NotYours):
        bench.sit(1, "another person")
    bench.sit(1, "host")
    bench.sit(2, "host")
    assert bench.state.seats_of("host") == (1, 2)


def test_people_who_share_a_device_have_seats_and_names_of_their_own() -> None:
    """Others sit at their own devices; a public table accepts no guests."""
    bench = Bench(order("davenport", 3))
    bench.sit(1, "Ann")
    bench.sit(2, "Ann", guest=True)
    bench.sit(3, "Cy")
    seating.rename(bench.tx(), "Ann", "Anna")
    assert bench.state.seats_of("Ann") == (1, 2)
    assert [place.name for place in bench.state.places] == ["Anna", "Name 2", "Name 3"]
    public = Bench(order("davenport", 3, public=True))
    public.sit(1, "Ann")
    with pytest.raises(SeatTaken):
        public.sit(2, "Ann", guest=True)


def test_leaving_before_the_start_frees_the_seat() -> None:
    bench = Bench(order("ecard"))
    bench.sit(1)
    bench.act(1, Cmd("l", "leave"))
    assert not bench.state.place(1).taken
    bench.sit(1, "another")
    assert bench.state.place(1).person == "another"


# --- picking ---------------------------------------------------------------------------------------------


def test_a_pick_is_sealed_and_the_last_one_reveals_all() -> None:
    bench = playing()
    first, second = bench.state.match.pending[0][0], bench.state.match.pending[-1][-1]
    bench.pick(first, "C")
    assert bench.state.face_down == {first: "C"}
    bench.pick(second, "C")
    assert kinds(bench)[-3:] == ["sealed", "sealed", "revealed"]
    assert bench.state.face_down == {}
    assert bench.state.match.picks == [("C", "C")]


def test_a_repeated_command_gets_its_first_answer_and_does_nothing() -> None:
    bench = playing()
    seat = bench.state.match.may_seal[0]
    cmd = pick_command(bench.state, 1, seat, "C", "once")
    first = bench.act(seat, cmd)
    head = bench.state.head
    assert bench.act(seat, cmd) == first
    assert bench.state.head == head
    assert bench.read_back().answered[seat, f"person {seat}:once"] == first.v


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({"commit": "0" * 64}, BadSeal),
        ({"nonce": "0" * 64}, BadSeal),
        ({"pick": "E"}, BadSeal),
        ({"decision": 2}, WrongDecision),
        ({"decision": None}, WrongDecision),
        ({"nonce": None}, BadMessage),
        ({"commit": None}, BadMessage),
        ({"pick": None}, BadMessage),
    ],
)
def test_a_seal_that_does_not_fit_is_refused(change: dict[str, object], error: type[FacedownError]) -> None:
    bench = playing()
    seat = bench.state.match.may_seal[0]
    good = pick_command(bench.state, 1, seat, "C")
    fields = {name: getattr(good, name) for name in good.__struct_fields__} | change
    head = bench.state.head
    with pytest.raises(error):
        bench.act(seat, Cmd(**fields))
    assert bench.state.head == head


def test_another_seats_seal_does_not_fit() -> None:
    bench = playing("davenport", 3)
    card = bench.state.match.legal(1)[0]
    with pytest.raises(BadSeal):
        bench.act(1, pick_command(bench.state, 1, 2, card))


def test_a_second_pick_and_one_that_is_not_in_the_hand_are_refused() -> None:
    bench = playing("davenport", 3)
    match = bench.state.match
    with pytest.raises(IllegalPick):
        bench.pick(1, match.legal(2)[0])
    bench.pick(1, match.legal(1)[0])
    with pytest.raises(AlreadySealed):
        bench.act(1, pick_command(bench.state, 1, 1, match.legal(1)[1], "other"))


def test_spectators_only_talk() -> None:
    bench = playing()
    with pytest.raises(NotSeated):
        bench.act(0, Cmd("x", "resign", decision=1))
    bench.act(0, Cmd("x", "say", text="ooh"))
    bench.act(1, Cmd("x", "say", preset="well_played"))
    assert [
        message.text
        for message in snapshot_of(bench.state, 0, None, Attendance(), None, 0, ViewEncoder()).table.said
    ] == ["ooh"]
    assert [
        message.preset
        for message in snapshot_of(bench.state, 1, None, Attendance(), None, 0, ViewEncoder()).table.said
    ] == ["well_played"]


@pytest.mark.parametrize(
    "cmd", [Cmd("s", "say"), Cmd("s", "say", text=" \n\u202e "), Cmd("s", "say", text="a", preset="thanks")]
)
def test_a_message_without_text_or_with_both_kinds_is_refused(cmd: Cmd) -> None:
    with pytest.raises(BadMessage):
        playing().act(1, cmd)


def test_resigning_discards_open_seals_and_ends_a_game_of_two() -> None:
    bench = playing()
    seat = bench.state.match.may_seal[0]
    bench.pick(seat, "C")
    bench.act(3 - seat, Cmd("r", "resign", decision=1))
    assert kinds(bench)[-3:] == ["sealed", "resigned", "over"]
    assert bench.state.result is not None
    assert bench.state.result.winner == seat
    record = finished_record(bench.state)
    assert all(finding.holds for finding in verify(Record.read(record.write())))


def test_the_game_is_over_once() -> None:
    bench = playing()
    bench.act(1, Cmd("r", "resign", decision=1))
    for cmd in (Cmd("r2", "resign", decision=2), pick_command(bench.state, 2, 2, "C"), Cmd("l", "leave")):
        with pytest.raises(NotNow):
            bench.act(2, cmd)


# --- the clock -------------------------------------------------------------------------------------------


def test_time_runs_out_after_the_decision_and_the_bank() -> None:
    bench = playing(clock=DECISION)
    seat = bench.state.match.may_seal[0]
    start = bench.at
    assert bench.state.deadline == start + 15_000
    bench.at += 14_999
    commands.apply_timeouts(bench.tx(), bench.at, {seat: (1, "C")})
    assert not bench.state.seals
    bench.at += 1
    commands.apply_timeouts(bench.tx(), bench.at, {seat: (1, "C")})
    fact = bench.state.log[-1].fact
    assert isinstance(fact, facts.PickSealed)
    assert (fact.decision, fact.seat, fact.flag) == (1, seat, True)
    for viewer in range(3):  # only its own seat learns which pick the clock has placed
        sent = ViewerUpdates().updates(bench.state, bench.state.log[-1:], Attendance, [viewer])[viewer]
        frames = [sent.frames[-1], missed_events(bench.state, viewer, 0)[-1]]
        assert [b'"placed":"C"' in frame for frame in frames] == [viewer == seat] * 2
    assert bench.state.clocks.banks[seat] == 0


def test_a_flag_for_a_decision_that_is_over_seals_nothing() -> None:
    bench = playing(clock=DECISION)
    seat = bench.state.match.may_seal[0]
    bench.at += 20_000
    commands.apply_timeouts(bench.tx(), bench.at, {seat: (2, "C")})
    assert not bench.state.seals


def test_time_beyond_that_of_the_decision_comes_from_the_bank() -> None:
    bench = playing("davenport", 2, clock=DECISION)
    bench.at += 12_000
    bench.pick(1, bench.state.match.legal(1)[0])
    assert bench.state.clocks.banks == {1: 3_000, 2: 5_000}
    assert bench.state.log[-1].spent == 12_000
    again = bench.read_back()
    assert again.clocks.banks == bench.state.clocks.banks
    assert again.clocks.deadlines == bench.state.clocks.deadlines


def test_no_clock_runs_while_a_result_is_read() -> None:
    bench = playing("davenport", 2, clock=DECISION)
    for seat in (1, 2):
        bench.pick(seat, bench.state.match.legal(seat)[0])
    shown = bench.at
    assert bench.state.setup.clock.grace == 2
    assert bench.state.clocks.deadlines == dict.fromkeys((1, 2), shown + 2_000 + 15_000)
    bench.at = shown + 1_999
    bench.pick(1, bench.state.match.legal(1)[0])
    assert bench.state.log[-1].spent == 0
    bench.at = shown + 2_000 + 12_000
    bench.pick(2, bench.state.match.legal(2)[0])
    assert bench.state.clocks.banks == {1: 5_000, 2: 3_000}
    assert bench.read_back().clocks.deadlines == bench.state.clocks.deadlines


@pytest.mark.parametrize(
    ("clock", "grace"),
    [
        (Clock("decision", seconds=30), 4),
        (Clock("decision", seconds=20, grace=9), 4),
        (Clock("decision", seconds=7), 1),
        (Clock("decision", seconds=3), 0),
        (Clock("correspondence"), 0),
        (Clock(), 0),
    ],
)
def test_the_server_sets_the_grace_by_the_time_for_a_decision(clock: Clock, grace: int) -> None:
    assert from_order(order("ecard", 2, clock=clock), "ann").created.clock.grace == grace


def test_the_first_clocks_wait_until_everyone_is_ready() -> None:
    bench = playing("davenport", 3, clock=WAITING)
    dealt = bench.at
    assert bench.state.clocks.deadlines == dict.fromkeys((1, 2, 3), dealt + 60_000 + 15_000)
    bench.at += 5_000
    bench.act(1, Cmd("r1", "ready"))
    bench.pick(2, bench.state.match.legal(2)[0])  # who has sealed is ready
    turn = turn_info(bench.state)
    assert turn is not None
    assert (turn.unready, turn.since) == ((3,), dealt + 60_000)
    bench.at += 5_000
    bench.act(3, Cmd("r3", "ready"))
    assert bench.state.clocks.deadlines == dict.fromkeys((1, 3), bench.at + 15_000)
    assert bench.read_back().clocks.deadlines == bench.state.clocks.deadlines
    for seat in (1, 3):
        with pytest.raises(NotNow):
            bench.act(seat, Cmd("again", "ready"))


def test_a_player_who_is_never_ready_stops_the_clocks_for_a_minute_at_most() -> None:
    bench = playing("davenport", 2, clock=WAITING)
    bench.act(1, Cmd("r1", "ready"))
    bench.at += 60_000 + 14_999
    picks = {seat: (1, str(bench.state.match.legal(seat)[0])) for seat in (1, 2)}
    commands.apply_timeouts(bench.tx(), bench.at, picks)
    assert not bench.state.seals
    bench.at += 1
    commands.apply_timeouts(bench.tx(), bench.at, picks)
    assert bench.state.match.decision == 2
    with pytest.raises(NotNow):
        bench.act(2, Cmd("r2", "ready"))


def test_an_outage_is_given_back() -> None:
    bench = playing("davenport", 2, clock=DECISION)
    before = bench.state.deadline
    bench.tx().add(facts.ServerOutage(7_000))
    assert before is not None
    assert bench.state.deadline == before + 7_000
    assert bench.read_back().deadline == before + 7_000


def test_by_correspondence_each_turn_gives_one_notice() -> None:
    bench = playing("davenport", 3, clock=Clock("correspondence", days=2))
    assert [notice.person for notice in bench.transactions[-1].notices] == [
        "person 1",
        "person 2",
        "person 3",
    ]
    bench.at += 1
    bench.pick(1, bench.state.match.legal(1)[0])
    assert bench.transactions[-1].notices == []
    bench.pick(2, bench.state.match.legal(2)[0])
    bench.at += 1
    bench.pick(3, bench.state.match.legal(3)[0])
    assert {notice.decision for notice in bench.transactions[-1].notices} == {2}


# --- machines take over ----------------------------------------------------------------------------------


def test_a_machine_takes_over_when_all_others_agree() -> None:
    bench = playing("davenport", 4)
    with pytest.raises(NotNow):
        bench.act(1, Cmd("o", "replace", seat=4))
    bench.act(4, Cmd("l", "leave"))
    bench.act(1, Cmd("o", "replace", seat=4))
    assert bench.state.place(4).kind == "person"
    bench.act(2, Cmd("a", "agree", seat=4))
    with pytest.raises(NotNow):
        bench.act(2, Cmd("b", "agree", seat=4))
    bench.act(3, Cmd("a", "agree", seat=4))
    assert bench.state.place(4).kind == "machine"
    bench.play_out(random.Random(3))
    result = finished_record(bench.state).result
    assert result is not None
    assert result["replaced"] == [{"seat": 4, "machine": "careful", "decision": 1}]


def test_an_absent_player_can_be_replaced_but_not_a_connected_one() -> None:
    bench = playing("davenport")
    with pytest.raises(NotNow):
        bench.act(1, Cmd("o", "replace", seat=2), Attendance(frozenset({1, 2})))
    bench.act(1, Cmd("o", "replace", seat=2), Attendance(frozenset({1}), frozenset({2})))
    assert bench.state.place(2).kind == "machine"


def test_a_person_who_left_their_seat_can_do_nothing_there() -> None:
    bench = Bench(order("davenport", 3))
    bench.sit(1, "Ann")
    with pytest.raises(NotYours):
        bench.act(1, Cmd("s", "say", text="still here"))


def test_coming_back_ends_the_offer() -> None:
    bench = playing("davenport", 3)
    bench.act(3, Cmd("l", "leave"))
    bench.act(1, Cmd("o", "replace", seat=3))
    bench.pick(3, bench.state.match.legal(3)[0])
    place = bench.state.place(3)
    assert (place.left, place.offered) == (False, None)


@pytest.mark.parametrize("machine", ["os:system", "nobody", "random"])
def test_only_the_machine_of_the_table_takes_over(machine: str) -> None:
    bench = playing()
    bench.act(2, Cmd("l", "leave"))
    with pytest.raises(NotNow):
        bench.act(1, Cmd("o", "replace", seat=2, machine=machine))
    assert bench.state.substitute == "equilibrium"
    bench.act(1, Cmd("o", "replace", seat=2, machine="equilibrium"))
    assert bench.state.place(2).machine == "equilibrium"


# --- the next game ---------------------------------------------------------------------------------------


def test_in_a_rematch_every_player_moves_one_seat_further() -> None:
    bench = playing("davenport", 3)
    bench.act(1, Cmd("r", "resign", decision=1))
    bench.act(2, Cmd("r", "resign", decision=2))
    made = rematch_of(bench.state, "person 1").created
    assert [chair.kept_for for chair in made.chairs] == ["person 3", "person 1", "person 2"]
    assert made.series.wins == (1, 0, 0)
    assert (made.series.number, made.series.previous) == (2, bench.table)


@pytest.mark.parametrize(
    "asked",
    [
        order("ecard", 3),
        order("ecard", rules="classic(rounds=0)"),
        order("nothing"),
        order("ecard", flag="nobody"),
        order("ecard", hotseat=True, public=True),
    ],
)
def test_impossible_orders_are_refused(asked: object) -> None:
    with pytest.raises(FacedownError):
        from_order(asked, "host")  # type: ignore[arg-type]


# --- whole games -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "seats", "rules"),
    [
        ("ecard", 2, "classic"),
        ("ecard", 2, "victories"),
        ("ecard", 2, "decisive"),
        ("ecard", 2, "purse"),
        ("davenport", 2, "davenport"),
        ("davenport", 7, "aces"),
        ("davenport", 4, "pointed(placing=in_turn)"),
    ],
)
def test_a_whole_game_is_verified_and_reads_back_as_it_was(game: str, seats: int, rules: str) -> None:
    bench = playing(game, seats, rules)
    bench.play_out(random.Random(f"{game} {rules}"))
    record = finished_record(bench.state)
    findings = list(verify(Record.read(record.write())))
    checks = ["picks", "result", "links", "promises", "seals", "placers", "deal"]
    assert [finding.check for finding in findings] == checks
    assert all(finding.holds for finding in findings)
    again_ = bench.read_back()
    for viewer in range(seats + 1):
        shown = snapshot_of(bench.state, viewer, f"person {viewer}", Attendance(), None, 0, ViewEncoder())
        assert snapshot_of(again_, viewer, f"person {viewer}", Attendance(), None, 0, ViewEncoder()) == shown
        assert record_of(again_, viewer) == record.write()


def test_a_table_full_of_messages_still_ends_its_game() -> None:
    bench = playing("ecard", 2)
    for number in range(MOST_SAID):
        bench.act(1, Cmd(f"s{number}", "say", preset="thanks"))
    with pytest.raises(TableFull):
        bench.act(1, Cmd("more", "say", preset="thanks"))
    bench.act(2, Cmd("also", "say", preset="thanks"))  # each seat has a share
    bench.act(1, Cmd("gone", "leave"))
    seating.rename(bench.tx(), "person 1", "Somebody else")
    assert len(missed_events(bench.state, 1, 0, 500)) == 500  # a long log is cut before it is encoded
    bench.play_out(random.Random(1))
    assert bench.phase == "over"
    assert bench.read_back().said == {"person 1": MOST_SAID, "person 2": 1}


def test_spectators_fill_no_ones_share_but_their_own() -> None:
    bench = playing("ecard", 2)
    count = 0
    for person in range(MOST_SAID_BY_SPECTATORS // MOST_SAID_WATCHING + 1):
        spectator = Actor(0, f"spectator {person}", "Name")
        with suppress(TableFull):
            for _ in range(MOST_SAID_WATCHING + 1):
                commands.execute(bench.tx(), spectator, Cmd(f"s{count}", "say", preset="thanks"))
                count += 1
    assert count == MOST_SAID_BY_SPECTATORS
    bench.act(1, Cmd("say", "say", preset="thanks"))
    bench.act(2, Cmd("gone", "leave"))
    bench.act(1, Cmd("offer", "replace", seat=2))
    bench.act(2, Cmd("back", "back"))


def test_one_seat_cannot_use_up_the_changes_of_another() -> None:
    bench = playing("ecard", 2)
    while bench.state.changes["person 1"] < MOST_CHANGES:
        seating.rename(bench.tx(), "person 1", f"Name {bench.state.head}")
    with pytest.raises(TableFull):
        bench.act(1, Cmd("gone", "leave"))
    bench.act(2, Cmd("gone", "leave"))
    bench.play_out(random.Random(1))
    assert bench.phase == "over"
