"""The lines that a player types to play a whole game: found by playing it here, with the same chance."""

from __future__ import annotations

from typing import NamedTuple

from facedown.bots.find import find_bot
from facedown.bots.house import usual_bots
from facedown.core import registry
from facedown.core.chance import LOCAL, Seeded, Stream, deal_key, seed_of
from facedown.core.match import Match
from facedown.core.parts.bot import bot_stream
from facedown.core.record import Record


class Script(NamedTuple):
    """The lines to type, and the record that must come of them."""

    lines: list[str]
    record: Record

    @property
    def stdin(self) -> bytes:
        return "".join(f"{line}\n" for line in self.lines).encode()


def script(game_name: str, rules: str, names: tuple[str, ...], seed: str, people: tuple[int, ...]) -> Script:
    """People pick at random from a stream of their own; machines as the command seats them."""
    game = registry.get(game_name)
    key = deal_key(seed_of(seed), LOCAL)
    match = Match(game, game.rules.read(rules or game.rules.usual_preset()), names, Seeded(key))
    streams = {seat: bot_stream(key, seat) for seat in range(1, len(names) + 1)}
    machines = [seat for seat in streams if seat not in people]
    named = dict(zip(machines, usual_bots(game_name, len(machines)), strict=True))
    bots = {seat: find_bot(game_name, named.get(seat, usual_bots(game_name, 1)[0]))(None) for seat in streams}
    fingers = Stream(key, "people")
    lines: list[str] = []
    while match.outcome is None:
        for seat in match.may_seal:
            legal = match.legal(seat)
            if seat in people:
                pick = legal[fingers.below(len(legal))]
                lines += [""] * (len(people) > 1) + [pick]
            else:
                pick = bots[seat].pick(match.view(seat), legal, streams[seat])
            match.seal(seat, pick)
    return Script(lines, match.record(seed=seed_of(seed)))
