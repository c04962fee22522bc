"""Cards as boxes of letters: face up, face down, or the place where one will lie; and fans of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from facedown.core.parts.scene import Face, Held
from facedown.terminal.drawing.spans import Line, beside, cells, centre, cut, fit, pad
from facedown.terminal.settings import Look

SMALL: Final = (5, 3)
LARGE: Final = (9, 5)
"""Columns and rows."""


class Box(NamedTuple):
    """The letters that boxes are made of: corners clockwise from the upper left, then the lines."""

    corners: str
    across: str
    down: str


_THIN: Final = Box("╭╮╯╰", "─", "│")
_THICK: Final = Box("┏┓┛┗", "━", "┃")
_DOTTED: Final = Box("╭╮╯╰", "╌", "╎")
_ASCII: Final = Box("....", "-", "|")
_ASCII_THICK: Final = Box("++++", "=", "#")
_ASCII_DOTTED: Final = Box("....", ".", ":")


def box_lines(inside: Sequence[Line], width: int, box: Box, role: str) -> list[Line]:
    """Lines of exactly `width - 2` columns with a border around them."""
    one, two, three, four = tuple(box.corners)
    bar = box.across * (width - 2)
    rows: list[Line] = [[(f"{one}{bar}{two}", role)]]
    rows += [[(box.down, role), *line, (box.down, role)] for line in inside]
    return [*rows, [(f"{four}{bar}{three}", role)]]


def face_up(
    face: Face, look: Look, size: tuple[int, int], *, chosen: bool = False, faint: bool = False
) -> list[Line]:
    """A card that everybody at this screen may see."""
    width, height = size
    role = "ash faint" if faint else f"{face.role} strong"
    border = "lamp strong" if chosen else "line" if faint else "bone"
    index = face.ascii_index if look.ascii else face.index
    room = width - 2
    if height == SMALL[1]:
        inside: list[Line] = [[(centre(index, room), role)]]
    else:
        inside = [[(row, role)] for row in _face_rows(face, index, room, height - 2, look)]
    return box_lines(inside, width, _box(look, thick=chosen), border)


def _face_rows(face: Face, index: str, room: int, height: int, look: Look) -> list[str]:
    """The index in the corner, sign and name in the middle."""
    sign = "" if look.ascii else face.sign
    rows = [centre("", room) for _ in range(height)]
    rows[0] = pad(index, room)
    rows[height // 2] = centre(sign, room)
    rows[height // 2 + 1] = centre(face.name, room)
    return rows


def face_down(look: Look, size: tuple[int, int]) -> list[Line]:
    """A card face down: its back, and the seal."""
    width, height = size
    room = width - 2
    weave, seal = (":", "@") if look.ascii else ("░", "◉")
    middle = (height - 2) // 2
    side = weave * ((room - 3) // 2)
    rows: list[Line] = [[(weave * room, "ash")] for _ in range(height - 2)]
    rows[middle] = [(f"{side} ", "ash"), (seal, "seal strong"), (f" {side}", "ash")]
    return box_lines(rows, width, _box(look), "bone")


def place(look: Look, size: tuple[int, int], *, lit: bool) -> list[Line]:
    """Where a card will lie; lit where it is awaited."""
    width, height = size
    role = "lamp" if lit else "line"
    sign = "?" if lit else ""
    rows: list[Line] = [[(" " * (width - 2), "")] for _ in range(height - 2)]
    rows[(height - 2) // 2] = [(centre(sign, width - 2), role)]
    dotted = _ASCII_DOTTED if look.ascii else _DOTTED
    return box_lines(rows, width, dotted, role)


def backs(count: int, look: Look, room: int) -> Line:
    """The backs of another player's hand, as many as there is room for."""
    card = "[]" if look.ascii else "▐▌"
    shown = min(count, max(0, (room - 4) // 3))
    text = " ".join([card] * shown)
    more = f" +{count - shown}" if shown < count else ""
    return [(text, "ash"), (more, "ash")]


def fan(
    held: Sequence[Held], chosen: int | None, also: str, look: Look, width: int, *, large: bool
) -> list[Line]:
    """The hand; the chosen card stands a row above the others. Cards are small if there is little room for
    large ones, and overlap if there is little for small ones."""
    size = LARGE if large and len(held) * (LARGE[0] + 1) <= width else SMALL
    whole = size[0] + 1
    first, last = 0, len(held)
    step = whole if len(held) * whole <= width else size[0] - 1
    fitting = max(1, (width - size[0] - 8) // step + 1)
    if len(held) > fitting:  # too many: those around the chosen one
        first = min(max(0, (chosen or 0) - fitting // 2), len(held) - fitting)
        last = first + fitting
    blocks: list[list[Line]] = []
    if first:
        blocks.append(_more(f"<{first}", size))
    for number in range(first, last):
        up = number == chosen
        card = face_up(held[number].face, look, size, chosen=up, faint=not held[number].pick)
        under_next = step != whole and not up and number != last - 1
        shown = size[0] - 1 if under_next else size[0]
        if under_next:
            card = [fit(line, shown) for line in card]
        blank: Line = [(" " * shown, "")]
        under: Line = [(centre("^" if look.ascii else "▲", shown), "lamp strong")]
        if up and also:
            under = [(centre(cut(also, shown), shown), "seal strong")]
        blocks.append([*card, under] if up else [blank, *card])
    if last < len(held):
        blocks.append(_more(f"{len(held) - last}>", size))
    return beside(blocks, 1 if step == whole else 0)


def _more(text: str, size: tuple[int, int]) -> list[Line]:
    rows: list[Line] = [[(" " * (cells(text) + 1), "")] for _ in range(size[1] + 1)]
    rows[1 + size[1] // 2] = [(f"{text} ", "ash")]
    return rows


def _box(look: Look, *, thick: bool = False) -> Box:
    if look.ascii:
        return _ASCII_THICK if thick else _ASCII
    return _THICK if thick else _THIN
