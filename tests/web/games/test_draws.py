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
        """As the seed has it."""
        if list(options) != self.left:
            self.pools.append({"at": len(self.drawn), "options": [str(each) for each in options]})
        drawn = super().draw(options)
        self.left = [each for each in options if each != drawn]
        return drawn


def record(game: str, rules: str, seats: int, seed: str) -> JSON:
    """A finished game as its record tells it, with what its draws were made from."""
    noted = Noted(seed_of(seed))
    played = Played(game, rules, seats, seed=seed, chance=noted)
    while played.go_on():
        pass
    return {"chance": [str(each) for each in noted.drawn], "fair": {"pools": noted.pools}}


def draws(gallery_page: GalleryPage, game: str, written: JSON) -> list[dict[str, int]] | None:
    """What the table's `review.draws` makes of a record."""
    found: list[dict[str, int]] | None = gallery_page.page.evaluate(
        "([game, record]) => gallery.draws(game, record)", [game, written]
    )
    return found


def come_from(seed: str, found: list[dict[str, int]] | None) -> bool:
    """The check that the shell makes: every draw is where the seed's stream points."""
    assert found is not None
    stream = Stream(seed_of(seed), "chance")
    return all(stream.below(each["count"]) == each["place"] for each in found)


@pytest.mark.parametrize("seed", ["a", "b", "c", "d"])
def test_the_first_emperor_is_drawn_from_the_seed(seed: str, gallery_page: GalleryPage) -> None:
    written = record("ecard", "classic(first=drawn)", 2, seed)
    found = draws(gallery_page, "ecard", written)
    assert found is not None
    assert len(found) == 1
    assert come_from(seed, found)
    written["chance"] = ["1" if written["chance"] == ["2"] else "2"]
    assert not come_from(seed, draws(gallery_page, "ecard", written))


def test_where_nothing_is_drawn_there_is_nothing_to_check(gallery_page: GalleryPage) -> None:
    assert draws(gallery_page, "ecard", record("ecard", "classic", 2, "a")) == []


@pytest.mark.parametrize("seats", [2, 7])
def test_every_card_is_drawn_from_the_seed(seats: int, gallery_page: GalleryPage) -> None:
    """Through shuffles and fresh decks as well: a game with several pools is looked for."""
    for number in count():
        seed = f"drawn {number}"
        written = record("davenport", "aces", seats, seed)
        if len(written["fair"]["pools"]) > 1:
            break
    found = draws(gallery_page, "davenport", written)
    assert found is not None
    assert len(found) == len(written["chance"])
    assert come_from(seed, found)
    written["chance"][3], written["chance"][4] = written["chance"][4], written["chance"][3]
    assert not come_from(seed, draws(gallery_page, "davenport", written))
    written["chance"][3] = "??"
    assert not come_from(seed, draws(gallery_page, "davenport", written))


def test_a_record_that_does_not_name_the_options_cannot_be_checked_here(gallery_page: GalleryPage) -> None:
    written = record("davenport", "davenport", 2, "a")
    assert draws(gallery_page, "davenport", {"chance": written["chance"], "fair": {}}) is None
    assert draws(gallery_page, "davenport", {"chance": written["chance"]}) is None
