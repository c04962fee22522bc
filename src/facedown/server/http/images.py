"""Images that the server draws: QR codes of links, and result images of finished games for link previews.

Pillow (extra `pictures`) draws a result with the fonts of the page and the two cards that decided, in the
layout of the browser's own (`web/app/parts/result_picture.js`).
"""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files
from importlib.util import find_spec
from io import BytesIO
from typing import TYPE_CHECKING, Final, NamedTuple

from facedown.core import registry
from facedown.core.parts.story import CARD_SIZE, IMAGE

if TYPE_CHECKING:
    from PIL.Image import Image
    from PIL.ImageDraw import ImageDraw
    from PIL.ImageFont import FreeTypeFont

WIDE, HIGH = 1200, 630
_SERIF, _PLAIN = "shippori-mincho-500.woff2", "inter.woff2"
_PLACES: Final = (((820, 330), 226, -13), ((1010, 292), 250, 5))
"""Of the beaten card and the winner's in front of it: the middle, the width, the turn in degrees."""
_INK, _LAMP, _BONE, _SOFT, _RED = "#12100e", "#4a3822", "#efe6d2", "#b6aa92", "#c8321f"


def qr_svg(text: str) -> str:
    """The text as a QR code, an SVG that fills its box."""
    import segno

    svg = BytesIO()
    code = segno.make(text, micro=False)
    code.save(svg, kind="svg", border=3, light="#ffffff", xmldecl=False, omitsize=True)
    return svg.getvalue().decode()


class ResultRow(NamedTuple):
    """One seat: its name, its score if the game has one, and whether it won."""

    name: str
    score: int | None
    won: bool


class ShownCard(NamedTuple):
    """One of the two cards that decided: its place in the game's image, its name if it bears one, and whether
    it won."""

    place: int
    name: str
    won: bool | None


class Result(NamedTuple):
    """Everything that an image of a result shows."""

    title: str
    headline: str
    story: str
    rows: tuple[ResultRow, ...]
    game: str = ""
    cards: tuple[ShownCard, ...] = ()


def can_draw() -> bool:
    """Whether this server can draw results; if not, a preview shows the icon."""
    return find_spec("PIL") is not None


@lru_cache(maxsize=128)
def result_png(result: Result) -> bytes:
    """The result image as a PNG, cached."""
    from PIL import Image, ImageDraw

    image = Image.new("RGB", (WIDE, HIGH), _INK)
    glow = Image.radial_gradient("L").resize((1040, 800)).point(lambda dark: 255 - min(255, int(dark * 1.42)))
    image.paste(Image.new("RGB", glow.size, _LAMP), (410, -90), glow)
    for card, (middle, width, turn) in zip(result.cards, _PLACES, strict=False):
        _put_card(image, _card(result.game, card), middle, width, turn)
    draw = ImageDraw.Draw(image)
    wide = 580 if result.cards else 1040
    _line(draw, result.title, (72, 92), _PLAIN, 26, wide, _SOFT)
    _line(draw, result.headline, (72, 178), _SERIF, 72, wide, _BONE)
    _line(draw, result.story, (72, 232), _SERIF, 29, wide, _SOFT)
    rows = result.rows
    step = min(60.0, 240 / max(len(rows), 1))
    for place, row in enumerate(rows):
        y, colour, size = 316 + place * step, _BONE if row.won else _SOFT, round(min(36, step * 0.66))
        if row.won:
            draw.circle((82, y - size * 0.32), size * 0.28, _RED)
        _line(draw, row.name, (110, y), _SERIF, size, wide - 160, colour)
        if row.score is not None:
            draw.text((72 + wide, y), str(row.score), colour, _font(_SERIF, size), anchor="rs")
    draw.text((72, 584), "Facedown", _BONE, _font(_SERIF, 30), anchor="ls")
    png = BytesIO()
    image.save(png, "PNG")
    return png.getvalue()


def _line(
    draw: ImageDraw, text: str, at: tuple[float, float], font: str, size: int, wide: int, colour: str
) -> None:
    """A line of text, smaller if it would not fit."""
    taken = _font(font, size).getlength(text)
    fitting = size if taken <= wide else max(12, int(size * wide / taken))
    draw.text(at, text, colour, _font(font, fitting), anchor="ls")


def _card(game: str, card: ShownCard) -> Image:
    """One card out of the game's image, with its name, and a veil over it if it was beaten."""
    from PIL import Image, ImageDraw

    wide, high = CARD_SIZE
    face = _cards_of(game).crop((card.place * wide, 0, (card.place + 1) * wide, high))
    if card.name:
        font, draw = _font(_SERIF, round(wide * 0.105)), ImageDraw.Draw(face)
        draw.text((wide / 2, high * 0.917), card.name, "#1d1a17", font, anchor="ms")
    if card.won is False:
        veil = Image.new("RGBA", face.size, "#70707080")
        veil.putalpha(face.getchannel("A").point(lambda seen: seen // 2))
        face.alpha_composite(veil)
    return face


def _put_card(image: Image, card: Image, at: tuple[int, int], wide: int, turn: float) -> None:
    """Lay a card on the image with its shadow, turned by some degrees; `at` is its middle."""
    from PIL import Image, ImageFilter

    large = card.resize((wide * 2, round(wide * 2 * card.height / card.width)), Image.Resampling.LANCZOS)
    turned = large.rotate(-turn, Image.Resampling.BICUBIC, expand=True)
    laid = turned.resize(
        (turned.width // 2, turned.height // 2), Image.Resampling.BOX
    )  # its edges are smooth
    x, y = at[0] - laid.width // 2, at[1] - laid.height // 2
    shadow = Image.new("L", (laid.width + 80, laid.height + 80))
    shadow.paste(laid.getchannel("A").point(lambda seen: seen // 2), (40, 40))
    image.paste(Image.new("RGB", shadow.size), (x - 40, y - 28), shadow.filter(ImageFilter.GaussianBlur(14)))
    image.paste(laid, (x, y), laid)


@lru_cache(maxsize=8)
def _cards_of(game: str) -> Image:
    from PIL import Image

    file = files(registry.packages()[game]).joinpath(IMAGE)
    return Image.open(BytesIO(file.read_bytes())).convert("RGBA")


@lru_cache(maxsize=128)
def _font(file: str, size: int) -> FreeTypeFont:
    from PIL import ImageFont

    return ImageFont.truetype(BytesIO(files("facedown").joinpath("web", "vendor", file).read_bytes()), size)


@lru_cache(maxsize=4096)
def can_write(text: str) -> bool:
    """Whether our typeface has every letter of a text."""
    font = _font(_SERIF, 24)
    missing = bytes(font.getmask("\U0010ffff"))
    return all(each == " " or bytes(font.getmask(each)) != missing for each in text)
