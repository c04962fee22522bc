"""The machines of Davenport: what they may do, what they know, and what they do in known situations."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise, product
from typing import TypeAlias

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from facedown.core.chance import Seeded, Stream, deal_key, seed_of
from facedown.core.game import Pick
from facedown.core.match import Match
from facedown.core.parts.bot import Bot
from facedown.core.registry import part
from facedown.core.seats import Seat
from facedown.games.davenport.bots import BOTS
from facedown.games.davenport.bots.careful import Careful, chances
from facedown.games.davenport.bots.plain import Highest, Lowest, RandomDavenport
from facedown.games.davenport.bots.reading import KING, GameReading, SeatHabits, Shares, shares_of
from facedown.games.davenport.game import GAME
from facedown.games.davenport.reveal import judge
from facedown.games.davenport.rules import DavenportRules
from facedown.games.davenport.state import DavenportState
from facedown.games.davenport.view import DavenportView
from tests.games.davenport.table import NAMES, Table, sit

DavenportBot: TypeAlias = "Bot[DavenportView]"
DavenportMatch: TypeAlias = "Match[DavenportRules, DavenportState, DavenportView]"
Look: TypeAlias = "Callable[[DavenportMatch, Seat, Pick], None]"

STREAM = Stream(deal_key(seed_of("a bot"), "local"), "bot/1")

RULES = (
    "davenport",
    "aces",
    "pointed",
    "davenport(exchange=off)",
    "davenport(ace=on,exchange=off,placing=in_turn)",
    "davenport(placing=in_turn,playoff=wins,playoff_wins=1)",
    "pointed(exchange=off,playoff_wins=5)",
)


def nothing_to_see(match: DavenportMatch, seat: Seat, pick: Pick) -> None: ...


def play(
    rules: str,
    kinds: Sequence[type[DavenportBot]],
    seed: str,
    look: Look = nothing_to_see,
    resigns: dict[int, Seat] | None = None,
) -> DavenportMatch:
    """A whole game; `look` gets to see every pick before it is turned; some may resign at some decision."""
    key = deal_key(seed_of(seed), "1")
    names = NAMES[: len(kinds)]
    match: DavenportMatch = Match(GAME, DavenportRules.read(rules), names, Seeded(key))
    bots = [kind() for kind in kinds]
    streams = [Stream(key, f"bot/{seat}") for seat in range(1, len(kinds) + 1)]
    while waves := match.pending:
        leaver = (resigns or {}).get(match.decision)
        if leaver in match.game.standing(match.state):
            assert leaver is not None
            match.resign(leaver)
            continue
        for seat in (seat for wave in waves for seat in wave):
            pick = bots[seat - 1].pick(match.view(seat), match.legal(seat), streams[seat - 1])
            look(match, seat, pick)
            match.seal(seat, pick)
    return match


def share_of_wins(rules: str, kinds: Sequence[type[DavenportBot]], games: int) -> float:
    """How many games the first of these wins, in every seat equally often."""
    won = 0
    for number in range(games):
        turn = number % len(kinds)
        outcome = play(rules, [*kinds[-turn:], *kinds[:-turn]], f"share {number}").outcome
        assert outcome is not None
        won += outcome.winner == turn + 1
    return won / games


def careful_at(table: Table, seat: Seat = 1) -> Pick:
    """What a careful machine picks in this seat."""
    return Careful().pick(table.match.view(seat), table.match.legal(seat), STREAM)


bots = st.sampled_from(BOTS)
tables = st.lists(bots, min_size=2, max_size=7)


# --- every machine ---------------------------------------------------------------------------------------


def test_the_registry_finds_the_house_and_six_machines_with_a_sentence_each() -> None:
    module = part("davenport", "bots")

    assert module is not None
    house = [each.bot.name for each in module.HOUSE]
    others = ["random", "highest", "lowest", "careful", "steady", "expert"]
    assert [bot.name for bot in module.BOTS] == [*house, *others]
    assert all(
        str(bot.says).rstrip("”").endswith((".", "!")) and ". " not in str(bot.says) for bot in module.BOTS
    )


@pytest.mark.parametrize("rules", ["davenport", "davenport(exchange=off)", "pointed"])
@pytest.mark.parametrize("kind", BOTS)
@pytest.mark.parametrize("seats", [2, 3, 5])
def test_D16_every_machine_plays_playoffs(rules: str, kind: type[DavenportBot], seats: int) -> None:
    hands = ["2C 9S KD", "AD 3H 4S", "6D 7C 8C", "5H TD JS", "QD 5S AC"][:seats]
    table = sit(rules, *hands, playoff=True)

    for seat in range(1, seats + 1):
        assert kind().pick(table.match.view(seat), table.match.legal(seat), STREAM) in table.match.legal(seat)


@settings(max_examples=25)
@given(rules=st.sampled_from(RULES), kinds=tables, seed=st.text(max_size=3))
def test_the_pick_of_a_machine_follows_from_its_view_alone(
    rules: str, kinds: list[type[DavenportBot]], seed: str
) -> None:
    """It makes no difference which rounds it has followed, nor which other game it has seen before."""
    elsewhere = [Careful() for _ in kinds]

    def look(match: DavenportMatch, seat: Seat, pick: Pick) -> None:
        view, legal = match.view(seat), match.legal(seat)
        if kinds[seat - 1] is Careful:
            assert Careful().pick(view, legal, STREAM) == pick
            assert elsewhere[seat - 1].pick(view, legal, STREAM) == pick

    def visit(match: DavenportMatch, seat: Seat, pick: Pick) -> None:
        elsewhere[seat - 1].pick(match.view(seat), match.legal(seat), STREAM)

    play(rules, kinds, seed + "elsewhere", visit)
    play(rules, kinds, seed, look)


def test_a_reading_continues_only_in_its_own_game() -> None:
    table = sit("davenport", "2C 9S KD", "3D 5D 6D")
    table.reveal("x2C", "3D", draws="JS TS")
    held_otherwise = sit("davenport", "4C 9S KD", "3D 5D 6D")
    held_otherwise.reveal("x4C", "3D", draws="JS TS")
    saw_otherwise = sit("davenport", "2C 9S KD", "3D 5D 6D")
    saw_otherwise.reveal("x2C", "5D", draws="JS TS")
    reading = read(table.match.view(1))

    assert reading.belongs_to(table.match.view(1))
    assert not reading.belongs_to(held_otherwise.match.view(1))
    assert not reading.belongs_to(saw_otherwise.match.view(1))


# --- the simple ones -------------------------------------------------------------------------------------


def test_highest_plays_its_highest_card_and_lowest_its_lowest() -> None:
    table = sit("aces", "9S 2C KD AD TH", "3D")
    view, legal = table.match.view(1), table.match.legal(1)

    assert Highest().pick(view, legal, STREAM) == "KD"
    assert Lowest().pick(view, legal, STREAM) == "AD"


# --- counting --------------------------------------------------------------------------------------------


def real_counts(match: DavenportMatch, viewer: Seat) -> list[int]:
    """Of each value, how many cards are in the stock and in the others' hands."""
    hidden = [*match.state.stock]
    for seat, hand in enumerate(match.state.hands, 1):
        hidden += hand if seat != viewer else ()
    return [sum(card.value == value for card in hidden) for value in range(KING + 1)]


def read(view: DavenportView) -> GameReading:
    reading = GameReading(view)
    reading.go_on(view)
    return reading


@settings(max_examples=25)
@given(rules=st.sampled_from(RULES), kinds=tables, seed=st.text(max_size=3), leaver=st.integers(1, 7))
def test_D9_no_card_is_taken_for_gone_that_may_still_come(
    rules: str, kinds: list[type[DavenportBot]], seed: str, leaver: Seat
) -> None:
    def look(match: DavenportMatch, seat: Seat, pick: Pick) -> None:
        view = match.view(seat)
        if view.phase == "main":
            unseen = read(view).unseen(view)
            assert all(guess >= real for guess, real in zip(unseen, real_counts(match, seat), strict=True))

    play(rules, kinds, seed, look, {3: leaver})


@settings(max_examples=25)
@given(rules=st.sampled_from(("davenport(exchange=off)", "aces(exchange=off)")), kinds=tables, seed=st.text())
def test_D9_the_count_is_exact_if_no_card_is_discarded_unseen(
    rules: str, kinds: list[type[DavenportBot]], seed: str
) -> None:
    """Also after the discards were shuffled, which happens at the larger tables."""

    def look(match: DavenportMatch, seat: Seat, pick: Pick) -> None:
        view = match.view(seat)
        if view.phase == "main":
            assert read(view).unseen(view) == real_counts(match, seat)

    play(rules, kinds, seed, look)


def test_D9_the_shown_cards_may_come_again_once_they_were_shuffled() -> None:
    table = sit("davenport", "KC 9S", "3D 5D", "3H 5H", stock="2C", discards="7D")
    table.reveal("KC", "3D", "3H", draws="2C 7D")  # the second draw needs the discards

    view = table.match.view(1)
    assert view.discards == 0
    assert read(view).unseen(view)[KING] == 4


# --- the others' habits ----------------------------------------------------------------------------------

EVEN = shares_of([0] + [4] * KING)


def after(*shown: tuple[int, bool, int]) -> Shares:
    """What a seat may show next, after these: value, exchanged or not, drawn."""
    habits = SeatHabits(5, DavenportRules.read("davenport"))
    for value, exchanged, drew in shown:
        habits.follow(value, exchanged=exchanged, drew=drew)
    return habits.next_shown(EVEN)


def test_a_seat_that_plays_down_from_the_top_has_nothing_higher_left() -> None:
    shares = after((13, False, 0), (12, False, 0), (9, False, 0))

    assert shares[9] > 0.85 > EVEN[9]
    assert shares[KING] == pytest.approx(1.0)


def test_a_seat_that_plays_up_from_the_bottom_has_nothing_lower_left() -> None:
    shares = after((1, False, 1), (2, False, 1), (4, False, 1), (6, False, 1), (8, False, 0))

    assert shares[7] < 0.15


def test_a_seat_that_shows_anything_is_expected_to_show_anything() -> None:
    shares = after((3, False, 1), (12, False, 0), (2, False, 1), (11, True, 0), (4, False, 1))

    assert shares == pytest.approx(EVEN, abs=0.05)


def test_a_seat_that_exchanges_unless_it_has_a_good_card_is_expected_to_go_on_so() -> None:
    picky = after((12, False, 0), (4, True, 1), (9, True, 1), (11, False, 0), (6, True, 1))

    assert picky[10] < EVEN[10] - 0.1


def test_an_exchange_takes_away_a_card_known_to_be_low_before_a_new_one() -> None:
    """After a queen and a nine only the card drawn since can be high, and it is still there."""
    shares = after((12, False, 0), (9, False, 1), (4, True, 0))

    assert shares[9] < EVEN[9]


@given(
    shown=st.lists(st.tuples(st.integers(1, KING), st.booleans(), st.integers(0, 2)), max_size=12),
    gone=st.lists(st.integers(1, KING), max_size=40),
)
def test_whatever_was_shown_the_guess_is_a_distribution(
    shown: list[tuple[int, bool, int]], gone: list[int]
) -> None:
    habits = SeatHabits(5, DavenportRules.read("davenport"))
    held = 5
    for value, exchanged, drew in shown:
        if held == 0:
            break
        habits.follow(value, exchanged=exchanged, drew=drew)
        held += drew - 1
    unseen = [0] + [max(0, 4 - gone.count(value)) for value in range(1, KING + 1)]

    shares = habits.next_shown(shares_of(unseen))

    assert shares[0] == pytest.approx(0.0, abs=1e-9)
    assert shares[KING] == pytest.approx(1.0)
    assert all(high >= low - 1e-9 for low, high in pairwise(shares))


# --- the chances of a card -------------------------------------------------------------------------------

UNEVEN = [0.0, 0.1, 0.15, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.75, 0.8, 0.95, 1.0]


@pytest.mark.parametrize("ace_rules", [False, True])
def test_D6_D11_to_D14_the_chances_of_a_card_are_those_that_the_rules_give(ace_rules: bool) -> None:
    """Against two seats, summed up over every pair of cards that they can show."""
    shown = [UNEVEN, EVEN]
    wins, costs = chances(shown, [3, 2], 4, ace_rules=ace_rules)

    for value in range(1, KING + 1):
        won = punished = 0.0
        for pair in product(range(1, KING + 1), repeat=2):
            chance = 1.0
            for shares, each in zip(shown, pair, strict=True):
                chance *= shares[each] - shares[each - 1]
            verdict = judge((1, 2, 3), [value, *pair], ace_rules)
            won += chance * (1 in verdict.winners)
            punished += chance * (1 in verdict.additional)
        assert wins[value] == pytest.approx(won)
        assert costs[value] == pytest.approx(punished)


def test_D10_a_seat_with_one_card_left_has_to_be_beaten() -> None:
    assert chances([EVEN], [1], 3, ace_rules=False).wins[7] == pytest.approx(6 / 13)
    assert chances([EVEN], [2], 3, ace_rules=False).wins[7] == pytest.approx(7 / 13)
    assert chances([EVEN], [1], 1, ace_rules=False).wins[7] == pytest.approx(6.5 / 13)


# --- known situations ------------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", ["davenport", "aces"])
@pytest.mark.parametrize("others", [1, 3, 6])
def test_D3_it_exchanges_its_lowest_card_if_none_is_good_enough(rules: str, others: int) -> None:
    hands = ["7H 8H 9C TC JS", "7S 8S 9S TS JH", "7D 8D 9D TD JC", "QC KC", "QD KD", "QH KH"][:others]

    assert careful_at(sit(rules, "6S 3C 2D 5H 4S", *hands)) == "x2D"


@pytest.mark.parametrize("rules", ["davenport", "aces"])
def test_D10_its_last_card_is_played_if_good_and_exchanged_if_poor(rules: str) -> None:
    assert careful_at(sit(rules, "QS", "5H 6H")) == "QS"
    assert careful_at(sit(rules, "4S", "5H 6H")) == "x4S"


def test_D10_a_seat_about_to_go_out_is_stopped_with_what_it_takes() -> None:
    """A seat that has played K, Q, J and 9 from the top can have nothing above the nine."""
    table = sit("davenport", "KS TC 2D 2H", "KC QC JC 9C 8H")
    table.reveal("x2D", "KC", draws="3C 3D")
    table.reveal("x2H", "QC", draws="4C 4D")
    table.reveal("3D", "JC", draws="5D")
    table.reveal("4D", "9C", draws="6D")

    assert careful_at(table) == "TC"


def test_D11_with_ace_rules_it_plays_an_ace_when_it_expects_a_face() -> None:
    table = sit("aces", "AS TC 7D 5H 2C", "KC QC 6C 3H 4D")
    table.reveal("2C", "KC", draws="6S")

    assert careful_at(table) == "AS"


def test_D1_without_ace_rules_the_same_ace_is_the_first_to_be_exchanged() -> None:
    table = sit("davenport", "AS TC 7D 5H 2C", "KC QC 6C 3H 4D")
    table.reveal("2C", "KC", draws="6S")

    assert careful_at(table) == "xAS"


def test_D13_it_keeps_the_ace_when_it_expects_no_face() -> None:
    """An opponent who plays from the top and has shown an eight has only low cards, and what it drew."""
    table = sit("aces", "AS TC 7D 5H", "8C 7C 6C 3H 4D")
    table.reveal("TC", "8C", draws="6S")

    assert careful_at(table) != "AS"


@pytest.mark.parametrize("rules", ["davenport", "pointed"])
def test_D17_D19_in_a_playoff_it_plays_its_highest_card_unless_the_stock_promises_more(rules: str) -> None:
    assert careful_at(sit(rules, "3C JH 9D", "2S 2D 2H", playoff=True)) == "JH"
    assert careful_at(sit(rules, "3C 7H 4D", "2S 2D 2H", playoff=True)) == "x3C"


# --- strength --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rules", "others", "at_least"),
    [
        ("davenport", [Highest], 0.7),
        ("aces", [Highest], 0.7),
        ("davenport", [RandomDavenport], 0.58),
        ("aces", [Lowest], 0.7),
        ("aces", [Highest] * 3, 0.45),
        ("davenport(exchange=off)", [Highest], 0.5),
    ],
)
def test_careful_beats_the_simple_machines(
    rules: str, others: list[type[DavenportBot]], at_least: float
) -> None:
    """The bars are some six standard deviations below what long arenas show."""
    assert share_of_wins(rules, [Careful, *others], 160) > at_least
