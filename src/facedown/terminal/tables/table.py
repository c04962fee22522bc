"""Table protocol of the terminal: one interface for tables in this process, in a record, or on a server.

A table has views and seen events of the viewers at this screen, and takes their picks. It may change at
any time, from any thread, and says so; all its calls return at once, or block only the thread that calls.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, Protocol, TypeAlias

from facedown.core.errors import NotAllowed
from facedown.core.events import Seen
from facedown.core.game import AnyGame, Pick, Waves
from facedown.core.outcome import Outcome
from facedown.core.parts.story import story_of, story_text
from facedown.core.record import Record
from facedown.core.rules import Rules
from facedown.core.seats import SPECTATOR, Seat, Viewer

if TYPE_CHECKING:
    from facedown.terminal.tables.remote import OnlineTable


class SeenDecision(NamedTuple):
    """One decision (0: the deal) as a viewer saw it: the events they may know, and their view after it."""

    decision: int
    seen: tuple[Seen, ...]
    view: Any
    """None where it is not known any more."""


class ChatLine(NamedTuple):
    """A chat message at the table."""

    name: str
    text: str


class AbsentPlayer(NamedTuple):
    """A player who left the table or lost the connection."""

    seat: Seat
    name: str
    left: bool
    """Whether they got up, rather than lost the connection."""
    since: str
    """The hour and minute on this machine's clock; empty where that is not known."""
    machine: str
    """The bot that is offered in their place; empty where none is."""
    waits_for: tuple[str, ...]
    """Who has yet to agree to that."""
    asks_you: bool
    """Whether this screen's seat is one of them."""


Avoidance: TypeAlias = Literal["mute", "block", "report"]
"""What can be done about a person."""
AVOIDANCES: Final[tuple[Avoidance, ...]] = ("mute", "block", "report")


class TerminalTable(Protocol):
    """A table as the terminal knows it; the defaults are those of a table at which nothing is placed."""

    game: AnyGame
    rules: Rules
    people: tuple[Seat, ...]
    """The seats whose picks this screen takes; none for a spectator."""
    resumed: int = 0
    """How many decisions a saved game had when it was resumed."""
    players: OnlineTable | None = None
    """The table itself if it is on a server, and continues without this screen; None on this machine."""

    @property
    def names(self) -> tuple[str, ...]:
        """What the seats are called."""

    @property
    def notice(self) -> str:
        """What everybody at this screen should know now; empty for nothing."""
        return ""

    @property
    def decision(self) -> int:
        """The number of the open decision, from 1."""

    @property
    def pending(self) -> Waves:
        """Who has to pick, in placing order."""

    @property
    def may_seal(self) -> tuple[Seat, ...]:
        """Who may seal now."""
        return ()

    @property
    def sealed(self) -> tuple[Seat, ...]:
        """Who has sealed in this decision."""
        return ()

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended; None while it runs."""

    @property
    def started(self) -> bool:
        """Whether there is a table to show."""
        return True

    @property
    def over(self) -> bool:
        """Whether the game has ended, so that it may be reviewed."""
        return self.started and self.outcome is not None

    def view(self, viewer: Viewer) -> Any:
        """What that viewer sees."""

    def legal(self, seat: Seat) -> tuple[Pick, ...]:
        """What that seat may pick."""
        return ()

    def placed_pick(self, seat: Seat) -> Pick | None:
        """What that seat of this screen has sealed in this decision."""
        return None

    def milliseconds_left(self, seat: Seat) -> int | None:
        """How long that seat may still take; None where no clock runs for it."""
        return None

    def history(self, viewer: Viewer) -> Sequence[SeenDecision]:
        """Everything that happened so far, as that viewer may know it."""

    def begin(self) -> None:
        """Begin: bots seal what they may seal first."""
        return

    def seal(self, seat: Seat, pick: Pick, decision: int | None = None) -> None:
        """Place a pick; returns once it cannot be lost, raises `FacedownError` where it is refused.

        With a decision it is refused where the table has gone on to another by then.
        """
        raise NotAllowed("nothing can be placed at this table")

    def resign(self, seat: Seat) -> None:
        """Give up."""
        raise NotAllowed("no seat can resign at this table")

    def another_game(self) -> TerminalTable:
        """The table of the next game with the same players; raises `FacedownError` where there is none."""
        raise NotAllowed("this table has no next game")

    def record(self) -> Record | None:
        """The record of the finished game; None while it runs."""

    def listen(self, changed: Callable[[], None]) -> None:
        """Call this whenever something may have changed; from any thread."""
        return

    def wait(self, seconds: float) -> None:
        """Block until something changes, or this long; at once if nothing changes without a call."""
        return

    def finish(self) -> list[str]:
        """Put a finished game away (its record, the bots' notes); returns the sentences to show.

        Raises `RecordNotSaved`.
        """
        return []

    def close(self) -> list[str]:
        """Leave the table; returns the sentences to show: what was saved, and the command that comes back.

        Raises `RecordNotSaved`.
        """
        return []


def story_of_table(table: TerminalTable, language: str) -> str:
    """The story of a finished game for the person at this screen, in one sentence; empty if no round
    decided it."""
    if table.outcome is None:
        return ""
    game, you = table.game.name, table.people[0] if len(table.people) == 1 else SPECTATOR
    story = story_of(game, table.view(you))
    return story_text(game, story, table.names, language, you) if story and story.step else ""
