"""Pictures of the documentation, taken from the real thing: `python -m scripts.pictures`, or with some names.

A server with fixed deals, a browser and a terminal show the same moments every time. Time in the moving
picture is the script's own: the page gets 40 ms, then its picture is taken, however busy the machine is.
"""

from __future__ import annotations

import io
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final

from PIL import Image
from playwright.sync_api import Browser, Page, expect
from rich.console import Console
from rich.terminal_theme import DIMMED_MONOKAI
from rich.text import Text

from facedown.scaffold.write import ScaffoldName, write_scaffold
from tests.cli.test_new import install
from tests.terminal.tmux import Terminal
from tests.web.chromium import chromium
from tests.web.screenshots.camera import Camera
from tests.web.screenshots.conftest import Shown
from tests.web.screenshots.positions import Guest, Hands, Set, lay, rank
from tests.web.shell.server_process import ServerProcess, Visitor, visit

ROOT: Final = Path(__file__).parents[1]
FOLDER: Final = ROOT / "docs/pictures"
README: Final = ROOT / ".github/reveal.webp"
"""The moving picture, which packages do without."""
_SIZE: Final = (1200, 750)
_FRAME: Final = 40
"""Milliseconds of a frame."""
_MOVING_WIDTH: Final = 760
_ROUNDS: Final = ("CC", "EC", "CC", "CC", "CC", "ES", "CE", "CC")
"""E-Card up to the second play of round 5: five behind on the Slave side, and the other places first."""
_FIXED_CHANCE: Final = "() => { crypto.getRandomValues = (bytes) => bytes.fill(7); Date.now = () => 1.8e12; }"
_SEEK: Final = """(now) => {
  globalThis.began ??= new Map();
  for (const each of document.getAnimations()) {
    if (!began.has(each)) { began.set(each, now); each.pause(); }
    const at = now - began.get(each);
    if (at < each.effect.getComputedTiming().endTime) each.currentTime = at; else each.finish();
  }
}"""
"""Every animation of the page at the script's time, counted from when it was first seen."""
_SCREEN: Final = """<!doctype html><meta charset="utf-8"><style>
body {{ margin: 0; background: #12100e }}
pre {{ display: inline-block; margin: 0; padding: 20px 24px; color: #e5dcca;
  font: 15px/1.164 "DejaVu Sans Mono", monospace }}
</style><pre>{code}</pre>"""


@dataclass(frozen=True, slots=True)
class Person:
    """Mara, whom the pictures show, with her browser; and those she plays with."""

    shown: Shown
    others: list[Guest]

    @property
    def page(self) -> Page:
        """Her page."""
        return self.shown.visitor.page

    def table(self, game: str, others: int, rules: str = "") -> Set:
        """A table at which everybody sits."""
        return lay(self.shown.guest, game, self.others[:others], rules)


class Studio:
    """What pictures are taken with: a browser, and a server for each set of installed games."""

    def __init__(self, browser: Browser, folder: Path) -> None:
        self.browser = browser
        self.folder = folder
        self._servers: list[ServerProcess] = []

    @cached_property
    def person(self) -> Person:
        """Mara at a server with our own games."""
        url = self.serve("pictures").url
        mara, *others = (Guest(url, name) for name in ("Mara", "Ines", "Ben", "Otto", "Mai"))
        return Person(self.shown(mara), others)

    def shown(self, guest: Guest) -> Shown:
        """A guest with a browser."""
        visitor = self.visitor(guest.base)
        address = f"{guest.base}/api/v1/handovers/{guest.code()}"
        visitor.context.request.post(address, data={"kind": "browser"}, headers={"Origin": guest.base})
        visitor.goes_to("/about")
        return Shown(guest, visitor, Camera(visitor.page))

    @cached_property
    def third_game(self) -> dict[str, str]:
        """The environment in which the game that `facedown new-game odds` writes is installed."""
        folder = self.folder / "odds"
        write_scaffold("game", ScaffoldName("odds", "Odds", "Odds", "O"), folder)
        install(folder)
        return {"PYTHONPATH": os.pathsep.join((str(folder), os.environ.get("PYTHONPATH", "")))}

    def serve(self, name: str, **environment: str) -> ServerProcess:
        """A server whose deals are always the same."""
        server = ServerProcess(self.folder / name, FIXED_SALT=name, **environment)
        server.start()
        self._servers.append(server)
        return server

    def visitor(self, url: str) -> Visitor:
        """A browser window in the dark, without the hints for newcomers."""
        visitor = Visitor(self.browser, url, *_SIZE, painted=True)
        visitor.context.add_init_script("localStorage['facedown.known'] = true")
        return visitor

    def close(self) -> None:
        """Stop the servers."""
        for server in self._servers:
            server.stop()


# --- the browser -----------------------------------------------------------------------------------------


def reveal(studio: Studio) -> Path:
    """The Slave meets the Emperor: a moving picture."""
    person = studio.person
    page = person.page
    table = _fifth_round(person)
    page.clock.install()
    page.emulate_media(reduced_motion="no-preference")
    person.shown.visitor.goes_to("/about")  # from here on all timers of the page are the script's
    person.shown.at(table)
    other = studio.shown(person.others[0])
    other.at(table, 2)  # a player without a connection is shown as away after a minute
    table.seals(2, "E")
    expect(page).to_have_title("● Your turn – E-Card")
    page.evaluate("document.activeElement.blur()")
    page.mouse.move(0, 0)
    page.clock.pause_at(page.evaluate("Date.now()") / 1000 + 1)
    film = Film(page)
    film.wait(1_000)  # the lamp comes over
    film.roll(600)
    page.keyboard.press("3")
    film.roll(900)
    page.keyboard.press("Enter")
    expect(page.locator(".ec-place[data-who=you][data-state=sealed]")).to_be_visible()
    film.roll(4_800)
    film.write(README)
    other.visitor.leaves()
    page.clock.resume()
    page.emulate_media(reduced_motion="reduce")
    return README


class Film:
    """Frames of a page in which only that time passes that the script lets pass."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._now = 0
        self._frames: list[Image.Image] = []

    def wait(self, milliseconds: int) -> None:
        """Let time pass."""
        for _ in range(milliseconds // _FRAME):
            self._now += _FRAME
            self._page.clock.run_for(_FRAME)
            self._page.evaluate(_SEEK, self._now)

    def roll(self, milliseconds: int) -> None:
        """Let time pass, and take its pictures."""
        for _ in range(milliseconds // _FRAME):
            self.wait(_FRAME)
            taken = Image.open(io.BytesIO(self._page.screenshot(animations="allow"))).convert("RGB")
            height = taken.height * _MOVING_WIDTH // taken.width
            self._frames.append(taken.resize((_MOVING_WIDTH, height), Image.Resampling.LANCZOS))

    def write(self, path: Path) -> None:
        """Write the frames as a picture that begins again without a jump."""
        first, last = self._frames[0], self._frames[-1]
        fade = [Image.blend(last, first, part / 8) for part in range(1, 8)]
        first.save(
            path,
            save_all=True,
            append_images=[*self._frames[1:], *fade],
            duration=_FRAME,
            loop=0,
            quality=65,
            method=4,
            kmin=12,
            kmax=25,  # whole frames: without them traces of older ones stay
        )


def ecard(studio: Studio) -> Path:
    """The duel: the other has sealed, and the Slave is raised."""
    person = studio.person
    table = _fifth_round(person)
    person.shown.at(table)
    table.seals(2, "E")
    expect(person.page).to_have_title("● Your turn – E-Card")
    person.page.keyboard.press("3")
    return _still(person.page, "ecard")


def davenport(studio: Studio) -> Path:
    """Five around the oval after a reveal."""
    person = studio.person
    table = person.table("davenport", 4)
    table.plays(_cards(table, min))
    lowest = _cards(table, min)
    for seat in range(2, 5):
        table.seals(seat, lowest[seat - 1])
    table.seals(5, _cards(table, max)[4])
    person.shown.at(table)
    person.page.keyboard.press("2")
    person.page.keyboard.press("Enter")
    expect(person.page.get_by_text("Why?").first).to_be_visible()
    return _still(person.page, "davenport")


def review(studio: Studio) -> Path:
    """What a finished game gave away, at its largest swing."""
    person = studio.person
    table = _fifth_round(person)
    table.plays("SE")
    chance = random.Random(11)

    def any_pick(hands: Hands) -> dict[int, str]:
        return {seat: chance.choice(legal) for seat, legal in hands.items()}

    table.plays_on(any_pick, lambda _: False)
    person.shown.goes_to(f"/review/{table.id}?seat=1", ".chances-line")
    for _ in range(8):
        person.page.keyboard.press("ArrowRight")
    return _still(person.page, "review", high=1000)


def explorer(studio: Studio) -> Path:
    """A solved position."""
    page = studio.person.page
    studio.person.shown.goes_to("/explore/ecard?at=round%3D5%2Cscore%3D6%3A5", ".study-found h2")
    expect(page.locator(".balance-words").first).to_be_visible()
    return _still(page, "explorer", high=900)


def trainer(studio: Studio) -> Path:
    """A question, answered."""
    page = studio.person.shown.visitor.tab()
    page.add_init_script(f"({_FIXED_CHANCE})()")
    visit(page, "/train/ecard")
    page.get_by_role("spinbutton", name="Percent").fill("25")
    page.keyboard.press("Enter")
    expect(page.locator(".study-mark")).to_be_visible()
    taken = _still(page, "trainer", high=970)
    page.close()
    return taken


def third_game(studio: Studio) -> Path:
    """The game that `facedown new-game` writes, at the generic table."""
    visitor = studio.visitor(studio.serve("third", **studio.third_game).url)
    page = visitor.goes_to("/")
    card = page.locator(".home-game").filter(has=page.get_by_role("heading", name="Odds"))
    card.get_by_role("button").first.click()
    page.locator("[data-pick='2']").click()
    page.locator(".gn-seal").click()
    expect(page.locator(".gn-turned li")).to_have_count(2)
    taken = _still(page, "third-game", high=640)
    visitor.leaves()
    return taken


def documentation(studio: Studio) -> Path:
    """The same game's rules on the site of `facedown docs`."""
    site = studio.folder / "site"
    command = [sys.executable, "-m", "facedown", "docs", "--build", str(site)]
    subprocess.run(command, check=True, env=os.environ | studio.third_game, stdout=subprocess.DEVNULL)
    page = studio.browser.new_page(
        viewport={"width": _SIZE[0], "height": _SIZE[1]}, color_scheme="dark", reduced_motion="reduce"
    )
    page.goto((site / "rules/odds.html").as_uri())
    taken = _still(page, "documentation")
    page.close()
    return taken


# --- the terminal ----------------------------------------------------------------------------------------


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
    taken = _write(page.locator("pre").screenshot(), "terminal")
    page.close()
    return taken


# --- what they share -------------------------------------------------------------------------------------


def _fifth_round(person: Person) -> Set:
    table = person.table("ecard", 1)
    table.plays(*_ROUNDS)
    return table


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
    "documentation": documentation,
    "terminal": terminal,
}


@contextmanager
def open_studio() -> Iterator[Studio]:
    """A browser, and servers that stop at the end."""
    with tempfile.TemporaryDirectory(prefix="facedown-pictures-") as folder, chromium() as browser:
        studio = Studio(browser, Path(folder))
        try:
            yield studio
        finally:
            studio.close()


def main(names: list[str]) -> None:
    """Take the pictures with these names, or all."""
    if unknown := [name for name in names if name not in PICTURES]:
        sys.exit(f"no such picture: {', '.join(unknown)}; there are {', '.join(PICTURES)}")
    with open_studio() as studio:
        for name in names or PICTURES:
            path = PICTURES[name](studio)
            print(f"{path.relative_to(ROOT)}, {path.stat().st_size // 1000} kB", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
