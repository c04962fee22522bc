"""Pictures of the documentation, taken from the real thing: `python -m scripts.pictures`, or with some names.

A server with fixed deals, a browser and a terminal show the same moments every time. Time in the moving
picture is the script's own: the page gets 40 ms, then its picture is taken, however busy the machine is.
"""

from __future__ import annotations

import io
import os
import random
import sys
import tempfile
from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import Final

from PIL import Image
from playwright.sync_api import Browser, Page, expect
from rich.console import Console
from rich.terminal_theme import DIMMED_MONOKAI
from rich.text import Text

from facedown.scaffold.write import ScaffoldName, write_scaffold
from scripts.film import Film
from tests.cli.test_new import install
from tests.terminal.tmux import Terminal
from tests.web.chromium import chromium
from tests.web.screenshots.camera import Camera
from tests.web.screenshots.conftest import Shown
from tests.web.screenshots.positions import Guest, Set, lay, rank
from tests.web.shell.server_process import ServerProcess, Visitor, visit

ROOT: Final = Path(__file__).parents[1]
FOLDER: Final = ROOT / "docs/pictures"
README: Final = ROOT / ".github/reveal.webp"
"""The moving picture, which packages do without."""
_SIZE: Final = (1200, 750)
_FRAME: Final = 40
"""Milliseconds of a frame."""
_MOVING_WIDTH: Final = 760
_FIXED_CHANCE: Final = """
  let asked = 6;
  crypto.getRandomValues = (bytes) => bytes.fill(++asked);
  Date.now = () => 1.8e12;
"""
_SCREEN: Final = """<!doctype html><meta charset="utf-8"><style>
body {{ margin: 0; background: #12100e }}
pre {{ display: inline-block; margin: 0; padding: 20px 24px; color: #e5dcca;
  font: 15px/1.164 "DejaVu Sans Mono", monospace }}
</style><pre>{code}</pre>"""


class Studio:
    """What a picture is taken with: a browser, and a server with Mara, whom it shows, and her friends.

    Each picture has its own: the deals depend on what was dealt before.
    """

    def __init__(self, browser: Browser, folder: Path) -> None:
        self.browser = browser
        self.folder = folder
        folder.mkdir()
        self._server: ServerProcess | None = None

    @cached_property
    def guests(self) -> list[Guest]:
        """Mara, and those she plays with."""
        url = self.serve().url
        return [Guest(url, name) for name in ("Mara", "Ines", "Ben", "Otto", "Mai")]

    @cached_property
    def mara(self) -> Shown:
        """Mara with her browser."""
        return self.shown(self.guests[0])

    @property
    def page(self) -> Page:
        """Mara's page."""
        return self.mara.visitor.page

    def table(self, game: str, seats: int) -> Set:
        """A table at which everybody sits."""
        return lay(self.guests[0], game, self.guests[1:seats])

    def fifth_round(self) -> Set:
        """E-Card at the second play of round 5: five behind on the Slave side, and the other places first."""
        table = self.table("ecard", 2)
        table.plays("CC", "EC", "CC", "CC", "CC", "ES", "CE", "CC")
        return table

    def shown(self, guest: Guest) -> Shown:
        """A guest with a browser."""
        visitor = self.visitor(guest.base)
        visitor.continues_as(guest.bearer)
        visitor.goes_to("/about")
        return Shown(guest, visitor, Camera(visitor.page))

    @cached_property
    def third_game(self) -> dict[str, str]:
        """The environment in which the game that `facedown new game odds` writes is installed."""
        folder = self.folder / "odds"
        write_scaffold("game", ScaffoldName("odds", "Odds", "Odds", "O"), folder)
        install(folder)
        return {"PYTHONPATH": os.pathsep.join((str(folder), os.environ.get("PYTHONPATH", "")))}

    def serve(self, **environment: str) -> ServerProcess:
        """The server, whose deals are always the same."""
        self._server = ServerProcess(self.folder / "data", FIXED_SALT="pictures", **environment)
        self._server.start()
        return self._server

    def visitor(self, url: str) -> Visitor:
        """A browser window in the dark, without the hints for newcomers."""
        visitor = Visitor(self.browser, url, *_SIZE, painted=True)
        visitor.context.add_init_script("localStorage['facedown.known'] = true")
        return visitor

    def close(self) -> None:
        """Stop the server."""
        if self._server is not None:
            self._server.stop()


# --- the browser -----------------------------------------------------------------------------------------


def reveal(studio: Studio) -> Path:
    """The Slave meets the Emperor: a moving picture."""
    mara, table = studio.shown(studio.guests[0]), studio.fifth_round()
    page = mara.visitor.page
    page.clock.install()
    page.emulate_media(reduced_motion="no-preference")
    mara.visitor.goes_to("/about")  # from here on all timers of the page are the script's
    mara.at(table)
    studio.shown(studio.guests[1]).at(table, 2)  # without a connection she would be away after a minute
    table.seals(2, "E")
    expect(page).to_have_title("● Your turn – E-Card")
    page.evaluate("document.activeElement.blur()")
    film = MovingPicture(page)
    film.wait(1_000, _FRAME)  # the lamp comes over
    film.record(600)
    page.keyboard.press("3")
    film.record(900)
    page.keyboard.press("Enter")
    expect(page.locator(".ec[data-stage=hold]")).to_be_visible()  # the reveal has come
    film.record(4_800)
    return film.write(README)


class MovingPicture(Film):
    """Frames at an even pace, as one picture that begins again without a jump."""

    def record(self, milliseconds: int) -> None:
        """Let time pass, and take its frames."""
        self.roll(milliseconds, _FRAME, _FRAME)

    def write(self, path: Path) -> Path:
        """Write the frames."""
        high = self.frames[0][1].height * _MOVING_WIDTH // self.frames[0][1].width
        frames = [each.resize((_MOVING_WIDTH, high), Image.Resampling.LANCZOS) for _, each in self.frames]
        fade = [Image.blend(frames[-1], frames[0], part / 8) for part in range(1, 8)]
        frames[0].save(
            path,
            save_all=True,
            append_images=[*frames[1:], *fade],
            duration=_FRAME,
            loop=0,
            quality=65,
            method=4,
            kmin=12,
            kmax=25,  # whole frames: without them traces of older ones stay
        )
        return path


def ecard(studio: Studio) -> Path:
    """The duel: the other has sealed, and the Slave is raised."""
    table = studio.fifth_round()
    studio.mara.at(table)
    table.seals(2, "E")
    expect(studio.page).to_have_title("● Your turn – E-Card")
    studio.page.keyboard.press("3")
    return _still(studio.page, "ecard")


def davenport(studio: Studio) -> Path:
    """Five around the oval after a reveal, which one of them wins."""
    table = studio.table("davenport", 5)
    table.plays(_cards(table, min))
    for seat, card in enumerate((*_cards(table, min)[1:4], _cards(table, max)[4]), start=2):
        table.seals(seat, card)
    studio.mara.at(table)
    studio.page.keyboard.press("2")
    studio.page.keyboard.press("Enter")
    expect(studio.page.get_by_text("Why?").first).to_be_visible()
    return _still(studio.page, "davenport")


def review(studio: Studio) -> Path:
    """What a finished game gave away, at its largest swing."""
    table = studio.fifth_round()
    table.plays("SE")
    chance = random.Random(11)
    table.plays_out(chance.choice)
    studio.mara.goes_to(f"/review/{table.id}?seat=1", ".chances-line")
    for _ in range(8):
        studio.page.keyboard.press("ArrowRight")
    return _still(studio.page, "review", high=970)


def explorer(studio: Studio) -> Path:
    """A solved position."""
    studio.mara.goes_to("/explore/ecard?at=round%3D5%2Cscore%3D6%3A5", ".balance-words")
    return _still(studio.page, "explorer", high=900)


def trainer(studio: Studio) -> Path:
    """A question, answered."""
    page = studio.mara.visitor.tab()
    page.add_init_script(_FIXED_CHANCE)
    visit(page, "/train/ecard")
    page.get_by_role("spinbutton", name="Percent").fill("25")
    page.keyboard.press("Enter")
    expect(page.locator(".study-mark")).to_be_visible()
    return _still(page, "trainer", high=970)


def third_game(studio: Studio) -> Path:
    """The game that `facedown new game` writes, at the generic table."""
    visitor = studio.visitor(studio.serve(**studio.third_game).url)
    visitor.page.add_init_script(_FIXED_CHANCE)
    page = visitor.goes_to("/")
    card = page.locator(".home-game").filter(has=page.get_by_role("heading", name="Odds"))
    card.get_by_role("button").first.click()
    page.locator("[data-pick='2']").click()
    page.locator(".gn-seal").click()
    expect(page.locator(".gn-turned li")).to_have_count(2)
    return _still(page, "third-game", high=640)


# --- the terminal and the library ------------------------------------------------------------------------


def terminal(studio: Studio) -> Path:
    """The full-screen table: a card is raised."""
    screen = Terminal(studio.folder)
    try:
        screen.run("ecard", "--seed", "evening", size=(96, 30), environment={"COLORTERM": "truecolor"})
        screen.until("Enter seal")
        screen.play()
        before = screen.text()
        screen.press("c")
        screen.until_shown(lambda shown: shown != before, "a raised card")
        text = screen.text(colours=True)
    finally:
        screen.close()
    console = Console(record=True, width=96, file=io.StringIO())
    console.print(Text.from_ansi(text.rstrip("\n")), end="")
    markup = console.export_html(theme=DIMMED_MONOKAI, inline_styles=True, code_format=_SCREEN)
    page = studio.browser.new_page(device_scale_factor=1.3)
    page.set_content(markup)
    return _write(page.locator("pre").screenshot(), "terminal")


# --- what they share -------------------------------------------------------------------------------------


def _cards(table: Set, choose: Callable[..., str]) -> list[str]:
    """Each seat's lowest or highest card."""
    hands = (table.snap(chair)["legal"] for chair in table.chairs)
    return [choose((pick for pick in legal if not pick.startswith("x")), key=rank) for legal in hands]


def _still(page: Page, name: str, *, high: int = _SIZE[1]) -> Path:
    """The page from its top, as it comes to rest."""
    page.set_viewport_size({"width": _SIZE[0], "height": high})
    page.mouse.move(0, 0)
    page.evaluate("scrollTo(0, 0)")
    page.evaluate("document.fonts.ready.then(() => true)")
    return _write(page.screenshot(animations="disabled"), name)


def _write(png: bytes, name: str) -> Path:
    path = FOLDER / f"{name}.webp"
    Image.open(io.BytesIO(png)).convert("RGB").save(path, quality=80, method=6)
    return path


PICTURES: Final[dict[str, Callable[[Studio], Path]]] = {
    "reveal": reveal,
    "ecard": ecard,
    "davenport": davenport,
    "review": review,
    "explorer": explorer,
    "trainer": trainer,
    "third-game": third_game,
    "terminal": terminal,
}


def main(names: list[str]) -> None:
    """Take the pictures with these names, or all."""
    if unknown := [name for name in names if name not in PICTURES]:
        sys.exit(f"no such picture: {', '.join(unknown)}; there are {', '.join(PICTURES)}")
    with tempfile.TemporaryDirectory(prefix="facedown-pictures-") as folder, chromium() as browser:
        for name in names or PICTURES:
            studio = Studio(browser, Path(folder, name))
            try:
                path = PICTURES[name](studio)
            finally:
                studio.close()
            print(f"{path.relative_to(ROOT)}, {path.stat().st_size // 1000} kB", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
