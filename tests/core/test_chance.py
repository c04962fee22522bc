"""Chance: the bytes of the vectors, fair numbers, scripts, and every possible draw with its probability."""

from __future__ import annotations

import copy
import hmac
import json
import pickle
import struct
from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from facedown.core import registry
from facedown.core.cards import DECK, Card
from facedown.core.chance import (
    Chance,
    Exact,
    Scripted,
    Seeded,
    Stream,
    Text,
    deal_key,
    digest,
    entropy_commitment,
    mac,
    pick_commitment,
    seed_commitment,
    table_key,
    take,
)
from facedown.core.errors import IllegalChance
from facedown.core.match import Match

VECTORS: dict[str, Any] = json.loads((Path(__file__).parent.parent / "vectors" / "fairness.json").read_text())
GAME = VECTORS["game"]
SEED = bytes.fromhex(VECTORS["server_seed"])
ENTROPY = [bytes.fromhex(each) for each in VECTORS["seat_entropy"]]
KEY = bytes.fromhex(VECTORS["stream_key"])
ODD_COUNTS = (1, 2, 3, 7, 1000, 2**63 + 1)


# --- the vectors -----------------------------------------------------------------------------------------


def test_the_seed_commitment_is_the_vectors() -> None:
    assert seed_commitment(GAME, SEED).hex() == VECTORS["seed_commit"]


def test_the_entropy_commitments_are_the_vectors() -> None:
    commitments = [entropy_commitment(GAME, seat, entropy).hex() for seat, entropy in enumerate(ENTROPY, 1)]
    assert commitments == VECTORS["entropy_commit"]


def test_the_keys_of_deals_are_the_vectors_on_a_server_and_on_one_device() -> None:
    full = bytes.fromhex(VECTORS["full"])
    assert table_key(SEED, GAME, full, ENTROPY).hex() == VECTORS["table_key"]
    assert deal_key(SEED, GAME).hex() == VECTORS["local_key"]


def test_the_pick_commitment_is_the_vectors() -> None:
    of = VECTORS["pick_commit_is_of"]
    head, nonce = bytes.fromhex(of["decision_head"]), bytes.fromhex(of["nonce"])
    sealed = pick_commitment(GAME, of["decision"], of["seat"], head, of["pick"], nonce)
    assert sealed.hex() == VECTORS["pick_commit"]


def test_the_stream_is_the_vectors() -> None:
    stream = Stream(KEY, "chance")
    assert [stream.below(52) for _ in VECTORS["below_52"]] == VECTORS["below_52"]


def test_each_odd_stream_begins_with_the_vectors() -> None:
    assert [Stream(KEY, "odd").below(count) for count in ODD_COUNTS] == VECTORS["below_odd"]


def test_the_canonical_deck_is_the_vectors() -> None:
    assert list(DECK) == VECTORS["canonical_deck"]


def test_the_first_cards_of_a_deal_are_the_vectors() -> None:
    game = registry.get("davenport")
    chance = Seeded(KEY)
    Match(game, game.rules.of(), ("Ann", "Bo", "Cy"), chance)
    assert chance.drawn == VECTORS["davenport_first_15_cards_3_seats"]


def test_the_first_emperor_that_is_drawn_is_the_vectors() -> None:
    assert Seeded(KEY).draw(("1", "2")) == str(VECTORS["first_emperor_when_drawn"])


# --- the bytes -------------------------------------------------------------------------------------------


def test_parts_are_framed_so_that_no_two_lists_of_them_are_the_same_bytes() -> None:
    assert digest("t", b"ab", b"c") != digest("t", b"a", b"bc") != digest("t", b"abc")
    assert digest("ta", b"b") != digest("t", b"ab")
    assert mac(b"k", "t", b"ab") != mac(b"k", "t", b"a", b"b")
    assert mac(b"k", "t", b"ab") != mac(b"l", "t", b"ab")


def test_a_pick_commitment_fits_nothing_else() -> None:
    none = bytes(32)
    right = (GAME, 7, 1, none, "C", none)
    others = [("x", 7, 1, none, "C", none), (GAME, 8, 1, none, "C", none), (GAME, 7, 2, none, "C", none)]
    others += [(GAME, 7, 1, none, "S", none), (GAME, 7, 1, none, "C", bytes(31) + b"1")]
    others.append((GAME, 7, 1, bytes(31) + b"1", "C", none))
    assert len({pick_commitment(*each) for each in [right, *others]}) == 7


# --- streams ---------------------------------------------------------------------------------------------


def test_the_same_key_and_label_are_the_same_stream_and_no_other_is() -> None:
    def words(key: bytes, label: str) -> list[int]:
        stream = Stream(key, label)
        return [stream.word() for _ in range(9)]

    assert words(KEY, "chance") == words(KEY, "chance")
    assert words(KEY, "chance") != words(KEY, "bot/1")
    assert words(KEY, "chance") != words(SEED, "chance")
    assert len(set(words(KEY, "chance"))) == 9


@given(st.binary(max_size=200), st.text(max_size=20))
def test_a_block_of_the_stream_is_the_hmac_of_its_number(key: bytes, label: str) -> None:
    """The stream keeps the hashes of its key; the library hashes it again each time."""
    stream, name, tag = Stream(key, label), label.encode(), b"facedown/1/stream"
    framed = b"".join(len(part).to_bytes(4, "big") + part for part in (tag, name))
    for number in range(3):
        block = hmac.digest(key, framed + struct.pack(">IQ", 8, number), "sha256")
        assert [stream.word() for _ in range(4)] == list(struct.unpack(">4Q", block))


@given(st.integers(1, 2**64))
def test_below_stays_below(count: int) -> None:
    stream = Stream(KEY, "bounds")
    assert all(0 <= stream.below(count) < count for _ in range(8))


def test_below_rejects_words_that_would_favour_some() -> None:
    """Of 2^64 words, 2^64 mod count would come up once too often: they are passed over."""
    count = 2**63 + 1
    words, stream = Stream(KEY, "rejecting"), Stream(KEY, "rejecting")
    accepted = [word for word in (words.word() for _ in range(64)) if word < count]
    assert 0 < len(accepted) < 64
    assert [stream.below(count) for _ in accepted] == accepted


@pytest.mark.parametrize("count", [0, -1, 2**64 + 1])
def test_below_nothing_is_refused(count: int) -> None:
    with pytest.raises(ValueError, match="below"):
        Stream(KEY, "chance").below(count)


def test_below_comes_out_evenly() -> None:
    stream = Stream(KEY, "even")
    seen = Counter(stream.below(6) for _ in range(6000))
    assert all(880 < seen[face] < 1120 for face in range(6))


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda stream: pickle.loads(pickle.dumps(stream))])
@pytest.mark.parametrize("drawn", [0, 1, 4, 7])
def test_a_copy_of_a_stream_continues_from_the_same_position(
    copied: Callable[[Stream], Stream], drawn: int
) -> None:
    stream = Stream(b"key", "label")
    for _ in range(drawn):
        stream.word()

    other = copied(stream)

    assert [other.word() for _ in range(9)] == [stream.word() for _ in range(9)]


def test_no_repr_shows_a_key_or_what_comes_next() -> None:
    key = KEY.hex()
    for each in (Stream(KEY, "chance"), Seeded(KEY), Scripted(["KH", "QS"])):
        assert key[:8] not in repr(each)
        assert "KH" not in repr(each)
        assert "…" in repr(each)


# --- the three kinds -------------------------------------------------------------------------------------


def test_seeded_chance_draws_by_the_stream_and_records_the_draws() -> None:
    chance, stream = Seeded(KEY), Stream(KEY, "chance")
    options = [card for card in DECK if card.value > 3]
    assert [chance.draw(options) for _ in range(5)] == [options[stream.below(len(options))] for _ in range(5)]
    assert len(chance.drawn) == 5


class Lowest:
    """A caller-defined chance: always the first option."""

    def __init__(self) -> None:
        self.drawn: list[str] = []

    def draw(self, options: Sequence[Text], /) -> Text:
        self.drawn.append(options[0])
        return options[0]


def one_by_one(chance: Chance, pool: list[Card], count: int) -> list[Card]:
    taken = []
    for _ in range(count):
        taken.append(chance.draw(pool))
        pool.remove(taken[-1])
    return taken


@given(st.binary(min_size=32, max_size=32), st.lists(st.integers(0, 17), max_size=3))
def test_drawing_all_at_once_equals_drawing_one_by_one(key: bytes, counts: list[int]) -> None:
    pairs: list[tuple[Chance, Chance]] = [(Seeded(key), Seeded(key)), (Lowest(), Lowest())]
    for quick, slow in pairs:
        left, right = [*DECK], [*DECK]
        for count in counts:
            assert take(quick, left, count) == one_by_one(slow, right, count)
        assert (left, quick.drawn) == (right, slow.drawn)


def test_taking_passes_over_words_that_would_favour_some() -> None:
    """Words above all multiples of the number of options are as rare as one in 2^58: put some in its way."""
    quick, slow = Stream(KEY, "chance"), Stream(KEY, "chance")
    for stream in (quick, slow):
        stream.word()
        stream._words[-1] = 2**64 - 1
    pool, other = [*range(52)], [*range(52)]
    assert quick.take(pool, 9) == [other.pop(slow.below(len(other))) for _ in range(9)]
    assert pool == other


def test_a_script_is_taken_at_once_and_refused_at_the_same_place() -> None:
    chance, pool = Scripted(["7H", "AS", "7H"]), [*DECK]
    assert take(chance, pool, 2) == ["7H", "AS"]
    assert (len(pool), chance.drawn) == (50, ["7H", "AS"])
    with pytest.raises(IllegalChance, match=r"chance entry 3, '7H', cannot come up here"):
        take(chance, pool, 1)
    with pytest.raises(IllegalChance, match="the chance list ends after 1 entries") as refused:
        take(late := Scripted(["KD"]), [*DECK], 2)
    assert (refused.value.code, late.drawn) == ("illegal_chance", ["KD"])


def test_scripted_gives_back_the_option_itself() -> None:
    chance = Scripted(["7H", "AS"])
    assert chance.draw(DECK) is Card("7H")
    assert (chance.drawn, chance.left) == (["7H"], 1)


def test_scripted_refuses_an_impossible_draw() -> None:
    chance = Scripted(["7H", "7H"])
    chance.draw(DECK)
    with pytest.raises(IllegalChance, match=r"chance entry 2, '7H', cannot come up here") as refused:
        chance.draw([card for card in DECK if card != "7H"])
    assert (refused.value.code, refused.value.text) == ("illegal_chance", "7H")
    assert chance.drawn == ["7H"]


def test_scripted_refuses_to_go_on_after_its_end() -> None:
    with pytest.raises(IllegalChance, match="the chance list ends after 0 entries"):
        Scripted([]).draw(("1", "2"))


@given(st.lists(st.integers(1, 4), max_size=4))
def test_exact_probabilities_add_up_to_one(widths: list[int]) -> None:
    def act(chance: Chance) -> tuple[str, ...]:
        return tuple(chance.draw("abcd"[:width]) for width in widths)

    outcomes = list(Exact.outcomes(act))
    assert sum(probability for probability, _ in outcomes) == 1
    assert len({result for _, result in outcomes}) == len(outcomes)


def test_exact_follows_branches_of_different_length() -> None:
    """A coin; on heads a die as well."""

    def act(chance: Chance) -> str:
        coin = chance.draw("HT")
        return coin + chance.draw("123456") if coin == "H" else coin

    outcomes = {result: probability for probability, result in Exact.outcomes(act)}
    assert outcomes["T"] == Fraction(1, 2)
    assert outcomes["H6"] == Fraction(1, 12)
    assert len(outcomes) == 7


def test_exact_deals_a_game_in_all_ways() -> None:
    game = registry.get("ecard")
    rules = game.rules.of("decisive")
    ways = list(Exact.outcomes(lambda chance: game.setup(rules, 2, chance).state.emperor))
    assert ways == [(Fraction(1, 2), 1), (Fraction(1, 2), 2)]
