"""Gallery page: a browser tab that shows recorded views of a game and reports what the page did."""

from __future__ import annotations

from typing import Any, Final

from playwright.sync_api import Browser, Page

from tests.web.games.views import JSON
from tests.web.unpainted import leave_unpainted

_LAID_OUT: Final = """async ([wide, high]) => {
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  while (innerWidth !== wide || innerHeight !== high) await frame();
  await frame();
  await frame();
}"""


_MOTION: Final = """(moves) => {
  if (!globalThis.still) {
    globalThis.still = new CSSStyleSheet();
    still.replaceSync("* { transition: none !important; animation: none !important }");
    document.adoptedStyleSheets.push(still);
  }
  still.disabled = moves;
}"""


class GalleryPage:
    """One page; warnings and errors of its console are kept in `complaints`."""

    def __init__(self, browser: Browser, url: str) -> None:
        self.complaints: list[str] = []
        self._context = browser.new_context(color_scheme="dark")
        leave_unpainted(self._context)
        self.page: Page = self._context.new_page()
        self.page.on("console", lambda said: self._heard(said.type, said.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.goto(url)
        self.page.wait_for_selector("html[data-ready]")
        self.dress()

    def dress(self, *, wide: int = 1440, high: int = 900, light: bool = False) -> None:
        """As large as a desk or a phone, dark or light."""
        self.page.set_viewport_size({"width": wide, "height": high})
        self.page.emulate_media(color_scheme="light" if light else "dark")

    def moves(self, moves: bool) -> None:
        """Turns motion on or off; measurements need it off."""
        self.page.evaluate(_MOTION, moves)

    def resizes(self, wide: int, high: int) -> None:
        """The same table in another room, once it is laid out there."""
        self.page.set_viewport_size({"width": wide, "height": high})
        self.page.evaluate(_LAID_OUT, [wide, high])

    def _heard(self, kind: str, text: str) -> None:
        if kind in ("error", "warning"):
            self.complaints.append(text)

    def show(self, sight: JSON, **options: Any) -> None:
        """Show a table; options: lang, motion, refuse."""
        script = "([game, sight, options]) => gallery.show(game, sight, options)"
        self.page.evaluate(script, [sight["table"]["game"], sight, options])

    def tour(self, sights: list[JSON], **options: Any) -> list[set[str]]:
        """Show many tables, one after the other; the faces in the page with each."""
        script = "([game, sights, options]) => gallery.tour(game, sights, options)"
        seen: list[list[str]] = self.page.evaluate(script, [sights[0]["table"]["game"], sights, options])
        return [set(cards) - {"back", "sealed"} for cards in seen]

    def clear(self) -> None:
        """An empty page again, that has done nothing yet."""
        self.page.evaluate("() => gallery.clear()")

    def acts(self, does: str) -> list[Any]:
        """What the table asked the shell to do, under one name."""
        said: list[list[Any]] = self.page.evaluate("() => gallery.acts")
        return [given for name, *given in said if name == does]

    def acts_after(self, does: str, *given: object) -> list[Any]:
        """The same, once the table has asked for it with this: effects come after what is drawn."""
        self.page.wait_for_function(
            "([does, given]) => gallery.acts.some(([name, ...had]) =>"
            " name === does && given.every((each, at) => had[at] === each))",
            arg=[does, list(given)],
        )
        return self.acts(does)

    def missing(self) -> list[str]:
        """Words that a table asked for and its words do not have."""
        found: list[str] = self.page.evaluate("() => [...gallery.missing]")
        return found

    def cards(self) -> set[str]:
        """All faces in the page, whether in sight or not."""
        drawn: list[str] = self.page.evaluate(
            "() => [...document.querySelectorAll('[data-card]')].map((card) => card.dataset.card)"
        )
        return set(drawn) - {"back", "sealed"}

    def markup(self) -> str:
        """The markup of the table."""
        return str(self.page.evaluate("() => document.getElementById('stage').innerHTML"))

    def leave(self) -> None:
        """Close the page."""
        self._context.close()
