"""Opening an address for a person: in the usual browser, or in a window without a browser's bars.

A window of its own is the `--app` mode of Chromium and the browsers made of it.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import threading
import webbrowser
from pathlib import Path
from typing import Final

_COMMANDS: Final = (
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
    "microsoft-edge",
    "microsoft-edge-stable",
    "msedge",
    "brave-browser",
    "brave",
    "vivaldi",
)
_MAC_APPS: Final = ("Google Chrome", "Chromium", "Microsoft Edge", "Brave Browser", "Vivaldi")
_WINDOWS_PROGRAMS: Final = (
    r"Google\Chrome\Application\chrome.exe",
    r"Microsoft\Edge\Application\msedge.exe",
    r"BraveSoftware\Brave-Browser\Application\brave.exe",
)

_NO_WINDOW: Final = "A window of its own needs Chrome, Chromium or Edge: it opens in your usual browser."


def open_browser(address: str, *, window: bool = False) -> str:
    """Open the address if there is a screen; returns what to tell a person who asked for a window and gets
    none."""
    has_screen = any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"))
    if not (has_screen or sys.platform in ("darwin", "win32")):
        return "There is no screen here for a window: open the address in a browser." if window else ""
    if window and (program := _app_browser()) is not None:
        quiet = subprocess.DEVNULL
        app = subprocess.Popen(
            [program, f"--app={address}"], stdin=quiet, stdout=quiet, stderr=quiet, start_new_session=True
        )
        threading.Thread(target=app.wait, daemon=True).start()
        return ""
    threading.Thread(target=webbrowser.open, args=(address,), daemon=not window).start()
    return _NO_WINDOW if window else ""


def _app_browser() -> str | None:
    """A browser that can open a page as a window of its own; None if none is found."""
    for name in _COMMANDS:
        if found := shutil.which(name):
            return found
    if sys.platform == "darwin":
        places = [Path("/Applications", f"{name}.app", "Contents", "MacOS", name) for name in _MAC_APPS]
    else:
        roots = (os.environ.get(name) for name in ("PROGRAMFILES", "PROGRAMFILES(X86)", "LOCALAPPDATA"))
        places = [Path(root, program) for root in roots if root for program in _WINDOWS_PROGRAMS]
    return next((str(place) for place in places if place.is_file()), None)
