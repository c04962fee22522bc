"""What a viewer receives: nothing that depends on hidden information, and an event for every number."""

from __future__ import annotations

import json
import random
import re
from typing import Any

import pytest

from facedown.core.views import plain
from facedown.protocol.messages import Cmd, encode
from facedown.protocol.views import ViewEncoder
from facedown.server.table.actor import Attendance
from facedown.server.table.record import record_of
from facedown.server.table.snapshot import snapshot_of
from facedown.server.table.updates import MOST_RECAP_REVEALS, ViewerUpdates, missed_events, recap_of
from tests.server.playing import Bench, nonce_of, order, pick_command
from tests.server.programs import looked_at

NOBODY = Attendance()
GAMES = [
    ("ecard", 2, "classic"),
    ("ecard", 2, "purse"),
    ("davenport", 2, "davenport"),
    ("davenport", 4, "aces"),
    ("davenport", 7, "pointed"),
]


def everything(bench: Bench, viewer: int) -> bytes:
    """All bytes about the table that this viewer could receive now."""
    return b"\n".join([now(bench, viewer), *recap_of(bench.state, viewer, None, 0, NOBODY, None, 7)])


def now(bench: Bench, viewer: int) -> bytes:
    """The same without the recap, which replays the whole game."""
    state = bench.state
    last = bench.transactions[-1].entries
    received = [
        *missed_events(state, viewer, 0),
        encode(snapshot_of(state, viewer, None, NOBODY, None, 7, ViewEncoder())),
        record_of(state, viewer).encode(),
    ]
    if last:
        received += (
            ViewerUpdates().updates(state, last, Attendance, range(len(state.places) + 1))[viewer].frames
        )
    return b"\n".join(received)


def viewers_to_check(bench: Bench, seats: int) -> list[int]:
    """The viewers to check after this seal: all at a small table, else three in turn."""
    viewers = list(range(seats + 1))
    if seats < 4:
        return viewers
    first = 3 * len(bench.transactions)
    return [viewers[(first + more) % len(viewers)] for more in range(3)]


def sealed_with(game: str, seats: int, rules: str, seed: int, which: int) -> tuple[Bench, int, str]:
    """A game after some decisions, in which the next seat has sealed its first or its last legal pick."""
    bench = Bench(order(game, seats, rules), seed=seed)
    bench.begin()
    source = random.Random(seed)
    match = bench.state.match
    while match.decision <= seed // 2 or len(_deciding(bench)) < 2 or len(match.legal(match.may_seal[0])) < 2:
        seat = match.may_seal[0]
        bench.pick(seat, str(source.choice(match.legal(seat)[:2])))  # small stakes, so that no seat goes out
    seat = match.may_seal[0]
    pick = str(match.legal(seat)[which])
    bench.pick(seat, pick)
    return bench, seat, pick


def _deciding(bench: Bench) -> list[int]:
    return [seat for wave in bench.state.match.pending for seat in wave]


@pytest.mark.parametrize(("game", "seats", "rules"), GAMES)
@pytest.mark.parametrize("seed", range(8))
def test_nothing_that_others_receive_depends_on_a_sealed_pick(
    game: str, seats: int, rules: str, seed: int
) -> None:
    one, seat, first = sealed_with(game, seats, rules, seed, 0)
    two, _, second = sealed_with(game, seats, rules, seed, -1)
    assert first != second
    assert one.state.face_down, "the decision must still be open"
    seals = [bench.state.seals[seat].commit.encode() for bench in (one, two)]
    for viewer in range(seats + 1):
        received = [everything(bench, viewer) for bench in (one, two)]
        if viewer == seat:
            assert received[0] != received[1]  # a seat may know its own pick
            continue
        assert len(received[0]) == len(received[1])
        assert received[0].replace(seals[0], b"-") == received[1].replace(seals[1], b"-")


@pytest.mark.parametrize(("game", "seats", "rules"), GAMES)
def test_no_nonce_no_seed_and_no_hand_is_sent_too_early(game: str, seats: int, rules: str) -> None:
    bench = Bench(order(game, seats, rules), seed=7)
    bench.begin()
    source = random.Random(rules)
    hands = {
        seat: set(getattr(bench.state.match.view(seat), "hand", ()))
        for seat in range(1, seats + 1)
        if bench.state.game.meta.hidden_hands
    }
    while bench.state.playing:
        match = bench.state.match
        seat = source.choice(match.may_seal)
        bench.pick(seat, str(source.choice(match.legal(seat))))
        if bench.phase == "over":
            break
        secrets = [nonce_of(bench.state.match.decision, each).hex() for each in bench.state.seals]
        secrets += [bench.state.seed.hex(), bench.state.key.hex()]
        for turn, viewer in enumerate(viewers_to_check(bench, seats)):
            recapped = seats < 4 or turn == 0  # the first viewer changes each time
            received = (everything if recapped else now)(bench, viewer).decode()
            assert not [secret for secret in secrets if secret in received]
            if len(match.picks) == 0:
                others = {card for each, hand in hands.items() if each != viewer for card in hand}
                assert not [card for card in others if f'"{card}"' in received]


def test_what_stays_face_down_is_opened_to_its_owner_only() -> None:
    bench = Bench(order("davenport", 2))
    bench.begin()
    match = bench.state.match
    given = next(str(pick) for pick in match.legal(1) if pick.startswith("x"))
    shown = str(match.legal(2)[0])
    bench.pick(1, given)
    bench.pick(2, shown)
    v = next(entry.v for entry in bench.state.log if entry.fact.kind == "revealed")
    opened = {
        viewer: [
            opening["pick"] for opening in json.loads(missed_events(bench.state, viewer, v - 1)[0])["opens"]
        ]
        for viewer in (0, 1, 2)
    }
    assert opened == {0: [shown], 1: [given, shown], 2: [shown]}
    assert json.loads(record_of(bench.state, 2))["picks"] == [[None, shown]]
    assert json.loads(record_of(bench.state, 1))["picks"] == [[given, shown]]
    written = re.compile(rf"\bx?{given.removeprefix('x')}\b")
    for viewer in (0, 2):
        assert not written.search(everything(bench, viewer).decode())


def test_every_event_has_its_number_for_every_viewer() -> None:
    bench = Bench(order("davenport", 3))
    bench.begin()
    bench.act(1, Cmd("a", "say", text="between us"))
    bench.act(0, Cmd("b", "say", text="from outside"))
    bench.play_out(random.Random(5))
    for viewer in range(4):
        events: list[dict[str, Any]] = [json.loads(frame) for frame in missed_events(bench.state, viewer, 0)]
        assert [each["v"] for each in events] == list(range(1, bench.state.head + 1))
        hidden = [each for each in events if each["k"] == "-"]
        assert [sorted(each) for each in hidden] == [["k", "t", "v"]]
        text = json.dumps(events)
        assert ("between us" in text) is (viewer > 0)
        assert ("from outside" in text) is (viewer == 0)


def test_the_last_frame_holds_the_new_state_of_the_table() -> None:
    bench = Bench(order("ecard"))
    bench.begin()
    match = bench.state.match
    first, second = match.may_seal[0], 3 - match.may_seal[0]
    bench.pick(first, "C")
    sealed = [json.loads(each) for each in _live(bench, second)]
    assert [each["k"] for each in sealed] == ["sealed"]
    assert sealed[0]["turn"]["may_seal"] == [second]
    assert "view" not in sealed[0]
    bench.act(second, pick_command(bench.state, 1, second, "C"))
    revealed = [json.loads(each) for each in _live(bench, second)]
    assert [each["k"] for each in revealed] == ["sealed", "revealed"]
    assert "turn" not in revealed[0]
    assert revealed[1]["turn"]["decision"] == 2
    assert revealed[1]["view"]["viewer"] == second
    assert revealed[1]["legal"] == sorted(revealed[1]["legal"])
    assert revealed[1]["opens"] == [
        {"seat": seat, "pick": "C", "nonce": nonce_of(1, seat).hex()} for seat in (1, 2)
    ]


def _live(bench: Bench, viewer: int) -> list[bytes]:
    updates = ViewerUpdates().updates(bench.state, bench.transactions[-1].entries, Attendance, [viewer])
    return [*updates[viewer].frames]


@pytest.mark.parametrize(("game", "seats", "rules"), GAMES)
def test_an_encoded_view_equals_the_view(game: str, seats: int, rules: str) -> None:
    bench = Bench(order(game, seats, rules), seed=7)
    bench.begin()
    source = random.Random(rules)
    while bench.state.playing:
        match = bench.state.match
        seat = match.may_seal[0]
        bench.pick(seat, str(source.choice(match.legal(seat))))
        for viewer in viewers_to_check(bench, seats):
            assert json.loads(bytes(ViewEncoder().view(match.view(viewer)))) == plain(match.view(viewer))


@pytest.mark.parametrize(("game", "seats", "rules"), GAMES)
def test_deltas_lead_to_the_view(game: str, seats: int, rules: str) -> None:
    bench = Bench(order(game, seats, rules), seed=7)
    bench.begin()
    updates, source, match = ViewerUpdates(), random.Random(rules), bench.state.match
    viewers = range(seats + 1)
    seen = {viewer: json.loads(bytes(ViewEncoder().view(match.view(viewer)))) for viewer in viewers}
    for viewer in viewers:
        updates.follow(bench.state, viewer)
    sent = whole = 0
    while bench.state.playing:
        seat = match.may_seal[0]
        bench.pick(seat, str(source.choice(match.legal(seat))))
        sent_now = updates.updates(bench.state, bench.transactions[-1].entries, Attendance, viewers)
        for viewer in viewers:
            last = json.loads(sent_now[viewer].frames[-1])
            assert "view" not in last
            if "change" in last:
                seen[viewer] = looked_at(seen[viewer], last["change"])
                sent += len(json.dumps(last["change"]))
                whole += len(json.dumps(seen[viewer]))
            assert seen[viewer] == plain(match.view(viewer))
    assert sent < whole / 2


@pytest.mark.parametrize(("game", "seats", "rules"), [GAMES[0], GAMES[3]])
def test_a_recap_holds_the_frames_that_were_sent_live(game: str, seats: int, rules: str) -> None:
    bench = Bench(order(game, seats, rules))
    bench.begin()
    updates, source, match = ViewerUpdates(), random.Random(rules), bench.state.match
    viewers = range(seats + 1)
    for viewer in viewers:
        updates.follow(bench.state, viewer)
    sent: dict[int, list[bytes]] = {viewer: [] for viewer in viewers}
    snaps: dict[tuple[int, int], bytes] = {}
    while bench.state.playing:
        for viewer in viewers:
            snap = snapshot_of(bench.state, viewer, None, NOBODY, None, 7, ViewEncoder())
            snaps[viewer, bench.state.head] = encode(snap)
        seat = match.may_seal[0]
        bench.pick(seat, str(source.choice(match.legal(seat))))
        sent_now = updates.updates(bench.state, bench.transactions[-1].entries, lambda: NOBODY, viewers)
        for viewer in viewers:
            sent[viewer] += sent_now[viewer].frames
    reveals = [entry.v for entry in bench.state.log if entry.fact.kind == "revealed"]
    assert len(reveals) > MOST_RECAP_REVEALS + 1
    for viewer in viewers:
        for missed in (1, MOST_RECAP_REVEALS, MOST_RECAP_REVEALS + 1):
            after = reveals[-missed - 1]
            first, *frames = recap_of(bench.state, viewer, None, after, NOBODY, None, 7)
            start = reveals[-min(missed, MOST_RECAP_REVEALS) - 1]
            assert first == snaps[viewer, start]
            assert frames == sent[viewer][-(bench.state.head - start) :]
        assert recap_of(bench.state, viewer, None, reveals[-1], NOBODY, None, 7) == []
        assert recap_of(bench.state, viewer, None, 10**6, NOBODY, None, 7) == []
