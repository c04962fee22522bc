"""Games by a real pointer on every kind of screen: whole ones against a machine, and between two people."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product

import pytest
from playwright.sync_api import expect

from tests.few import few
from tests.web.whole import davenport
from tests.web.whole.conftest import Invites
from tests.web.whole.ecard import Script, special_first
from tests.web.whole.players import Plan, Seen, endings, play
from tests.web.whole.pointer import PointerPlayer, device, joins, opens_a_table


def hurry(seen: Mapping[int, Seen]) -> dict[int, str]:
    """Seat 1 shows its best, the other its least."""
    return davenport.hurry({seat: each.hand for seat, each in seen.items()}, 1)


@dataclass(frozen=True, slots=True)
class Short:
    """A game that is soon over."""

    game: str
    machine: str
    plan: Plan
    options: dict[str, str]
    ends: tuple[list[str], ...] = ()
    """What two people may read at the end; where nothing is said, two rounds stand for their game."""


SHORT = (
    Short(
        "ecard",
        "machine:random",
        Script("EC", "EC CC CC"),
        {"group": "1", "rounds": "2"},
        (["Drawn, 1 to 1"] * 2,),
    ),
    Short("davenport", "machine:lowest", hurry, {}),
)


def in_third_round(seen: Mapping[int, Seen]) -> bool:
    """Two rounds are over for everybody."""
    return all("3" in each.place for each in seen.values())


@pytest.mark.parametrize(
    ("size", "short", "plan"),
    [("sideways", SHORT[0], special_first), ("phone", SHORT[1], hurry)],
    ids=["ecard", "davenport"],
)
def test_against_a_machine(invites: Invites, size: str, short: Short, plan: Plan) -> None:
    """Each game on a third kind of screen."""
    (visitor,) = invites(1, **device(size))
    opens_a_table(visitor, short.game, short.options, short.machine)
    player = PointerPlayer(visitor)

    play([player], plan)

    assert player.sees().ending.startswith(("You won", "You lost", "Drawn"))


@pytest.mark.parametrize(
    ("sizes", "short"),
    few(list(product([("phone", "laptop"), ("tablet", "sideways")], SHORT)), 1),
    ids=lambda each: each.game if isinstance(each, Short) else "-".join(each),
)
def test_between_two(invites: Invites, sizes: tuple[str, str], short: Short) -> None:
    """On a phone and a laptop; `THOROUGH=1` adds other screens, and Davenport between two."""
    ann, bo = (invites(1, **device(size))[0] for size in sizes)
    opens_a_table(ann, short.game, short.options, "person")
    joins(bo, ann.page.locator(".address code").inner_text())
    for each in (ann, bo):
        expect(each.page.locator(".table-frame[data-state=playing] .stage > *")).to_be_visible()
    players = [PointerPlayer(ann), PointerPlayer(bo)]

    play(players, short.plan, until=None if short.ends else in_third_round)

    if short.ends:
        assert endings(players) in short.ends, endings(players)
    assert all(len(player.picked) >= 2 for player in players)
