"""From a sitting to a stage: what the screen shows of a table to one viewer, at rest or during a reveal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from facedown.core.game import Pick
from facedown.core.parts.scene import Face, Held, Scenes
from facedown.core.parts.text import GameText, about, text_of
from facedown.core.seats import Seat, Viewer
from facedown.terminal.drawing.board import DOWN, Stage
from facedown.terminal.tables.table import Sitting, Told
from facedown.terminal.words.words import Words


@dataclass(frozen=True, slots=True)
class Choice:
    """What is raised in the fan, and what else is to be done with it."""

    place: int = 0
    also: str = ""


def without(held: tuple[Held, ...], face: Face | None) -> tuple[Held, ...]:
    """The hand without one card of that face."""
    place = next((place for place, each in enumerate(held) if each.face == face), None)
    return held if place is None else held[:place] + held[place + 1 :]


class Staging:
    """Makes the stages of one sitting, in one language."""

    def __init__(self, sitting: Sitting, words: Words) -> None:
        self.sitting = sitting
        self.words = words
        self.scenes = Scenes(sitting.game.name, words.language)
        self.text: GameText = text_of(sitting.game.name, words.language)
        self._about = about(sitting.game.name, words.language)

    # --- at rest -------------------------------------------------------------------------------------

    def held(self, viewer: Viewer) -> tuple[Held, ...]:
        """What the viewer holds now; what may be placed has its pick."""
        return self.scenes.hand(self.sitting.view(viewer), self.legal(viewer))

    def legal(self, viewer: Viewer) -> tuple[Pick, ...]:
        """What the viewer may place at this moment."""
        mine = viewer in self.sitting.people and viewer in self.sitting.may_seal
        return self.sitting.legal(viewer) if mine else ()

    def at_rest(
        self,
        viewer: Viewer,
        choice: Choice,
        keys: tuple[tuple[str, str], ...],
        *,
        prompt: str | None = None,
    ) -> Stage:
        """The table as it is now."""
        sitting = self.sitting
        view = sitting.view(viewer)
        held = self._in_hand(viewer, view)
        legal = self.legal(viewer)
        chosen = min(choice.place, len(held) - 1) if legal and held else None
        tip = "" if chosen is None else self._tip(held[chosen], choice)
        scene = self.scenes.scene(view, sitting.names)
        shown = [chair.shown for chair in scene.chairs]
        laid: list[Face | str | None] = [self._face(card) if card else None for card in shown]
        fresh = bool(sitting.sealed)
        for seat in sitting.sealed:
            laid[seat - 1] = DOWN
        if fresh:  # what was shown before is taken away once somebody has placed anew
            laid = [lies if lies == DOWN else None for lies in laid]
        return Stage(
            title=self._about["title"],
            about=self._company(viewer),
            scene=scene,
            names=sitting.names,
            viewer=viewer,
            laid=tuple(laid),
            stale=sitting.outcome is None,
            lamp=() if sitting.outcome is not None else sitting.may_seal,
            clocks=self.clocks(),
            held=held,
            chosen=chosen,
            also=choice.also,
            prompt=self._prompt(viewer, view, legal) if prompt is None else prompt,
            tip=tip,
            log=self.log(sitting.told(viewer)),
            keys=keys,
            notice=sitting.notice,
            told=self._told(view),
        )

    def clocks(self) -> tuple[str, ...]:
        """By seat: how long it may still take; empty where nobody's clock runs."""
        left = [self.sitting.milliseconds_left(seat) for seat in range(1, len(self.sitting.names) + 1)]
        if all(each is None for each in left):
            return ()
        return tuple("" if each is None else self.words.span(each) for each in left)

    def _in_hand(self, viewer: Viewer, view: Any) -> tuple[Held, ...]:
        """What the viewer holds, without the card that lies face down already."""
        placed = self.sitting.placed(viewer)
        if placed is None:
            return self.held(viewer)
        full = self.scenes.hand(view, self.sitting.legal(viewer))
        found = [each for each in full if placed in (each.pick, *(pick for _, pick, _ in each.also))]
        return without(self.scenes.hand(view, ()), found[0].face if found else None)

    def _tip(self, held: Held, choice: Choice) -> str:
        armed = next((word for key, _, word in held.also if key == choice.also), "")
        return self.words("armed", word=armed, card=held.face.index) if armed else held.tip

    def _prompt(self, viewer: Viewer, view: Any, legal: tuple[Pick, ...]) -> str:
        sitting = self.sitting
        if sitting.outcome is not None:
            told = sitting.told(viewer)
            said = self.sentences(told[-1]) if told else []
            return said[-1] if said else self.words("over_choose")
        if legal:
            return self.text.ask(view, legal, sitting.names)
        names = [self.words.name(sitting.names[seat - 1]) for seat in sitting.may_seal]
        waiting = self.words("waiting_for", names=self.words.listed(names)) if names else ""
        if viewer in sitting.sealed:
            return f"{self.words('sealed')} {waiting}"
        return waiting if sitting.people else f"{self.words('spectator')} {waiting}"

    # --- during a reveal -----------------------------------------------------------------------------

    def at_reveal(
        self,
        viewer: Viewer,
        before: Told,
        after: Told,
        cards: Sequence[str | None],
        keys: tuple[tuple[str, str], ...],
        *,
        turned: bool,
        gone: Face | None = None,
    ) -> Stage:
        """The table just before the cards are turned, or just after; `gone` is what the viewer placed."""
        sitting = self.sitting
        known = after if before.view is None else before
        scene = self.scenes.scene(known.view, sitting.names)
        faces = tuple(None if card is None else self._face(card) if turned else DOWN for card in cards)
        down = "both_down" if len(sitting.names) == 2 else "all_down"
        told = self.sentences(after)
        log = [*self.log([each for each in sitting.told(viewer) if each.decision < after.decision])]
        return Stage(
            title=self._about["title"],
            about=self._company(viewer),
            scene=scene,
            names=sitting.names,
            viewer=viewer,
            laid=faces,
            stale=False,
            lamp=(),
            held=without(self.scenes.hand(known.view, ()), gone),
            prompt=told[0] if turned and told else self.words(down),
            log=(*log, *told[1:]) if turned else tuple(log),
            keys=keys,
            told=self._told(known.view),
        )

    # --- words ---------------------------------------------------------------------------------------

    def sentences(self, told: Told) -> list[str]:
        """What a decision led to."""
        found = (self.text.tell(seen, self.sitting.names) for seen in told.seen)
        return [sentence for sentence in found if sentence]

    def log(self, told: Sequence[Told]) -> tuple[str, ...]:
        """The latest of what happened, one entry a decision."""
        return tuple(filter(None, (self.words.joined(self.sentences(each)) for each in told[-12:])))

    def _company(self, viewer: Seat) -> str:
        sitting = self.sitting
        if len(sitting.people) != 1 or len(sitting.names) != 2:
            return str(sitting.rules)
        other = sitting.names[2 - sitting.people[0]]
        return f"{sitting.rules} · {self.words('against', names=other)}"

    def _face(self, card: str) -> Face:
        return self.scenes.face(card)

    def _told(self, view: Any) -> tuple[str, ...]:
        if self.scenes.drawn:
            return ()
        return tuple(self.text.table(view, self.sitting.names).splitlines())
