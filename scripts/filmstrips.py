"""Film strips of the table's moments, in build/filmstrips: `python -m scripts.filmstrips`, or with names.

Each strip shows the frames of one moment side by side, at the size of a phone and of a desk, dark and light.
Time is the script's own: the page gets some milliseconds, then its picture is taken, however busy the machine
is.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final

from PIL import Image, ImageDraw
from playwright.sync_api import Browser

from scripts.film import Film
from tests.web.chromium import chromium
from tests.web.games.gallery import gallery
from tests.web.games.views import JSON, Played

FOLDER: Final = Path(__file__).parents[1] / "build/filmstrips"
SIZES: Final = {"360x780": (360, 780, 200), "1440x900": (1440, 900, 400)}
"""The width and height of each window, and the width of its frames in a strip."""
SHORT: Final = "short(first=1,placing=together)"
_SETTLE: Final = """() => {
  globalThis.requestAnimationFrame = (then) => queueMicrotask(() => then(performance.now()));
}"""
"""What a page does before it paints a change is done when the script's time stands still, too."""
_ACROSS: Final = 6
_LABEL: Final = 16


class Stage(Film):
    """A table on a page of this size, and its frames."""

    def __init__(self, browser: Browser, url: str, wide: int, high: int, theme: str) -> None:
        self._context = browser.new_context(
            viewport={"width": wide, "height": high}, color_scheme="light" if theme == "light" else "dark"
        )
        page = self._context.new_page()
        page.clock.install(time=0)
        page.goto(url)
        page.wait_for_selector("html[data-ready]")
        page.evaluate(_SETTLE)
        super().__init__(page)

    def show(self, sight: JSON) -> None:
        """The table as it is now."""
        script = "([game, sight]) => gallery.show(game, sight, { motion: 'full' })"
        self.page.evaluate(script, [sight["table"]["game"], sight])
        self.pass_time(0)

    def film(self, milliseconds: int, every: int) -> None:
        """Take a frame now and then as time passes."""
        self.take("0")
        self.roll(milliseconds, every, 20)

    def write(self, path: Path, wide: int) -> None:
        """All frames in one picture."""
        high = self.frames[0][1].height * wide // self.frames[0][1].width
        rows = -(-len(self.frames) // _ACROSS)
        strip = Image.new("RGB", (_ACROSS * (wide + 4), rows * (high + _LABEL + 4)), "#777")
        draw = ImageDraw.Draw(strip)
        for number, (label, frame) in enumerate(self.frames):
            left, top = number % _ACROSS * (wide + 4), number // _ACROSS * (high + _LABEL + 4)
            draw.text((left + 4, top + 2), f"{label} ms", fill="white")
            strip.paste(frame.resize((wide, high), Image.Resampling.LANCZOS), (left, top + _LABEL))
        strip.save(path)

    def close(self) -> None:
        """Close the page."""
        self._context.close()


# --- the moments -----------------------------------------------------------------------------------------


def seal(stage: Stage) -> None:
    """The own card flies to its place and is sealed; then the other's."""
    played = Played("ecard", "classic(first=1,placing=together)", 2)
    stage.show(played.sight(1))
    stage.wait(500)
    stage.page.keyboard.press("3")
    stage.wait(300)
    played.seal(1, "E")
    stage.show(played.sight(1))
    stage.film(600, 40)


def seal_other(stage: Stage) -> None:
    """The other's card comes from their side and is sealed."""
    played = Played("ecard", "classic(first=1,placing=together)", 2)
    stage.show(played.sight(1))
    stage.wait(500)
    played.seal(2, "C")
    stage.show(played.sight(1))
    stage.film(600, 40)


def _turned(*picks: str, seat: int, rounds: int = 12) -> Callable[[Stage], None]:
    """The last of these plays of E-Card, from the seal to the result."""

    def film(stage: Stage) -> None:
        group = min(3, rounds)
        played = Played("ecard", f"classic(first=1,rounds={rounds},group={group},placing=together)", 2)
        for both in picks[:-1]:
            played.decide(*both)
        stage.show(played.sight(seat))
        stage.wait(300)
        played.seal(seat, picks[-1][seat - 1])
        stage.show(played.sight(seat))
        stage.wait(600)
        played.seal(3 - seat, picks[-1][2 - seat])
        stage.show(played.sight(seat, revealing=True))
        stage.wait(500)
        stage.film(2200, 100)

    return film


def _around(fits: Callable[[JSON, bool], bool]) -> Callable[[Stage], None]:
    """A round of Davenport with four seats that fits: by what was turned, and by whether the game is over."""

    def film(stage: Stage) -> None:
        for number in range(400):
            played = Played("davenport", "davenport", 4, seed=f"film {number}")
            before = played.sight(1)
            while played.go_on():
                events = (played.reveals[1] or {"events": []})["events"]
                facts = {event["kind"]: event.get("facts") for event in events}
                if fits(facts.get("reveal", {"winners": []}), "end" in facts):
                    return _round(stage, before, played.sight(1, revealing=True))
                before = played.sight(1)
        raise LookupError("no such round in 400 games")

    return film


def _round(stage: Stage, before: JSON, after: JSON) -> None:
    stage.show(before)
    stage.wait(500)
    stage.show(after)
    stage.film(3600, 150)


def going_on(stage: Stage) -> None:
    """The cards leave, and the next round is dealt."""
    played = Played("ecard", "classic(first=1,placing=together)", 2)
    played.decide("E", "C")
    stage.show(played.sight(1, revealing=True))
    stage.wait(3000)
    stage.page.keyboard.press("Enter")
    stage.wait(50)
    stage.film(400, 40)


def drawn(stage: Stage) -> None:
    """A drawn play; the other's next card comes while the result is shown, then the player goes on."""
    played = Played("ecard", "classic(first=1,placing=together)", 2)
    played.decide("C", "C")
    stage.show(played.sight(1, revealing=True))
    stage.wait(1000)
    played.seal(2, "C")
    stage.show(played.sight(1, revealing=True))
    stage.film(2400, 200)


def swap(stage: Stage) -> None:
    """The sides swap after the third round."""
    played = Played("ecard", "classic(first=1,placing=together)", 2)
    for _ in range(3):
        played.decide("E", "C")
    stage.show(played.sight(1, revealing=True))
    stage.wait(3000)
    stage.page.keyboard.press("Enter")
    stage.wait(50)
    stage.film(1000, 100)


def _end(game: str, rules: str, seats: int, *plays: str) -> Callable[[Stage], None]:
    """The ending draws itself, after these plays or any."""

    def film(stage: Stage) -> None:
        played = Played(game, rules, seats, seed="end")
        for both in plays:
            played.decide(*both)
        while played.go_on():
            pass
        stage.page.evaluate("([game, sight]) => gallery.end(game, sight)", [game, played.sight(1)])
        stage.pass_time(0)
        stage.film(1600, 100)

    return film


def coming_back(stage: Stage) -> None:
    """The page is opened while a reveal has not been seen: nothing flies in, and the cards turn."""
    played = Played("ecard", "classic(first=1,placing=together)", 2)
    played.decide("C", "C")
    played.decide("E", "C")
    stage.show(played.sight(2, revealing=True))
    stage.film(2200, 200)


MOMENTS: Final[dict[str, Callable[[Stage], None]]] = {
    "seal": seal,
    "seal-other": seal_other,
    "turn-win": _turned("EC", seat=1),
    "loss": _turned("EC", seat=2),
    "plus5": _turned("ES", seat=2),
    "plus5-hit": _turned("ES", seat=1),
    "comeback": _turned("ES", "EC", "EC", "SE", seat=1),
    "decided": _turned("EC", seat=1, rounds=1),
    "tie": drawn,
    "going-on": going_on,
    "swap": swap,
    "end": _end("ecard", SHORT, 2, "ES", "EC", "EC", "CE", "CC", "CC", "CC", "SE"),
    "end-lost": _end("ecard", SHORT, 2, "ES", "EC", "EC", "CE", "CE", "CE"),
    "coming-back": coming_back,
    "davenport-win": _around(lambda turned, over: turned["winners"] == [1] and not over),
    "davenport-loss": _around(lambda turned, over: turned["winners"] in ([2], [3], [4]) and not over),
    "davenport-tie": _around(lambda turned, over: len(turned["winners"]) > 1 and not over),
    "davenport-last": _around(lambda _, over: over),
    "davenport-end": _end("davenport", "davenport", 4),
}


def main(*names: str) -> None:
    """Record the strips of these moments, or of all: NAME or NAME@SIZE-THEME."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    wanted = names or tuple(MOMENTS)
    with chromium() as browser, gallery() as url:
        for name in MOMENTS:
            for size, (wide, high, small) in SIZES.items():
                for theme in ("dark", "light"):
                    if not {name, f"{name}@{size}-{theme}"} & set(wanted):
                        continue
                    stage = Stage(browser, url, wide, high, theme)
                    MOMENTS[name](stage)
                    path = FOLDER / f"{name}-{size}-{theme}.png"
                    stage.write(path, small)
                    stage.close()
                    print(path)


if __name__ == "__main__":
    main(*sys.argv[1:])
