"""Notices: what a person should know, as a list.

Nothing is stored but up to when they were read: each notice follows from facts that exist (a turn, a
challenge, a game that ended), and disappears with them.
"""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from facedown.protocol.errors import BrokenTable
from facedown.protocol.friends import NoticeInfo, NoticeKind, NoticeList
from facedown.server.accounts.accounts import SHOWN_MS
from facedown.server.clock import DAY_MS, now
from facedown.server.contacts.friends import OPEN_BY_DAYS_MS, OPEN_MS, Friends
from facedown.server.moderation import Moderation
from facedown.server.names import machine_name
from facedown.server.pairing import SEATING_BY_DAYS_MS
from facedown.server.store.base import Store
from facedown.server.store.contacts import StoredChallenge
from facedown.server.store.failures import StoreFault
from facedown.server.store.values import REMATCH, ListedRow
from facedown.server.table.summary import details_of
from facedown.server.table.table import Table
from facedown.server.table.tables import Tables

KEPT_MS: Final = 7 * DAY_MS
"""How long games that ended and answers to challenges are among the notices."""
_MOST: Final = 50
_TABLES: Final = 20
"""The tables of a person that are looked at, the last changed first."""
_FINISHED: Final = 5
"""The finished games of a person that may have a rematch, the last first."""


class Notices:
    """The notices of people, on one store."""

    def __init__(self, store: Store, tables: Tables, friends: Friends, moderation: Moderation) -> None:
        self._store = store
        self._rows = store.contacts
        self._tables = tables
        self._friends = friends
        self._moderation = moderation

    async def of(self, person: str, language: str) -> NoticeList:
        """All notices of a person, latest first. Machines have their names in this language."""
        read_at = (await self._rows.contact(person)).read_at
        found = [
            *await self._turns(person, language),
            *await self._challenges(person),
            *await self._found_seats(person),
            *await self._rematches(person),
            *await self._ended_games(person, language),
            *await self._code_uses(person),
            *await self._friends_here(person),
            *await self._decisions(person),
        ]
        found.sort(key=lambda each: (-each.at, each.id))
        notices = tuple(
            replace(each, unread=each.at > read_at and each.kind != "sent") for each in found[:_MOST]
        )
        return NoticeList(notices, any(each.unread for each in notices))

    async def mark_read(self, person: str, at: int) -> None:
        await self._rows.mark_read(person, min(at, now()))

    # --- kinds of notices ------------------------------------------------------------------------------

    async def _turns(self, person: str, language: str) -> list[NoticeInfo]:
        playing = await self._store.tables(person=person, state="playing", limit=_TABLES)
        turns = [await self._turn(listed, person, language) for listed in playing]
        return [each for each in turns if each is not None]

    async def _turn(self, listed: ListedRow, person: str, language: str) -> NoticeInfo | None:
        """The turn of a person at a table, if it waits for them, and other people too."""
        if (table := await self._table(listed.id)) is None:
            return None
        await table.settle()
        if not table.is_between_people:
            return None
        for seat in table.seats_of(person):
            if (turn := table.turn_of(seat)) is not None:
                decision, deadline = turn
                return NoticeInfo(
                    id=f"turn-{listed.id}-{decision}",
                    kind="turn",
                    at=table.turn_since(seat),
                    name=_others(listed.summary.game, listed.summary.about, seat, language),
                    table=listed.id,
                    game=listed.summary.game,
                    seat=seat,
                    until=deadline or 0,
                )
        return None

    async def _table(self, table: str) -> Table | None:
        """A table; None if it cannot be read, so that the other notices are shown."""
        try:
            return await self._tables.get(table)
        except (BrokenTable, StoreFault):
            return None

    async def _challenges(self, person: str) -> list[NoticeInfo]:
        """Challenges that wait for the person, and the person's own with their answers."""
        received = await self._rows.received_challenges(person)
        unanswered = await self._rows.unanswered_challenges(person)
        answered = await self._rows.answered_challenges(person, now() - KEPT_MS)
        waiting = [
            *[await self._challenge(each, person, "challenge") for each in received],
            *[await self._challenge(each, person, "sent") for each in unanswered],
        ]
        return [*(each for each in waiting if each is not None), *map(_answer, answered)]

    async def _challenge(
        self, challenge: StoredChallenge, person: str, kind: NoticeKind
    ) -> NoticeInfo | None:
        if (table := await self._table(challenge.table)) is None:
            return None
        lasts = OPEN_BY_DAYS_MS if table.setup.clock.kind == "correspondence" else OPEN_MS
        return NoticeInfo(
            id=f"{kind}-{challenge.table}",
            kind=kind,
            at=challenge.at,
            name=challenge.name,
            handle=challenge.handle,
            table=challenge.table,
            game=challenge.game,
            seat=table.seat_kept_for(person),
            until=challenge.at + lasts,
        )

    async def _found_seats(self, person: str) -> list[NoticeInfo]:
        """Seats that pairing found by days while the person was away."""
        return [
            NoticeInfo(
                id=f"found-{each.table}",
                kind="found",
                at=each.at,
                table=each.table,
                game=each.game,
                seat=each.seat,
                until=each.at + SEATING_BY_DAYS_MS,
            )
            for each in await self._rows.found_seats(person)
        ]

    async def _rematches(self, person: str) -> list[NoticeInfo]:
        """Rematches of the last games that other players want."""
        over = await self._store.tables(person=person, state="over", limit=_FINISHED)
        recent = [each.id for each in over if each.changed_at > now() - KEPT_MS]
        return [each for table in recent if (each := await self._rematch(table, person)) is not None]

    async def _rematch(self, finished: str, person: str) -> NoticeInfo | None:
        made = await self._store.stored_response(finished, REMATCH)
        listed = None if made is None else await self._store.listed(made.body.decode())
        if listed is None or listed.summary.state != "open":
            return None
        if (table := await self._table(listed.id)) is None:
            return None
        seat, host = table.seat_kept_for(person), await self._store.person(table.host)
        if not seat or table.seats_of(person) or host is None or host.id == person:
            return None
        return NoticeInfo(
            id=f"rematch-{listed.id}",
            kind="rematch",
            at=listed.summary.created_at,
            name=host.name,
            table=listed.id,
            game=listed.summary.game,
            seat=seat,
        )

    async def _ended_games(self, person: str, language: str) -> list[NoticeInfo]:
        """Games with other people that ended while the person was away, once they are noted."""
        return [
            NoticeInfo(
                id=f"over-{each.table}",
                kind="over",
                at=each.at,
                name=_others(each.game, each.about, each.seat, language),
                table=each.table,
                game=each.game,
                seat=each.seat,
            )
            for each in await self._rows.ended_away(person, now() - KEPT_MS)
        ]

    async def _code_uses(self, person: str) -> list[NoticeInfo]:
        """The last sign-ins with the recovery code."""
        uses = await self._store.accounts.code_uses(person, now() - SHOWN_MS)
        return [NoticeInfo(f"code-{each.id}", "code_used", each.at) for each in uses]

    async def _decisions(self, person: str) -> list[NoticeInfo]:
        """Decisions of moderators about the person, while a sanction is in force and for a week."""
        at = now()
        return [
            NoticeInfo(
                id=f"decided-{each.id}-{each.at}",
                kind="lifted" if each.sanction == "none" else "decided",
                at=each.at,
                until=each.until,
                sanction=each.sanction,
            )
            for each in (await self._moderation.own(person)).cases
            if each.at > at - KEPT_MS
            or (each.sanction not in ("none", "warning") and (not each.until or each.until > at))
        ]

    async def _friends_here(self, person: str) -> list[NoticeInfo]:
        """Friends who are here now, if both allow it."""
        followed = await self._rows.followed(person)
        here = await self._friends.friends_here(person, followed)
        return [
            NoticeInfo(f"here-{each.id}-{since}", "here", since, each.name, each.handle)
            for each in followed
            if (since := here.get(each.person)) is not None
        ]


def _answer(challenge: StoredChallenge) -> NoticeInfo:
    kind: NoticeKind = "accepted" if challenge.answer == "accepted" else "declined"
    return NoticeInfo(
        id=f"{kind}-{challenge.table}",
        kind=kind,
        at=challenge.answered_at,
        name=challenge.name,
        handle=challenge.handle,
        table=challenge.table,
        game=challenge.game,
    )


def _others(game: str, about: bytes, seat: int, language: str) -> str:
    """The names at the other seats of a table, machines by theirs in this language."""
    seats = [each for each in details_of(about).seats if each.seat != seat and each.name]
    names = [
        machine_name(game, each.name, language) if each.kind == "machine" else each.name for each in seats
    ]
    return ", ".join(names)
