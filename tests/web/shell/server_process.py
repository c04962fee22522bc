"""Server process: a real server that can be stopped and started, and a visitor with a real browser."""

from __future__ import annotations

import os
import re
import signal
import threading
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Response, ViewportSize, expect

from tests.patience import PATIENCE
from tests.server import forked
from tests.server.conversation.fixed_server import FIXED, SALT
from tests.server.forked import ForkedProcess
from tests.server.programs import hand_over
from tests.web.unpainted import leave_unpainted

_LIMITS: Final = ("REQUESTS", "JOINS", "STUDIES", "TABLES", "PEOPLE", "COMMANDS")
_PATIENT: Final = {
    "FACEDOWN_STUDY_SECONDS": f"{PATIENCE:.0f}",
    **{f"FACEDOWN_{each}": "1000000" for each in _LIMITS},
}
"""A busy machine computes slowly, and everybody comes from one address here."""


FOLLOW: Final = """(path) => {
  history.pushState(null, "", path);
  dispatchEvent(new PopStateEvent("popstate"));
}"""
"""Leads a page to an address of its own, as a link would."""


class ServerProcess:
    """A server that can be stopped and started again, on the same port with the same data.

    With `FIXED_SALT` in its environment, its deals are always the same.
    """

    def __init__(self, data: Path, *flags: str, **environment: str) -> None:
        self.data = data
        self.log = data.with_name(f"{data.name}.log")
        self.flags = flags
        self.environment = environment
        self.port = 0
        self.url = ""
        self._process: ForkedProcess | None = None

    def start(self) -> None:
        """Come up, on the port of last time."""
        at = ("--data", str(self.data), "--port", str(self.port))
        environment = {**os.environ, **_PATIENT, **self.environment}
        with self.log.open("ab") as log:
            first = FIXED if SALT in self.environment else ""
            self._process = forked.start(
                ["serve", *self.flags, *at, "--log", "json"], environment, first, log.fileno()
            )
        for line in self._process.stdout:
            if found := re.search(r"http://[^/\s]+:(\d+)", line.decode()):
                self.url, self.port = found[0], int(found[1])
                break
        else:
            raise RuntimeError("the server did not come up")
        threading.Thread(target=self._process.stdout.read, daemon=True).start()

    def stop(self, how: int = signal.SIGTERM) -> None:
        """Go down: gently, or not."""
        if self._process is None:
            return
        self._process.send_signal(how)
        self._process.wait(PATIENCE)
        self._process.stdout.close()
        self._process = None


_NO_STEP_BACK: Final = """
  () => !history.state?.layer || document.querySelector("dialog[open], [aria-expanded=true]") !== null
"""


REFUSALS: Final = "responded with a status of 4"
FAILURES: Final = ("net::ERR_", "WebSocket connection")
"""Messages of a browser about what a server refuses, and about connections that fail."""


class Visitor:
    """A visitor with a browser of their own; keeps the complaints of its console."""

    def __init__(self, browser: Browser, url: str, wide: int = 1280, high: int = 800, **how: object) -> None:
        self.url = url
        size: ViewportSize = {"width": wide, "height": high}
        self.context: BrowserContext = browser.new_context(
            viewport=size,
            has_touch=bool(how.get("phone")),
            is_mobile=bool(how.get("phone")),
            color_scheme="light" if how.get("light") else "dark",
            reduced_motion="reduce",
            locale=str(how.get("locale", "en-GB")),
            base_url=url,
            service_workers="allow" if how.get("worker") else "block",
        )
        if not how.get("new"):  # home is that of a player
            self.context.add_init_script("if (origin !== 'null') localStorage['facedown.played'] ??= true")
        if not how.get("painted"):
            leave_unpainted(self.context)
        self.complaints: list[str] = []
        self._forgiven: list[str] = []
        self.page = self.tab()

    def tab(self) -> Page:
        """One more tab of the same browser."""
        page = self.context.new_page()
        page.on("console", self._hears)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        return page

    def _hears(self, said: ConsoleMessage) -> None:
        text = f"{said.text} {said.location['url']}".strip()
        if said.type == "error" and not any(word in text for word in self._forgiven):
            self.complaints.append(text)

    def forgives(self, *words: str) -> None:
        """From here on no message with one of these words is a complaint, however late it comes.

        A browser notes each answer of the server that refuses something, and each connection that fails.
        """
        self._forgiven += words

    def continues_as(self, bearer: str) -> None:
        """The browser becomes another device of the person with this token."""

        def post(path: str, body: dict[str, Any]) -> Any:
            headers = {"Origin": self.url}
            answer = self.context.request.post(f"{self.url}/api/v1{path}", data=body, headers=headers)
            assert answer.ok
            return answer.json()

        hand_over(self.url, bearer, post, "browser")

    def goes_to(self, path: str) -> Page:
        """The page at an address of ours."""
        visit(self.page, self.url + path)
        return self.page

    def follows(self, path: str) -> Page:
        """The page at an address of ours as after a link to it: the one that is there goes on.

        No dialog may be open.
        """
        self.page.evaluate(FOLLOW, path)
        return self.page

    def leaves(self) -> None:
        """Close the browser."""
        self.context.close()


def visit(page: Page, address: str) -> Response | None:
    """Open an address in a page, whatever is open there. Its answer.

    A page forgets a closed dialog by a step back, which has to be over first: otherwise it would end what was
    begun after it, or lead away from it.
    """
    page.wait_for_function(_NO_STEP_BACK)
    return page.goto(address)


def places_first(page: Page) -> None:
    """The first card of the hand, by keys, once the table takes them."""
    expect(page.locator(".stage ul[data-free=true]")).to_be_visible()
    page.keyboard.press("1")
    page.keyboard.press("Enter")
