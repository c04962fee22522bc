"""Forgetting: erases a person, and deletes what has not been used for long.

Events are never changed: erasing changes only the texts that they refer to. Queries over all people run a
page at a time, before the transaction that deletes.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Final

from facedown.server.store.cases import erase_in_cases
from facedown.server.store.contacts import FORGET as FORGET_CHALLENGES
from facedown.server.store.ended import TO_RATE
from facedown.server.store.steps import Many, Steps, batches, places
from facedown.server.store.tickets import FORGET as FORGET_TICKETS
from facedown.server.store.tickets import FORGET_FAULTS
from facedown.server.store.tokens import DROP_SEAT_TOKENS, LOCK_KEYS
from facedown.server.store.tournaments import FORGET_ENTRANT, FORGET_ORGANISER
from facedown.server.store.values import ERASED_MESSAGE, MACHINE_PREFIX, SAID, ForgetBefore, Forgotten

PAGE: Final = 500
"""People in one query."""
_OF_A_GUEST: Final = (
    *("keys", "subscriptions", "notices", "answers", "tickets", "faults", "minds", "acquaintances"),
    *("moderators", "code_drafts", "code_uses", "handovers", "contacts", "passkeys", "passkey_challenges"),
)
_OF_A_PERSON: Final = (*_OF_A_GUEST, "accounts", "ratings", "standings", "played", "results", "rivals")
"""What is deleted with a person."""
_LOCK_PERSON: Final = "update people set name = name where id = $1"
"""Waits for what is being saved of the person's words, which later statements then see."""
_THEIR_TABLES: Final = """select table_id from texts where person = $1
    union select table_id from seats where person = $1"""
_RENAME: Final = "update texts set text = case when slot = $2 then $3 else $4 end where person = $1"
_KEYS: Final = "delete from keys where expires <= $1 or (expires is null and used <= $2) returning 1"
_IS_UNUSED: Final = """created_at <= $1
    and not exists (select 1 from seats where seats.person = people.id)
    and not exists (select 1 from texts where texts.person = people.id)
    and not exists (select 1 from accounts where accounts.person = people.id)
    and not exists (select 1 from keys where keys.person = people.id and keys.used > $1)"""
PEOPLE: Final = f"select id, {_IS_UNUSED} from people where id > $2 order by id limit $3"
"""People by their ids, and whether they are guests to forget."""
RATED_PEOPLE: Final = f"""with recursive rated (person, place) as (
        select min(person), 1 from ratings where person > $1
        union all
        select (select min(person) from ratings where ratings.person > rated.person), place + 1
            from rated where person is not null and place < $2)
    select person, person not like '{MACHINE_PREFIX}%'
        and not exists (select 1 from people where people.id = rated.person) from rated
    where person is not null order by place"""
"""People with ratings by their ids, and whether they were erased, and games of theirs folded afterwards.

Steps from person to person in the index: each has up to a hundred rows for each game."""
_STRAYS: Final = """delete from {kept} where person = $1
    and not exists (select 1 from people where people.id = {kept}.person)"""
_EMPTY: Final = """delete from tables where state = 'closed' and changed_at <= $1
    and not exists (select 1 from events where table_no = tables.no and kind in ('sat', 'dealt'))
    returning no, id"""


def erase(person: str, name: str) -> Steps[list[str]]:
    """Erase a person: account, credentials, subscriptions, names and chat. Returns the tables concerned."""
    yield LOCK_KEYS, (person,)
    yield _LOCK_PERSON, (person,)
    tables = yield _THEIR_TABLES, (person,)
    yield _RENAME, (person, SAID, ERASED_MESSAGE, name)
    for kept in _OF_A_PERSON:
        yield f"delete from {kept} where person = $1", (person,)
    yield "delete from rivals where other = $1", (person,)
    yield "delete from bots where person = $1 or owner = $1", (person,)
    for both in ("relations", "challenges"):
        yield f"delete from {both} where person = $1 or other = $1", (person,)
    yield from erase_in_cases(person)
    yield FORGET_ORGANISER, (person,)
    yield FORGET_ENTRANT, (person, name)
    yield DROP_SEAT_TOKENS, (person, secrets.token_bytes(32))
    yield "delete from people where id = $1", (person,)
    return [table for (table,) in tables]


def forget(rules: ForgetBefore, candidates: Sequence[str], erased: Sequence[str]) -> Steps[Forgotten]:
    """Delete what the rules name, the candidates that are still unused, and the ratings of erased people."""
    keys = yield _KEYS, (rules.expired, rules.unused)
    for used in ("code_drafts", "code_uses", "handovers", "passkey_challenges"):
        yield f"delete from {used} where at <= $1", (rules.expired,)
    guests = 0
    for some in batches(candidates):
        still = f"select id from people where {_IS_UNUSED} and id in ({places(some, first=2)})"
        unused = [person for (person,) in (yield still, (rules.guests, *some))]
        yield from _delete(_OF_A_GUEST, "person", unused)
        yield from _delete(("people",), "id", unused)
        guests += len(unused)
    answers = yield "delete from answers where at <= $1 returning 1", (rules.answers,)
    for statement in (FORGET_TICKETS, FORGET_FAULTS, FORGET_CHALLENGES):
        yield statement, (rules.answers,)
    tables = yield _EMPTY, (rules.empty,)
    yield from _delete(("events",), "table_no", [number for number, _ in tables])
    yield from _delete(("texts", "ended", "invites", "seats"), "table_id", [table for _, table in tables])
    if erased and not (yield TO_RATE, ()):  # folding needs these ratings
        for kept in ("ratings", "standings"):
            yield Many(_STRAYS.format(kept=kept), [(person,) for person in erased])
    return Forgotten(len(keys), guests, len(answers), len(tables))


def _delete(tables: Sequence[str], column: str, values: Sequence[object]) -> Steps[None]:
    """Delete the rows of these tables that have one of the values in a column."""
    for some in batches(values):
        for table in tables:
            yield f"delete from {table} where {column} in ({places(some)})", tuple(some)
