"""The first screen as it stands in the page: the games in words, until the modules draw the home screen.

Its boxes have the places and sizes that they have there, so that nothing jumps. Texts stand in every
language; the style sheet hides those that are not the reader's.
"""

from __future__ import annotations

from html import escape
from typing import Final

from facedown.core import registry
from facedown.core.game import AnyGame
from facedown.core.text.translation import Text, languages, translate

_CONTROLS: Final = (
    '<span class="button first big">&nbsp;</span>'
    '<span class="plain with-icon"><span class="link">&nbsp;</span></span>'
)
"""The room that they will take."""


def first_screen() -> str:
    """The home screen's markup before any module is loaded: no control that would not work yet."""
    games = sorted((registry.get(name) for name in registry.names()), key=lambda each: each.meta.most_seats)
    offers = "".join(_offer(game) for game in games)
    return f'<main class="page home" aria-busy="true"><div class="home-games">{offers}</div></main>'


def _offer(game: AnyGame) -> str:
    return (
        '<section class="home-game"><span class="emblem emblem-fan"></span>'
        f"<h2>{_in_every_language(game.meta.title)}</h2><p>{_in_every_language(game.meta.summary)}</p>"
        f'<div class="home-acts" aria-hidden="true">{_CONTROLS}</div></section>'
    )


def _in_every_language(text: Text) -> str:
    return "".join(f'<span lang="{each}">{escape(translate(text, each))}</span>' for each in languages())
