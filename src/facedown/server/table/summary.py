"""The summary of a table for lists: saved beside its events, so that lists load no table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from hashlib import blake2b
from typing import Final, Literal, NamedTuple

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from facedown.core.parts.story import Story
from facedown.protocol.messages import Clock, GameResult, Phase, SealWay, SeatInfo
from facedown.protocol.rest import ListedSeat, ListedTable, ListedTurn
from facedown.protocol.views import NO_VIEW
from facedown.server.store.values import ListedRow, TableSummary
from facedown.server.table.state import TableState


class SummarySeat(Struct, frozen=True):
    """A seat in a summary; the name is empty if the seat is free."""

    seat: int
    name: str
    kind: Literal["person", "machine"]


class SummaryDetails(Struct, frozen=True):
    """The part of a summary that the store does not read."""

    seats: tuple[SummarySeat, ...]
    clock: Clock
    hotseat: bool
    result: GameResult | None
    ended_at: int | None
    continued: bool = False
    seal: SealWay = "server"
    shares: tuple[float, ...] | None = None
    """What each seat gets of such a game between equals, after the deal; only of a finished game."""
    chosen: bool = False
    """Whether people chose seats that are not equal, so that the game does not count for ratings."""
    one_device: bool = False
    """Whether two people joined from what looks like one device, so that it does not count either."""
    host: str = ""
    """A hash by which lists know the tables of one host; empty if the server made the table."""
    unplayed: bool = False
    """Whether the game ended before its first reveal, so that it does not count either."""
    story: Story | None = None
    """What can be said of a finished game."""


class SummaryOutcome(Struct, frozen=True):
    """The details that statistics over many games need."""

    hotseat: bool
    result: GameResult | None
    continued: bool = False
    shares: tuple[float, ...] | None = None


class GameProgress(NamedTuple):
    """How far a game has come, for lists: whom it waits for, and the view of spectators."""

    waiting: tuple[ListedTurn, ...]
    view: msgspec.Raw


NO_PROGRESS: Final = GameProgress((), NO_VIEW)


_encode = msgspec.json.Encoder().encode
_about: Final = msgspec.json.Decoder(SummaryDetails)
_outcome: Final = msgspec.json.Decoder(SummaryOutcome)


def summary_of(state: TableState) -> TableSummary:
    """The summary of this table now."""
    about = SummaryDetails(
        seats=tuple(SummarySeat(place.seat, place.name, place.kind) for place in state.places),
        clock=state.setup.clock,
        hotseat=state.setup.hotseat,
        result=state.result,
        ended_at=state.ended_at,
        continued=state.setup.continues is not None,
        seal=state.setup.seal,
        shares=None if state.result is None else _shares(state),
        chosen=state.result is not None and _is_chosen(state),
        one_device=any(place.one_device for place in state.people),
        host=state.host and blake2b(state.host.encode(), digest_size=8).hexdigest(),
        unplayed=state.result is not None and all(link.kind != "revealed" for link in state.links),
        story=state.story,
    )
    return TableSummary(
        game=state.setup.game,
        rules=state.setup.rules,
        state=state.phase,
        public=state.setup.public or (bool(state.setup.seating) and state.phase == "playing"),
        created_at=state.created_at,
        about=_encode(about),
    )


def _shares(state: TableState) -> tuple[float, ...] | None:
    return state.game.seat_shares(state.rules, len(state.places), state.match.dealt.state)


def _is_chosen(state: TableState) -> bool:
    """Whether people chose among unequal seats; pairing and rematches choose for them."""
    shares = state.game.seat_shares(state.rules, len(state.places), None)
    is_seated = bool(state.setup.seating) or state.setup.series.previous is not None
    return not is_seated and shares is not None and len(set(shares)) > 1


def details_of(about: bytes) -> SummaryDetails:
    """The details of a summary, from the bytes that the store holds."""
    return _about.decode(about)


def read_outcome(about: bytes) -> SummaryOutcome:
    """How a game ended, from the bytes that the store holds."""
    return _outcome.decode(about)


# --- entries of lists ------------------------------------------------------------------------------------


def listed_seats(seats: Iterable[SeatInfo | SummarySeat]) -> tuple[ListedSeat, ...]:
    """The seats of a table, as lists show them."""
    return tuple(ListedSeat(each.seat, each.name, each.kind) for each in seats)


def without_losers(listed: ListedTable) -> ListedTable:
    """A table as others may read of it: once its game is over, without names."""
    if listed.state != "over":
        return listed
    return replace(listed, seats=tuple([replace(each, name="") for each in listed.seats]))


def hosts_in_turn(found: Sequence[ListedRow]) -> list[ListedRow]:
    """One table of each host first, then the second one of each: no host hides the others' tables."""
    earlier = Counter[str]()
    turns = []
    for each in found:
        host = details_of(each.summary.about).host
        turns.append(earlier[host])
        earlier[host] += bool(host)
    return [found[place] for place in sorted(range(len(found)), key=turns.__getitem__)]


def listed_table(listed: ListedRow, progress: GameProgress = NO_PROGRESS) -> ListedTable:
    """One entry of a list of tables."""
    summary, about = listed.summary, details_of(listed.summary.about)
    state: Phase = summary.state  # type: ignore[assignment]  # tables put nothing else into the store
    return ListedTable(
        table=listed.id,
        game=summary.game,
        rules=summary.rules,
        state=state,
        seats=listed_seats(about.seats),
        clock=about.clock,
        created_at=summary.created_at,
        yours=listed.seats,
        your_turn=any(turn.seat in listed.seats for turn in progress.waiting),
        v=listed.head,
        waiting=progress.waiting,
        view=progress.view,
        seal=about.seal,
    )
