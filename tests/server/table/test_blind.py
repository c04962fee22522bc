"""Blind tables: a pick is sent as its commitment; seats open their picks when all have sealed, or forfeit."""

from __future__ import annotations

import random
from dataclasses import replace

import msgspec
import pytest

from facedown.core.chance import clock_stream, pick_commitment
from facedown.core.errors import AlreadySealed, FacedownError, IllegalPick, NotNow, NotVerified
from facedown.core.game import FORFEIT
from facedown.core.record import Record
from facedown.core.replay import verify
from facedown.protocol.errors import BadMessage, BadSeal, NotBlind, WrongDecision
from facedown.protocol.messages import Clock, Cmd
from facedown.protocol.views import ViewEncoder
from facedown.server.table import commands, facts
from facedown.server.table.actor import NOBODY, Actor
from facedown.server.table.record import finished_record
from facedown.server.table.setup import from_order, rematch_of
from facedown.server.table.snapshot import snapshot_of
from facedown.server.table.updates import missed_events
from tests.server.playing import Bench, nonce_of, order

LIVE = Clock("decision", seconds=10, bank=5)


def blind(game: str = "ecard", seats: int = 2, seed: int | None = None, **more: object) -> Bench:
    asked = order(game, seats, clock=LIVE, seal="blind", **more)  # type: ignore[arg-type]
    bench = Bench(asked, seed=seed)
    bench.begin()
    return bench


def seal(bench: Bench, seat: int, pick: str, command: str = "") -> None:
    decision = bench.state.match.decision
    head, nonce = bench.state.decision_head, nonce_of(decision, seat)
    commit = pick_commitment(bench.table, decision, seat, head, pick, nonce).hex()
    bench.act(seat, Cmd(command or f"s{decision}-{seat}", "pick", decision=decision, commit=commit))


def reveal(bench: Bench, seat: int, pick: str, decision: int = 0) -> None:
    decision = decision or bench.state.match.decision
    nonce = nonce_of(decision, seat).hex()
    bench.act(seat, Cmd(f"r{decision}-{seat}-{pick}", "reveal", decision=decision, pick=pick, nonce=nonce))


def legal(bench: Bench, seat: int) -> str:
    return str(bench.state.match.legal(seat)[0])


def time_is_up(bench: Bench) -> None:
    assert bench.state.deadline is not None
    bench.at = bench.state.deadline
    commands.apply_timeouts(bench.tx(), bench.at, {})


def play_out(bench: Bench, source: random.Random, refusing: int = 0) -> None:
    """Play to the end; the seat `refusing` never opens what it sealed."""
    while bench.state.playing:
        match, picks = bench.state.match, dict[int, str]()
        for seat in bench.state.unpromised:
            machine = bench.state.place(seat).machine or ""
            commands.promise(bench.tx(), seat, match.decision, machine, str(source.choice(match.legal(seat))))
        decision = match.decision
        while match.decision == decision and match.may_seal:
            seat = source.choice(match.may_seal)
            if bench.state.place(seat).kind == "machine":
                commands.place_promised(bench.tx(), seat, decision)
                continue
            picks[seat] = str(source.choice(match.legal(seat)))
            seal(bench, seat, picks[seat])
        for seat in [each for each in match.unopened if each != refusing]:
            reveal(bench, seat, picks[seat], decision)
        if match.decision == decision and match.unopened:
            time_is_up(bench)


def test_only_live_tables_on_several_devices_can_be_blind() -> None:
    for clock in (Clock(), Clock("correspondence")):
        with pytest.raises(NotBlind, match="clock of seconds"):
            from_order(order("ecard", clock=clock, seal="blind"), "host")
    with pytest.raises(NotBlind, match="one device"):
        from_order(order("ecard", clock=LIVE, hotseat=True, seal="blind"), "host")


def test_a_pick_stays_with_its_client_until_all_have_sealed() -> None:
    bench = blind()
    one, two = legal(bench, 1), legal(bench, 2)
    whole = Cmd("x", "pick", 1, one, "00" * 32, "00" * 32)
    with pytest.raises(BadMessage, match="alone"):
        bench.act(1, whole)
    assert bench.state.seals == {}
    seal(bench, 1, one)
    with pytest.raises(AlreadySealed):
        seal(bench, 1, one, "again")
    with pytest.raises(NotNow, match="keep the pick"):
        reveal(bench, 1, one)
    assert bench.state.face_down == {}
    assert all(not isinstance(entry.secret, facts.PickSecret) for entry in bench.state.log)
    assert bench.state.clocks.since.keys() == {2}, "the clock of who has sealed stands"
    seal(bench, 2, two)
    turn = snapshot_of(bench.state, 1, "person 1", NOBODY, None, 0, ViewEncoder()).table.turn
    assert turn is not None
    assert (turn.to_open, turn.open_until) == ((1, 2), bench.at + facts.OPENING_MS)
    reveal(bench, 2, two)
    assert bench.state.log[-1].fact.kind == "shown"
    reveal(bench, 1, one)
    assert bench.state.log[-1].fact.kind == "revealed"
    assert bench.state.match.picks == [(one, two)]


def test_what_does_not_open_the_seal_is_refused() -> None:
    bench = blind()
    hand = [str(each) for each in bench.state.match.legal(1)]
    seal(bench, 1, hand[0])
    seal(bench, 2, "nonsense")
    other = next(each for each in hand if each != hand[0])
    with pytest.raises(BadSeal):
        reveal(bench, 1, other)
    with pytest.raises(IllegalPick):
        reveal(bench, 2, "nonsense")
    with pytest.raises(BadMessage):
        bench.act(1, Cmd("r", "reveal", decision=1))
    reveal(bench, 1, hand[0])
    with pytest.raises(NotNow, match="no pick to open"):
        bench.act(1, Cmd("r2", "reveal", 1, hand[0], nonce=nonce_of(1, 1).hex()))
    time_is_up(bench)
    assert bench.state.match.decision == 2, "an illegal pick is as good as none"
    plain = Bench(order("ecard"))
    plain.begin()
    with pytest.raises(NotNow, match="itself"):
        reveal(plain, 1, legal(plain, 1))


@pytest.mark.parametrize(("game", "seats", "machines"), [("ecard", 2, ()), ("davenport", 4, (2,))])
def test_refusing_to_open_forfeits_the_decision_and_the_record_proves_it(
    game: str, seats: int, machines: tuple[int, ...]
) -> None:
    bench = blind(game, seats, machines=machines)
    play_out(bench, random.Random(5), refusing=1)
    record = Record.read(finished_record(bench.state).write())
    found = {each.check: each for each in verify(record)}
    forfeits = [at for at, joint in enumerate(record.picks) if joint[0] == FORFEIT]
    assert len(forfeits) == (2 if game == "ecard" else 1), "the second one loses the game, or the seat is out"
    assert record.result is not None
    assert record.result["winner"] != 1
    assert found.pop("forfeits").holds is (True if game == "ecard" else None), "a coalition may have done it"
    assert all(each.holds for each in found.values())
    assert bench.read_back().match.picks == bench.state.match.picks
    joint = record.picks[forfeits[0]]
    opened = (*record.picks[: forfeits[0]], ("C", *joint[1:]), *record.picks[forfeits[0] + 1 :])
    with pytest.raises(FacedownError):
        list(verify(replace(record, picks=opened)))
    with pytest.raises(NotVerified, match="no links"):
        list(verify(replace(record, fair=None)))


def _by_clock(bench: Bench, seat: int) -> str:
    picks = bench.state.match.legal(seat)
    return str(picks[clock_stream(bench.state.key, bench.state.match.decision, seat).below(len(picks))])


def test_everything_else_goes_on_as_at_other_tables() -> None:
    bench = blind("davenport", 3)
    seal(bench, 1, legal(bench, 1))
    bench.at = bench.state.deadline or 0
    chosen = {seat: (1, _by_clock(bench, seat)) for seat in bench.state.clocks.due(bench.at)}
    commands.apply_timeouts(bench.tx(), bench.at, chosen)
    assert bench.state.match.unopened == (1,), "the clock's picks are known: they need no opening"
    before = bench.state.open_until
    bench.tx().add(facts.ServerOutage(5000))
    assert bench.state.open_until == (before or 0) + 5000
    bench.act(1, Cmd("gone", "leave"))
    bench.act(2, Cmd("offer", "replace", seat=1))
    bench.act(3, Cmd("yes", "agree", seat=1))
    assert bench.state.place(1).kind == "machine"
    again = bench.read_back()
    assert (again.open_until, again.match.unopened) == (bench.state.open_until, (1,))
    pick = legal(bench, 1)
    cmd = Cmd("r", "reveal", decision=1, pick=pick, nonce=nonce_of(1, 1).hex())
    commands.execute(bench.tx(), Actor(1, "person 1", "Name 1"), cmd)
    assert bench.state.match.decision == 2, "a seal is opened by the seat that made it"
    commands.execute(bench.tx(), Actor(1, "person 1", "Name 1"), Cmd("b", "back"))
    for seat in bench.state.match.may_seal:
        seal(bench, seat, legal(bench, seat))
    for seat in bench.state.match.unopened:
        reveal(bench, seat, legal(bench, seat), 2)
    seal(bench, 1, legal(bench, 1))
    bench.act(2, Cmd("enough", "resign", decision=3))
    assert bench.read_back().seals == {}, "what was sealed is discarded unseen"
    play_out(bench, random.Random(3))
    assert all(each.holds is not False for each in verify(finished_record(bench.state)))
    assert rematch_of(bench.state, "person 1").created.seal == "blind"


def test_a_seat_that_resigns_while_picks_are_opened_resigns_right_after_them() -> None:
    """Everybody is bound by then, and a pick may be open already: this decision counts."""
    bench = blind("davenport", 3)
    picks = {seat: legal(bench, seat) for seat in (1, 2, 3)}
    for seat, pick in picks.items():
        seal(bench, seat, pick)
    reveal(bench, 1, picks[1])
    asked = bench.act(2, Cmd("enough", "resign", decision=1))
    assert asked.n is None
    assert bench.act(2, Cmd("really", "resign", decision=1)).v == asked.v, "once more changes nothing"
    seen = [msgspec.json.decode(missed_events(bench.state, viewer, asked.v - 1)[0]) for viewer in (2, 1, 0)]
    assert [each["k"] for each in seen] == ["resigning", "-", "-"], "the others need not know"
    bench.act(2, Cmd("gone", "leave"))
    assert bench.state.match.decision == 1
    bench.state = bench.read_back()
    reveal(bench, 2, picks[2], 1)
    assert bench.state.place(2).left, "a device opens by itself, also if its player has left"
    time_is_up(bench)

    assert [entry.fact.kind for entry in bench.state.log[-3:]] == ["revealed", "resigned", "over"]
    assert bench.state.match.picks == [(picks[1], picks[2], FORFEIT), (None, "resign", None)]
    assert all(each.holds is not False for each in verify(finished_record(bench.state)))


def test_a_resignation_that_crosses_a_reveal_counts_in_the_next_decision() -> None:
    bench = Bench(order("ecard"))
    bench.begin()
    for seat in (1, 2):
        bench.pick(seat, legal(bench, seat))
    assert bench.state.match.decision == 2
    with pytest.raises(WrongDecision):
        bench.act(1, Cmd("too far", "resign", decision=3))
    bench.act(1, Cmd("enough", "resign", decision=1))
    assert bench.state.match.picks[-1] == ("resign", None)


def test_an_opened_pick_stays_hidden_until_all_are_opened() -> None:
    """In two worlds that differ only in two seats' picks, a third seat and a spectator receive the same."""
    received: list[list[bytes]] = []
    for place in (0, 1):
        bench = blind("davenport", 3, seed=7)
        for seat in (1, 2, 3):
            picks = [str(each) for each in bench.state.match.legal(seat)]
            seal(bench, seat, picks[place if seat < 3 else 0])
        for seat in (1, 2):
            reveal(bench, seat, str(bench.state.match.legal(seat)[place]))
        commits = [each.commit.encode() for each in bench.state.seals.values()]
        frames: list[bytes] = []
        for viewer in (3, 0):
            snap = snapshot_of(bench.state, viewer, None, NOBODY, None, 0, ViewEncoder())
            frames += [*missed_events(bench.state, viewer, 0), msgspec.json.encode(snap)]
        for commit in commits:
            frames = [each.replace(commit, b"C" * 64) for each in frames]
        received.append(frames)
    assert received[0] == received[1]
