"""Contract, fifth part: perfect recall. A seat's view holds everything it has seen and picked before."""

from __future__ import annotations

import json
from collections.abc import Hashable
from dataclasses import fields

from facedown.core.seats import Seat, all_seats, viewer_name
from facedown.core.views import View, plain
from facedown.testing.checks import Broken, Check
from facedown.testing.tables import Deal, driven
from facedown.testing.worlds import World, bent, stopped_world

_STORIES = 10
_DECISIONS = 24

Past = tuple[tuple[View, str], ...]
"""What a seat saw and then picked, decision by decision."""


@driven
def views_remember(deal: Deal) -> None:
    """No two histories of a seat lead to the same view."""
    stream = deal.stream("recall")
    world = stopped_world(deal, _DECISIONS, stream)
    pasts: dict[tuple[Seat, Hashable], Past] = {}
    for number in range(_STORIES):
        trace = bent(world, stream) if number else world.trace
        _remember(World(deal.table, trace, f"{deal.seed}/{number}"), len(world.match.picks), pasts)


def _remember(world: World, decisions: int, pasts: dict[tuple[Seat, Hashable], Past]) -> None:
    """Play the world; raise where a view is known with another past."""
    seats = all_seats(len(world.match.names))
    past: dict[Seat, Past] = dict.fromkeys(seats, ())
    while True:
        now = {seat: world.match.view(seat) for seat in seats}
        for seat in seats:
            known = pasts.setdefault((seat, _key(now[seat])), past[seat])
            if known != past[seat]:
                raise Broken(_forgotten(seat, known, past[seat]))
        if world.over or world.match.decision > decisions:
            return
        joint = world.next_joint()
        world.decide(joint)
        past = {seat: (*past[seat], (now[seat], str(joint[seat - 1]))) for seat in seats}


def _key(view: View) -> Hashable:
    """The view itself, or its text where it holds what has no hash."""
    try:
        hash(view)
    except TypeError:
        return json.dumps(plain(view))
    return view


def _forgotten(seat: Seat, one: Past, other: Past) -> str:
    """The sentence that names what the view does not tell any more."""
    moments = zip(one, other, strict=False)
    place = next((n for n, (a, b) in enumerate(moments) if a != b), min(len(one), len(other)))
    start = f"{viewer_name(seat)} has the same view after two histories: its view has forgotten"
    if place in (len(one), len(other)):
        return f"{start} how many decisions there were ({len(one)} or {len(other)})"
    (saw, picked), (saw_other, picked_other) = one[place], other[place]
    if saw == saw_other:
        return f"{start} its own pick of decision {place + 1} ({picked} or {picked_other})"
    return f"{start} what it saw before decision {place + 1} ({_difference(saw, saw_other)})"


def _difference(one: View, other: View) -> str:
    name = next(
        each.name for each in fields(one) if getattr(one, each.name) != getattr(other, each.name, None)
    )
    return f"{name} {plain(getattr(one, name))} or {plain(getattr(other, name))}"


CHECKS: tuple[Check, ...] = (views_remember,)
