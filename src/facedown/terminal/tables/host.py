"""The host of local tables: sets a table from its specification, with bots on their seats and a save game."""

from __future__ import annotations

from dataclasses import replace

from facedown.bots.memories import Memories, read_memories
from facedown.core import registry
from facedown.core.chance import LOCAL, Seeded, deal_key, seed_of
from facedown.core.match import Match
from facedown.core.parts.bot import AnyBot, bot_stream
from facedown.terminal.tables.local import LocalTable
from facedown.terminal.tables.savegame import SaveGame
from facedown.terminal.tables.spec import TableSpec, default_names, fresh_seed
from facedown.terminal.words import Words


class LocalHost:
    """Sets tables on this machine; with `keep`, unfinished games are saved."""

    def __init__(self, *, keep: bool) -> None:
        self._keep = keep

    def usual_table(self, name: str) -> TableSpec:
        """The usual table of a game: one person against the usual bots, with the fewest seats."""
        from facedown.bots.house import usual_bots  # slow to import, and a hot seat does without

        game = registry.get(name)
        machines = ("", *usual_bots(name, game.meta.least_seats - 1))
        rules = str(game.rules.read(game.rules.usual_preset()))
        return TableSpec(name, rules, default_names(name, machines), (1,), machines, fresh_seed())

    def open(self, spec: TableSpec, words: Words, savegame: SaveGame | None = None) -> LocalTable:
        game = registry.get(spec.game, spec.version)
        spec = replace(spec, version=game.version)
        seed = seed_of(spec.seed)
        key = deal_key(seed, LOCAL)
        match = Match(game, game.rules.read(spec.rules), spec.names, Seeded(key))
        memories = None if spec.memory is None else read_memories(spec.memory)
        machines = {
            seat: (_machine(spec.game, name, memories), bot_stream(key, seat))
            for seat, name in enumerate(spec.machines, 1)
            if name
        }
        saving = savegame or (SaveGame(spec) if self._keep else None)
        return LocalTable(match, machines, seed, saving, words, spec, lambda: self.open(again(spec), words))


def again(spec: TableSpec) -> TableSpec:
    """The same table with a fresh deal, and no file for its record."""
    return replace(spec, seed=fresh_seed(), record=None, version=None)


def _machine(game: str, name: str, memories: Memories | None) -> AnyBot:
    """A bot; it knows of earlier games only what the person lets it."""
    from facedown.bots.find import find_bot  # slow to import, and a hot seat does without

    kind = find_bot(game, name)
    return kind(None if memories is None else memories.of(game, kind.name))
