"""Images that the server draws: QR codes of links, and result images of finished games for link previews.

Pillow (extra `pictures`) draws a result with the fonts of the page, in the layout of the browser's own
(`web/app/parts/result_picture.js`).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from importlib.resources import files
from importlib.util import find_spec
from io import BytesIO
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from PIL.ImageFont import FreeTypeFont

WIDE, HIGH = 1200, 630
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


def can_draw() -> bool:
    """Whether this server can draw results; if not, a preview shows the icon."""
    return find_spec("PIL") is not None


@lru_cache(maxsize=128)
def result_png(title: str, headline: str, rows: Sequence[ResultRow]) -> bytes:
    """The result image as a PNG, cached."""
    from PIL import Image, ImageDraw

    image = Image.new("RGB", (WIDE, HIGH), _INK)
    glow = Image.radial_gradient("L").resize((1520, 800)).point(lambda dark: 255 - min(255, int(dark * 1.42)))
    image.paste(Image.new("RGB", glow.size, _LAMP), (-160, -100), glow)
    draw = ImageDraw.Draw(image)
    serif, plain = "shippori-mincho-500.woff2", "inter.woff2"
    draw.text((80, 112), _short(title, 60), _SOFT, _font(plain, 30), anchor="ls")
    draw.text((80, 196), _short(headline, 34), _BONE, _font(serif, 64), anchor="ls")
    step = min(72.0, 300 / max(len(rows), 1))
    size = round(min(44, step * 0.66))
    for place, row in enumerate(rows):
        y = 300 + place * step
        colour = _BONE if row.won else _SOFT
        if row.won:
            draw.circle((96, y - size * 0.32), size * 0.3, _RED)
        draw.text((132, y), _short(row.name, 28), colour, _font(serif, size), anchor="ls")
        if row.score is not None:
            draw.text((1104, y), str(row.score), colour, _font(serif, size), anchor="rs")
    draw.text((1120, 586), "Facedown", _BONE, _font(serif, 28), anchor="rs")
    png = BytesIO()
    image.save(png, "PNG")
    return png.getvalue()


@lru_cache(maxsize=32)
def _font(file: str, size: int) -> FreeTypeFont:
    from PIL import ImageFont

    return ImageFont.truetype(BytesIO(files("facedown").joinpath("web", "vendor", file).read_bytes()), size)


def _short(text: str, longest: int) -> str:
    return text if len(text) <= longest else text[: longest - 1] + "…"
