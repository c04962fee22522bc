"""A table painted on a screen of any size: pure, from what one viewer may see to lines of spans.

Two seats face each other across two places; more sit in a row on the far side. What matters most stays when
there is little room.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from facedown.core.seats import SPECTATOR, Seat, Viewer
from facedown.terminal import cards
from facedown.terminal.look import (
    Line,
    Look,
    beside,
    cells,
    centred,
    cut,
    fitted,
    in_the_middle,
    indented,
    line_cells,
    padded,
    wrapped,
)
from facedown.terminal.scene import Cell, Face, Held, Scene
from facedown.terminal.words import Words

LEAST: Final = (72, 20)
"""Columns and rows without which nothing can be played."""
_RAIL: Final = 30
"""Columns of the right side, where two face each other."""
_WIDEST: Final = 116
DOWN: Final = ""
"""What lies in a place face down."""


@dataclass(frozen=True, slots=True)
class Stage:
    """All that a screen shows of a table at one moment."""

    title: str
    about: str
    """The rules and the company, in a few words."""
    scene: Scene
    names: tuple[str, ...]
    viewer: Viewer
    laid: tuple[Face | str | None, ...]
    """By seat: a card face up, `DOWN`, or None for an empty place."""
    stale: bool
    """Whether the cards that lie face up are those of the turn before."""
    lamp: tuple[Seat, ...]
    """Who is being waited for."""
    held: tuple[Held, ...] = ()
    chosen: int | None = None
    also: str = ""
    """The key of what else is to be done with the chosen card."""
    prompt: str = ""
    tip: str = ""
    log: tuple[str, ...] = ()
    keys: tuple[tuple[str, str], ...] = ()
    notice: str = ""
    told: tuple[str, ...] = ()
    """The game's own text of the table, for games that say no more."""


class Touch(NamedTuple):
    """Where a card of the fan can be touched."""

    top: int
    bottom: int
    left: int
    right: int
    card: int


class Painted(NamedTuple):
    """The lines of a screen, and what can be touched."""

    lines: list[Line]
    touch: tuple[Touch, ...] = ()


def paint(stage: Stage, width: int, height: int, look: Look, words: Words) -> Painted:
    """The whole screen: exactly `height` lines of `width` columns."""
    room = min(width, _WIDEST)
    margin = (width - room) // 2
    tight = height < 24
    top = _header(stage, room, look)
    middle = _middle(stage, room, look, words, tight=tight)
    fan = _fan(stage, room, look, large=height >= 22)
    asked = _asked(stage, room, words)
    bottom = [_keys(stage.keys, room)]
    free = height - len(top) - len(middle) - len(fan.lines) - len(asked) - len(bottom)
    gaps = (free >= 6, free >= 9)  # nothing moves when the log grows
    log = _log(stage, room, free - sum(gaps), look)
    lines = [*top, *_blank(gaps[0]), *middle, *_blank(gaps[1])]
    at = len(lines)
    lines += [*fan.lines, *asked, *log][: max(0, height - len(lines) - len(bottom))]
    lines += _blank(height - len(lines) - len(bottom)) + bottom
    touch = tuple(
        Touch(at, at + len(fan.lines), margin + left, margin + right, card) for left, right, card in fan.touch
    )
    return Painted([fitted(line, width) for line in indented(lines[:height], margin)], touch)


def framed(
    title: str,
    body: Sequence[Line],
    keys: Sequence[tuple[str, str]],
    width: int,
    height: int,
    look: Look,
    top: int = 0,
) -> list[Line]:
    """A page with a title and keys around a part of its body, from line `top` on."""
    room = min(width, _WIDEST)
    margin = (width - room) // 2
    seal = "@" if look.ascii else "◉"
    head: Line = [(f" {seal} ", "seal strong"), (title, "bone strong")]
    rule: Line = [(("-" if look.ascii else "─") * room, "line")]
    shown = list(body[top : top + page_room(height)])
    lines = [head, rule, *shown, *_blank(height - len(shown) - 3), _keys(keys, room)]
    return [fitted(line, width) for line in indented(lines[:height], margin)]


def page_room(height: int) -> int:
    """How many lines of a page's body a screen shows."""
    return max(1, height - 3)


def too_small(width: int, height: int, words: Words) -> list[Line]:
    """What is said where there is no room for anything else."""
    said = [
        words("too_small", width=width, height=height),
        words("too_small_needs", width=LEAST[0], height=LEAST[1]),
    ]
    lines: list[Line] = [[(line, "bone")] for text in said for line in wrapped(text, max(8, width))]
    return [fitted(line, width) for line in (lines + _blank(height))[:height]]


def _blank(count: int) -> list[Line]:
    return [[] for _ in range(max(0, count))]


def _header(stage: Stage, width: int, look: Look) -> list[Line]:
    seal = "@" if look.ascii else "◉"
    left: Line = [(f" {seal} ", "seal strong"), (stage.title, "bone strong"), (f"  {stage.about}", "ash")]
    right = stage.scene.heading
    room = width - cells(right) - 2
    line = [*fitted(left, room), (f" {right} ", "bone")]
    rule = ("-" if look.ascii else "─") * width
    return [line, [(rule, "line")]]


# --- the table -------------------------------------------------------------------------------------------


def _middle(stage: Stage, width: int, look: Look, words: Words, *, tight: bool) -> list[Line]:
    if stage.told:
        return [[(f"  {line}", "bone")] for line in stage.told]
    if len(stage.names) == 2:
        return _duel(stage, width, look, words, tight=tight)
    return _ring(stage, width, look, words, tight=tight)


def _duel(stage: Stage, width: int, look: Look, words: Words, *, tight: bool) -> list[Line]:
    """The other above, two places, the viewer below; the grid, or the piles, on the right."""
    mine = stage.viewer or 1
    other = 3 - mine
    left_width = width - _RAIL - 2
    their_place = _place(stage, other, look, cards.LARGE)
    my_place = _place(stage, mine, look, cards.LARGE)
    labels = [_label(stage, seat, words) for seat in (other, mine)]
    half = left_width // 2
    places = beside([their_place, my_place], 8)
    under: Line = [(centred(labels[0][0], half), labels[0][1]), (centred(labels[1][0], half), labels[1][1])]
    left = [
        _chair(stage, other, left_width),
        [("  ", ""), *cards.backs(stage.scene.chairs[other - 1].cards, look, left_width - 4)],
        *in_the_middle(places, left_width),
        under,
        _chair(stage, mine, left_width),
    ]
    if stage.viewer == SPECTATOR:
        left.append([("  ", ""), *cards.backs(stage.scene.chairs[mine - 1].cards, look, left_width - 4)])
    right = _rail(stage, look, _RAIL, 10 if tight else 11)
    return [
        *([_mood(stage, width)] if stage.scene.mood else []),
        *beside([[fitted(line, left_width) for line in left], right], 2),
    ]


def _label(stage: Stage, seat: Seat, words: Words) -> tuple[str, str]:
    """What is said under a place, and in which role."""
    name = cut(stage.names[seat - 1], 12)
    if stage.laid[seat - 1] == DOWN:
        return f"{name}: {words('is_down')}", "bone"
    if seat in stage.lamp:
        return f"{name}: {words('to_place')}", "lamp strong"
    note = stage.scene.chairs[seat - 1].note
    return (f"{name}: {note}" if note else name), "ash"


def _chair(stage: Stage, seat: Seat, width: int) -> Line:
    chair = stage.scene.chairs[seat - 1]
    line: Line = []
    if chair.role:
        line.append((f"  {chair.role}", f"{chair.tone} strong"))
    if chair.account:
        line.append((f"  {chair.account}", "ash"))
    name = cut(stage.names[seat - 1], max(6, min(24, width - 2 - line_cells(line))))
    return fitted([(f"  {name}", "bone strong"), *line], width)


def _place(stage: Stage, seat: Seat, look: Look, size: tuple[int, int]) -> list[Line]:
    lies = stage.laid[seat - 1]
    if isinstance(lies, Face):
        return cards.face_up(lies, look, size, faint=stage.stale)
    if lies == DOWN:
        return cards.face_down(look, size)
    return cards.place(look, size, lit=seat in stage.lamp)


def _ring(stage: Stage, width: int, look: Look, words: Words, *, tight: bool) -> list[Line]:
    """The others in a row, in seat order after the viewer; stock, discards and the viewer's place below."""
    seats = len(stage.names)
    mine = stage.viewer
    others = [(mine + step - 1) % seats + 1 for step in range(1, seats + (mine == SPECTATOR))]
    column = min(18, (width - 1) // len(others))
    blocks = [_far(stage, seat, column, look, words) for seat in others]
    row = in_the_middle(beside(blocks, 0), width)
    piles = _piles(stage, look, 24)
    near: list[list[Line]] = [piles]
    if mine:
        near.append(_place(stage, mine, look, cards.SMALL))
        name, role = _label(stage, mine, words)
        near.append([[], [(name, role)], [(stage.scene.chairs[mine - 1].account, "ash")]])
    lines = [*([_mood(stage, width)] if stage.scene.mood else []), *row]
    if not tight:
        lines.append([])
    return [*lines, *indented(beside(near, 3), 2)]


def _far(stage: Stage, seat: Seat, width: int, look: Look, words: Words) -> list[Line]:
    """A seat on the far side, in one column."""
    chair = stage.scene.chairs[seat - 1]
    lit = seat in stage.lamp
    card = [centre_line(line, width) for line in _place(stage, seat, look, cards.SMALL)]
    if chair.away:
        card = [*_blank(1), [(centred("-", width), "line")], *_blank(1)]
    note = words("is_down") if stage.laid[seat - 1] == DOWN else words("to_place") if lit else chair.note
    name = centred(cut(stage.names[seat - 1], width - 1), width)
    return [
        [(name, "ash faint" if chair.away else "lamp strong" if lit else "bone strong")],
        [(centred(chair.account, width), "ash")],
        *card,
        [(centred(note, width), "lamp" if lit else "ash")],
    ]


def centre_line(line: Line, width: int) -> Line:
    """A line of spans in the middle of this width."""
    return fitted([(" " * ((width - line_cells(line)) // 2), ""), *line], width)


def _mood(stage: Stage, width: int) -> Line:
    return [(centred(stage.scene.mood, width), "seal strong")]


# --- the right side --------------------------------------------------------------------------------------


def _rail(stage: Stage, look: Look, width: int, height: int) -> list[Line]:
    lines: list[Line] = []
    if stage.scene.grid:
        lines += _grid(stage, look, width, height)
    if stage.scene.piles:
        lines += [[], *_piles(stage, look, width)]
    return lines + [[(line, "ash")] for line in stage.scene.lines]


def _grid(stage: Stage, look: Look, width: int, height: int) -> list[Line]:
    """The rounds, a row for each group; long ones are broken, and the latest stay."""
    rows = stage.scene.grid
    label = max(cells(row.label) for row in rows) + 1
    cell = max(5, max(cells(each.text) for row in rows for each in row.cells) + 3)
    across = max(1, (width - label) // cell)
    lines: list[Line] = []
    now = 0
    for row in rows:
        for start in range(0, len(row.cells), across):
            part = row.cells[start : start + across]
            head = padded(row.label if start == 0 else "", label)
            lines.append([(head, "ash"), *(_cell(each, stage.viewer, cell, look) for each in part)])
            if any(each.when != "later" for each in part):
                now = len(lines)
    legend = _legend(stage, look, width)
    room = height - 1 - len(legend)
    first = max(0, min(now - room + 1, len(lines) - room))
    return [[(cut(stage.scene.grid_title, width), "bone")], *lines[first : first + room], *legend]


def _cell(cell: Cell, viewer: Viewer, width: int, look: Look) -> tuple[str, str]:
    if cell.when == "later":
        return padded(" ." if look.ascii else " ·", width), "line"
    if cell.when == "now":
        return padded(f"[{cell.text}]", width), "lamp strong"
    up, down, none = ("^", "v", "-") if look.ascii else ("▲", "▽", "–")
    if not cell.winner:
        return padded(f" {none}", width), "ash"
    mine = cell.winner == (viewer or 1)
    return padded(f" {up if mine else down}{cell.text}", width), "bone strong" if mine else "ash"


def _legend(stage: Stage, look: Look, width: int) -> list[Line]:
    """Whose the signs are."""
    mine = stage.viewer or 1
    up, down = ("^", "v") if look.ascii else ("▲", "▽")
    half = (width - 6) // 2
    names = [cut(stage.names[seat - 1], half) for seat in (mine, 3 - mine)]
    return [[], [(f"{up} {names[0]}  {down} {names[1]}", "ash")]]


def _piles(stage: Stage, look: Look, width: int) -> list[Line]:
    """Stock and discards as heaps with their counts."""
    blocks: list[list[Line]] = []
    for name, count in stage.scene.piles:
        heap = ("[##]" if look.ascii else "▐▒▒▌") if count else ("[  ]" if look.ascii else "▐  ▌")
        room = max(cells(name), 8)
        blocks.append(
            [[(padded(name, room), "ash")], [(heap, "ash"), (f" {count}", "bone strong")]],
        )
    return beside(blocks, 3)


# --- the viewer's side -----------------------------------------------------------------------------------


def _fan(stage: Stage, width: int, look: Look, *, large: bool) -> cards.Fan:
    if not stage.held:
        return cards.Fan([], ())
    word = ""
    if stage.chosen is not None and stage.also:
        word = next((word for key, _, word in stage.held[stage.chosen].also if key == stage.also), "")
    drawn = cards.fan(stage.held, stage.chosen, word, look, width - 4, large=large)
    margin = 2 if len(stage.names) > 2 else max(2, (width - _RAIL - 2 - line_cells(drawn.lines[0])) // 2)
    margin = min(margin, max(0, width - line_cells(drawn.lines[0])))
    touch = tuple((left + margin, right + margin, card) for left, right, card in drawn.touch)
    return cards.Fan(indented(drawn.lines, margin), touch)


def _asked(stage: Stage, width: int, words: Words) -> list[Line]:
    lines: list[Line] = []
    if stage.notice:
        lines += [[(f"  {line}", "seal strong")] for line in wrapped(stage.notice, width - 4)]
    prompt = wrapped(stage.prompt, width - 4)[:2] if stage.prompt else []
    lines += [[(f"  {line}", "bone")] for line in prompt]
    if stage.tip and len(prompt) < 2:
        lines.append([(f"  {cut(stage.tip, width - 4)}", "ash")])
    return lines + _blank(2 - len(lines))


def _log(stage: Stage, width: int, height: int, look: Look) -> list[Line]:
    """The latest of what happened, as much as there is room for, under a thin line."""
    if height < 2:
        return []
    lines: list[Line] = []
    for number, sentence in enumerate(stage.log):
        role = "bone" if number == len(stage.log) - 1 else "ash"
        lines += [[(f"  {line}", role)] for line in wrapped(sentence, width - 4, "  ")]
    rule: Line = [("  " + ("-" if look.ascii else "─") * (width - 4), "line")]
    return [rule, *lines[-(height - 1) :]] if lines else []


def _keys(keys: Sequence[tuple[str, str]], width: int) -> Line:
    line: Line = [(" ", "")]
    for key, word in keys:
        span: Line = [(key, "bone strong"), (f" {word}  ", "ash")]
        if line_cells(line) + line_cells(span) <= width:
            line += span
    return line
