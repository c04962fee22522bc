"""Tables on this machine: set from an order, kept while they are played, put away when they are over."""

from __future__ import annotations

import secrets
from dataclasses import replace
from shlex import quote

from facedown.bots.memories import Memories
from facedown.bots.uniform import Uniform
from facedown.cli.table_options import names_of_table, seats_of, seed_of_table
from facedown.commands.memory import read_memories, write_memories
from facedown.core import registry
from facedown.core.chance import LOCAL, Seeded, deal_key, seed_of
from facedown.core.match import Match
from facedown.core.parts.bot import AnyBot, bot_stream
from facedown.core.seats import all_seats
from facedown.files import UnwritableFile, writing
from facedown.terminal.tables.host import Host
from facedown.terminal.tables.local import LocalTable
from facedown.terminal.tables.savegame import SaveGame, TableSpec
from facedown.terminal.words.words import Words


class LocalHost(Host):
    """Sets tables; `keep` writes unfinished ones down."""

    def __init__(self, *, keep: bool) -> None:
        self._keep = keep

    def quick(self, game: str) -> TableSpec:
        seats = seats_of(registry.get(game), None)
        return self.spec(game, "", seats, ("", *("uniform",) * (seats - 1)))

    def spec(self, game: str, rules: str, seats: int, machines: tuple[str, ...]) -> TableSpec:
        known = registry.get(game)
        people = tuple(seat for seat in all_seats(seats) if not machines[seat - 1])
        names = names_of_table(None, seats, people[0] if len(people) == 1 else None)
        canonical = str(known.rules.read(rules))
        return TableSpec(game, canonical, names, people, machines, seed_of_table(None))

    def again(self, spec: TableSpec) -> TableSpec:
        return replace(spec, seed=secrets.token_hex(8), record=None)

    def open(self, spec: TableSpec, words: Words, savegame: SaveGame | None = None) -> LocalTable:
        game = registry.get(spec.game)
        seed = seed_of(spec.seed)
        key = deal_key(seed, LOCAL)
        match = Match(game, game.rules.read(spec.rules), spec.names, Seeded(key))
        memories = None if spec.memory is None else read_memories(spec.memory)
        machines = {
            seat: (_machine(spec.game, name, memories), bot_stream(key, seat))
            for seat, name in enumerate(spec.machines, 1)
            if name
        }
        keeping = savegame or (SaveGame(spec) if self._keep else None)
        return LocalTable(match, machines, seed, keeping, words, spec)

    def over(self, table: LocalTable) -> list[str]:
        spec = table.spec
        assert spec is not None, "it was set here"
        said = []
        record = table.record()
        if spec.record is not None and record is not None:
            try:
                with writing(spec.record) as file:
                    file.write(record.write() + "\n")
                said.append(table.words("saved_game", command=f"facedown replay {quote(spec.record)}"))
            except UnwritableFile as error:
                said += [f"{error}", record.write()]
        said += remember(table)
        said.append(table.words("dealt_from", seed=quote(spec.seed)))
        return said


def _machine(game: str, name: str, memories: Memories | None) -> AnyBot:
    """A machine; it knows of earlier games only what the person lets it."""
    kind: type[AnyBot] = Uniform
    if name != Uniform.name:
        from facedown.bots.find import find_bot  # slow to import, and not needed for the blind one

        kind = find_bot(game, name)
    return kind(None if memories is None else memories.of(game, kind.name))


def remember(table: LocalTable) -> list[str]:
    """Every kind of machine notes the game once, where the person lets it."""
    spec = table.spec
    if spec is None or spec.memory is None:
        return []
    memories = read_memories(spec.memory)
    machines = {bot.name: (seat, bot) for seat, (bot, _) in table.machines.items()}
    for seat, bot in machines.values():
        note = bot.note(table.match.view(seat))
        if note is not None:
            memories.of(spec.game, bot.name).add(note)
    write_memories(spec.memory, memories)
    return [table.words("noted_in", path=spec.memory)]
