"""`python -m scripts.card_images`: the cards of each game side by side in one image, for what a server draws.

They are the browser's own drawings, made by Chromium. A card's name is left out: servers write it in the
reader's language.
"""

from __future__ import annotations

import base64
from importlib.resources import files
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from PIL import Image

from facedown.core import registry
from facedown.core.parts.story import CARD_SIZE, IMAGE, drawn_cards
from tests.server.running import Server
from tests.web.chromium import chromium

_DRAW: Final = """async ([game, picks, wide, high]) => {
  const { drawing, fontRules, svgAddress } = await import("/app/parts/result_picture.js");
  const { tableOf } = await import("/app/state/games.js");
  const { html } = await import("/app/html.js");
  const { Pick } = await tableOf(game);
  const fonts = await fontRules();
  const canvas = document.createElement("canvas");
  Object.assign(canvas, { width: wide * picks.length, height: high });
  for (const [place, pick] of picks.entries()) {
    const size = `width="${wide}" height="${high}"`;
    const card = drawing(html`<${Pick} pick=${pick} size="card" words=${() => ""} />`, size);
    const provided = [...document.querySelectorAll("body > div > svg > defs")];
    const defs = provided.map((each) => each.innerHTML).join("");
    const image = new Image(wide, high);
    const begins = `<svg xmlns="http://www.w3.org/2000/svg" ${size}>`;
    image.src = svgAddress(`${begins}<style>${fonts}</style><defs>${defs}</defs>${card}</svg>`);
    await image.decode();
    canvas.getContext("2d").drawImage(image, place * wide, 0, wide, high);
  }
  return canvas.toDataURL("image/png").split(",")[1];
}"""


def main() -> None:
    """Draw the cards of all games and write their images."""
    with TemporaryDirectory() as folder, chromium() as browser:
        server = Server(Path(folder) / "data", FACEDOWN_CLIENT="sources").start()
        page = browser.new_page()
        page.goto(server.base)
        for game in registry.names():
            if cards := drawn_cards(game):
                drawn = base64.b64decode(page.evaluate(_DRAW, [game, list(cards), *CARD_SIZE]))
                to = Path(str(files(registry.packages()[game]) / IMAGE))
                Image.open(BytesIO(drawn)).save(to, "WEBP", quality=72, method=6)
                print(f"{to}: {len(cards)} cards, {to.stat().st_size} bytes")
        server.close()


if __name__ == "__main__":
    main()
