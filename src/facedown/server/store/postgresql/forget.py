"""SQL of forgetting on PostgreSQL: erases a person, and deletes what has not been used for long.

Queries over all people run a page at a time, before the transaction that deletes.
"""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable
from typing import Any, Final, TypeAlias

import asyncpg

from facedown.server.store.cases import erase_in_cases
from facedown.server.store.contacts import FORGET as FORGET_CHALLENGES
from facedown.server.store.postgresql.ended import GAMES_TO_RATE
from facedown.server.store.tickets import FORGET as FORGET_TICKETS
from facedown.server.store.tickets import FORGET_FAULTS
from facedown.server.store.tokens import DROP_SEAT_TOKENS, LOCK_KEYS
from facedown.server.store.tournaments import FORGET_TOURNAMENTS
from facedown.server.store.values import ERASED_MESSAGE, MACHINE_PREFIX, SAID, ForgetBefore, Forgotten

Select: TypeAlias = Callable[..., Awaitable[list[Any]]]
"""Runs a query with its values."""
_PAGE: Final = 250
"""People in one query."""

# --- one person ------------------------------------------------------------------------------------------

_OF_A_PERSON: Final = (
    *("keys", "subscriptions", "notices", "answers", "ratings", "standings", "tickets", "faults"),
    *("accounts", "code_drafts", "code_uses", "handovers", "contacts", "passkeys", "passkey_challenges"),
    "moderators",
)
"""What is deleted with a person; `played`, `results`, `rivals`, `minds` and `acquaintances` have foreign keys
for that."""
_DELETED: Final = ", ".join(f"no_{kept} as (delete from {kept} where person = $1)" for kept in _OF_A_PERSON)
_ERASE: Final = f"""with {_DELETED},
    no_bots as (delete from bots where person = $1 or owner = $1),
    no_relations as (delete from relations where person = $1 or other = $1),
    no_challenges as (delete from challenges where person = $1 or other = $1),
    no_tokens as ({DROP_SEAT_TOKENS}),
    renamed as (update texts set text = case when slot = $3 then $4 else $5 end where person = $1),
    no_person as (delete from people where id = $1)
    select tables.id from texts join tables on tables.no = texts.table_no where person = $1
    union select table_id from seats where person = $1"""
"""Returns the tables concerned."""
_LOCK_PERSON: Final = "update people set name = name where id = $1"
"""Waits for what is being saved of the person's words, which later statements then see."""

# --- what is not used any more ---------------------------------------------------------------------------

_KEYS: Final = "delete from keys where expires <= $1 or (expires is null and used <= $2) returning 1"
_IS_UNUSED: Final = """not exists (select from seats where seats.person = people.id)
    and not exists (select from texts where texts.person = people.id)
    and not exists (select from accounts where accounts.person = people.id)
    and not exists (select from keys where keys.person = people.id and keys.used > $1)"""
_OLD_PEOPLE: Final = f"""with people as materialized (
        select created_at, id from people where created_at <= $1 and (created_at, id) > ($2, $3)
        order by created_at, id limit $4)
    select created_at, id, {_IS_UNUSED} from people order by created_at, id"""
_STILL_UNUSED: Final = f"select id from people where id = any($2) and created_at <= $1 and {_IS_UNUSED}"
_RATED_PEOPLE: Final = f"""with recursive rated (person, place) as (
        (select person, 1 from ratings where person > $1 order by person limit 1)
        union all
        select (select next.person from ratings next where next.person > rated.person
            order by next.person limit 1), place + 1 from rated where person is not null and place < $2)
    select person, person not like '{MACHINE_PREFIX}%'
        and not exists (select from people where people.id = rated.person) from rated
    where person is not null order by place"""
"""Steps from person to person in the index: each has up to a hundred rows for each game."""
_STRAYS: Final = """delete from {kept} where person = any($1)
    and not exists (select from people where people.id = {kept}.person)"""
_EMPTY: Final = """delete from tables where state = 'closed' and changed_at <= $1
    and not exists (select 1 from events where table_no = tables.no and kind in ('sat', 'dealt'))
    returning no, id"""


async def erase(connection: asyncpg.Connection, person: str, name: str) -> list[str]:
    """Erase a person: account, credentials, subscriptions, names and chat. Returns the tables concerned."""
    unknown = secrets.token_bytes(32)
    await connection.execute(LOCK_KEYS, person)
    await connection.execute(_LOCK_PERSON, person)
    erased = await connection.fetch(_ERASE, person, unknown, SAID, ERASED_MESSAGE, name)
    for statement, values in erase_in_cases(person):
        await connection.execute(statement, *values)
    for statement, values in ((FORGET_TOURNAMENTS[0], (person,)), (FORGET_TOURNAMENTS[1], (person, name))):
        await connection.execute(statement, *values)
    return [table for (table,) in erased]


async def unused_guests(select: Select, before: int) -> list[str]:
    """Guests who came before that time, and have not been seen since."""
    found: list[str] = []
    last: tuple[int, str] = (-1, "")
    while page := await select(_OLD_PEOPLE, before, *last, _PAGE):
        found += [person for _, person, unused in page if unused]
        last = page[-1][0], page[-1][1]
    return found


async def erased_people_with_ratings(select: Select) -> list[str]:
    """Erased people who have ratings again, because their last games were folded afterwards.

    Empty while there are games to fold: folding needs these ratings.
    """
    ((has_games,),) = await select(GAMES_TO_RATE)
    if has_games:
        return []
    found: list[str] = []
    last = ""
    while page := await select(_RATED_PEOPLE, last, _PAGE):
        found += [person for person, erased in page if erased]
        last = page[-1][0]
    return found


async def forget(
    connection: asyncpg.Connection, rules: ForgetBefore, candidates: list[str], erased: list[str]
) -> Forgotten:
    """Delete what the rules name, the candidates that are still unused, and the ratings of erased people."""
    keys = await connection.fetch(_KEYS, rules.expired, rules.unused)
    for used in ("code_drafts", "code_uses", "handovers", "passkey_challenges"):
        await connection.execute(f"delete from {used} where at <= $1", rules.expired)
    guests = await _delete_guests(connection, rules.guests, candidates) if candidates else 0
    answers = await connection.fetch("delete from answers where at <= $1 returning 1", rules.answers)
    for statement in (FORGET_TICKETS, FORGET_FAULTS, FORGET_CHALLENGES):
        await connection.execute(statement, rules.answers)
    tables = await _delete_empty_tables(connection, rules.empty)
    if erased and not await connection.fetchval(GAMES_TO_RATE):
        for kept in ("ratings", "standings"):
            await connection.execute(_STRAYS.format(kept=kept), erased)
    return Forgotten(len(keys), guests, len(answers), len(tables))


async def _delete_guests(connection: asyncpg.Connection, before: int, candidates: list[str]) -> int:
    guests = [person for (person,) in await connection.fetch(_STILL_UNUSED, before, candidates)]
    for kept in _OF_A_PERSON:
        await connection.execute(f"delete from {kept} where person = any($1)", guests)
    await connection.execute("delete from people where id = any($1)", guests)
    return len(guests)


async def _delete_empty_tables(connection: asyncpg.Connection, before: int) -> list[str]:
    tables = await connection.fetch(_EMPTY, before)
    if not tables:
        return []
    numbers, ids = [number for number, _ in tables], [table for _, table in tables]
    for kept in ("events", "texts", "ended"):
        await connection.execute(f"delete from {kept} where table_no = any($1)", numbers)
    for kept in ("invites", "seats"):
        await connection.execute(f"delete from {kept} where table_id = any($1)", ids)
    return ids
