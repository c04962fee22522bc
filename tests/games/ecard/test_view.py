"""The view of E-Card: made by place, so every field is compared by name with what it should hold."""

from __future__ import annotations

import pytest

from facedown.core.chance import LOCAL, Seeded, deal_key, seed_of
from facedown.core.match import Match
from facedown.core.seats import SPECTATOR, Viewer
from facedown.games.ecard.game import GAME
from facedown.games.ecard.rules import DECIDED, ECardRules
from facedown.games.ecard.state import ECardState
from facedown.games.ecard.view import ECardView, hand_of
from facedown.testing.tables import Deal, TableSetup


def expected(state: ECardState, viewer: Viewer) -> dict[str, object]:
    """What each field holds, by its name; `meets` is compared where it is calculated."""
    over, at = state.outcome is not None, state.at
    return {
        "viewer": viewer,
        "rules": state.rules,
        "waiting": GAME.pending(state),
        "outcome": state.outcome,
        "round": state.round,
        "play": state.play,
        "last_play": at.last_play,
        "extra": state.round > state.rules.rounds,
        "emperor": at.emperor,
        "first": at.first,
        "stake": at.stake,
        "hand": () if over or viewer == SPECTATOR else hand_of(at, viewer),
        "cards_left": 0 if over else DECIDED + 1 - state.play,
        "score": state.score,
        "winnings": state.winnings,
        "wins": state.wins,
        "purses": state.purses if at.named else None,
        "rounds": state.rounds,
        "sides": at.course,
    }


@pytest.mark.parametrize("preset", [preset.name for preset in ECardRules.presets])
def test_every_field_of_a_view_is_at_its_place(preset: str) -> None:
    deals = (Deal(TableSetup(GAME, ECardRules.of(preset), 2), seed) for seed in range(5))

    views = 0
    for match, _, _ in (each for deal in deals for each in deal.play()):
        for viewer in (SPECTATOR, 1, 2):
            view = match.view(viewer)
            fields = view._asdict()
            meets = fields.pop("meets")
            assert fields == expected(match.state, viewer)
            assert all(each.card in view.hand for each in meets)
            views += 1

    assert views > 60


def test_views_of_a_fresh_deal_have_the_fields_of_the_class() -> None:
    match = Match(GAME, ECardRules.of(), ("Ann", "Bo"), Seeded(deal_key(seed_of("view"), LOCAL)))

    assert isinstance(match.view(1), ECardView)
    assert set(expected(match.state, 1)) | {"meets"} == set(ECardView._fields)
