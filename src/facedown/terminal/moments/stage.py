"""Stages: everything that is shown of a table at one moment, made from what one viewer may know (pure)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from facedown.core.game import Pick
from facedown.core.parts.scene import Face, Held, Scene, Scenes
from facedown.core.parts.text import text_of
from facedown.core.seats import Seat, Viewer, all_seats
from facedown.terminal.moments.hand import Selection, place_of, without
from facedown.terminal.tables.table import SeenDecision, TerminalTable, story_of_table
from facedown.terminal.words import Words

DOWN: Final = ""
"""What lies in a place face down."""


@dataclass(frozen=True, slots=True)
class Stage:
    """Everything that is shown of a table at one moment."""

    title: str
    about: str
    """The rules and the players, in a few words."""
    scene: Scene
    names: tuple[str, ...]
    viewer: Viewer
    laid: tuple[Face | str | None, ...]
    """By seat: a card face up, `DOWN`, or None for an empty place."""
    prompt: str
    log: tuple[str, ...]
    stale: bool = False
    """Whether the cards that lie face up are those of the turn before."""
    lamp: tuple[Seat, ...] = ()
    """Who is being waited for."""
    clocks: tuple[str, ...] = ()
    """By seat: how long it may still take, in words; empty where no clock runs."""
    held: tuple[Held, ...] = ()
    chosen: int | None = None
    also: str = ""
    """The key of what else is to be done with the chosen card."""
    tip: str = ""
    notice: str = ""
    text: tuple[str, ...] = ()
    """The game's own text of the table, for games that say no more."""


class StageBuilder:
    """Builds the stages of one table, in one language."""

    def __init__(self, table: TerminalTable, words: Words) -> None:
        self.table = table
        self.words = words
        self.scenes = Scenes(table.game.name, words.language)
        self.text = text_of(table.game.name, words.language)
        self.title = words.text(table.game.meta.title)

    # --- at rest -------------------------------------------------------------------------------------

    def hand(self, viewer: Viewer) -> tuple[Held, ...]:
        """What the viewer holds now; what may be placed has its pick."""
        return self.scenes.hand(self.table.view(viewer), self.legal(viewer))

    def legal(self, viewer: Viewer) -> tuple[Pick, ...]:
        mine = self.table.started and viewer in self.table.people and viewer in self.table.may_seal
        return self.table.legal(viewer) if mine else ()

    def at_rest(self, viewer: Viewer, selection: Selection) -> Stage:
        """The table while it waits for a pick, or once it is over."""
        table = self.table
        view = table.view(viewer)
        held = self._in_hand(viewer, view)
        legal = self.legal(viewer)
        chosen = place_of(held, selection) if legal else None
        tip = self.words("raise_first") if legal else story_of_table(table, self.words.language)
        if chosen is not None:
            tip = self._tip(held[chosen], selection)
        scene = _with_placed(self.scenes.scene(view, table.names), table.sealed)
        laid: list[Face | str | None] = [
            self.scenes.face(chair.shown) if chair.shown and not table.sealed else None
            for chair in scene.chairs  # cards of the turn before are removed once a seat has sealed
        ]
        for seat in table.sealed:
            laid[seat - 1] = DOWN
        return Stage(
            title=self.title,
            about=self._players(),
            scene=scene,
            names=table.names,
            viewer=viewer,
            laid=tuple(laid),
            prompt=self._prompt(viewer, view, legal),
            log=self.log(table.history(viewer)),
            stale=table.outcome is None,
            lamp=() if table.outcome is not None else table.may_seal,
            clocks=self.clocks(),
            held=held,
            chosen=chosen,
            also=selection.also,
            tip=tip,
            notice=table.notice,
            text=self._plain_text(view),
        )

    def clocks(self) -> tuple[str, ...]:
        """By seat: the time left; empty where no clock runs."""
        left = [self.table.milliseconds_left(seat) for seat in all_seats(len(self.table.names))]
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
        """What is asked, what the table waits for, or how the game ended."""
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
        *,
        turned: bool,
        gone: Face | None = None,
    ) -> Stage | None:
        """The table just before the cards are turned, or just after; None where none were. `gone` is the
        card that the viewer placed."""
        table = self.table
        cards = self.scenes.revealed_cards(after.seen)
        if cards is None or after.view is None:
            return None
        known = after if before.view is None else before
        placed = [seat for seat, card in enumerate(cards, 1) if card is not None]
        scene = _with_placed(self.scenes.scene(known.view, table.names), placed)
        faces = tuple(None if card is None else self.scenes.face(card) if turned else DOWN for card in cards)
        down = "both_down" if len(table.names) == 2 else "all_down"
        sentences = self.sentences(after) if turned else []
        log = self.log([each for each in table.history(viewer) if each.decision < after.decision])
        return Stage(
            title=self.title,
            about=self._players(),
            scene=scene,
            names=table.names,
            viewer=viewer,
            laid=faces,
            prompt=sentences[0] if sentences else self.words(down),
            log=(*log, *sentences[1:]),
            held=without(self.scenes.hand(known.view, ()), gone),
            text=self._plain_text(known.view),
        )

    # --- words ---------------------------------------------------------------------------------------

    def sentences(self, seen: SeenDecision) -> list[str]:
        found = (self.text.tell(fact, self.table.names) for fact in seen.seen)
        return [sentence for sentence in found if sentence]

    def log(self, history: Sequence[SeenDecision]) -> tuple[str, ...]:
        """The latest of what happened, one entry a decision."""
        return tuple(filter(None, (self.words.sentences(self.sentences(each)) for each in history[-20:])))

    def _players(self) -> str:
        table = self.table
        if len(table.people) != 1 or len(table.names) != 2:
            return str(table.rules)
        other = table.names[2 - table.people[0]]
        return f"{table.rules} · {self.words('against', names=other)}"

    def _plain_text(self, view: Any) -> tuple[str, ...]:
        if self.scenes.drawn:
            return ()
        return tuple(self.text.table(view, self.table.names).splitlines())


def _with_placed(scene: Scene, seats: Sequence[Seat]) -> Scene:
    """The scene while a card of each of these seats is on the table, and not in the hand."""
    chairs = [
        replace(chair, cards=max(0, chair.cards - 1)) if seat in seats else chair
        for seat, chair in enumerate(scene.chairs, 1)
    ]
    return replace(scene, chairs=tuple(chairs))
