"""Bots that fail, each in its own way; named in tests as `tests.sim.faulty:Class`."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import ClassVar

from facedown.bots.uniform import Uniform
from facedown.core.chance import Stream
from facedown.core.game import Pick
from facedown.core.parts.bot import Memory
from facedown.core.views import Plain, View


class Crashes(Uniform):
    name: ClassVar[str] = "crashes"

    def pick(self, view: View, legal: tuple[Pick, ...], stream: Stream) -> Pick:
        raise ZeroDivisionError


class Cheats(Uniform):
    name: ClassVar[str] = "cheats"

    def pick(self, view: View, legal: tuple[Pick, ...], stream: Stream) -> Pick:
        return "Joker"


class Sleeps(Uniform):
    name: ClassVar[str] = "sleeps"

    def pick(self, view: View, legal: tuple[Pick, ...], stream: Stream) -> Pick:
        time.sleep(60)
        return legal[0]


class Loops(Uniform):
    name: ClassVar[str] = "loops"

    def pick(self, view: View, legal: tuple[Pick, ...], stream: Stream) -> Pick:
        while True:
            pass


class StopsItself(Uniform):
    """Has its process stopped for longer than any timeout, like a closed laptop."""

    name: ClassVar[str] = "stops-itself"
    stopped: ClassVar[list[bool]] = []

    def pick(self, view: View, legal: tuple[Pick, ...], stream: Stream) -> Pick:
        if not self.stopped:
            self.stopped.append(True)
            wake = f"import os, signal, time; time.sleep(2); os.kill({os.getpid()}, signal.SIGCONT)"
            with subprocess.Popen([sys.executable, "-c", wake], start_new_session=True):
                os.kill(os.getpid(), signal.SIGSTOP)
        return super().pick(view, legal, stream)


class CannotStart(Uniform):
    name: ClassVar[str] = "cannot-start"

    def __init__(self, memory: Memory | None = None) -> None:
        raise RuntimeError("nothing to start with")


class Blabs(Uniform):
    name: ClassVar[str] = "blabs"

    def pick(self, view: View, legal: tuple[Pick, ...], stream: Stream) -> Pick:
        raise ValueError(f"I hold {' '.join(legal[:5])} and 5 of them")


class ForgetsHow(Uniform):
    name: ClassVar[str] = "forgets-how"

    def note(self, view: View) -> Plain:
        raise LookupError


class KillsOnce(Uniform):
    """Kills the process that it plays in, once: a file remembers that it has."""

    name: ClassVar[str] = "kills-once"

    def pick(self, view: View, legal: tuple[Pick, ...], stream: Stream) -> Pick:
        done = Path(os.environ["KILLED_ONCE"])
        if not done.exists():
            done.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return super().pick(view, legal, stream)


class KillsAlways(Uniform):
    name: ClassVar[str] = "kills-always"

    def pick(self, view: View, legal: tuple[Pick, ...], stream: Stream) -> Pick:
        os.kill(os.getpid(), signal.SIGKILL)
        return legal[0]


class Counts(Uniform):
    """Remembers how many games it has played; plays the first legal pick once it remembers three."""

    name: ClassVar[str] = "counts"

    def __init__(self, memory: Memory | None = None) -> None:
        self.known = 0 if memory is None else len(memory)

    def pick(self, view: View, legal: tuple[Pick, ...], stream: Stream) -> Pick:
        if self.known not in (0, 3):
            return super().pick(view, legal, stream)
        if self.known == 3:
            return legal[0]
        raise ZeroDivisionError

    def note(self, view: View) -> Plain:
        return "a game"
