"""Absences at a table on a server: who left or is away, bots offered in their place, and the series score.

Reads the seats as the server sent them; the server decides what is allowed.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from facedown.core.parts.text import bot_called
from facedown.core.seats import Seat
from facedown.core.text.translation import in_row
from facedown.terminal.tables.table import AbsentPlayer
from facedown.terminal.words.words import Words

if TYPE_CHECKING:  # line mode uses this module without the libraries of the client
    from facedown.client.mirror import TableMirror
    from facedown.protocol.messages import Ev, GameResult, SeatInfo, Series

_TOLD: Final = ("back", "offered", "agreed", "replaced", "reclaimed")
"""Kinds of events that are about people, not the game; absent players are listed separately."""


def absent_of(table: TableMirror, names: Sequence[str], words: Words) -> tuple[AbsentPlayer, ...]:
    """Absent players of a running game."""
    if not table.known or table.info.state != "playing":
        return ()
    found = (_absent(table, seat, names, words) for seat in table.info.seats if seat.seat != table.seat)
    return tuple(each for each in found if each is not None)


def _absent(table: TableMirror, seat: SeatInfo, names: Sequence[str], words: Words) -> AbsentPlayer | None:
    if seat.kind != "person" or seat.replaced_at is not None:
        return None
    since = table.gone_since(seat.seat)
    away = seat.replaceable and not seat.here
    offer = seat.offer
    if not (seat.left or away or offer):
        return None
    missing = [] if offer is None else [each for each in offer.needed if each not in offer.agreed]
    return AbsentPlayer(
        seat=seat.seat,
        name=names[seat.seat - 1],
        left=seat.left,
        since="" if since is None else time.strftime("%H:%M", time.localtime(since / 1000)),
        machine="" if offer is None else words.text(bot_called(table.info.game, offer.machine)),
        waits_for=tuple(names[each - 1] for each in missing),
        asks_you=table.seat in missing,
    )


def absence_sentence(absent: AbsentPlayer, words: Words) -> str:
    """Who is absent and since when; and where a bot is offered, who has yet to agree."""
    said = words("absent.left" if absent.left else "absent.away", name=absent.name, since=absent.since)
    if not absent.since:
        said = words("remote.left", name=absent.name)
    if not absent.machine:
        return said
    key = "absent.asks_you" if absent.asks_you else "absent.asks"
    names = words.listed(absent.waits_for)
    offered = words(key, machine=absent.machine, name=absent.name, names=names)
    return words.joined([said, offered])


def affairs_of(table: TableMirror, names: Sequence[str], words: Words) -> list[str]:
    """What happened among the people at the table, a sentence each."""
    replaced: set[Seat] = set()
    said = []
    for event in table.events:
        if event.k not in _TOLD or (event.k == "back" and event.seat in replaced):
            continue  # it is the machine that has come to the seat
        if event.k == "replaced" and event.seat:
            replaced.add(event.seat)
        if event.k == "reclaimed" and event.seat:
            replaced.discard(event.seat)
        said.append(_affair(event, table, names, words))
    return said


def _affair(event: Ev, table: TableMirror, names: Sequence[str], words: Words) -> str:
    def name(seat: Seat) -> str:
        return names[seat - 1] if 1 <= seat <= len(names) else words("somebody")

    machine = words.text(bot_called(table.info.game, event.machine or ""))
    return words(f"affair.{event.k}", name=name(event.seat or 0), by=name(event.by or 0), machine=machine)


def chosen_absent(absent: Sequence[AbsentPlayer], word: str, *, offered: bool) -> Seat | None:
    """The seat meant by a number or a name; without one, the only possible seat."""
    possible = [each for each in absent if (each.asks_you if offered else not each.machine)]
    named = [each for each in possible if word.strip().lower() in (str(each.seat), each.name.lower())]
    if named or word.strip():
        return named[0].seat if named else None
    return possible[0].seat if len(possible) == 1 else None


class SeriesScore(NamedTuple):
    """How the games of the same people stand, this one counted once it is over."""

    number: int
    wins: tuple[int, ...]
    ties: int

    def sentence(self, names: Sequence[str], words: Words) -> str:
        score = [
            words("series.wins", name=name, wins=wins) for name, wins in zip(names, self.wins, strict=True)
        ]
        score += [words("series.ties", ties=self.ties)] if self.ties else []
        return words("series", number=self.number, score=in_row(score))


def series_of(series: Series, result: GameResult | None) -> SeriesScore | None:
    """The series that a table belongs to; None for the first game of these people."""
    if series.number < 2:
        return None
    wins, ties = list(series.wins), series.ties
    if result is not None:
        if result.winner is None:
            ties += 1
        else:
            wins[result.winner - 1] += 1
    return SeriesScore(series.number, tuple(wins), ties)
