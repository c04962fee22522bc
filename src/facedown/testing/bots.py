"""Non-interference for bots: what a bot picks depends on its seat's view and its own stream, on nothing else.

Two worlds that its seat cannot tell apart are played side by side; the bot sits in both, and must pick alike.
"""

from __future__ import annotations

from typing import Final

from facedown.core.chance import Stream
from facedown.core.game import AnyGame
from facedown.core.parts.bot import AnyBot
from facedown.core.seats import Seat, viewer_name
from facedown.testing.checks import Leak
from facedown.testing.knowledge import events_seen
from facedown.testing.tables import Deal, TableSetup
from facedown.testing.worlds import World, bent, stopped_world

_BENDS: Final = 6
"""The number of other worlds that are tried beside each one."""
_DECISIONS: Final = 30
"""No world is followed further."""


def bot_sees_only_its_view(game: AnyGame, bot: type[AnyBot], seeds: int = 4) -> int:
    """Seat the bot in pairs of worlds that differ only in what its seat may not know; raise where it peeks.

    Every preset, with the fewest seats and the most. Comes back with how often the bot was asked in a state
    that was not the same in both worlds: a check that never gets there proves nothing.
    """
    doubts = 0
    seats = {game.meta.least_seats, game.meta.most_seats}
    for table in (
        TableSetup(game, game.rules.of(each.name), count) for each in game.rules.presets for count in seats
    ):
        for seed in range(seeds):
            deal = Deal(table, seed)
            stream = deal.stream("bots")
            world = stopped_world(deal, _DECISIONS, stream)
            for _ in range(_BENDS):
                other = World(table, bent(world, stream), f"{seed} in another world")
                doubts += _compare(World(table, world.trace, str(seed)), other, bot)
    return doubts


def _compare(one: World, other: World, bot: type[AnyBot]) -> int:
    """Play both worlds until no seat is in doubt any more."""
    doubts = 0
    blind: set[Seat] = set(range(1, len(one.match.names) + 1))
    bots = {seat: (bot(), bot()) for seat in blind}
    while True:
        blind = {
            seat for seat in blind if events_seen(one.happened, seat) == events_seen(other.happened, seat)
        }
        if one.over or other.over or one.match.decision > _DECISIONS or not blind:
            return doubts
        for seat in sorted(blind & {seat for wave in one.match.pending for seat in wave}):
            doubts += one.match.state != other.match.state
            _must_pick_alike(one, other, seat, bots[seat])
        joints = one.next_joint(), other.next_joint()
        changed = (seat for seat, picks in enumerate(zip(*joints, strict=True), 1) if picks[0] != picks[1])
        blind -= set(changed)
        one.decide(joints[0])
        other.decide(joints[1])


def _must_pick_alike(one: World, other: World, seat: Seat, bots: tuple[AnyBot, AnyBot]) -> None:
    """The same view, the same stream: the same pick, and the same chances where the bot tells them."""
    here, there = (_answer(world, seat, bot) for world, bot in zip((one, other), bots, strict=True))
    if here != there:
        place = f"before decision {one.match.decision}, {bots[0].name} for {viewer_name(seat)}"
        raise Leak(f"{place} knows what its seat may not: {here} in one world, {there} in another")


def _answer(world: World, seat: Seat, bot: AnyBot) -> tuple[object, ...]:
    view, legal = world.match.view(seat), world.match.legal(seat)
    mix = getattr(bot, "mix", None)
    pick = bot.pick(view, legal, Stream(bytes(32), f"bot/{seat}/{world.match.decision}"))
    return (pick,) if mix is None else (pick, mix(view, legal))
