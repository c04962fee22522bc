"""The leak suite finds what our own games must not show, when they do: its silence means something."""

from __future__ import annotations

from typing import Any

import pytest

from facedown.core import registry
from facedown.core.errors import IllegalPick
from facedown.core.game import AnyGame
from facedown.core.seats import SPECTATOR
from facedown.testing import Leak
from facedown.testing.leaks import hidden_worlds_look_alike

DAVENPORT: Any = type(registry.get("davenport"))


class ShowsDiscards(DAVENPORT):  # type: ignore[misc]  # the registry knows only the protocol
    """D3: an exchanged card is face down, and stays so."""

    def view(self, state: Any, viewer: int) -> Any:
        return (
            super().view(state, viewer)._replace(wins=(*state.wins, *(card.order for card in state.discards)))
        )


class ShowsTheLastExchange(DAVENPORT):  # type: ignore[misc]
    """D3: the choices of a seat are for its own view only."""

    def view(self, state: Any, viewer: int) -> Any:
        view = super().view(state, viewer)
        others = tuple(past[-1:] for past in state.choices)
        return view._replace(choices=others) if viewer == SPECTATOR else view


class ShowsStock(DAVENPORT):  # type: ignore[misc]
    """There is no deck order, but the rest of the stock shows what the others hold."""

    def view(self, state: Any, viewer: int) -> Any:
        return super().view(state, viewer)._replace(stock=state.stock[0].order if state.stock else 0)


class HintsInErrors(DAVENPORT):  # type: ignore[misc]
    """A refusal that knows where the card is."""

    def refusal(self, state: Any, seat: int, pick: str) -> IllegalPick:
        holder = next((n for n, hand in enumerate(state.hands, 1) if pick.removeprefix("x") in hand), None)
        return IllegalPick(f"seat {holder} has that" if holder else "no seat has that", text=pick)


@pytest.mark.parametrize(
    ("kind", "sentence"),
    [
        (ShowsDiscards, "'wins' in its view"),
        (ShowsTheLastExchange, "'choices' in its view"),
        (ShowsStock, "'stock' in its view"),
        (HintsInErrors, "the answer when it tries to seal"),
    ],
)
def test_D3_a_view_that_shows_a_hidden_card_is_caught(kind: type[AnyGame], sentence: str) -> None:
    with pytest.raises(Leak, match=sentence):
        hidden_worlds_look_alike(kind())
