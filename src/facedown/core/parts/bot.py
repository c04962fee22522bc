"""The bot interface: a bot gets a view, the legal picks and a random stream of its own, never a state.

Between games it knows only what is in its `Memory`, which the person it is about may look at and erase.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from typing import Any, ClassVar, Protocol, TypeAlias, TypeVar

from facedown.core.chance import Stream
from facedown.core.game import Pick
from facedown.core.seats import Seat
from facedown.core.text.translation import Text
from facedown.core.views import Plain, ViewProtocol

V = TypeVar("V", bound=ViewProtocol, contravariant=True)


class Memory:
    """What a bot keeps about its games with one person: one plain note for each game, the latest last.

    >>> memory = Memory(most=2)
    >>> for note in ("first", "second", "third"):
    ...     memory.add(note)
    >>> memory
    Memory(['second', 'third'])
    >>> memory.erase()
    >>> list(memory)
    []
    """

    __slots__ = ("_notes",)

    def __init__(self, notes: Iterable[Plain] = (), *, most: int = 10) -> None:
        self._notes: deque[Plain] = deque(notes, maxlen=most)

    def add(self, note: Plain) -> None:
        """Keep a note about a game; the oldest goes when there is no room."""
        self._notes.append(note)

    def erase(self) -> None:
        """Forget everything."""
        self._notes.clear()

    def __iter__(self) -> Iterator[Plain]:
        return iter(tuple(self._notes))

    def __len__(self) -> int:
        return len(self._notes)

    def __repr__(self) -> str:
        return f"Memory({list(self._notes)})"


class Bot(Protocol[V]):
    """An opponent in one seat. It is made anew for each game, with the memory of earlier ones (or none).

    The same view, legal picks, memory and stream give the same pick: whatever a bot needs to know about the
    game so far, it reads from the view.
    """

    name: ClassVar[str]
    says: ClassVar[Text]
    """One honest sentence about how it plays."""
    game: ClassVar[str] = ""
    """The game that it plays; empty where it plays any. A game's own bots need not say it."""

    def __init__(self, memory: Memory | None = None) -> None: ...

    def pick(self, view: V, legal: tuple[Pick, ...], stream: Stream) -> Pick:
        """One of the legal picks."""
        ...

    def note(self, view: V) -> Plain:
        """What to remember of a finished game, from the view after its end; None to keep nothing."""
        return None


def bot_stream(key: bytes, seat: Seat) -> Stream:
    """The random stream of the bot on a seat, from the key that deals the game."""
    return Stream(key, f"bot/{seat}")


AnyBot: TypeAlias = Bot[Any]
"""A bot of which only the protocol is known."""
