"""What a game's table says of a record's draws: the stream of the seed must lead to each of them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from pathlib import Path
from typing import TypeVar

from facedown.core.chance import Seeded, Stream, seed_of
from tests.web.games.views import JSON, Played
from tests.web.tools import told

Text = TypeVar("Text", bound=str)


class Noted(Seeded):
    """Chance from a seed that notes the options wherever they are not what the draw before left."""

    __slots__ = ("left", "pools")

    def __init__(self, key: bytes) -> None:
        super().__init__(key)
        self.left: list[str] = []
        self.pools: list[JSON] = []

    def draw(self, options: Sequence[Text], /) -> Text:
        """The draw that the seed gives."""
        if list(options) != self.left:
            self.pools.append({"at": len(self.drawn), "options": [str(each) for each in options]})
        drawn = super().draw(options)
        self.left = [each for each in options if each != drawn]
        return drawn


def record(game: str, rules: str, seats: int, seed: str) -> JSON:
    """The record of a finished game, with the options of its draws."""
    noted = Noted(seed_of(seed))
    played = Played(game, rules, seats, seed=seed, chance=noted)
    while played.go_on():
        pass
    return {"chance": [str(each) for each in noted.drawn], "fair": {"pools": noted.pools}}


def come_from(seed: str, found: list[dict[str, int]]) -> bool:
    """The check that the shell makes: every draw is where the seed's stream points."""
    stream = Stream(seed_of(seed), "chance")
    return all(stream.below(each["count"]) == each["place"] for each in found)


def several_pools(seats: int) -> tuple[str, JSON]:
    """The first game whose cards are shuffled again, or dealt from a fresh deck."""
    for number in count():
        seed = f"drawn {number}"
        played = record("davenport", "aces", seats, seed)
        if len(played["fair"]["pools"]) > 1:
            return seed, played
    raise AssertionError


def test_each_draw_of_a_record_comes_from_its_seed(tmp_path: Path) -> None:
    """And no other one does: the first Emperor, and every card of Davenport."""
    cases = [("ecard", seed, record("ecard", "classic(first=drawn)", 2, seed)) for seed in "abcd"]
    cases += [("davenport", *several_pools(seats)) for seats in (2, 7)]
    changed: list[tuple[str, str, JSON]] = []
    for game, seed, played in cases:
        drawn = played["chance"]
        if game == "ecard":
            changed.append((game, seed, {**played, "chance": ["1" if drawn == ["2"] else "2"]}))
            continue
        swapped = [*drawn[:3], drawn[4], drawn[3], *drawn[5:]]
        changed += [
            (game, seed, {**played, "chance": other}) for other in (swapped, [*drawn[:3], "??", *drawn[4:]])
        ]

    asked = [*cases, *changed]
    found = told(tmp_path, [("draws", game, played) for game, _, played in asked])

    assert [len(each) for each in found[: len(cases)]] == [len(played["chance"]) for *_, played in cases]
    said = [come_from(seed, each) for (_, seed, _), each in zip(asked, found, strict=True)]
    assert said == [True] * len(cases) + [False] * len(changed)


def test_a_record_without_draws_or_without_their_options(tmp_path: Path) -> None:
    chance = record("davenport", "davenport", 2, "a")["chance"]
    unnamed: list[JSON] = [{"chance": chance, "fair": {}}, {"chance": chance}]
    asked = [("draws", "davenport", played) for played in unnamed]
    asked.append(("draws", "ecard", record("ecard", "classic", 2, "a")))

    assert told(tmp_path, asked) == [None, None, []]
