"""Tables on this machine: set from an order, kept while they are played, put away when they are over."""

from __future__ import annotations

import secrets
from dataclasses import replace
from shlex import quote

from facedown.bots.memories import Memories
from facedown.bots.stream import bot_stream
from facedown.bots.uniform import Uniform
from facedown.cli.table_options import names_of_table, seats_of, seed_of_table
from facedown.commands.memory import read_memories, write_memories
from facedown.core import registry
from facedown.core.chance import LOCAL, Seeded, deal_key, seed_of
from facedown.core.match import Match
from facedown.core.parts.bot import AnyBot
from facedown.core.seats import all_seats
from facedown.files import UnwritableFile, writing
from facedown.terminal.tables.host import Host
from facedown.terminal.tables.local import LocalSitting
from facedown.terminal.tables.savegame import Kept, Order
from facedown.terminal.words.words import Words


class LocalHost(Host):
    """Sets tables; `keep` writes unfinished ones down."""

    def __init__(self, *, keep: bool) -> None:
        self._keep = keep

    def quick(self, game: str) -> Order:
        seats = seats_of(registry.get(game), None)
        return self.order(game, "", seats, ("", *("uniform",) * (seats - 1)))

    def order(self, game: str, rules: str, seats: int, machines: tuple[str, ...]) -> Order:
        known = registry.get(game)
        people = tuple(seat for seat in all_seats(seats) if not machines[seat - 1])
        names = names_of_table(None, seats, people[0] if len(people) == 1 else None)
        canonical = str(known.rules.read(rules))
        return Order(game, canonical, names, people, machines, seed_of_table(None))

    def again(self, order: Order) -> Order:
        return replace(order, seed=secrets.token_hex(8), record=None)

    def open(self, order: Order, words: Words, kept: Kept | None = None) -> LocalSitting:
        game = registry.get(order.game)
        seed = seed_of(order.seed)
        key = deal_key(seed, LOCAL)
        match = Match(game, game.rules.read(order.rules), order.names, Seeded(key))
        memories = None if order.memory is None else read_memories(order.memory)
        machines = {
            seat: (_machine(order.game, name, memories), bot_stream(key, seat))
            for seat, name in enumerate(order.machines, 1)
            if name
        }
        keeping = kept or (Kept(order) if self._keep else None)
        return LocalSitting(match, machines, seed, keeping, words, order)

    def over(self, sitting: LocalSitting) -> list[str]:
        order = sitting.order
        assert order is not None, "it was set here"
        said = []
        record = sitting.record()
        if order.record is not None and record is not None:
            try:
                with writing(order.record) as file:
                    file.write(record.write() + "\n")
                said.append(sitting.words("saved_game", command=f"facedown replay {quote(order.record)}"))
            except UnwritableFile as error:
                said += [f"{error}", record.write()]
        said += remember(sitting)
        said.append(sitting.words("dealt_from", seed=quote(order.seed)))
        return said


def _machine(game: str, name: str, memories: Memories | None) -> AnyBot:
    """A machine; it knows of earlier games only what the person lets it."""
    kind: type[AnyBot] = Uniform
    if name != Uniform.name:
        from facedown.bots.find import find_bot  # slow to import, and not needed for the blind one

        kind = find_bot(game, name)
    return kind(None if memories is None else memories.of(game, kind.name))


def remember(sitting: LocalSitting) -> list[str]:
    """Every kind of machine notes the game once, where the person lets it."""
    order = sitting.order
    if order is None or order.memory is None:
        return []
    memories = read_memories(order.memory)
    machines = {bot.name: (seat, bot) for seat, (bot, _) in sitting.machines.items()}
    for seat, bot in machines.values():
        note = bot.note(sitting.match.view(seat))
        if note is not None:
            memories.of(order.game, bot.name).add(note)
    write_memories(order.memory, memories)
    return [sitting.words("noted_in", path=order.memory)]
