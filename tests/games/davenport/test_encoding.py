"""Davenport as numbers: what each entry means, and that the discards are followed as a viewer can."""

from __future__ import annotations

from collections import Counter

from facedown.core.cards import RANKS
from facedown.games.davenport.game import GAME
from facedown.games.davenport.rules import DavenportRules
from facedown.games.davenport.state import DavenportRound
from facedown.testing.tables import Deal, TableSetup


def entries_by_name(seats: int, numbers: list[float]) -> dict[str, float]:
    return dict(zip(GAME.encoding(DavenportRules.of(), seats).names, numbers, strict=True))


def test_the_first_view_holds_the_hand_and_the_sizes() -> None:
    match = Deal(TableSetup(GAME, DavenportRules.of(), 3), 1).open()
    entries = entries_by_name(3, GAME.encode(match.view(2)))

    held = {name.removeprefix("holds ") for name, value in entries.items() if "holds" in name and value}
    assert held == set(match.view(2).hand)
    assert entries["stock"] == (52 - 15) / 52
    assert [entries[f"{who} cards"] for who in ("own", "+1", "+2")] == [5 / 52] * 3
    assert entries["to pick"] == 1
    assert not any(GAME.encode(match.view(0))[19:71])


def test_seats_are_encoded_in_table_order_from_the_viewers_own() -> None:
    for match, _, _ in Deal(TableSetup(GAME, DavenportRules.of("aces"), 4), 3).play():
        last = match.state.history[-1]
        assert isinstance(last, DavenportRound)
        for viewer in (1, 2, 3, 4):
            entries = entries_by_name(4, GAME.encode(match.view(viewer)))
            for places, who in enumerate(("own", "+1", "+2", "+3")):
                seat = (viewer - 1 + places) % 4
                shown = last.shown[seat]
                assert entries[f"{who} showed"] == (shown.value / 13 if shown else 0)
                assert entries[f"{who} exchanged"] == last.exchanged[seat]
                assert entries[f"{who} drew"] == (last.drew[seat] / 2 if shown else 0)
                assert entries[f"{who} cards"] == len(match.state.hands[seat]) / 52
                assert entries[f"{who} in"] == (seat + 1 in match.state.seats_in)


def test_known_discards_are_among_the_discards() -> None:
    """Before a shuffle: every card shown, and one's own exchanges; later never more than the discards."""
    shuffles = 0
    for seed in range(6):
        fresh = True
        phase = "main"
        unseen: Counter[int] = Counter()
        for match, joint, step in Deal(TableSetup(GAME, DavenportRules.of("pointed"), 2 + seed), seed).play():
            shuffled = any(event.kind == "shuffle" for event in step.events)
            shuffles += shuffled
            if match.state.phase != phase:
                phase, fresh, unseen = match.state.phase, True, Counter()
                continue
            fresh = fresh and not shuffled
            unseen += Counter(seat for seat, pick in enumerate(joint, 1) if pick and pick[0] == "x")
            there = Counter(card.value for card in match.state.discards)
            for viewer in range(len(joint) + 1):
                seen = [4 * value for value in GAME.encode(match.view(viewer))[6 : 6 + len(RANKS)]]
                assert all(count <= there[rank] for rank, count in enumerate(seen, 1))
                if fresh and match.state.phase == "main":
                    others = sum(count for seat, count in unseen.items() if seat != viewer)
                    assert sum(seen) == len(match.state.discards) - others
    assert shuffles > 0
