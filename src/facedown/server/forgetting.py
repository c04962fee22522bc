"""Export and erasure of a person's data, and the daily deletion of unused data.

Events stay as they are; the names and messages that they refer to can be erased.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Final

import msgspec
from msgspec.structs import replace

from facedown.core.errors import FacedownError
from facedown.core.seats import Seat
from facedown.core.text.translation import ENGLISH, translate
from facedown.protocol.export import (
    ExportedAccount,
    ExportedCase,
    ExportedChallenge,
    ExportedContacts,
    ExportedGame,
    ExportedMind,
    ExportedRating,
    ExportedRelation,
    ExportedReport,
    ExportedSeat,
    ExportedSession,
    ExportedStanding,
    ExportedText,
    ExportedTicket,
    ExportedTournament,
    OrganisedTournament,
    PersonalData,
)
from facedown.protocol.pairing import FaultInfo
from facedown.protocol.profiles import ResultCount, Rival
from facedown.protocol.study import KnownResident
from facedown.server import clock, message
from facedown.server.accounts.accounts import code_use_info
from facedown.server.accounts.devices import facts_of
from facedown.server.accounts.passkeys import passkey_info
from facedown.server.accounts.tokens import bot_info, token_info
from facedown.server.ids import hash_token
from facedown.server.moderation import Moderation
from facedown.server.ops.logs import get_log
from facedown.server.store.base import Store
from facedown.server.store.callers import acting_for
from facedown.server.store.failures import survive
from facedown.server.store.values import SAID, ForgetBefore, Forgotten, ListedRow, Person
from facedown.server.table.summary import details_of
from facedown.server.table.tables import Tables

EXPIRED_MS: Final = 30 * clock.DAY_MS
"""How long an expired session is kept: a clock that was wrong can be set right."""
UNUSED_MS: Final = 400 * clock.DAY_MS
"""How long an unused token of a program is kept."""
GUEST_MS: Final = 90 * clock.DAY_MS
"""How long a guest who never sat at a table is kept."""
ANSWER_MS: Final = 7 * clock.DAY_MS
"""How long a repeated request gets its first answer again."""
TABLE_MS: Final = 30 * clock.DAY_MS
"""How long a table may wait for people, and how long an empty one is kept after that."""
_EVERY_S: Final = 24 * 3600.0
_FIRST_S: Final = 600.0
_LONG_AWAY_MS: Final = 30 * clock.DAY_MS
"""A server that was down for longer, by its clock, deletes nothing for a week: the clock may be wrong."""
_DOUBT_S: Final = 7 * 24 * 3600.0
_LAST: Final = "forgot"
_ERASING: Final = "erasing "
"""Begins the name of a value that stays until a person is erased everywhere."""
_FINISH_S: Final = 60.0
"""How often erasures that were interrupted are finished; they are as old by then."""
_MOST: Final = 100_000
_encode = msgspec.json.Encoder().encode


class Forgetting:
    """Exports, erases and forgets, on one store."""

    def __init__(self, store: Store, tables: Tables) -> None:
        self._store = store
        self._tables = tables
        self._backoff = tables.backoff
        self._tasks: list[asyncio.Task[None]] = []
        self.on_sign_out: Callable[[str], None] = lambda _: None
        """Called with the id of a person whose sessions have all ended: closes their connections."""
        self._log = get_log(__name__)

    # --- one person -----------------------------------------------------------------------------------

    async def export(self, person: Person) -> PersonalData:
        store = self._store
        tables = await store.tables(person=person.id, limit=_MOST)
        ticket = await store.ticket_of(person.id)
        return PersonalData(
            person=person.id,
            name=person.name,
            created_at=person.created_at,
            sessions=tuple(
                ExportedSession(**facts_of(each), expires_at=each.expires)
                for each in await store.accounts.sessions(person.id)
                if each.kind != "token"
            ),
            notified=tuple(each.endpoint for each in await store.subscriptions(person.id)),
            tables=tuple(_exported_seat(each) for each in tables),
            texts=tuple(
                ExportedText(each.table, each.v, "chat" if each.slot == SAID else "name", each.at, each.text)
                for each in await store.texts_of(person.id)
            ),
            played=tuple(
                ExportedGame(each.table, each.seat, each.game, each.at, each.outcome)
                for each in await store.played(person.id)
            ),
            ratings=tuple(ExportedRating(*each[1:]) for each in await store.ratings(person.id)),
            relations=tuple(
                ExportedRelation(each.kind, each.name, each.at)
                for each in self._tables.relations.of(person.id)
            ),
            reports=tuple(
                ExportedReport(each.at, each.table, each.name, each.text, each.why, each.about)
                for each in await store.cases.reports_by(person.id)
            ),
            cases=tuple(
                ExportedCase(each.at, each.state, each.sanction, each.until)
                for each in await store.cases.cases_of(person.id)
            ),
            decisions=(await Moderation(store, self._tables).own(person.id)).cases,
            moderates=await store.cases.is_moderator(person.id),
            account=await self._exported_account(person.id),
            results=tuple(ResultCount(*each) for each in await store.profiles.results(person.id, _MOST)),
            rivals=tuple(
                Rival(each.handle or each.name, each.handle, *each[4:])
                for each in await store.profiles.rivals(person.id, _MOST)
            ),
            acquaintances=tuple(KnownResident(*each) for each in await store.acquaintances.of(person.id)),
            minds=tuple(ExportedMind(*each) for each in await store.minds.seals(person.id)),
            standings=tuple(
                ExportedStanding(*each[:5], listed=bool(each.listed))
                for each in await store.ladders.own_standings(person.id)
            ),
            faults=tuple(
                FaultInfo(each.kind, each.at, each.table) for each in await store.conduct.faults(person.id)
            ),
            waits_for=None if ticket is None else ExportedTicket(*ticket),
            contacts=await self._exported_contacts(person.id),
            tournaments=tuple(
                ExportedTournament(*each) for each in await store.tournaments.entered(person.id)
            ),
            organised=tuple(
                OrganisedTournament(*each) for each in await store.tournaments.organised_by(person.id)
            ),
        )

    async def _exported_contacts(self, person: str) -> ExportedContacts:
        rows = self._store.contacts
        contact = await rows.contact(person)
        return ExportedContacts(
            here=bool(contact.here),
            challenged_by=contact.challenges,
            read_at=contact.read_at,
            followed=tuple(
                ExportedRelation("follow", each.name, each.at) for each in await rows.followed(person)
            ),
            challenges=tuple(
                ExportedChallenge(table, by == person, at, answer)
                for table, by, at, answer in await rows.challenges_of(person)
            ),
        )

    async def _exported_account(self, person: str) -> ExportedAccount | None:
        account = await self._store.accounts.account(person)
        if account is None:
            return None
        uses = tuple(map(code_use_info, await self._store.accounts.code_uses(person)))
        page = await self._store.profiles.page(person)
        shows = () if page is None else page.parts
        passkeys = tuple(map(passkey_info, await self._store.passkeys.of(person)))
        tokens = tuple(map(token_info, await self._store.accounts.tokens.of(person)))
        bots = tuple(map(bot_info, await self._store.accounts.tokens.bots(person)))
        return ExportedAccount(account.handle, account.kept_at, uses, shows, passkeys, tokens, bots)

    async def erase(self, person: str, language: str = ENGLISH) -> None:
        """Erase a person and their bots: they leave their tables, and nothing that is stored names them."""
        for bot in await self._store.accounts.tokens.bots(person):
            await self.erase(bot.person, language)
        name = translate(message("erased"), language)
        for listed in await self._store.tables(person=person, limit=_MOST):
            if listed.summary.state not in ("over", "closed"):
                await self._leave(listed.id, person, name)
        await self._store.set_value(_ERASING + person, f"{clock.now()} {name}".encode())
        await self._erase(person, name)

    async def _erase(self, person: str, name: str) -> None:
        concerned = await self._store.erase_person(person, name)
        with acting_for(None):  # the caller may be the one who is gone
            await self._finish_erasure(person, name, concerned)

    async def _finish_erasure(self, person: str, name: str, concerned: Sequence[str]) -> None:
        """Remove what is left of a person who is deleted: names in summaries, and in memory."""
        for listed in await self._store.tables(person=person, limit=_MOST):
            await self._rename_in_summary(listed, name)
        await self._store.drop_traces()
        for table in concerned:
            await self._tables.forget_texts(table)
        self.on_sign_out(person)
        await self._store.drop_value(_ERASING + person)
        self._log.info("person erased", tables=len(concerned))

    async def finish_erasures(self, before: int) -> None:
        """Finish erasures that were begun before this time, and interrupted once the person was deleted."""
        for named, value in await self._store.values_of(_ERASING):
            person = named.removeprefix(_ERASING)
            key = hash_token(person).hex()[:8]  # nothing in the log is to name them
            if not self._backoff.is_due("erasure", key):
                continue
            with self._backoff.attempt("erasure", key):
                at, _, name = value.decode().partition(" ")
                if int(at) > before:
                    continue
                if await self._store.person(person) is None:
                    await self._erase(person, name)
                else:  # nothing was erased, and the request failed
                    await self._store.drop_value(named)

    async def _leave(self, table_id: str, person: str, name: str) -> None:
        try:
            table = await self._tables.get(table_id)
            await table.leave_for_good(person, name)
        except FacedownError as error:
            self._log.warning("an erased person could not leave a table", table=table_id, error=error.code)

    async def _rename_in_summary(self, listed: ListedRow, name: str) -> None:
        """Change a name in a summary; from a newer one, if the table was saved in the meantime."""
        seats = listed.seats
        while (about := _with_name(listed.summary.about, seats, name)) != listed.summary.about:
            await self._store.set_about(listed.id, about, listed.summary.about)
            fresh = await self._store.listed(listed.id)
            if fresh is None:
                return
            listed = fresh

    # --- unused data ----------------------------------------------------------------------------------

    def start(self) -> None:
        self._tasks = [asyncio.create_task(each) for each in (self._run(), self._finish_repeatedly())]

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _finish_repeatedly(self) -> None:
        while True:
            await asyncio.sleep(_FINISH_S)
            with self._backoff.attempt("erasures"):
                await self.finish_erasures(clock.now() - int(_FINISH_S * clock.SECOND_MS))

    async def _run(self) -> None:
        wait = _FIRST_S
        with survive(self._log, "forgetting"):
            wait = await self._first_wait()
        while True:
            await asyncio.sleep(wait)
            with self._backoff.attempt("forgetting"):
                await self.sweep()
            wait = _EVERY_S

    async def _first_wait(self) -> float:
        """Seconds until the first sweep: a week if the clock may be wrong."""
        last = await self._store.get_value(_LAST)
        if last is None or abs(clock.now() - int(last)) < _LONG_AWAY_MS:
            return _FIRST_S
        self._log.warning("the clock is far from where it was: nothing is forgotten for a week")
        return _DOUBT_S

    async def sweep(self) -> Forgotten:
        """Close tables that wait in vain, and delete what the rules say."""
        at = clock.now()
        for table_id in await self._store.stale_tables(at - TABLE_MS):
            with self._backoff.attempt("stale table", table_id):
                await (await self._tables.get(table_id)).close("nobody came for thirty days")
        rules = ForgetBefore(
            expired=at - EXPIRED_MS,
            unused=at - UNUSED_MS,
            guests=at - GUEST_MS,
            answers=at - ANSWER_MS,
            empty=at - TABLE_MS,
        )
        done = await self._store.forget(rules)
        await self._store.set_value(_LAST, str(at).encode())
        self._log.info(
            "forgotten", keys=done.keys, guests=done.guests, answers=done.answers, tables=done.tables
        )
        return done


def _with_name(about: bytes, seats: Sequence[Seat], name: str) -> bytes:
    """The details of a summary with this name at these seats."""
    details = details_of(about)
    changed = tuple(replace(each, name=name) if each.seat in seats else each for each in details.seats)
    return _encode(replace(details, seats=changed))


def _exported_seat(listed: ListedRow) -> ExportedSeat:
    summary = listed.summary
    return ExportedSeat(
        table=listed.id,
        game=summary.game,
        rules=summary.rules,
        state=summary.state,
        seats=listed.seats,
        created_at=summary.created_at,
        record=f"/api/v1/tables/{listed.id}/record",
    )
