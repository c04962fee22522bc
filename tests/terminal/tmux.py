"""A real terminal (tmux) for tests: the command runs in it, keys are pressed, and its screen is read."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

from tests.cli.command import SOURCE, command
from tests.needs import without
from tests.patience import PATIENCE

PROMPT = "Enter seal"
"""Seconds after which a state is taken for one that never comes; only a failure waits so long."""


class Terminal:
    """A terminal of its own, with its own folders."""

    def __init__(self, folder: Path) -> None:
        if shutil.which("tmux") is None:
            without("tmux is not installed: no real terminal")
        self._socket = f"facedown-{os.getpid()}-{time.monotonic_ns()}"
        self._folder = folder

    def run(
        self, *arguments: str, size: tuple[int, int] = (80, 24), environment: dict[str, str] | None = None
    ) -> None:
        """Start the command there; the terminal stays when it has ended, and shows its status."""
        words = {
            "PYTHONPATH": str(SOURCE),
            "PYTHONUTF8": "1",
            "XDG_STATE_HOME": str(self._folder / "state"),
            "TERM": "xterm-256color",
            **(environment or {}),
        }
        settings = " ".join(f"{name}={shlex.quote(value)}" for name, value in words.items())
        line = f"env -u NO_COLOR -u COLORTERM {settings} {shlex.join(command('play', *arguments))}"
        script = f"stty sane; {line}; echo status $?; stty -a | grep -o ' echo ' ; exec sleep 600"
        self._tmux("new-session", "-d", "-x", str(size[0]), "-y", str(size[1]), script)
        self._tmux("set", "-g", "status", "off")

    def _tmux(self, *words: str) -> str:
        done = subprocess.run(
            ["tmux", "-L", self._socket, "-f", "/dev/null", *words],
            capture_output=True,
            text=True,
            check=True,
        )
        return done.stdout

    def press(self, *keys: str) -> None:
        for key in keys:
            self._tmux("send-keys", key)

    def resize(self, width: int, height: int) -> None:
        self._tmux("resize-window", "-x", str(width), "-y", str(height))

    def text(self, *, colours: bool = False) -> str:
        return self._tmux("capture-pane", "-p", *(("-e",) if colours else ()))

    def lines(self) -> list[str]:
        """The lines on the screen as they are copied: what the terminal itself has wrapped is one line."""
        return [line.rstrip() for line in self._tmux("capture-pane", "-pJ").splitlines()]

    def until(self, *words: str) -> str:
        """What is shown once all these words are there."""
        return self.until_shown(lambda shown: all(each in shown for each in words), " and ".join(words))

    def until_shown(self, state: Callable[[str], bool], what: str) -> str:
        """What is shown once it is as it should be."""
        end = time.monotonic() + PATIENCE
        while not state(shown := self.text()):
            assert time.monotonic() < end, f"never {what}:\n{shown}"
            time.sleep(0.05)
        return shown

    def heading(self) -> str:
        """The first line: the state of the game."""
        return self.text().partition("\n")[0]

    def play(self) -> str:
        """Seal the first card, and go on after the reveal: the state of the game is another then."""
        before = self.heading()
        self.reveal()
        self.press("Escape")
        return self.until_shown(
            lambda shown: PROMPT in shown and shown.partition("\n")[0] != before, "the next turn"
        )

    def reveal(self) -> None:
        """Seal the first card, and wait for the result, which stays until a key is pressed."""
        self.press("Home", "Enter")
        self.until("any key continues")

    def pid(self) -> int:
        """The process that plays: the one below the terminal's shell."""
        shell = self._tmux("list-panes", "-F", "#{pane_pid}").strip()
        children = Path(f"/proc/{shell}/task/{shell}/children").read_text().split()
        return int(children[-1])

    def close(self) -> None:
        subprocess.run(["tmux", "-L", self._socket, "kill-server"], capture_output=True, check=False)
