"""Replay and verify (R4): a record that is not what it claims is refused, and the first thing is named."""

from __future__ import annotations

from dataclasses import replace

import pytest

from facedown.core import registry
from facedown.core.chance import Seeded, deal_key, seed_of
from facedown.core.errors import (
    IllegalChance,
    IllegalPick,
    IllegalSeats,
    NotNow,
    NotVerified,
    UnknownGame,
    UnreadableRules,
)
from facedown.core.match import Match
from facedown.core.record import Record
from facedown.core.replay import Finding, replay, start, turns, verify
from facedown.testing.tables import Deal, TableSetup

SEEDS = {name: seed_of(name) for name in registry.names()}


def random_game(name: str, text: str, seats: int) -> Record:
    """A whole game with uniform picks, dealt from a seed that it names."""
    game = registry.get(name)
    deal = Deal(TableSetup(game, game.rules.read(text), seats), 7)
    return deal.finish().record(seed=seed_of("7"))


ECARD = random_game("ecard", "purse", 2)
DAVENPORT = random_game("davenport", "aces", 3)


def test_a_record_replays_to_the_state_it_came_from() -> None:
    for record in (ECARD, DAVENPORT):
        match = replay(record)
        assert match.record(seed=seed_of("7")) == record
        assert len(list(turns(record, start(record)))) == len(record.picks)


def test_a_turn_holds_the_state_before_and_the_step_after() -> None:
    match = start(DAVENPORT)
    first = next(turns(DAVENPORT, match))
    assert first.joint == DAVENPORT.picks[0]
    assert first.before.round == 1
    assert first.step.state is match.state
    assert first.step.events[0].kind == "reveal"


def test_an_untouched_record_verifies() -> None:
    for record in (ECARD, DAVENPORT):
        findings = list(verify(record))
        assert [finding.check for finding in findings] == ["picks", "result", "links", "deal"]
        assert [finding.holds for finding in findings] == [True, True, None, True], "no server, no links"


def test_checks_that_a_record_cannot_support_are_not_claimed() -> None:
    bare = replace(DAVENPORT, seed=None, result=None)
    assert [(finding.check, finding.holds) for finding in verify(bare)] == [
        ("picks", True),
        ("result", None),
        ("links", None),
        ("deal", None),
    ]
    assert "claims no result" in str(list(verify(bare))[1].say)


def test_a_running_game_verifies_as_far_as_it_goes() -> None:
    game = registry.get("davenport")
    match = Match(game, game.rules.of(), ("Ann", "Bo"), Seeded(deal_key(seed_of("s"), "T7")))
    match.decide((match.legal(1)[0], match.legal(2)[0]))
    record = match.record(game_id="T7", seed=seed_of("s"))
    result = list(verify(record))[1]
    assert result._replace(say=str(result.say)) == Finding("result", None, "the game is not over")
    assert list(verify(record))[3].holds is True


# --- tampered with ---------------------------------------------------------------------------------------


def assert_refused(record: Record, error: type[Exception], say: str) -> None:
    with pytest.raises(error, match=say):
        list(verify(record))


def test_a_tampered_pick_is_named_with_decision_seat_and_rule() -> None:
    wrong = next(card for card in ("AC", "2C", "3C", "4C", "5C", "6C") if card not in replay_hand())
    picks = ((wrong, *DAVENPORT.picks[0][1:]), *DAVENPORT.picks[1:])
    assert_refused(
        replace(DAVENPORT, picks=picks), IllegalPick, rf"decision 1, seat 1: '{wrong}' is not .* \(D3\)"
    )


def replay_hand() -> tuple[str, ...]:
    hand: tuple[str, ...] = start(DAVENPORT).view(1).hand
    return hand


def test_a_card_that_cannot_come_up_is_named() -> None:
    chance = (DAVENPORT.chance[1], *DAVENPORT.chance[1:])
    assert_refused(
        replace(DAVENPORT, chance=chance), IllegalChance, "decision 0: chance entry 2, .* cannot come up here"
    )


def test_a_chance_list_that_ends_too_early_is_named_with_the_decision() -> None:
    last = len(DAVENPORT.picks)
    say = rf"decision \d+: the chance list ends after {len(DAVENPORT.chance) - 1} entries"
    assert_refused(replace(DAVENPORT, chance=DAVENPORT.chance[:-1]), IllegalChance, say)
    assert last > 1


def test_a_chance_list_that_is_too_long_is_named() -> None:
    longer = replace(DAVENPORT, chance=(*DAVENPORT.chance, "KH", "QS"))
    assert_refused(longer, IllegalChance, "the chance list has 2 more than the game drew, from 'KH' on")


def test_a_card_that_the_seed_does_not_deal_is_named() -> None:
    """The last card drawn is another one that was still in the stock: legal, but not the seed's."""
    undrawn = next(
        card
        for card in registry.get("davenport")
        .setup(registry.get("davenport").rules.of(), 2, Seeded(b"k"))
        .state.stock
        if card not in DAVENPORT.chance
    )
    chance = (*DAVENPORT.chance[:-1], str(undrawn))
    say = f"chance entry {len(chance)} is '{undrawn}', but the seed deals '{DAVENPORT.chance[-1]}' there"
    assert_refused(replace(DAVENPORT, chance=chance), NotVerified, say)


@pytest.mark.parametrize(
    ("claim", "say"),
    [
        ({"winner": 9}, "the record claims winner 9, but its picks lead to"),
        ({"termination": "ruined"}, "the record claims termination 'ruined', but its picks lead to"),
        ({"score": [99, 99, 99]}, r"the record claims score \[99, 99, 99\], but its picks lead to"),
    ],
)
def test_a_tampered_result_is_named(claim: dict[str, object], say: str) -> None:
    assert DAVENPORT.result is not None
    assert_refused(replace(DAVENPORT, result={**DAVENPORT.result, **claim}), NotVerified, say)  # type: ignore[dict-item]


def test_a_result_that_the_picks_do_not_reach_is_named() -> None:
    short = replace(ECARD, picks=ECARD.picks[:-1])
    assert_refused(short, NotVerified, "claims a result, but its picks do not end the game")


def test_decisions_after_the_end_are_named() -> None:
    for more in ((None, None), ("C", "C")):
        longer = replace(ECARD, picks=(*ECARD.picks, more))
        assert_refused(longer, NotNow, rf"decision {len(ECARD.picks) + 1}.*the game is over \(E15\)")


def test_a_wrong_table_is_named() -> None:
    assert_refused(replace(ECARD, game="chess"), UnknownGame, "there is no game 'chess': the games are")
    assert_refused(replace(ECARD, rules="classic(plays=9)"), UnreadableRules, "plays=9 is not allowed")
    assert_refused(replace(ECARD, seats=("Ann",)), IllegalSeats, "E-Card is played with 2 seats, not 1")
