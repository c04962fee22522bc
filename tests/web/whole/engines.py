"""Firefox and WebKit by what they bring along, WebDriver BiDi and WebDriver, with real clicks."""

from __future__ import annotations

import json
import os
import re
import shutil
import socket
import subprocess
import time
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from glob import glob
from pathlib import Path
from typing import Any, Final, Protocol

from websockets.sync.client import ClientConnection, connect

from tests.needs import without
from tests.patience import PATIENCE

_PLACE: Final = """(() => {
  const named = (each) => (each.ariaLabel ?? each.textContent).replace(/\\s+/g, ' ').trim();
  const seen = [...document.querySelectorAll(WHERE)].filter((each) => each.checkVisibility());
  const found = seen.find((each) => named(each).startsWith(NAME));
  if (!found) return null;
  found.scrollIntoView({ block: 'center', behavior: 'instant' });
  const { left, right, top, bottom } = found.getBoundingClientRect();
  const at = [Math.round((left + right) / 2), Math.round((top + bottom) / 2)];
  const there = document.elementFromPoint(...at);
  return NAME && there && !found.contains(there) ? null : at;
})()"""


class _Line(Protocol):
    """A browser's remote control."""

    def open(self, address: str) -> None: ...
    def evaluate(self, expression: str) -> str: ...
    def act(self, actions: list[dict[str, Any]]) -> None: ...


class Engine:
    """One window of a browser, as a person uses it."""

    def __init__(self, line: _Line) -> None:
        self._line = line

    def goes_to(self, address: str) -> None:
        """Open a page."""
        self._line.open(address)

    def reads(self, expression: str) -> Any:
        """The value of an expression in the page."""
        return json.loads(self._line.evaluate(f"JSON.stringify({expression}) ?? 'null'"))

    def waits(self, expression: str) -> Any:
        """The value of an expression, once it is true."""
        end = time.monotonic() + PATIENCE
        while not (found := self.reads(expression)):
            assert time.monotonic() < end, f"never: {expression}; {self.reads('document.body.innerText')}"
            time.sleep(0.1)
        return found

    def clicks(self, where: str, name: str = "") -> None:
        """Press what a selector finds, if its name begins so, once it stays where it is."""
        place = _PLACE.replace("WHERE", json.dumps(where)).replace("NAME", json.dumps(name))
        before, end = None, time.monotonic() + PATIENCE
        while (at := self.reads(place)) is None or at != before:
            before = at
            time.sleep(0.1)
            assert time.monotonic() < end, (
                f"{name or where} is not there: {self.reads('document.body.innerText')}"
            )
        x, y = at
        steps = [
            {"type": "pointerMove", "x": x, "y": y, "duration": 0},
            {"type": "pointerDown", "button": 0},
            {"type": "pointerUp", "button": 0},
        ]
        mouse = {"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}}
        self._line.act([mouse | {"actions": steps}])

    def presses(self, key: str) -> None:
        """Press a key."""
        steps = [{"type": kind, "value": key} for kind in ("keyDown", "keyUp")]
        self._line.act([{"type": "key", "id": "keys", "actions": steps}])


class _Bidi:
    """WebDriver BiDi over a socket."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket
        self._count = 0
        self._does("session.new", capabilities={})
        self._context = self._does("browsingContext.getTree")["contexts"][0]["context"]

    def _does(self, method: str, **params: Any) -> dict[str, Any]:
        self._count += 1
        self._socket.send(json.dumps({"id": self._count, "method": method, "params": params}))
        while (answer := json.loads(self._socket.recv(PATIENCE))).get("id") != self._count:
            pass  # an event
        assert answer["type"] == "success", answer
        found: dict[str, Any] = answer["result"]
        return found

    def open(self, address: str) -> None:
        self._does("browsingContext.navigate", context=self._context, url=address, wait="complete")

    def evaluate(self, expression: str) -> str:
        target = {"context": self._context}
        found = self._does("script.evaluate", expression=expression, target=target, awaitPromise=True)
        return str(found["result"]["value"])

    def act(self, actions: list[dict[str, Any]]) -> None:
        self._does("input.performActions", context=self._context, actions=actions)


class _Classic:
    """WebDriver over HTTP."""

    def __init__(self, address: str, options: dict[str, Any]) -> None:
        self._address = f"{address}/session"
        made = self._does("", capabilities={"alwaysMatch": options})
        self._address += f"/{made['sessionId']}"

    def _does(self, path: str, **body: Any) -> Any:
        headers = {"Content-Type": "application/json"}
        asked = urllib.request.Request(self._address + path, json.dumps(body).encode(), headers)
        with urllib.request.urlopen(asked, timeout=PATIENCE) as answer:
            return json.load(answer)["value"]

    def open(self, address: str) -> None:
        self._does("/url", url=address)

    def evaluate(self, expression: str) -> str:
        return str(self._does("/execute/sync", script=f"return {expression}", args=[]))

    def act(self, actions: list[dict[str, Any]]) -> None:
        self._does("/actions", actions=actions)


@contextmanager
def firefox(folder: Path) -> Iterator[Engine]:
    """Firefox, headless, with a profile of its own."""
    binary = shutil.which("firefox-esr") or shutil.which("firefox")
    if binary is None:
        without("there is no Firefox on this machine (apt install firefox-esr)")
    folder.mkdir()
    command = [binary, "--headless", "--no-remote", "--profile", folder, "--remote-debugging-port", "0"]
    environment = {**os.environ, "HOME": str(folder), "LANG": "en_GB.UTF-8"}
    with _running(command, environment, stderr=subprocess.PIPE, text=True) as running:
        assert running.stderr
        found = next(filter(None, (re.search(r"listening on (ws://\S+)", each) for each in running.stderr)))
        with connect(f"{found[1]}/session", max_size=None) as line:
            yield Engine(_Bidi(line))


@contextmanager
def webkit(folder: Path) -> Iterator[Engine]:
    """WebKitGTK's small browser on a screen in memory."""
    browsers = glob("/usr/lib/*/webkit2gtk-4*/MiniBrowser")
    driver, screen = shutil.which("WebKitWebDriver"), shutil.which("Xvfb")
    if driver is None or screen is None or not browsers:
        without("there is no WebKit on this machine (apt install webkit2gtk-driver xvfb)")
    folder.mkdir()
    port, display = _free_port(), f":{_free_port()}"
    options = {"binary": browsers[0], "args": ["--automation", "--ignore-tls-errors"]}
    environment = {**os.environ, "HOME": str(folder), "DISPLAY": display, "LANG": "en_GB.UTF-8"}
    environment["XDG_RUNTIME_DIR"] = str(folder)
    with ExitStack() as stack:
        stack.enter_context(_running([screen, display, "-screen", "0", "1440x900x24"], environment))
        stack.enter_context(_running([driver, f"--port={port}"], environment))
        _wait_for(port)
        yield Engine(_Classic(f"http://127.0.0.1:{port}", {"webkitgtk:browserOptions": options}))


@contextmanager
def _running(command: list[Any], environment: dict[str, str], **how: Any) -> Iterator[subprocess.Popen[str]]:
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    with subprocess.Popen(command, env=environment, **{**quiet, **how}) as process:
        try:
            yield process
        finally:
            process.terminate()


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
        return port


def _wait_for(port: int) -> None:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        with socket.socket() as line:
            if line.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    raise AssertionError(f"nothing listens on port {port}")
