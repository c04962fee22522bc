"""The table of a match, for people: as text to print, and as an SVG picture for notebooks and pages.

Both are made from one viewer's view, and from who has sealed: never from the state, nor from a ballot. What a
game's cards look like, its `text` and `terminal` modules say.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from math import ceil
from typing import TYPE_CHECKING, Any, Final

from facedown.core import registry
from facedown.core.parts.scene import DAY, NIGHT, Chair, Face, Scenes
from facedown.core.parts.text import text_of
from facedown.core.seats import SPECTATOR, Seat, Viewer, all_seats
from facedown.core.text.translation import Domain, Slot, Text, in_row, translate

if TYPE_CHECKING:
    from facedown.core.match import Match

message: Final = Domain("facedown.core")


def table_text(match: Match[Any, Any, Any], viewer: Viewer, language: str) -> str:
    """The table as the viewer may see it, over a few lines: what it is, how it stands, who has sealed."""
    title = message("table.title", title=match.game.meta.title, rules=str(match.rules))
    table = text_of(_known_name(match), language).table(match.view(viewer), match.names)
    return "\n".join((translate(title, language), table, translate(_standing(match), language)))


def _known_name(match: Match[Any, Any, Any]) -> str:
    """The name of the game; empty for one that is not installed, such as a class of a test."""
    return match.game.name if match.game.name in registry.names() else ""


def _standing(match: Match[Any, Any, Any]) -> Text:
    """Who has sealed and who has to, or how the game ended."""
    outcome = match.outcome
    if outcome is not None:
        won = outcome.winner
        return message("table.drawn") if won is None else message("table.won", name=match.names[won - 1])
    slots: dict[str, Slot] = {"number": match.decision, "due": _names(match, match.may_seal)}
    if not match.sealed:
        return message("table.due", **slots)
    return message("table.sealed", sealed=_names(match, match.sealed), **slots)


def _names(match: Match[Any, Any, Any], seats: tuple[Seat, ...]) -> Text:
    return in_row([match.names[seat - 1] for seat in seats])


# --- the picture -----------------------------------------------------------------------------------------

_SEATS_IN_A_ROW: Final = 4
_COLUMN: Final = 150
_ROW: Final = 170
_HELD: Final = 66
"""From one card of the hand to the next."""
_MOST_HELD: Final = 13
"""More are not drawn: numbers that may be named can be hundreds."""
_CARD: Final = (60, 86)
_MOST_NAME: Final = 18
_EYE: Final = "M-14 -4C-8 5 8 5 14 -4M-9 2L-12 6M-3 4L-4 9M3 4L4 9M9 2L12 6"
"""A closed eye: the logo, on every back."""


def table_svg(match: Match[Any, Any, Any], viewer: Viewer, language: str) -> str:
    """The table as the viewer may see it, as one SVG element without anything from elsewhere."""
    view = match.view(viewer)
    scenes = Scenes(_known_name(match), language)
    scene = scenes.scene(view, match.names)
    said = table_text(match, viewer, language)
    lines = said.splitlines()
    hand = () if viewer == SPECTATOR else scenes.hand(view, match.legal(viewer))[:_MOST_HELD]
    rows = ceil(len(match.names) / _SEATS_IN_A_ROW)
    across = max(2, ceil(len(match.names) / rows))
    width = max(across * _COLUMN, len(hand) * _HELD) + 24
    parts = [_text(14, 24, lines[0], 13, "ash"), _text(14, 44, scene.heading, 15, "bone")]
    parts.append(_text(14, 62, scene.mood, 12, "seal"))
    for seat, chair in zip(all_seats(len(match.names)), scene.chairs, strict=True):
        row, column = divmod(seat - 1, across)
        x, y = column * _COLUMN + 14, row * _ROW + 74
        parts += _seat(x, y, match.names[seat - 1], chair, scenes, seat in match.sealed)
    y = 74 + rows * _ROW
    for place, held in enumerate(hand):
        parts.append(_face(14 + place * _HELD, y, held.face))
    y += 100 if hand else 0
    piles = " · ".join(f"{name} {count}" for name, count in scene.piles)
    below = [*scene.lines, *filter(None, [piles]), *([] if scenes.drawn else lines[1:-1]), lines[-1]]
    parts += [_text(14, y + 14 + 18 * place, line, 12, "ash") for place, line in enumerate(below)]
    height = y + 14 + 18 * len(below)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" font-family="system-ui, sans-serif"><title>{escape(said)}</title>'
        f'<rect width="100%" height="100%" rx="10" fill="{NIGHT["ink"]}"/>{"".join(parts)}</svg>'
    )


def _seat(x: int, y: int, name: str, chair: Chair, scenes: Scenes, sealed: bool) -> Iterator[str]:
    """A seat: who sits there, what lies before it, and how many cards it holds."""
    short = name if len(name) <= _MOST_NAME else f"{name[: _MOST_NAME - 1]}…"
    yield _text(x, y + 12, short, 14, "ash" if chair.away else chair.tone)
    yield _text(x, y + 28, chair.role, 11, "ash")
    yield _text(x, y + 42, chair.account, 11, "ash")
    if sealed:
        yield _back(x, y + 52)
    elif chair.shown:
        yield _face(x, y + 52, scenes.face(chair.shown))
    else:
        yield _box(x, y + 52, "none", f'stroke="{NIGHT["line"]}" stroke-dasharray="4 3"')
    yield _text(x, y + 152, chair.note, 11, "ash")
    for place in range(min(chair.cards, 5)):
        yield f'<rect x="{x + 70 + 7 * place}" y="{y + 110}" width="20" height="28" rx="3" {_EDGE}/>'
    yield _text(x + 70, y + 100, str(chair.cards) if chair.cards > 5 else "", 11, "ash")


_EDGE: Final = f'fill="#2a241d" stroke="{NIGHT["line"]}"'


def _face(x: int, y: int, face: Face) -> str:
    """A card face up: its sign large, its index in the corner, its name below."""
    colour = DAY[face.role]
    return (
        _box(x, y, NIGHT["bone"], f'stroke="{NIGHT["line"]}"')
        + f'<text x="{x + 6}" y="{y + 18}" font-size="14" fill="{colour}">{escape(face.index)}</text>'
        + f'<text x="{x + 30}" y="{y + 54}" font-size="26" text-anchor="middle" fill="{colour}">'
        + f"{escape(face.sign)}</text>"
        + f'<text x="{x + 30}" y="{y + 79}" font-size="10" text-anchor="middle" fill="{DAY["bone"]}">'
        + f"{escape(face.name)}</text>"
    )


def _back(x: int, y: int) -> str:
    """A card face down, with the wax that seals it. It is the same for every card."""
    return (
        _box(x, y, "#2a241d", f'stroke="{NIGHT["line"]}"')
        + f'<g transform="translate({x + 30} {y + 43})"><circle r="20" fill="#c8321f"/>'
        + f'<path d="{_EYE}" fill="none" stroke="#7d1c0d" stroke-width="2.4" stroke-linecap="round"/></g>'
    )


def _box(x: int, y: int, fill: str, rest: str) -> str:
    width, height = _CARD
    return f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="5" fill="{fill}" {rest}/>'


def _text(x: int, y: int, text: str, size: int, role: str) -> str:
    if not text:
        return ""
    return f'<text x="{x}" y="{y}" font-size="{size}" fill="{NIGHT[role]}">{escape(text)}</text>'
