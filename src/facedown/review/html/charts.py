"""The pictures of a review, as SVG: the line of chances, bars, a scale. Words in them are real text.

They are as wide as the page lets them be: places along it are in percent, heights and letters in pixels.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Final, NamedTuple

from facedown.core.parts.judge import Chances, Timing
from facedown.review.predictability import Readable

_TOP: Final = 40
_HEIGHT: Final = 184
_WIDE: Final = 1000
"""The line's own units from the start of the game to its end."""
_MOST_TICKS: Final = 40

HATCH: Final = (
    '<svg width="0" height="0" aria-hidden="true"><defs>'
    '<pattern id="hatch" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">'
    '<line class="stripe" x1="1" x2="1" y1="0" y2="5"/></pattern></defs></svg>'
)
"""Stands once on the page: what bars are hatched with."""


class Point(NamedTuple):
    """The chances at one moment; both from 0 to 1, `x` along the game."""

    x: float
    y: float
    error: float


def picture(kind: str, size: str, title: str, told: str, body: str) -> str:
    """An SVG that says in words what it shows."""
    ids = f"{kind}-title {kind}-desc"
    return (
        f'<svg class="{kind}" {size} role="img" aria-labelledby="{ids}">'
        f'<title id="{kind}-title">{escape(title)}</title><desc id="{kind}-desc">{escape(told)}</desc>'
        f"{body}</svg>"
    )


# --- the line --------------------------------------------------------------------------------------------


def line(chances: Sequence[Chances], rounds: Sequence[int], seats: int, swing: Chances) -> str:
    """The chances over the game. `rounds` are their lengths in decisions; the swing is marked."""
    points = line_points(chances, rounds)
    mark = points[swing.decision]
    change = f"{100 * swing.before:.0f} → {100 * swing.after:.0f} %"
    body = (
        _grid(seats)
        + _ticks(len(rounds))
        + _curve(points)
        + _labels(seats)
        + _vertical("swing", mark.x, 4, _TOP + _HEIGHT)
        + f'<circle class="swing-dot" cx="{_across(mark.x)}" cy="{_down(mark.y):.1f}" r="5"/>'
        + _label(mark.x, change, swing.place)
    )
    told = (
        f"From {100 * points[0].y:.0f} % at the start to {100 * points[-1].y:.0f} %. The largest swing, "
        f"{change}, {swing.place}, is marked. The table of picks has the numbers."
    )
    size = f'width="100%" height="{_TOP + _HEIGHT + 12}"'
    return picture("chances", size, "Winning chances over the game", told, body)


def line_points(chances: Sequence[Chances], rounds: Sequence[int]) -> list[Point]:
    """The start, and the chances after every decision; all rounds are equally wide.

    >>> moves = [Chances(1, "", 0.5, 0.6, 0.0, 0.0), Chances(2, "", 0.6, 1.0, 0.0, 0.0)]
    >>> [point.x for point in line_points(moves, [2])], [point.x for point in line_points(moves, [1, 1])]
    ([0.0, 0.5, 1.0], [0.0, 0.5, 1.0])
    """
    points = [Point(0.0, chances[0].before, chances[0].error)]
    moves = iter(chances)
    for number, length in enumerate(rounds):
        for place in range(1, length + 1):
            move = next(moves)
            points.append(Point((number + place / length) / len(rounds), move.after, move.error_after))
    return points


def _across(x: float) -> str:
    return f"{100 * x:.2f}%"


def _down(chance: float) -> float:
    """Where a chance lies, from the top; where an estimate's doubt leaves the picture, it is cut."""
    return _TOP + _HEIGHT * (1 - min(max(chance, 0.0), 1.0))


def _levels(seats: int) -> tuple[tuple[float, str, str], ...]:
    """All, a fair share, and nothing: the chance, its words, and how its line is drawn."""
    fair = "even" if seats == 2 else f"fair share, {100 / seats:.0f} %"
    return (1.0, "100 %", "grid"), (1 / seats, fair, "even"), (0.0, "0 %", "grid")


def _grid(seats: int) -> str:
    return "".join(
        f'<line class="{kind}" x1="0" x2="100%" y1="{_down(chance):.1f}" y2="{_down(chance):.1f}"/>'
        for chance, _, kind in _levels(seats)
    )


def _labels(seats: int) -> str:
    return "".join(
        f'<text class="halo" x="4" y="{_down(chance) - 5:.1f}">{label}</text>'
        for chance, label, _ in _levels(seats)
    )


def _ticks(rounds: int) -> str:
    """Where rounds begin and end."""
    if rounds > _MOST_TICKS:
        return ""
    end = _TOP + _HEIGHT
    return "".join(_vertical("grid", tick / rounds, end, end + 6) for tick in range(rounds + 1))


def _vertical(kind: str, x: float, top: int, bottom: int) -> str:
    return f'<line class="{kind}" x1="{_across(x)}" x2="{_across(x)}" y1="{top}" y2="{bottom}"/>'


def _curve(points: Sequence[Point]) -> str:
    """The line, what lies under it, and how far it may be off; stretched to the picture's width."""

    def path(values: Sequence[tuple[float, float]]) -> str:
        return "L".join(f"{_WIDE * x:.1f} {_down(y) - _TOP:.1f}" for x, y in values)

    level = [(point.x, point.y) for point in points]
    doubt = ""
    if any(point.error for point in points):
        above = [(point.x, point.y + 2 * point.error) for point in points]
        below = [(point.x, point.y - 2 * point.error) for point in reversed(points)]
        doubt = f'<path class="doubt" d="M{path(above + below)}Z"/>'
    return (
        f'<svg x="0" y="{_TOP}" width="100%" height="{_HEIGHT}" viewBox="0 0 {_WIDE} {_HEIGHT}" '
        f'preserveAspectRatio="none" overflow="visible" aria-hidden="true">'
        f'<path class="area" d="M0 {_HEIGHT}L{path(level)}L{_WIDE} {_HEIGHT}Z"/>{doubt}'
        f'<path class="chance" d="M{path(level)}"/></svg>'
    )


def _label(x: float, change: str, place: str) -> str:
    """Words beside the mark, on the side where there is room; the place only where there is much."""
    anchor, shift = ("end", -8) if x > 0.5 else ("start", 8)
    return (
        f'<text class="strong halo" x="{_across(x)}" dx="{shift}" y="14" text-anchor="{anchor}">'
        f'{escape(change)}<tspan class="roomy">, {escape(place)}</tspan></text>'
    )


# --- the others ------------------------------------------------------------------------------------------


def bars(timing: Timing, adviser: str) -> str:
    """Two bars for each label: solid for you, hatched for the judge."""
    most = max(1.0, *timing.yours, *timing.judges)
    width = 320 / len(timing.labels)
    wide = min(36.0, width / 2 - 8)
    parts = ['<line class="base" x1="0" x2="320" y1="160.5" y2="160.5"/>']
    told = []
    for place, (label, yours, judges) in enumerate(
        zip(timing.labels, timing.yours, timing.judges, strict=True)
    ):
        middle = (place + 0.5) * width
        parts.append(_bar(middle - wide - 2, wide, yours / most, "solid", "strong", f"{yours}"))
        parts.append(_bar(middle + 2, wide, judges / most, "hatched", "", f"{judges:.1f}"))
        parts.append(f'<text x="{middle:.1f}" y="180" text-anchor="middle">{escape(label)}</text>')
        told.append(f"{label}: you {yours}, {adviser} {judges:.1f}")
    return picture("bars", 'viewBox="0 0 320 188"', timing.title, "; ".join(told), "".join(parts))


def _bar(x: float, wide: float, part: float, kind: str, words: str, number: str) -> str:
    high = 128 * part
    middle = x + wide / 2
    fill = ' fill="url(#hatch)"' if kind == "hatched" else ""
    return (
        f'<rect class="{kind}"{fill} x="{x:.1f}" y="{160 - high:.1f}" width="{wide:.1f}" '
        f'height="{high:.1f}"/><text class="{words}" x="{middle:.1f}" y="{153 - high:.1f}" '
        f'text-anchor="middle">{number}</text>'
    )


def scale(found: Readable) -> str:
    """From closed to an open book: the interval as a thick line, the number as a mark."""
    interval = f"95 % interval {found.low:.0f} to {found.high:.0f}"
    told = f"{found.number:.0f} of 100, where 0 is closed and 100 an open book; {interval}"
    body = (
        '<line class="grid" x1="0" x2="100%" y1="12" y2="12"/>'
        f'<line class="interval" x1="{found.low:.1f}%" x2="{found.high:.1f}%" y1="12" y2="12"/>'
        f'<line class="mark" x1="{found.number:.1f}%" x2="{found.number:.1f}%" y1="2" y2="22"/>'
    )
    return picture("scale", 'width="100%" height="24" overflow="visible"', "How readable", told, body)


def span(start: float, end: float) -> str:
    """A bar along a line from 0 to 1, hatched where it goes back: decoration beside the number."""
    left, right = sorted((start, end))
    kind = 'class="hatched" fill="url(#hatch)"' if end < start else 'class="solid"'
    wide = max(0.4, 100 * (right - left))
    return (
        '<svg width="100%" height="14" aria-hidden="true">'
        f'<rect {kind} x="{_across(min(left, 0.996))}" y="1" width="{wide:.2f}%" height="12"/></svg>'
    )


def card(glyph: str, name: str) -> str:
    """A card, face up; the glyph is markup already."""
    return (
        f'<svg viewBox="0 0 70 100" role="img" aria-label="{escape(name)}">'
        '<rect class="face" x="1" y="1" width="68" height="98" rx="4.5"/>'
        f'<svg class="glyph" x="15" y="22" width="40" height="40" viewBox="0 0 16 16">{glyph}</svg>'
        f'<text x="35" y="86" text-anchor="middle">{escape(name)}</text></svg>'
    )
