"""The characters of the house at many tables at once: one form for all of them.

A character is asked once for everything that its tell can go by, and then looked up. Its answer may depend
on the exact solution only as a mix does, and on its lead only by who is ahead.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import product
from typing import Any, Final, NamedTuple

from facedown.games.ecard.bots.house import CHARACTERS, Character, CharacterTurn, Past
from facedown.games.ecard.notation import EMPEROR, SLAVE
from facedown.games.ecard.rules import DECIDED
from facedown_lab.batch.form import Array
from facedown_lab.games.ecard.batch.bots import (
    BatchEquilibrium,
    BatchMachine,
    ShownLast,
    is_new,
    last_result,
    never_shown,
    of_play,
    shown_after,
    special_shown,
)
from facedown_lab.games.ecard.batch.simulator import CHOICES, ECardTables
from facedown_lab.games.ecard.batch.solved import COUNT, OURS, rounds_of

_SIDES: Final = (EMPEROR, SLAVE)
_LEADS: Final = (-1, 0, 1)
_PLAYS: Final = range(1, CHOICES + 1)
_SEEN: Final = range(DECIDED + 1)
"""The play at which a card was last seen; 0 for never."""
_PAST: Final = {"emperor": _SEEN, "slave": _SEEN, "theirs": _SEEN, "won": (-1, 0, 1)}


class PastTables(NamedTuple):
    """What a character may mind of the rounds before, at every table."""

    by_side: ShownLast
    last: tuple[Array, Array]
    """By seat: the play at which its special card was last seen, on either side; 0 for never."""


class BatchCharacter(BatchMachine):
    """Plays the exact solution, except where the tell of its namesake says otherwise."""

    def __init__(self, character: type[Character]) -> None:
        self.name = character.name
        self._character = character

    def start(self, game: Any, tables: int) -> PastTables:
        never = game.xp.zeros(tables, dtype=game.xp.int32)
        return PastTables(never_shown(game, tables), (never, never))

    def after(self, game: Any, memory: PastTables, before: ECardTables, state: ECardTables) -> PastTables:
        xp, new = game.xp, is_new(state)

        def later(seat: int) -> Array:
            shown = xp.where(special_shown(before, state, seat), before.play, memory.last[seat])
            return xp.where(new, 0, shown)

        return PastTables(shown_after(game, memory.by_side, before, state), (later(0), later(1)))

    def special(self, game: Any, state: ECardTables, memory: PastTables, seat: int) -> Array:
        """Where the chances without and with the special card in the solution are the same, that chance."""
        xp = game.xp
        rows = rounds_of(game, state, seat)
        usual = of_play(game, rows, OURS, state.play)
        place = self._places(game, state, memory, seat, rows[:, COUNT])
        never, always = (xp.asarray(each)[place] for each in _chances(self._character))
        return xp.where(never == always, never, always * usual + never * (1.0 - usual))

    def stakes(self, game: Any, state: ECardTables, memory: PastTables, seat: int) -> list[Array]:
        """The solution's: stakes are no part of any tell."""
        return BatchEquilibrium().stakes(game, state, (), seat)

    def _places(self, game: Any, state: ECardTables, memory: PastTables, seat: int, choices: Array) -> Array:
        """Where the turn of each table is among those of `_turns`."""
        xp = game.xp
        score = game.score(state)
        as_emperor, as_slave = memory.by_side.plays[seat]
        past = {
            "emperor": as_emperor,
            "slave": as_slave,
            "theirs": memory.last[1 - seat],
            "won": last_result(game, state, seat),
        }
        place = xp.where(game.emperor(state) == seat, 0, 1)
        place = place * CHOICES + xp.minimum(state.play, CHOICES) - 1
        place = place * 2 + (state.play == choices)
        place = place * len(_LEADS) + xp.sign(score[seat] - score[1 - seat]) + 1
        for field, values in _PAST.items():
            if field in self._character.minds:
                place = place * len(values) + past[field]
        return place


def _turns(character: type[Character], usual: float) -> list[CharacterTurn]:
    """Every turn that differs in what the tell can go by."""
    pasts = [
        Past(*values)
        for values in product(
            *(found if field in character.minds else (0,) for field, found in _PAST.items())
        )
    ]
    return [
        CharacterTurn(side, play, is_last, lead, past, usual)
        for side, play, is_last, lead, past in product(_SIDES, _PLAYS, (False, True), _LEADS, pasts)
    ]


@lru_cache(maxsize=len(CHARACTERS))
def _chances(character: type[Character]) -> tuple[Any, Any]:
    """How likely the special card is at each turn, if it never and if it always comes in the solution."""
    import numpy as np

    never, always = (
        np.asarray([character.special(turn) for turn in _turns(character, usual)]) for usual in (0.0, 1.0)
    )
    return never, always


CHARACTER_POLICIES: Final = {each.name: BatchCharacter(each) for each in CHARACTERS}
"""The batch form of every character, by name."""
