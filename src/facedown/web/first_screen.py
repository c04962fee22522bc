"""The first screen as the page contains it: the games in words, until the modules draw the home screen.

Its boxes have the positions and sizes of the home screen's, so that nothing jumps. Every text is there in
every language; `theme_boot.js` shows the reader's.
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
