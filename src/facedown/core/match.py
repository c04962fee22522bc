"""A match: a game in progress, the one stateful object. It folds decisions, and holds the open ballot.

Hands out views and events for viewers; its state is for the host of the table, never for a seat.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Generic, NoReturn, final

from facedown.core.ballot import Ballot
from facedown.core.chance import LOCAL, Chance
from facedown.core.errors import FacedownError, IllegalPick, IllegalSeats, NotAllowed, NotNow
from facedown.core.events import Step
from facedown.core.game import FORFEIT, RESIGN, Game, Joint, Pick, Waves
from facedown.core.outcome import Outcome
from facedown.core.record import Record, result_of
from facedown.core.seats import SPECTATOR, Seat, Viewer
from facedown.core.text.translation import ENGLISH, Domain, Slot, Text, in_row, translate
from facedown.core.views import R, S, V

message: Final = Domain("facedown.core")


@final
class Match(Generic[R, S, V]):
    """A game in progress: `seal` for each seat, and the last one reveals.

    Three doors, one rule behind them: `check_pick` raises, `can_pick` asks, `seal` does.
    """

    __slots__ = (
        "__ballot",
        "__box",
        "__legal",
        "__legal_in",
        "__pending_in",
        "__resolve",
        "__seats",
        "__state",
        "__unasked",
        "__waves",
        "chance",
        "dealt",
        "game",
        "id",
        "names",
        "picks",
        "rules",
        "seed",
    )

    def __init__(
        self,
        game: Game[R, S, V],
        rules: R,
        names: Sequence[str],
        chance: Chance,
        *,
        game_id: str = LOCAL,
        seed: bytes | None = None,
    ) -> None:
        """`game_id` and `seed` are what the chance comes from, where its record may tell them."""
        check_seats(game, len(names))
        self.game = game
        """The game that is played."""
        self.rules = rules
        """Its rules."""
        self.names = tuple(names)
        """The names of the seats, seat 1 first."""
        self.__seats = len(self.names)
        self.chance = chance
        """What is drawn from; `drawn` of it is what came."""
        self.id = game_id
        """The id of the game, which its deal depends on."""
        self.seed = seed
        """The seed of the deal, where the host of the table knows it: never for a seat."""
        self.picks: list[Joint] = []
        """What was revealed: the picks of every decision, by seat."""
        self.__pending_in, self.__legal_in, self.__resolve = game.pending, game.legal, game.resolve
        step = game.setup(rules, self.__seats, chance)
        self.dealt = step
        """What came of the deal: the first state and its events, for the host of the table."""
        self.__state = step.state
        self.__waves = self.__pending_in(step.state)
        self.__ballot: Ballot | None = None
        self.__box = Ballot(self.__seats, self.__waves, game.citations)
        self.__unasked: list[tuple[Pick, ...] | None] = [None] * (self.__seats + 1)
        self.__legal = self.__unasked.copy()
        """What each seat may pick in this decision, as far as it was asked; entry 0 is unused."""

    # --- what everybody may ask ----------------------------------------------------------------------

    @property
    def decision(self) -> int:
        """The number of the open decision, from 1."""
        return len(self.picks) + 1

    @property
    def outcome(self) -> Outcome | None:
        """The outcome; None while the game is in progress."""
        return self.game.outcome(self.__state)

    @property
    def pending(self) -> Waves:
        """Who has to pick in this decision, in placing order."""
        return self.__waves

    @property
    def sealed(self) -> tuple[Seat, ...]:
        """Who has sealed in this decision."""
        return (self.__ballot or self._open_ballot()).sealed

    @property
    def may_seal(self) -> tuple[Seat, ...]:
        """Who may seal at this moment."""
        return (self.__ballot or self._open_ballot()).may_seal

    def view(self, viewer: Viewer) -> V:
        """What the viewer may see now."""
        if not SPECTATOR <= viewer <= len(self.names):
            raise NotAllowed(f"there is no seat {viewer} at this table")
        return self.game.view(self.__state, viewer)

    def legal(self, seat: Seat) -> tuple[Pick, ...]:
        """What the seat may pick in this decision."""
        if not 0 < seat <= self.__seats:
            return ()
        legal = self.__legal[seat]
        if legal is None:
            legal = self.__legal[seat] = self.__legal_in(self.__state, seat)
        return legal

    def table(self, viewer: Viewer = SPECTATOR, language: str = ENGLISH) -> str:
        """The table as text, as the viewer may see it: with a seat's own hand, without what lies face down.

        `print(match)` shows the spectator's.
        """
        from facedown.core import registry
        from facedown.core.parts.text import text_of

        known = self.game.name if self.game.name in registry.names() else ""  # a class of a test is not
        title = message("table.title", title=self.game.meta.title, rules=str(self.rules))
        table = text_of(known, language).table(self.view(viewer), self.names)
        return "\n".join((translate(title, language), table, translate(self._standing(), language)))

    def _standing(self) -> Text:
        """Who has sealed and who has to, or how the game ended."""
        outcome = self.outcome
        if outcome is not None:
            won = outcome.winner
            return message("table.drawn") if won is None else message("table.won", name=self.names[won - 1])
        slots: dict[str, Slot] = {"number": self.decision, "due": self._named(self.may_seal)}
        if not self.sealed:
            return message("table.due", **slots)
        return message("table.sealed", sealed=self._named(self.sealed), **slots)

    def _named(self, seats: tuple[Seat, ...]) -> Text:
        return in_row([self.names[seat - 1] for seat in seats])

    # --- picking -------------------------------------------------------------------------------------

    def can_pick(self, seat: Seat, pick: Pick) -> bool:
        """Whether this seat may seal this pick now."""
        ballot = self.__ballot or self._open_ballot()
        return seat in ballot.may_seal and pick in self.legal(seat)

    def check_pick(self, seat: Seat, pick: Pick) -> None:
        """Raise unless this seat may seal this pick now."""
        if not self.can_pick(seat, pick):
            raise self._refusal(seat, pick)

    def seal(self, seat: Seat, pick: Pick) -> Step[S] | None:
        """Place a pick face down. The last seat's seal turns all: what came of it; None before."""
        if not 0 < seat <= self.__seats or pick not in (self.__legal[seat] or self.legal(seat)):
            raise self._refusal(seat, pick)
        try:
            joint = (self.__ballot or self._open_ballot()).seal(seat, pick)
        except NotNow as error:
            raise error.at(decision=self.decision) from None
        return None if joint is None else self._turn(joint)

    def seal_unknown(self, seat: Seat) -> None:
        """Place a pick face down that only its seat knows. `fill` names it once all have sealed."""
        ballot = self.__ballot or self._open_ballot()
        if seat not in ballot.may_seal:
            raise ballot.refusal(seat).at(decision=self.decision, seat=seat)
        ballot.seal_unknown(seat)

    @property
    def unopened(self) -> tuple[Seat, ...]:
        """Seats whose sealed pick in this decision only they know."""
        return (self.__ballot or self._open_ballot()).unopened

    def fill(self, seat: Seat, pick: Pick) -> Step[S] | None:
        """Name a pick that only its seat knew, or `FORFEIT` if the seat does not open it. The last one turns
        all: what came of it; None before."""
        ballot = self.__ballot or self._open_ballot()
        if pick != FORFEIT and pick not in self.legal(seat):
            raise self.game.refusal(self.__state, seat, pick).at(decision=self.decision, seat=seat)
        ballot.fill(seat, pick)
        if not ballot.complete:
            return None
        joint = ballot.open()
        return self._turn(joint, forfeited=FORFEIT in joint)

    def _refusal(self, seat: Seat, pick: Pick) -> FacedownError:
        ballot = self.__ballot or self._open_ballot()
        due = seat in ballot.may_seal
        error = self.game.refusal(self.__state, seat, pick) if due else ballot.refusal(seat)
        return error.at(decision=self.decision, seat=seat)

    def resign(self, seat: Seat) -> Step[S]:
        """Give up. What others have sealed in this decision is thrown away unseen; they seal again."""
        if not 1 <= seat <= len(self.names):
            raise NotAllowed(f"there is no seat {seat} at this table").at(decision=self.decision)
        alone = tuple(RESIGN if each == seat else None for each in range(1, len(self.names) + 1))
        return self.decide(alone)

    def decide(self, joint: Joint) -> Step[S]:
        """One whole decision at once, as a record holds it: checked like sealed picks, then revealed."""
        try:
            forfeited = not self._is_legal(joint) and self._check_unusual(joint)
        except FacedownError as error:
            raise error.at(decision=self.decision) from None
        return self._turn(joint, forfeited=forfeited)

    def _is_legal(self, joint: Joint) -> bool:
        """Whether these are legal picks of this decision: one of each seat that has to pick."""
        if len(joint) != self.__seats:
            return False
        known, state, deciding = self.__legal, self.__state, 0
        for wave in self.__waves:
            for seat in wave:
                if joint[seat - 1] not in (known[seat] or self.__legal_in(state, seat)):
                    return False
                deciding += 1
        return deciding == self.__seats or (deciding > 0 and joint.count(None) == self.__seats - deciding)

    def _check_unusual(self, joint: Joint) -> bool:
        """Raise for the first wrong entry, unless one seat resigns or some forfeit; whether some do."""
        if RESIGN in joint:
            self._check_resignation(joint)
            return False
        if len(joint) != self.__seats:
            say = f"a list of {len(joint)}, where a decision has an entry for each of {self.__seats} seats"
            raise IllegalPick(say)
        deciding = {seat for wave in self.__waves for seat in wave}
        for seat, pick in enumerate(joint, 1):
            if (pick is not None) is not (seat in deciding):
                raise self._misplacement(seat, pick)
            if pick is not None and pick != FORFEIT and pick not in self.legal(seat):
                raise self.game.refusal(self.__state, seat, pick).at(seat=seat)
        if not deciding:
            raise NotNow("one more decision, but the game is over", rule=self.game.citations.picking)
        return True

    def _check_resignation(self, joint: Joint) -> None:
        seat = joint.index(RESIGN) + 1
        if len(joint) != len(self.names) or sum(pick is not None for pick in joint) != 1:
            say = "a resignation stands alone in its decision, the others null"
            raise IllegalPick(say, text=RESIGN, rule="R3").at(seat=seat)
        if seat not in self.game.standing(self.__state):
            say = "this seat is not in the game and cannot resign"
            raise NotNow(say, text=RESIGN, rule=self.game.citations.resigning).at(seat=seat)

    def _misplacement(self, seat: Seat, pick: Pick | None) -> FacedownError:
        """A pick where none is due, or none where one is."""
        if pick is None:
            return IllegalPick("no pick, where this seat has to decide").at(seat=seat)
        over = self.outcome is not None
        say = f"{pick!r}, but the game is over" if over else f"{pick!r}, but this seat has nothing to decide"
        return NotNow(say, text=pick, rule=self.game.citations.picking).at(seat=seat)

    # --- for the host of the table -------------------------------------------------------------------

    @property
    def state(self) -> S:
        """The whole state. Never for a seat: seats get `view`."""
        return self.__state

    def record(self, *, game_id: str | None = None, seed: bytes | None = None) -> Record:
        """The game so far, written down; with the seed only where it may be known: a match that was made with
        its seed tells it once the game is over."""
        outcome = self.outcome
        if seed is None and outcome is not None:
            seed = self.seed
        return Record(
            game=self.game.name,
            rules=str(self.rules),
            seats=self.names,
            chance=tuple(self.chance.drawn),
            picks=tuple(self.picks),
            id=self.id if game_id is None else game_id,
            seed=None if seed is None else seed.hex(),
            result=None if outcome is None else result_of(outcome),
            version=self.game.version,
        )

    def _open_ballot(self) -> Ballot:
        """The ballot of the open decision: emptied when it is first needed."""
        ballot = self.__ballot = self.__box
        ballot.empty(self.__waves)
        return ballot

    def _turn(self, joint: Joint, *, forfeited: bool = False) -> Step[S]:
        """Reveal: the one place where a decision becomes part of the game."""
        if forfeited:
            step = self.game.forfeit(self.__state, joint, self.chance)
        else:
            step = self.__resolve(self.__state, joint, self.chance)
        state = self.__state = step.state
        self.__waves = self.__pending_in(state)
        self.__ballot = None
        self.__legal = self.__unasked.copy()
        self.picks.append(joint)
        return step

    def __reduce_ex__(self, protocol: object) -> NoReturn:
        raise NotAllowed("a match is neither copied nor written: its record is")

    def __str__(self) -> str:
        return self.table()

    def __repr__(self) -> str:
        made = f"facedown.new({self.game.name!r}, {str(self.rules)!r}, seats={self.names!r})"
        return f"{made}  # {'decision ' + str(self.decision) if self.outcome is None else 'over'}"


def check_seats(game: Game[R, S, V], count: int) -> None:
    """Raise unless the game is played with that many seats."""
    least, most = game.meta.least_seats, game.meta.most_seats
    if not least <= count <= most:
        allowed = f"{least}" if least == most else f"{least} to {most}"
        raise IllegalSeats(f"{game.meta.title} is played with {allowed} seats, not {count}", text=str(count))
