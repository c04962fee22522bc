"""Contract, sixth part: where a game has a numeric form of its views, it keeps its shape and its range.

That it tells nothing more than the view does is checked with the other leaks.
"""

from __future__ import annotations

from math import isfinite

from facedown.core.replay import AnyMatch
from facedown.core.seats import Viewer, viewer_name
from facedown.core.views import Encoding
from facedown.testing.checks import Broken, Check, require
from facedown.testing.tables import Deal, driven


@driven
def encodings_keep_their_shape(deal: Deal) -> None:
    """Every view becomes as many numbers as `encoding(rules, seats)` names, each from -1 to 1."""
    game, rules, seats = deal.table
    layout = game.encoding(rules, seats)
    require(game.encoding(rules, seats) == layout, "encoding() gave two different answers about one rule set")
    if layout is None:
        return
    named = bool(layout.names) and all(name.strip() for name in layout.names)
    require(named, "an entry of the encoding has no name, or there is no entry")
    twice = next((name for name in layout.names if layout.names.count(name) > 1), None)
    require(twice is None, f"two entries of the encoding are called {twice!r}")
    match = deal.open()
    for viewer in deal.table.viewers:
        _check_numbers(match, viewer, layout)
    for after, _, _ in deal.play():
        for viewer in deal.table.viewers:
            _check_numbers(after, viewer, layout)


def _check_numbers(match: AnyMatch, viewer: Viewer, layout: Encoding) -> None:
    view = match.view(viewer)
    whose = f"the encoded view of {viewer_name(viewer)} before decision {match.decision}"
    try:
        numbers: tuple[object, ...] = tuple(match.game.encode(view))
    except Exception as error:
        raise Broken(f"{whose} cannot be made: {error!r}") from error
    wanted = len(layout.names)
    require(len(numbers) == wanted, f"{whose} has {len(numbers)} numbers, where encoding() names {wanted}")
    for name, number in zip(layout.names, numbers, strict=True):
        fits = isinstance(number, int | float) and isfinite(number) and -1 <= number <= 1
        require(fits, f"{name!r} in {whose} is {number!r}, which is no number from -1 to 1")
    require(tuple(match.game.encode(view)) == numbers, f"{whose} was not the same when asked twice")


CHECKS: tuple[Check, ...] = (encodings_keep_their_shape,)
