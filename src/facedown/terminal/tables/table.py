"""Table protocol of the terminal: one interface for tables in this process, in a record, or on a server.

A table has views and seen events of the viewers at this screen, and takes their picks. It may change at
any time, from any thread, and says so; all its calls return at once, or block only the thread that calls.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal, NamedTuple, Protocol, TypeAlias

from facedown.core.events import Seen
from facedown.core.game import AnyGame, Pick, Waves
from facedown.core.outcome import Outcome
from facedown.core.record import Record
from facedown.core.rules import Rules
from facedown.core.seats import Seat, Viewer
from facedown.terminal.tables.spec import TableSpec
from facedown.terminal.words.words import Words


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


class Players(Protocol):
    """The other people of an online table: chat, absent players, the rematch."""

    @property
    def absent(self) -> Sequence[AbsentPlayer]:
        """Absent players of a running game."""

    @property
    def news(self) -> Sequence[str]:
        """What happened among the people, oldest first: who came back, who was replaced by whose consent."""

    @property
    def series(self) -> str:
        """How the games of these people stand, in a sentence; empty for their first."""

    def offer(self, seat: Seat) -> None:
        """Offer the table's bot for an absent player; raises `FacedownError` where that is not allowed."""

    @property
    def replaced_by(self) -> str:
        """The bot that plays this screen's seat for now; empty if none does."""

    def take_back(self) -> None:
        """Take this screen's seat back from the bot that plays it."""

    def avoid(self, how: Avoidance, seat: Seat) -> None:
        """Mute or block the person on another seat, or report their name to the operator."""

    def agree(self, seat: Seat) -> None:
        """Consent to the bot that was offered for a seat."""

    @property
    def chat_lines(self) -> Sequence[ChatLine]:
        """What was said lately, oldest first."""

    @property
    def remarks_heard(self) -> int:
        """How many chat lines there were in all."""

    @property
    def gone(self) -> bool:
        """Whether nothing will happen here any more, though the game has not ended."""

    @property
    def following(self) -> bool:
        """Whether the next table of these people has been made."""

    def say(self, text: str) -> None:
        """Say something; raises `FacedownError` where it is not taken."""

    def rematch(self) -> TerminalTable:
        """The next table of these people; it is created where it does not exist yet."""

    def leave_seat(self) -> None:
        """Give the seat back, and tell the others."""


class TerminalTable(Protocol):
    """A table as the terminal knows it."""

    game: AnyGame
    rules: Rules
    people: tuple[Seat, ...]
    """The seats whose picks this screen takes; none for a spectator."""
    remote: bool
    """Whether the table is on a server, and continues without this screen."""
    spec: TableSpec | None = None
    """How the table was set; None where this machine cannot set it again."""
    resumed: int = 0
    """How many decisions a saved game had when it was resumed."""
    players: Players | None = None
    """Chat, absences and rematch of an online table; None on this machine."""

    @property
    def names(self) -> tuple[str, ...]:
        """What the seats are called."""

    @property
    def notice(self) -> str:
        """What everybody at this screen should know now; empty for nothing."""

    @property
    def decision(self) -> int:
        """The number of the open decision, from 1."""

    @property
    def pending(self) -> Waves:
        """Who has to pick, in placing order."""

    @property
    def may_seal(self) -> tuple[Seat, ...]:
        """Who may seal now."""

    @property
    def sealed(self) -> tuple[Seat, ...]:
        """Who has sealed in this decision."""

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended; None while it runs."""

    @property
    def started(self) -> bool:
        """Whether there is a table to show."""

    def view(self, viewer: Viewer) -> Any:
        """What that viewer sees."""

    def legal(self, seat: Seat) -> tuple[Pick, ...]:
        """What that seat may pick."""

    def placed_pick(self, seat: Seat) -> Pick | None:
        """What that seat of this screen has sealed in this decision."""

    def milliseconds_left(self, seat: Seat) -> int | None:
        """How long that seat may still take; None where no clock runs for it."""
        return None

    def history(self, viewer: Viewer) -> Sequence[SeenDecision]:
        """Everything that happened so far, as that viewer may know it."""

    def begin(self) -> None:
        """Begin: bots seal what they may seal first."""

    def seal(self, seat: Seat, pick: Pick, decision: int | None = None) -> None:
        """Place a pick; returns once it cannot be lost, raises `FacedownError` where it is refused.

        With a decision it is refused where the table has gone on to another by then.
        """

    def resign(self, seat: Seat) -> None:
        """Give up."""

    def record(self) -> Record | None:
        """The record of the finished game; None while it runs."""

    def listen(self, changed: Callable[[], None]) -> None:
        """Call this whenever something may have changed; from any thread."""

    def wait(self, seconds: float) -> None:
        """Block until something changes, or so long."""

    def speak(self, words: Words) -> None:
        """Use another language from now on."""

    def finish(self) -> list[str]:
        """Put a finished game away (its record, the bots' notes); returns the sentences to show.

        Raises `RecordNotSaved`.
        """

    def close(self) -> list[str]:
        """Leave the table; returns the sentences to show: what was saved, and the command that comes back.

        Raises `RecordNotSaved`.
        """
