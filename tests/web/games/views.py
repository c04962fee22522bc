"""Views as a browser gets them, recorded by playing real matches with the table itself."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from typing import Any, TypeAlias

from facedown.core import registry
from facedown.core.chance import Chance, Seeded, Stream, seed_of
from facedown.core.events import Event, Seen
from facedown.core.game import Pick, Step
from facedown.core.match import Match
from facedown.core.parts.story import Story, story_of
from facedown.core.seats import Seat, Viewer
from facedown.core.views import plain

JSON: TypeAlias = dict[str, Any]
"""One sight, as the page gets it."""

NAMES = ("Ann", "Ines", "Ben", "Mai", "Otto", "Rui", "Lena")
NOW = 1_800_000_000_000

Chooser: TypeAlias = Callable[[Match[Any, Any, Any], Seat, Stream], Pick]


def anything(match: Match[Any, Any, Any], seat: Seat, stream: Stream) -> Pick:
    """Any legal pick."""
    legal = match.legal(seat)
    return legal[stream.below(len(legal))]


@dataclass
class Played:
    """A match that is being played, and what each viewer has been shown of it."""

    game: str
    rules: str
    seats: int
    seed: str = "gallery"
    chance: Chance | None = None
    """Where it is not simply the seed's."""
    match: Match[Any, Any, Any] = field(init=False)
    reveals: dict[Viewer, JSON | None] = field(init=False)
    placed: dict[Seat, Pick] = field(default_factory=dict)

    def __post_init__(self) -> None:
        game = registry.get(self.game)
        chance = self.chance or Seeded(seed_of(self.seed))
        self.match = Match(game, game.rules.read(self.rules), NAMES[: self.seats], chance)
        self.reveals = dict.fromkeys(range(self.seats + 1))
        self._stream = Stream(seed_of(self.seed), "choices")

    def seal(self, seat: Seat, pick: Pick) -> Step[Any] | None:
        """Seal one pick; where it is the last, keep what every viewer sees of the reveal."""
        viewers = range(self.seats + 1) if self._is_last(seat) else ()
        before = {viewer: plain(self.match.view(viewer)) for viewer in viewers}
        decision = self.match.decision
        step = self.match.seal(seat, pick)
        self.placed[seat] = pick
        if step is None:
            return None
        placed, self.placed = self.placed, {}
        for viewer in viewers:
            self.reveals[viewer] = {
                "decision": decision,
                "opens": [],
                "events": [seen(event, viewer) for event in step.events],
                "before": before[viewer],
                "placed": placed.get(viewer),
            }
        return step

    def _is_last(self, seat: Seat) -> bool:
        """Whether everybody else has sealed."""
        deciding = {each for wave in self.match.pending for each in wave}
        return deciding - set(self.match.sealed) == {seat}

    def decide(self, *picks: Pick | None) -> None:
        """One whole decision by the picks of all seats."""
        for wave in self.match.pending:
            for seat in wave:
                pick = picks[seat - 1]
                assert pick is not None, "this seat has to decide"
                self.seal(seat, pick)

    def go_on(self, choose: Chooser = anything) -> bool:
        """One decision of everybody's choosing; False where the game is over."""
        if self.match.outcome is not None:
            return False
        decision = self.match.decision
        while self.match.decision == decision:
            seat = self.match.may_seal[0]
            self.seal(seat, choose(self.match, seat, self._stream))
        return True

    def sight(self, viewer: Viewer, *, revealing: bool = False) -> JSON:
        """What this viewer's page holds now, or while the last reveal is being shown."""
        match = self.match
        sealed = [{"seat": seat, "commit": "00" * 32, "placer": "person"} for seat in match.sealed]
        may_seal = list(match.may_seal)
        placed = self.placed.get(viewer)
        legal = list(match.legal(viewer)) if viewer in [s for wave in match.pending for s in wave] else []
        turn = {
            "decision": match.decision,
            "waiting": plain(match.pending),
            "may_seal": may_seal,
            "sealed": sealed,
            "deadlines": {},
            "banks": {},
            "since": NOW,
        }
        return {
            "table": self._table(),
            "seat": viewer,
            "view": plain(match.view(viewer)),
            "legal": legal,
            "placed": placed,
            "sending": False,
            "turn": None if match.outcome is not None else turn,
            "mayPick": viewer in may_seal and placed is None and not revealing,
            "options": {each.name: option(getattr(match.rules, each.name)) for each in match.rules.options},
            "names": list(match.names),
            "lastReveal": self.reveals[viewer],
            "revealing": revealing and self.reveals[viewer] is not None,
            "shared": False,
            "connected": True,
            "now": NOW,
        }

    def story(self) -> Story | None:
        """What the server says of the game once it is over."""
        return story_of(self.game, self.match.view(0)) if self.match.outcome is not None else None

    def _table(self) -> JSON:
        match = self.match
        over = match.outcome is not None
        return {
            "id": "gallery",
            "game": self.game,
            "rules": str(match.rules),
            "title": str(match.game.meta.title),
            "state": "over" if over else "playing",
            "story": None if (story := self.story()) is None else asdict(story),
            "seats": [
                {"seat": seat, "kind": "person", "name": name, "taken": True, "left": False, "here": True}
                for seat, name in enumerate(match.names, 1)
            ],
        }


def option(value: object) -> object:
    """The value of an option as the server writes it: a switch is on or off."""
    return {True: "on", False: "off"}[value] if isinstance(value, bool) else value


def seen(event: Event, viewer: Viewer) -> JSON:
    """An event as it travels to this viewer."""
    seen = event.seen_by(viewer)
    if not isinstance(seen, Seen):
        return {"kind": "-"}
    return {"kind": seen.kind, "facts": plain(seen.facts), "rules": list(seen.rules)}


def positions(game: str, rules: str, seats: int, *, decisions: int = 60) -> Iterator[Played]:
    """A match before each of its decisions and after its end."""
    played = Played(game, rules, seats)
    yield played
    for _ in range(decisions):
        if not played.go_on():
            return
        yield played
