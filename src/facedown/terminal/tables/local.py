"""A local table: a match in this process, bots on some seats, the save game, and the record at the end.

Bots see their own views only. A person's pick is on the disk before it counts.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from shlex import quote
from typing import Any, Final

from facedown.bots.memories import read_memories, write_memories
from facedown.core.chance import Stream
from facedown.core.errors import FacedownError, NotNow
from facedown.core.events import Event, Seen
from facedown.core.game import RESIGN, Pick, Step, Waves
from facedown.core.outcome import Outcome
from facedown.core.parts.bot import AnyBot
from facedown.core.record import Record
from facedown.core.replay import AnyMatch
from facedown.core.seats import Seat, Viewer, all_seats
from facedown.core.text.sanitise import printable
from facedown.files import UnwritableFile, reason, writing
from facedown.terminal.tables.savegame import SaveGame, UnreadableGame
from facedown.terminal.tables.spec import TableSpec, names_said
from facedown.terminal.tables.table import SeenDecision, TerminalTable
from facedown.terminal.words import Words

_LONGEST_PATH: Final = 4096


def seen_by(events: Sequence[Event], viewer: Viewer) -> tuple[Seen, ...]:
    """Of these events what the viewer may know."""
    return tuple(seen for event in events if isinstance(seen := event.seen_by(viewer), Seen))


class RecordNotSaved(UnwritableFile):
    """A record that could not be written to its file; carries it, so that the game is not lost."""

    def __init__(self, error: UnwritableFile, record: str) -> None:
        super().__init__(error.message, text=error.text)
        self.record = record


class LocalTable(TerminalTable):
    """One match, played here."""

    def __init__(
        self,
        match: AnyMatch,
        machines: Mapping[Seat, tuple[AnyBot, Stream]],
        seed: bytes,
        savegame: SaveGame | None,
        words: Words,
        spec: TableSpec,
        another: Callable[[], LocalTable],
    ) -> None:
        """`another` sets the same table again, with a fresh deal."""
        self.match = match
        self.game = match.game
        self.rules = match.rules
        self.machines = machines
        self.people = tuple(seat for seat in all_seats(len(match.names)) if seat not in machines)
        self.savegame = savegame
        self.spec = spec
        self._seed = seed
        self._another = another
        self._words = words
        self._placed: dict[Seat, Pick] = {}
        self._steps: list[tuple[int, Step[Any]]] = [(0, match.dealt)]
        self._history: dict[Viewer, list[SeenDecision]] = {}
        self._lock = threading.RLock()
        self._changed: Callable[[], None] = lambda: None
        self._notice = ""
        self.resumed = 0
        if savegame is not None and savegame.sealed:
            self._catch_up(savegame)

    # --- what is shown -------------------------------------------------------------------------------

    @property
    def names(self) -> tuple[str, ...]:
        return names_said(self.spec, self._words.language)

    @property
    def notice(self) -> str:
        return self._notice

    @property
    def decision(self) -> int:
        return self.match.decision

    @property
    def pending(self) -> Waves:
        return self.match.pending

    @property
    def may_seal(self) -> tuple[Seat, ...]:
        return self.match.may_seal

    @property
    def sealed(self) -> tuple[Seat, ...]:
        return self.match.sealed

    @property
    def outcome(self) -> Outcome | None:
        return self.match.outcome

    def view(self, viewer: Viewer) -> Any:
        return self.match.view(viewer)

    def legal(self, seat: Seat) -> tuple[Pick, ...]:
        return self.match.legal(seat)

    def placed_pick(self, seat: Seat) -> Pick | None:
        return self._placed.get(seat)

    def history(self, viewer: Viewer) -> Sequence[SeenDecision]:
        known = self._history.setdefault(viewer, [])
        for decision, step in self._steps[len(known) :]:
            view = self.game.view(step.state, viewer)
            known.append(SeenDecision(decision, seen_by(step.events, viewer), view))
        return known

    def record(self) -> Record | None:
        return None if self.outcome is None else self.match.record(seed=self._seed)

    def listen(self, changed: Callable[[], None]) -> None:
        self._changed = changed

    # --- what is done --------------------------------------------------------------------------------

    def begin(self) -> None:
        with self._lock:
            self._run_machines()
        self._changed()

    def seal(self, seat: Seat, pick: Pick, decision: int | None = None) -> None:
        with self._lock:
            if decision is not None and decision != self.decision:
                raise NotNow(f"decision {self.decision} is open, this is for {decision}")
            self.match.check_pick(seat, pick)
            self._keep(seat, pick, durable=True)
            self._turn(seat, pick)
            self._run_machines()
        self._changed()

    def resign(self, seat: Seat) -> None:
        with self._lock:
            decision = self.decision
            step = self.match.resign(seat)
            self._keep(seat, RESIGN, durable=True)
            self._after(decision, step)
            self._run_machines()
        self._changed()

    def another_game(self) -> LocalTable:
        return self._another()

    # --- how it ends ---------------------------------------------------------------------------------

    def finish(self) -> list[str]:
        if self.outcome is None:
            return []
        noted = self._note_game(self.spec)
        saved = self._save_record()
        return [*saved, *noted, self._words("dealt_from", seed=quote(self.spec.seed))]

    def close(self) -> list[str]:
        said: list[str] = []
        if self.outcome is None:
            said = [*self._how_to_resume(), *self._save_record()]
        if self.savegame is not None:
            self.savegame.close()
        return said

    def _how_to_resume(self) -> list[str]:
        if self.savegame is None or not self.savegame.resumable:
            return []
        key = "kept" if self.savegame.failed is None else "kept_partly"
        return [self._words(key, command="facedown play --resume")]

    def _save_record(self) -> list[str]:
        """Write the record to its file, if any; the seed stays out until the game is over."""
        path = self.spec.record
        if path is None:
            return []
        record = (self.record() or self.match.record()).write()
        try:
            with writing(path) as file:
                file.write(f"{record}\n")
        except UnwritableFile as error:
            raise RecordNotSaved(error, record) from None
        command = f"facedown replay {printable(quote(path), _LONGEST_PATH)}"
        if self.outcome is not None:
            return [self._words("saved_game", command=command)]
        decisions = self._words.decisions(len(self.match.picks))
        return [self._words("saved_so_far", decisions=decisions, command=command)]

    def _note_game(self, spec: TableSpec) -> list[str]:
        """Every kind of bot notes the game once, where the person lets it."""
        if spec.memory is None:
            return []
        memories = read_memories(spec.memory)
        for seat, bot in {bot.name: (seat, bot) for seat, (bot, _) in self.machines.items()}.values():
            note = bot.note(self.match.view(seat))
            if note is not None:
                memories.of(spec.game, bot.name).add(note)
        write_memories(spec.memory, memories)
        return [self._words("noted_in", path=spec.memory)]

    # --- the course of the game ----------------------------------------------------------------------

    def _turn(self, seat: Seat, pick: Pick) -> None:
        decision = self.decision
        step = self.match.seal(seat, pick)
        if seat in self.people:
            self._placed[seat] = pick
        if step is not None:
            self._after(decision, step)

    def _after(self, decision: int, step: Step[Any]) -> None:
        self._placed.clear()
        self._steps.append((decision, step))
        if self.outcome is not None and self.savegame is not None:
            self.savegame.forget()

    def _run_machines(self) -> None:
        while self.outcome is None:
            ready = [seat for seat in self.match.may_seal if seat in self.machines]
            if not ready:
                return
            pick = self._machine_pick(ready[0])
            self._keep(ready[0], pick, durable=self._is_last())
            self._turn(ready[0], pick)

    def _is_last(self) -> bool:
        """Whether the next pick reveals: what is shown has to be on the disk first."""
        return sum(map(len, self.match.pending)) - len(self.match.sealed) == 1

    def _machine_pick(self, seat: Seat) -> Pick:
        bot, stream = self.machines[seat]
        return bot.pick(self.match.view(seat), self.match.legal(seat), stream)

    def _keep(self, seat: Seat, pick: Pick, *, durable: bool) -> None:
        if self.savegame is None:
            return
        failed = self.savegame.failed
        self.savegame.add(seat, pick, durable=durable)
        if self.savegame.failed is not None:
            self._notice = self._words(
                "not_kept", why=f"{reason(self.savegame.failed)}, {self.savegame.path}"
            )
        elif failed is not None:
            self._notice = self._words("kept_again")
        elif durable and seat in self.people:
            self._notice = ""

    def _catch_up(self, savegame: SaveGame) -> None:
        """Replay the picks of the save game; bots draw from their random streams as they did then."""
        savegame.claim()
        try:
            for seat, pick in savegame.sealed:
                if pick == RESIGN:
                    decision = self.decision
                    self._after(decision, self.match.resign(seat))
                    continue
                if seat in self.machines:
                    self._machine_pick(seat)
                self._turn(seat, pick)
        except FacedownError as error:
            raise UnreadableGame(f"{savegame.path} does not follow the rules: {error}") from None
        self.resumed = len(self.match.picks)
