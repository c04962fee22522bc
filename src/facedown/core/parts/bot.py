"""The bot interface: a bot gets a view, the legal picks and a random stream of its own, never a state.

Between games it knows only what is in its `Memory`, a file that the person may read and delete.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple, Protocol, TypeAlias

from facedown.core.chance import Stream
from facedown.core.game import Pick
from facedown.core.seats import Seat
from facedown.core.text.translation import Text
from facedown.core.views import Plain, ViewProtocol

if TYPE_CHECKING:
    from typing_extensions import TypeVar

    V = TypeVar("V", bound=ViewProtocol, contravariant=True, default=Any)
else:
    from typing import TypeVar

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


Level: TypeAlias = Literal["", "easy", "medium", "hard"]
"""How hard a bot is to beat; empty where nobody has said it."""


class Expectation(NamedTuple):
    """What a bot expected of its opponent at one decision, and why. It is shown only after the game."""

    pick: Pick
    """The opponent's pick that the numbers are about."""
    chance: float
    """How likely the bot held it."""
    usual: float
    """How likely it is for an opponent of whom nothing is known."""
    say: tuple[Text, ...]
    """What it expected, why, and what it made of that, in sentences."""


class Bot(Protocol[V]):
    """An opponent in one seat. Each game has a new one, with the memory of earlier games (or none).

    The same view, legal picks, memory and stream give the same pick: whatever a bot needs to know about the
    game so far, it reads from the view.

    >>> class Last(Bot):
    ...     "Always takes the last of its legal picks."
    ...     def pick(self, view, legal, stream):
    ...         return legal[-1]
    >>> Last.name, Last.says
    ('last', 'Always takes the last of its legal picks.')
    """

    name: ClassVar[str] = ""
    """Its name in lists and records; where it says nothing, that of its class in small letters."""
    says: ClassVar[Text] = ""
    """One honest sentence about how it plays; where it says nothing, the first line of its docstring."""
    level: ClassVar[Level] = ""
    """How hard it is to beat."""
    game: ClassVar[str] = ""
    """The game that it plays; empty where it plays any. A game's own bots need not say it."""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        for attribute, usual in (("name", _usual_name), ("says", _usual_sentence)):
            definer = next(each for each in cls.__mro__ if attribute in each.__dict__)
            if definer is Bot or (definer is not cls and getattr(definer, attribute) == usual(definer)):
                setattr(cls, attribute, usual(cls))

    def __init__(self, memory: Memory | None = None) -> None:
        """`memory` holds the notes of earlier games; a bot that makes none need not have an `__init__`."""
        return

    def pick(self, view: V, legal: tuple[Pick, ...], stream: Stream) -> Pick:
        """One of the legal picks."""
        ...

    def note(self, view: V) -> Plain:
        """What to remember of a finished game, from the view after its end; None to keep nothing."""
        return None

    def explain(self, view: V, legal: tuple[Pick, ...]) -> Expectation | None:
        """What it expects of the opponent in a decision, from its own view; None where it expects nothing.

        Reviews ask for it once the game is over; no table does.
        """
        return None


def _usual_name(bot: type) -> str:
    """The name of a class in small letters, its words joined by hyphens."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "-", bot.__name__.strip("_")).lower()


def _usual_sentence(bot: type) -> str:
    """The first line of a class's own docstring; its name where it has none."""
    lines = (bot.__dict__.get("__doc__") or "").strip().splitlines()
    return lines[0].strip() if lines else bot.__name__


def bot_stream(key: bytes, seat: Seat) -> Stream:
    """The random stream of the bot on a seat, from the key that deals the game."""
    return Stream(key, bot_label(seat))


def bot_label(seat: Seat) -> str:
    """The label of that stream."""
    return f"bot/{seat}"


AnyBot: TypeAlias = Bot[Any]
"""A bot of which only the protocol is known."""
