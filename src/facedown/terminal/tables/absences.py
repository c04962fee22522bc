"""Absences at a table on a server: who left or is away, bots offered in their place, and the series score.

Reads the seats as the server sent them; the server decides what is allowed.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from facedown.core.parts.text import bot_called
from facedown.core.seats import Seat
from facedown.core.text.translation import in_row
from facedown.terminal.tables.table import AbsentPlayer
from facedown.terminal.words import Words

if TYPE_CHECKING:  # line mode uses this module without the libraries of the client
    from facedown.client.mirror import TableMirror
    from facedown.protocol.messages import Ev, SeatInfo, TableInfo

_AFFAIRS: Final = ("back", "offered", "agreed", "replaced", "reclaimed", "resigning")
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
    names = words.all_of(absent.waits_for)
    offered = words(key, machine=absent.machine, name=absent.name, names=names)
    return words.sentences([said, offered])


def affairs_of(table: TableMirror, names: Sequence[str], words: Words) -> list[str]:
    """What happened among the people at the table, a sentence each."""
    replaced: set[Seat] = set()
    said = []
    for event in table.events:
        if event.k not in _AFFAIRS or (event.k == "back" and event.seat in replaced):
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


def series_sentence(table: TableInfo, names: Sequence[str], words: Words) -> str:
    """The score of the games of these people, this one counted once it is over; empty for their first."""
    series, result = table.series, table.result
    if series.number < 2:
        return ""
    wins, ties = list(series.wins), series.ties
    if result is not None:
        if result.winner is None:
            ties += 1
        else:
            wins[result.winner - 1] += 1
    score = [words("series.wins", name=name, wins=won) for name, won in zip(names, wins, strict=True)]
    score += [words("series.ties", ties=ties)] if ties else []
    return words("series", number=series.number, score=in_row(score))
