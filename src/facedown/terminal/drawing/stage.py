"""The stage of a table for one viewer (its view model), and the selection in their hand (pure)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from facedown.core.game import Pick
from facedown.core.parts.scene import Face, Held, Scene, Scenes
from facedown.core.parts.text import text_of
from facedown.core.seats import Seat, Viewer
from facedown.terminal.drawing.board import DOWN, Stage
from facedown.terminal.tables.table import SeenDecision, TerminalTable, story_of_table
from facedown.terminal.words import Words

SEALING: Final = ("enter", "space")
_STEPS: Final = {"left": -1, "right": 1, "up": -1, "down": 1, "shift+tab": -1, "tab": 1}


@dataclass(frozen=True, slots=True)
class Selection:
    """What is raised in the fan, and what else is to be done with it."""

    place: int | None = None
    """None at the start of every turn: nothing is sealed that was not raised in it."""
    also: str = ""


def raise_card(
    held: tuple[Held, ...], selection: Selection, key: str, character: str | None
) -> Selection | None:
    """What is raised after this key; None if it raises nothing."""
    here = place_of(held, selection)
    if key in _STEPS:
        step = _STEPS[key]
        return Selection((step - 1) // 2 % len(held) if here is None else (here + step) % len(held))
    if key in ("home", "end"):
        return Selection(0 if key == "home" else len(held) - 1)
    letter = (character or "").lower()
    if letter.isdecimal():
        numbered = (int(letter) - 1) % 10  # 0 is the tenth
        return Selection(numbered) if numbered < len(held) else None
    if here is not None and letter and letter in (other for other, _, _ in held[here].also):
        return Selection(here, "" if selection.also == letter else letter)
    place = _next_with_letter(held, -1 if here is None else here, letter)
    return None if place is None else Selection(place)


def place_of(held: tuple[Held, ...], selection: Selection) -> int | None:
    """Which card of the hand is raised; None for none."""
    return None if selection.place is None or not held else min(selection.place, len(held) - 1)


def chosen_pick(held: tuple[Held, ...], selection: Selection) -> tuple[Held, str] | None:
    """The raised card, and what sealing it places; None where none is raised that may be sealed."""
    place = place_of(held, selection)
    if place is None:
        return None
    card = held[place]
    pick = next((pick for key, pick, _ in card.also if key == selection.also), card.pick)
    return (card, pick) if pick else None


def has_letter(held: Sequence[Held], letter: str) -> bool:
    """Whether a letter raises a card of this hand."""
    return _next_with_letter(tuple(held), -1, letter) is not None


def _next_with_letter(held: tuple[Held, ...], here: int, letter: str) -> int | None:
    if not letter.isalpha():
        return None
    found = [
        place
        for place, each in enumerate(held)
        if letter in (each.face.index[:1].lower(), each.face.ascii_index[:1].lower())
    ]
    return next((place for place in found if place > here), found[0] if found else None)


def without(held: tuple[Held, ...], face: Face | None) -> tuple[Held, ...]:
    """The hand without one card of that face."""
    place = next((place for place, each in enumerate(held) if each.face == face), None)
    return held if place is None else held[:place] + held[place + 1 :]


def _with_placed(scene: Scene, seats: Sequence[Seat]) -> Scene:
    """The scene while a card of each of these seats is on the table, and not in the hand."""
    chairs = [
        replace(chair, cards=max(0, chair.cards - 1)) if seat in seats else chair
        for seat, chair in enumerate(scene.chairs, 1)
    ]
    return replace(scene, chairs=tuple(chairs))


class StageBuilder:
    """Builds the stages of one table, in one language."""

    def __init__(self, table: TerminalTable, words: Words) -> None:
        self.table = table
        self.words = words
        self.scenes = Scenes(table.game.name, words.language)
        self.text = text_of(table.game.name, words.language)
        self._title = words.text(table.game.meta.title)

    # --- at rest -------------------------------------------------------------------------------------

    def hand(self, viewer: Viewer) -> tuple[Held, ...]:
        """What the viewer holds now; what may be placed has its pick."""
        return self.scenes.hand(self.table.view(viewer), self.legal(viewer))

    def legal(self, viewer: Viewer) -> tuple[Pick, ...]:
        mine = viewer in self.table.people and viewer in self.table.may_seal
        return self.table.legal(viewer) if mine else ()

    def at_rest(
        self,
        viewer: Viewer,
        selection: Selection,
        keys: tuple[tuple[str, str], ...],
        *,
        prompt: str | None = None,
    ) -> Stage:
        table = self.table
        view = table.view(viewer)
        held = self._in_hand(viewer, view)
        legal = self.legal(viewer)
        chosen = place_of(held, selection) if legal else None
        tip = self.words("raise_first") if legal else story_of_table(table, self.words.language)
        if chosen is not None:
            tip = self._tip(held[chosen], selection)
        scene = _with_placed(self.scenes.scene(view, table.names), table.sealed)
        shown = [chair.shown for chair in scene.chairs]
        laid: list[Face | str | None] = [self._face(card) if card else None for card in shown]
        fresh = bool(table.sealed)
        for seat in table.sealed:
            laid[seat - 1] = DOWN
        if fresh:  # cards of the turn before are removed once a seat has sealed
            laid = [lies if lies == DOWN else None for lies in laid]
        return Stage(
            title=self._title,
            about=self._players(viewer),
            scene=scene,
            names=table.names,
            viewer=viewer,
            laid=tuple(laid),
            stale=table.outcome is None,
            lamp=() if table.outcome is not None else table.may_seal,
            clocks=self.clocks(),
            held=held,
            chosen=chosen,
            also=selection.also,
            prompt=self._prompt(viewer, view, legal) if prompt is None else prompt,
            tip=tip,
            log=self.log(table.history(viewer)),
            keys=keys,
            notice=table.notice,
            text=self._plain_text(view),
        )

    def clocks(self) -> tuple[str, ...]:
        """By seat: the time left; empty where no clock runs."""
        left = [self.table.milliseconds_left(seat) for seat in range(1, len(self.table.names) + 1)]
        if all(each is None for each in left):
            return ()
        return tuple("" if each is None else self.words.span(each) for each in left)

    def _in_hand(self, viewer: Viewer, view: Any) -> tuple[Held, ...]:
        """What the viewer holds, without the card that lies face down already."""
        placed = self.table.placed_pick(viewer)
        if placed is None:
            return self.hand(viewer)
        full = self.scenes.hand(view, self.table.legal(viewer))
        found = [each for each in full if placed in (each.pick, *(pick for _, pick, _ in each.also))]
        return without(self.scenes.hand(view, ()), found[0].face if found else None)

    def _tip(self, held: Held, selection: Selection) -> str:
        armed = next((word for key, _, word in held.also if key == selection.also), "")
        return self.words("armed", word=armed, card=held.face.index) if armed else held.tip

    def _prompt(self, viewer: Viewer, view: Any, legal: tuple[Pick, ...]) -> str:
        table = self.table
        if table.outcome is not None:
            history = table.history(viewer)
            said = self.sentences(history[-1]) if history else []
            return said[-1] if said else self.words("over_choose")
        if legal:
            return self.text.ask(view, legal, table.names)
        names = [table.names[seat - 1] for seat in table.may_seal]
        waiting = self.words("waiting_for", names=self.words.all_of(names)) if names else ""
        if viewer in table.sealed:
            return f"{self.words('sealed')} {waiting}"
        return waiting if table.people else f"{self.words('spectator')} {waiting}"

    # --- during a reveal -----------------------------------------------------------------------------

    def at_reveal(
        self,
        viewer: Viewer,
        before: SeenDecision,
        after: SeenDecision,
        cards: Sequence[str | None],
        keys: tuple[tuple[str, str], ...],
        *,
        turned: bool,
        gone: Face | None = None,
    ) -> Stage:
        """The table just before the cards are turned, or just after; `gone` is what the viewer placed."""
        table = self.table
        known = after if before.view is None else before
        placed = [seat for seat, card in enumerate(cards, 1) if card is not None]
        scene = _with_placed(self.scenes.scene(known.view, table.names), placed)
        faces = tuple(None if card is None else self._face(card) if turned else DOWN for card in cards)
        down = "both_down" if len(table.names) == 2 else "all_down"
        sentences = self.sentences(after)
        log = [*self.log([each for each in table.history(viewer) if each.decision < after.decision])]
        return Stage(
            title=self._title,
            about=self._players(viewer),
            scene=scene,
            names=table.names,
            viewer=viewer,
            laid=faces,
            stale=False,
            lamp=(),
            held=without(self.scenes.hand(known.view, ()), gone),
            prompt=sentences[0] if turned and sentences else self.words(down),
            log=(*log, *sentences[1:]) if turned else tuple(log),
            keys=keys,
            text=self._plain_text(known.view),
        )

    # --- words ---------------------------------------------------------------------------------------

    def sentences(self, seen: SeenDecision) -> list[str]:
        found = (self.text.tell(fact, self.table.names) for fact in seen.seen)
        return [sentence for sentence in found if sentence]

    def log(self, history: Sequence[SeenDecision]) -> tuple[str, ...]:
        """The latest of what happened, one entry a decision."""
        return tuple(filter(None, (self.words.sentences(self.sentences(each)) for each in history[-20:])))

    def _players(self, viewer: Seat) -> str:
        table = self.table
        if len(table.people) != 1 or len(table.names) != 2:
            return str(table.rules)
        other = table.names[2 - table.people[0]]
        return f"{table.rules} · {self.words('against', names=other)}"

    def _face(self, card: str) -> Face:
        return self.scenes.face(card)

    def _plain_text(self, view: Any) -> tuple[str, ...]:
        if self.scenes.drawn:
            return ()
        return tuple(self.text.table(view, self.table.names).splitlines())
