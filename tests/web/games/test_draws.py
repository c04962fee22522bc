"""What a game's table says of a record's draws: the stream of the seed must lead to each of them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from typing import TypeVar

import pytest

from facedown.core.chance import Seeded, Stream, seed_of
from tests.web.games.gallery_page import GalleryPage
from tests.web.games.views import JSON, Played

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


def draws(gallery_page: GalleryPage, game: str, played: JSON) -> list[dict[str, int]] | None:
    """What the table's `review.draws` makes of a record."""
    found: list[dict[str, int]] | None = gallery_page.page.evaluate(
        "([game, record]) => gallery.draws(game, record)", [game, played]
    )
    return found


def come_from(seed: str, found: list[dict[str, int]] | None) -> bool:
    """The check that the shell makes: every draw is where the seed's stream points."""
    assert found is not None
    stream = Stream(seed_of(seed), "chance")
    return all(stream.below(each["count"]) == each["place"] for each in found)


@pytest.mark.parametrize("seed", ["a", "b", "c", "d"])
def test_the_first_emperor_is_drawn_from_the_seed(seed: str, gallery_page: GalleryPage) -> None:
    played = record("ecard", "classic(first=drawn)", 2, seed)
    found = draws(gallery_page, "ecard", played)
    assert found is not None
    assert len(found) == 1
    assert come_from(seed, found)
    played["chance"] = ["1" if played["chance"] == ["2"] else "2"]
    assert not come_from(seed, draws(gallery_page, "ecard", played))


def test_where_nothing_is_drawn_there_is_nothing_to_check(gallery_page: GalleryPage) -> None:
    assert draws(gallery_page, "ecard", record("ecard", "classic", 2, "a")) == []


@pytest.mark.parametrize("seats", [2, 7])
def test_every_card_is_drawn_from_the_seed(seats: int, gallery_page: GalleryPage) -> None:
    """Through shuffles and fresh decks as well: takes the first game with several pools."""
    for number in count():
        seed = f"drawn {number}"
        played = record("davenport", "aces", seats, seed)
        if len(played["fair"]["pools"]) > 1:
            break
    found = draws(gallery_page, "davenport", played)
    assert found is not None
    assert len(found) == len(played["chance"])
    assert come_from(seed, found)
    played["chance"][3], played["chance"][4] = played["chance"][4], played["chance"][3]
    assert not come_from(seed, draws(gallery_page, "davenport", played))
    played["chance"][3] = "??"
    assert not come_from(seed, draws(gallery_page, "davenport", played))


def test_a_record_that_does_not_name_the_options_cannot_be_checked_here(gallery_page: GalleryPage) -> None:
    played = record("davenport", "davenport", 2, "a")
    assert draws(gallery_page, "davenport", {"chance": played["chance"], "fair": {}}) is None
    assert draws(gallery_page, "davenport", {"chance": played["chance"]}) is None
