"""The game interface. Read this page first: a class that implements `Game` gets the rest of Facedown.

A game here is one in which seats place picks face down and all are turned at once. It is written as pure
functions on small frozen values: no function changes its arguments, and the only chance is the one handed in.

A folder makes a game. It holds a module `game` with a `GAME`, an instance of a subclass of `Game`.
It may hold `page.md` (the
rules, every sentence with an id), `text` (how a terminal shows it), `bots`, `solve` and `review` (a judge of
finished games; without one, a REVIEWER among the bots plays them out).
`core.registry` finds it; no other module names it. `facedown.testing` checks it.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final, Protocol, TypeAlias

from facedown.core.chance import Chance
from facedown.core.errors import IllegalPick, Unsupported
from facedown.core.events import Step as Step
from facedown.core.outcome import COMPLETED, RESIGNATION, Outcome
from facedown.core.seats import Seat, Viewer
from facedown.core.text.translation import Text
from facedown.core.views import Encoding, Plain, R, S, V, plain

Pick: TypeAlias = str
"""A secret choice, in the game's own canonical notation: the text that is sealed and recorded."""

RESIGN: Final[Pick] = "resign"
"""The pick of a seat that gives up. It stands alone in its decision, and needs no seal."""
FORFEIT: Final[Pick] = "forfeit"
"""Stands for the pick of a seat that sealed one at a blind table and did not open it in time."""

Joint: TypeAlias = tuple[Pick | None, ...]
"""All picks of one decision in seat order; None for a seat that had nothing to decide."""

Waves: TypeAlias = tuple[tuple[Seat, ...], ...]
"""Who has to pick, in placing order. Seats of one wave seal in any order; a wave waits for the one before."""


@dataclass(frozen=True, slots=True)
class Meta:
    """What kind of game it is, so that a solver or a screen can refuse in words."""

    title: Text
    summary: Text
    """One sentence for readers who do not know the game."""
    least_seats: int
    most_seats: int
    hidden_hands: bool
    """Whether seats hold what others may not know, besides sealed picks."""
    chance: bool
    """Whether chance plays a part after the set-up."""
    zero_sum: bool
    """Whether the payoffs of an outcome always add up to nothing."""


@dataclass(frozen=True, slots=True)
class Citations:
    """The ids of this game's rules that the table enforces for every game."""

    picking: str = ""
    """No pick from a seat that has nothing to decide."""
    once: str = ""
    """No second pick before the reveal."""
    placing: str = ""
    """Seats seal in the placing order."""
    resigning: str = ""
    """Who may resign."""


class Game(Protocol[R, S, V]):
    """The table's side of a game. `R` are its rules, `S` its state, `V` its view.

    A state never holds a pick that has not been revealed: `resolve` gets all picks of a decision at once,
    and there is no way to apply one seat's alone.
    """

    name: ClassVar[str]
    """The name in records and on the command line: also the folder's."""
    version: ClassVar[int]
    """The behaviour version, from 1: rises when a record could replay differently. Records hold it, and
    those of another version are refused."""
    meta: ClassVar[Meta]
    citations: ClassVar[Citations] = Citations()
    terminations: ClassVar[tuple[str, ...]] = (COMPLETED, RESIGNATION)
    """Why it may end: words used in records, and in the game's dictionaries as `ending.WORD`."""
    rules: type[R]

    @abstractmethod
    def setup(self, rules: R, seats: int, chance: Chance) -> Step[S]:
        """Deal: the state in which the first decision is open."""

    @abstractmethod
    def pending(self, state: S) -> Waves:
        """Who has to pick now, in placing order; empty once the game is over."""

    @abstractmethod
    def legal(self, state: S, seat: Seat) -> tuple[Pick, ...]:
        """What the seat may pick, in a fixed order; never empty for a seat that is pending."""

    @abstractmethod
    def resolve(self, state: S, joint: Joint, chance: Chance) -> Step[S]:
        """The reveal: all pending seats' picks (legal, checked before) turned at once.

        Where one pick is `RESIGN`, all others are None.
        """

    @abstractmethod
    def view(self, state: S, viewer: Viewer) -> V:
        """What the viewer may know: everything public so far, and what this seat alone has seen."""

    @abstractmethod
    def outcome(self, state: S) -> Outcome | None:
        """The outcome; None while the game is in progress."""

    def __repr__(self) -> str:
        return f"facedown.game({self.name!r})"

    # --- what a game may say better than the table can -----------------------------------------------

    def due(self, view: V) -> Waves:
        """Who has to pick, from what is public: a client compares it with what the server says.

        A game works it out from the other fields of its view; here it is what the view says.
        """
        return view.waiting

    def forfeit(self, state: S, joint: Joint, chance: Chance) -> Step[S]:
        """The reveal of a decision in which some seats, `FORFEIT` in the joint, did not open their picks.

        Such a seat loses the decision: never better for it than any pick. A game without this has no blind
        tables.
        """
        raise Unsupported(f"{self.name} does not say what a forfeit costs: its class has no `forfeit`")

    def standing(self, state: S) -> tuple[Seat, ...]:
        """The seats that are still in the game and may resign."""
        return ()

    def seat_shares(self, rules: R, seats: int, dealt: S | None) -> tuple[float, ...] | None:
        """What each seat gets of a game between equals, 1 in all: before the deal (None), or after it, if a
        game draws its sides. None: it is not known, and such a game does not count for ratings."""
        return (1 / seats,) * seats

    def handicap(self, rules: R, seat: Seat) -> R | None:
        """The same rules with this seat on the weaker side from the start; None if no side is weaker, or
        that is not known."""
        return None

    def read_pick(self, text: str) -> Pick:
        """A pick as a person writes it, in canonical notation; raises `UnreadablePick`."""
        return text.strip()

    def refusal(self, state: S, seat: Seat, pick: Pick) -> IllegalPick:
        """Why a pick is not among the legal ones, with the rule's id."""
        return IllegalPick(f"{pick!r} is not one of {', '.join(self.legal(state, seat))}", text=pick)

    def lies_open(self, pick: Pick) -> bool:
        """Whether everybody sees a turned pick; where not, its seal is opened to others after the game."""
        return True

    # --- what programs that learn need (agents, simulators, adapters) ----------------------------------

    def picks(self, rules: R, seats: int) -> tuple[Pick, ...]:
        """The alphabet: every pick that `legal` may ever hold under these rules, in a fixed order.

        An agent's action is a place in it. `RESIGN` is not among them: it is the table's own.
        """
        raise Unsupported(f"{self.name} does not name all its picks: its class has no `picks`")

    def encoding(self, rules: R, seats: int) -> Encoding | None:
        """What the numbers of `encode` mean under these rules; None where the game has no numeric form."""
        return None

    def encode(self, view: V) -> Sequence[float]:
        """The view as numbers from -1 to 1, one for each entry of `encoding`. Made from the view alone."""
        raise Unsupported(f"{self.name} has no numeric form of its views: its class has no `encode`")

    # --- for programs that read records ----------------------------------------------------------------

    def decision_json(self, before: S, joint: Joint, step: Step[S]) -> dict[str, Plain]:
        """One decision of a record as JSON: what `facedown replay --json` prints for it."""
        happened: list[Plain] = [{"kind": event.kind, "facts": plain(event.facts)} for event in step.events]
        return {"kind": "resign" if RESIGN in joint else "play", "picks": plain(joint), "events": happened}


AnyGame: TypeAlias = Game[Any, Any, Any]
"""A game of which only the protocol is known: what the registry hands out."""
