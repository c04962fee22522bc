"""The charts of a review, as SVG: the line of chances, bars, a scale. Texts in them are real text.

They are as wide as the page lets them be: places along it are in percent, heights and letters in pixels.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape
from typing import Final, NamedTuple, TypeAlias

from facedown.core.parts.judge import Chances, Timing
from facedown.core.text.translation import Text, in_groups
from facedown.review import message
from facedown.review.predictability import Predictability
from facedown.review.words import timing_rows

Say: TypeAlias = "Callable[[Text], str]"
"""Translates a text to the language of the page."""

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


class ChartPoint(NamedTuple):
    """The chances at one moment; both from 0 to 1, `x` along the game."""

    x: float
    y: float
    error: float


def chart(kind: str, size: str, title: str, description: str, body: str) -> str:
    """An SVG with a text that describes what it shows."""
    ids = f"{kind}-title {kind}-desc"
    return (
        f'<svg class="{kind}" {size} role="img" aria-labelledby="{ids}">'
        f'<title id="{kind}-title">{escape(title)}</title><desc id="{kind}-desc">{escape(description)}</desc>'
        f"{body}</svg>"
    )


# --- the line --------------------------------------------------------------------------------------------


def line(chances: Sequence[Chances], rounds: Sequence[int], seats: int, swing: Chances, say: Say) -> str:
    """The chances over the game. `rounds` are their lengths in decisions; the swing is marked."""
    points = line_points(chances, rounds)
    mark = points[swing.decision]
    change = f"{100 * swing.before:.0f} → {100 * swing.after:.0f} %"
    label = message("chart.swing", change=change, place=swing.place)
    levels, labels = _levels(seats, say)
    body = (
        levels
        + _ticks(len(rounds))
        + _curve(points)
        + labels
        + _vertical("swing", mark.x, 4, _TOP + _HEIGHT)
        + f'<circle class="swing-dot" cx="{_across(mark.x)}" cy="{_down(mark.y):.1f}" r="5"/>'
        + _swing_label(mark.x, change, say(label))
    )
    description = message("chart.description", start=100 * points[0].y, end=100 * points[-1].y, swing=label)
    size = f'width="100%" height="{_TOP + _HEIGHT + 12}"'
    return chart("chances", size, say(message("chart.title")), say(description), body)


def line_points(chances: Sequence[Chances], rounds: Sequence[int]) -> list[ChartPoint]:
    """The start, and the chances after every decision; all rounds are equally wide.

    >>> moves = [Chances(1, "", 0.5, 0.6, 0.0, 0.0), Chances(2, "", 0.6, 1.0, 0.0, 0.0)]
    >>> [point.x for point in line_points(moves, [2])], [point.x for point in line_points(moves, [1, 1])]
    ([0.0, 0.5, 1.0], [0.0, 0.5, 1.0])
    """
    points = [ChartPoint(0.0, chances[0].before, chances[0].error)]
    moves = iter(chances)
    for number, length in enumerate(rounds):
        for place in range(1, length + 1):
            move = next(moves)
            points.append(ChartPoint((number + place / length) / len(rounds), move.after, move.error_after))
    return points


def _across(x: float) -> str:
    return f"{100 * x:.2f}%"


def _down(chance: float) -> float:
    """Where a chance lies, from the top; where an estimate's doubt leaves the picture, it is cut."""
    return _TOP + _HEIGHT * (1 - min(max(chance, 0.0), 1.0))


def _levels(seats: int, say: Say) -> tuple[str, str]:
    """Horizontal lines at a sure win, a fair share and none; and their labels."""
    fair = say(message("chart.even") if seats == 2 else message("chart.fair", share=100 / seats))
    lines = labels = ""
    for chance, label, kind in ((1.0, "100 %", "grid"), (1 / seats, fair, "even"), (0.0, "0 %", "grid")):
        y = _down(chance)
        lines += f'<line class="{kind}" x1="0" x2="100%" y1="{y:.1f}" y2="{y:.1f}"/>'
        labels += f'<text class="halo" x="4" y="{y - 5:.1f}">{escape(label)}</text>'
    return lines, labels


def _ticks(rounds: int) -> str:
    """Where rounds begin and end."""
    if rounds > _MOST_TICKS:
        return ""
    end = _TOP + _HEIGHT
    return "".join(_vertical("grid", tick / rounds, end, end + 6) for tick in range(rounds + 1))


def _vertical(kind: str, x: float, top: int, bottom: int) -> str:
    return f'<line class="{kind}" x1="{_across(x)}" x2="{_across(x)}" y1="{top}" y2="{bottom}"/>'


def _curve(points: Sequence[ChartPoint]) -> str:
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


def _swing_label(x: float, change: str, label: str) -> str:
    """The label of the mark, on the side where there is room; where there is little, only the change."""
    anchor, shift = ("end", -8) if x > 0.5 else ("start", 8)
    before, _, after = label.partition(change)
    return (
        f'<text class="strong halo" x="{_across(x)}" dx="{shift}" y="14" text-anchor="{anchor}">'
        f"{_roomy(before)}{escape(change)}{_roomy(after)}</text>"
    )


def _roomy(text: str) -> str:
    return f'<tspan class="roomy">{escape(text)}</tspan>' if text else ""


# --- the others ------------------------------------------------------------------------------------------


def bars(timing: Timing, adviser: Text, say: Say) -> str:
    """Two bars for each label: solid for the reader, hatched for the judge."""
    most = max(1.0, *timing.yours, *timing.judges)
    width = 320 / len(timing.labels)
    wide = min(36.0, width / 2 - 8)
    parts = ['<line class="base" x1="0" x2="320" y1="160.5" y2="160.5"/>']
    for place, (label, yours, judges) in enumerate(
        zip(timing.labels, timing.yours, timing.judges, strict=True)
    ):
        middle = (place + 0.5) * width
        parts.append(_bar(middle - wide - 2, wide, yours / most, "solid", "strong", f"{yours}"))
        parts.append(_bar(middle + 2, wide, judges / most, "hatched", "", f"{judges:.1f}"))
        parts.append(f'<text x="{middle:.1f}" y="180" text-anchor="middle">{escape(say(label))}</text>')
    description = in_groups(timing_rows(timing, adviser))
    return chart("bars", 'viewBox="0 0 320 188"', say(timing.title), say(description), "".join(parts))


def _bar(x: float, wide: float, part: float, kind: str, words: str, number: str) -> str:
    high = 128 * part
    middle = x + wide / 2
    fill = ' fill="url(#hatch)"' if kind == "hatched" else ""
    return (
        f'<rect class="{kind}"{fill} x="{x:.1f}" y="{160 - high:.1f}" width="{wide:.1f}" '
        f'height="{high:.1f}"/><text class="{words}" x="{middle:.1f}" y="{153 - high:.1f}" '
        f'text-anchor="middle">{number}</text>'
    )


def scale(found: Predictability, say: Say) -> str:
    """From unpredictable to an open book: the interval as a thick line, the number as a mark."""
    description = message("chart.scale_description", number=found.number, low=found.low, high=found.high)
    body = (
        '<line class="grid" x1="0" x2="100%" y1="12" y2="12"/>'
        f'<line class="interval" x1="{found.low:.1f}%" x2="{found.high:.1f}%" y1="12" y2="12"/>'
        f'<line class="mark" x1="{found.number:.1f}%" x2="{found.number:.1f}%" y1="2" y2="22"/>'
    )
    size = 'width="100%" height="24" overflow="visible"'
    return chart("scale", size, say(message("chart.scale")), say(description), body)


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
