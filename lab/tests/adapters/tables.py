"""Every preset with every number of seats: what each adapter has to pass. Thinned out unless asked."""

from __future__ import annotations

import facedown
from tests.few import few

EVERY = [
    (name, preset.name, seats)
    for name in ("ecard", "davenport")
    for game in (facedown.game(name),)
    for preset in game.rules.presets
    for seats in range(game.meta.least_seats, game.meta.most_seats + 1)
]
SOME = few(EVERY, 4)
