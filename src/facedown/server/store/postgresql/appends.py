"""SQL of appends: compare-and-set of table heads and all inserts, in one statement for many tables.

One statement is one transaction without a round trip inside: a server that stops in the middle of it holds no
lock. It returns the indexes of the appends that were saved; the others found their heads moved.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from facedown.core.merkle import leaf_hash
from facedown.server.store.outages import ALL_OUTAGES, OWED_OF
from facedown.server.store.values import Append

_EVENTS: Final = """unnest({at}::int[], {n[1]}::int[], {n[2]}::text[], {n[3]}::bigint[], {n[4]}::int[],
        {n[5]}::text[], {n[6]}::bigint[], {n[7]}::bytea[], {n[8]}::bytea[], {n[9]}::bytea[])
        as e (i, v, kind, at, seat, command, spent, public, secret, digest)"""


def _events(first: int) -> str:
    parameters = [f"${first + number}" for number in range(10)]
    return _EVENTS.format(at=parameters[0], n=parameters)


_INTO_EVENTS: Final = """insert into events
        (table_no, v, kind, at, seat, command, spent, public, secret, digest)
        select saved.no, e.v, e.kind, e.at, e.seat, e.command, e.spent, e.public, e.secret, e.digest"""

_OUTAGES: Final = f"""credited = {ALL_OUTAGES},
        owed = case when w.deadline is null then 0 else greatest({OWED_OF.format("t")} - w.given, 0) end"""

PLAIN: Final = f"""with want as (
    select * from unnest($1::int[], $2::text[], $3::int[], $4::int[], $5::bigint[], $6::bigint[],
        $7::bigint[], $8::bigint[]) as w (i, id, old, new, deadline, wake, at, given)),
mine as (
    select t.no, w.i from tables t join want w on w.id = t.id and w.old = t.head
    order by t.no for update of t),
saved as (
    update tables t set head = w.new, deadline = w.deadline, wake_at = w.wake, claimed_until = null,
        changed_at = coalesce(w.at, t.changed_at), {_OUTAGES}
    from want w join mine on mine.i = w.i where t.no = mine.no and t.head = w.old
    returning w.i, t.no),
new_events as ({_INTO_EVENTS} from {_events(9)} join saved on saved.i = e.i)
select i from saved"""
"""Moves heads and inserts events, nothing else."""

_MAY_ACT: Final = """not exists (select from callers c where c.i = w.i and not (
        (c.key <> '' or exists (select from people where id = c.person for share))
        and (c.key = '' or exists (select from keys where hash = c.key and person = c.person for share))
        and (c.token = '' or exists (select from seats where table_id = c.id
            and (token = c.token or previous = c.token) for share))
        and (not c.moderates or exists (select from moderators where person = c.person for share))))"""
"""Whether all callers of an append may still act: `Caller.conditions`, for many appends."""

WHOLE: Final = f"""with callers as (
    select * from unnest($55::int[], $56::text[], $57::bytea[], $58::boolean[], $59::text[], $60::bytea[])
        as c (i, person, key, moderates, id, token)),
want as (
    select * from unnest($1::int[], $2::text[], $3::int[], $4::int[], $5::bigint[], $6::bigint[],
        $7::bigint[], $8::bigint[], $19::text[], $20::text[], $21::text[], $22::int[], $23::bigint[],
        $24::bytea[], $25::text[])
        as w (i, id, old, new, deadline, wake, at, given, game, rules, state, public, created_at, about,
            invite)
    where {_MAY_ACT}),
mine as (
    select t.no, w.i from tables t
        join want w on w.id = t.id and w.old = t.head and w.old > 0
    order by t.no for update of t),
moved as (
    update tables t set head = w.new, deadline = w.deadline, wake_at = w.wake, claimed_until = null,
        changed_at = coalesce(w.at, t.changed_at), {_OUTAGES},
        game = coalesce(w.game, t.game), rules = coalesce(w.rules, t.rules),
        state = coalesce(w.state, t.state), public = coalesce(w.public, t.public),
        created_at = coalesce(w.created_at, t.created_at), about = coalesce(w.about, t.about)
    from want w join mine on mine.i = w.i where t.no = mine.no and t.head = w.old
    returning w.i, t.no),
created as (
    insert into tables
        (id, head, deadline, wake_at, changed_at, game, rules, state, public, created_at, about, credited)
    select id, new, deadline, wake, at, game, rules, state, public, created_at, about, {ALL_OUTAGES} from want
    where old = 0 and game is not null order by id on conflict (id) do nothing
    returning id, no),
saved as (
    select i, no from moved
    union all select w.i, created.no from created join want w on w.id = created.id),
new_events as ({_INTO_EVENTS} from {_events(9)} join saved on saved.i = e.i),
new_ends as (
    insert into ended (table_id, at) select w.id, e.at
    from {_events(9)} join saved on saved.i = e.i join want w on w.i = e.i
    where e.kind = 'over' on conflict do nothing),
new_texts as (
    insert into texts (table_id, v, slot, person, text, at)
    select w.id, t.v, t.slot, t.person, t.text, e.at
    from unnest($26::int[], $27::int[], $28::text[], $29::text[], $30::text[])
        as t (i, v, slot, person, text) join saved on saved.i = t.i join want w on w.i = t.i
        join {_events(9)} on e.i = t.i and e.v = t.v),
new_notices as (
    insert into notices (person, table_id, decision, kind) select n.person, n.id, n.decision, n.kind
    from unnest($31::int[], $32::text[], $33::text[], $34::int[], $35::text[]) with ordinality
        as n (i, person, id, decision, kind, place) join saved on saved.i = n.i order by place
    on conflict do nothing),
new_seats as (
    insert into seats as s (table_id, seat, person, token, session)
    select w.id, h.seat, h.person, h.token, coalesce((select id from keys where hash = h.key), '')
    from unnest($36::int[], $37::int[], $38::text[], $39::bytea[], $54::bytea[])
        as h (i, seat, person, token, key)
        join saved on saved.i = h.i join want w on w.i = h.i where h.token <> ''
    on conflict (table_id, seat) do update set person = excluded.person, token = excluded.token,
        session = excluded.session, previous = null, seen_at = 0),
freed_seats as (
    delete from seats s using want w, saved, unnest($36::int[], $37::int[], $38::text[], $39::bytea[])
        as h (i, seat, person, token)
    where h.token = '' and w.i = h.i and saved.i = h.i and s.table_id = w.id and s.seat = h.seat),
new_invites as (
    insert into invites (code, table_id) select w.invite, w.id from want w join saved on saved.i = w.i
    where w.invite <> '' on conflict (table_id) do update set code = excluded.code),
new_answers as (
    insert into answers (person, key, body, digest, at) select a.person, a.key, a.body, a.digest, a.at
    from unnest($40::int[], $41::text[], $42::text[], $43::bytea[], $44::bytea[], $45::bigint[])
        as a (i, person, key, body, digest, at) join saved on saved.i = a.i),
new_entries as (
    insert into log_entries (entry, hash) select l.entry, l.hash
    from unnest($46::int[], $47::bytea[], $48::bytea[]) with ordinality as l (i, entry, hash, place)
        join saved on saved.i = l.i order by place on conflict do nothing),
new_faults as (
    insert into faults (person, at, table_id, kind) select f.person, f.at, f.id, f.kind
    from unnest($49::int[], $50::text[], $51::bigint[], $52::text[], $53::text[])
        as f (i, person, at, id, kind) join saved on saved.i = f.i join people on people.id = f.person
    on conflict do nothing)
select i from saved"""
"""Saves everything that an append may hold."""


def is_plain(batch: Append) -> bool:
    """Whether an append moves a head and adds events, and nothing else."""
    rare = (batch.summary, batch.notices, batch.seats, batch.invite, batch.response, batch.log_entries)
    if not batch.head or batch.callers or any(rare):
        return False
    return not any(row.texts or row.kind == "over" for row in batch.rows)


def plain_values(batches: Sequence[Append]) -> list[list[Any]]:
    """The parameters of `PLAIN`."""
    heads = [
        (
            *(i, batch.table, batch.head, batch.head + len(batch.rows), batch.deadline, batch.wake_at),
            *(batch.rows[-1].at if batch.rows else None, batch.given_back),
        )
        for i, batch in enumerate(batches)
    ]
    events = [
        (
            *(i, row.v, row.kind, row.at, row.seat, row.command),
            *(row.spent, row.public, row.secret, row.digest),
        )
        for i, batch in enumerate(batches)
        for row in batch.rows
    ]
    return [*_columns(heads, 8), *_columns(events, 10)]


def whole_values(batches: Sequence[Append]) -> list[list[Any]]:
    """The parameters of `WHOLE`."""
    summaries = []
    for batch in batches:
        about = batch.summary
        fields: tuple[Any, ...] = (None,) * 6
        if about is not None:
            fields = (about.game, about.rules, about.state, int(about.public), about.created_at, about.about)
        summaries.append((*fields, batch.invite))
    texts = [
        (i, row.v, text.slot, text.person, text.text)
        for i, batch in enumerate(batches)
        for row in batch.rows
        for text in row.texts
    ]
    notices = [
        (i, each.person, each.table, each.decision, each.kind)
        for i, batch in enumerate(batches)
        for each in batch.notices
    ]
    seats = [
        (i, each.seat, each.person, each.token, each.key)
        for i, batch in enumerate(batches)
        for each in {holder.seat: holder for holder in batch.seats}.values()
    ]
    answers = [
        (
            *(i, batch.response.person, batch.response.key, batch.response.body, batch.response.digest),
            batch.rows[-1].at if batch.rows else 0,
        )
        for i, batch in enumerate(batches)
        if batch.response is not None
    ]
    entries = [(i, entry, leaf_hash(entry)) for i, batch in enumerate(batches) for entry in batch.log_entries]
    faults = [(i, *each) for i, batch in enumerate(batches) for each in batch.faults]
    callers = [
        (i, each.person, each.key, each.moderates, each.table, each.seat)
        for i, batch in enumerate(batches)
        for each in batch.callers
    ]
    *holders, keys = _columns(seats, 5)
    rest = (*_columns(texts, 5), *_columns(notices, 5), *holders, *_columns(answers, 6))
    return [
        *plain_values(batches),
        *_columns(summaries, 7),
        *rest,
        *_columns(entries, 3),
        *_columns(faults, 5),
        keys,
        *_columns(callers, 6),
    ]


def _columns(rows: Sequence[tuple[Any, ...]], fields: int) -> list[list[Any]]:
    return [list(column) for column in zip(*rows, strict=True)] if rows else [[] for _ in range(fields)]
