"""Statements that merge a guest into an account: every row of the one becomes the other's.

Events never change: they go on naming the guest, and `aliases` says who that is now.
"""

from __future__ import annotations

from typing import Final, TypeAlias

from facedown.server.store.crowds import MERGE as _MERGE_PICKS

Statement: TypeAlias = tuple[str, tuple[object, ...]]

MERGED_BY_ROW: Final = (
    ("seats", "person", ("table_id", "seat")),
    ("played", "person", ("at", "table_id")),
    ("faults", "person", ("table_id",)),
    ("minds", "person", ("day",)),
    ("acquaintances", "person", ("game", "machine")),
    ("notices", "person", ("table_id", "decision", "kind")),
    ("relations", "person", ("other",)),
    ("relations", "other", ("person",)),
    ("challenges", "person", ("table_id",)),
    ("challenges", "other", ("table_id", "person")),
    ("cases", "person", ("id",)),
    ("case_events", "person", ("id",)),
    ("case_events", "other", ("id",)),
    ("audit", "person", ("id",)),
    ("audit", "other", ("id",)),
    ("tournaments", "person", ("id",)),
    ("entrants", "person", ("tournament_id",)),
)
"""Tables, the column that names the guest, and what may be there only once beside it."""
DROPPED: Final = (
    *("keys", "subscriptions", "answers", "ratings", "standings", "tickets", "roles"),
    *("code_drafts", "code_uses", "handovers", "contacts", "passkeys", "passkey_challenges", "webhooks"),
)
"""What a guest does not bring along, or has not: sessions, subscriptions that others may have made, ratings
and standings, what lasts for minutes."""
_MERGE_RESULTS: Final = """insert into results (person, game, rules, side, won, tied, lost)
    select cast($2 as text), game, rules, side, won, tied, lost from results where person = $1
    on conflict (person, game, rules, side) do update set won = results.won + excluded.won,
        tied = results.tied + excluded.tied, lost = results.lost + excluded.lost"""
_MERGE_RIVALS: Final = """insert into rivals (person, other, games, won, tied, lost, at, course)
    select {person}, {other}, games, won, tied, lost, at, course from rivals
    where person {of} $1 and other {and_of} $1 and person <> $2 and other <> $2
    on conflict (person, other) do update set games = rivals.games + excluded.games,
        won = rivals.won + excluded.won, tied = rivals.tied + excluded.tied,
        lost = rivals.lost + excluded.lost,
        course = case when excluded.at > rivals.at then rivals.course || excluded.course
            else excluded.course || rivals.course end,
        at = case when excluded.at > rivals.at then excluded.at else rivals.at end"""
_MERGE_COUNTS: Final = (
    _MERGE_RESULTS,
    _MERGE_RIVALS.format(person="cast($2 as text)", other="other", of="=", and_of="<>"),
    _MERGE_RIVALS.format(person="person", other="cast($2 as text)", of="<>", and_of="="),
)
"""Counts are added up; games of the two against each other are dropped."""


ADD_ALIAS: Final = "insert into aliases (person, account, at) values ($1, $2, $3)"
_BESIDE_EVENTS: Final = ("seats", "faults", "notices")
"""What lies where the events of a table lie, if that is another cluster; see `merge_beside_events`."""


def merge_beside_events(guest: str, account: str) -> list[Statement]:
    """Merge a guest into an account where only tables are; doing it again changes nothing."""
    both = (guest, account)
    here = [each for each in MERGED_BY_ROW if each[0] in _BESIDE_EVENTS]
    return [
        ("update texts set person = $2 where person = $1", both),
        *((_merge(*each), both) for each in here),
        *((f"delete from {table} where {column} = $1", (guest,)) for table, column, _ in here),
        ("delete from answers where person = $1", (guest,)),
    ]


def merge_statements(guest: str, account: str, at: int) -> list[Statement]:
    """Merge a guest into an account."""
    both = (guest, account)
    return [
        (ADD_ALIAS, (*both, at)),
        *(
            (f"delete from {each} where person = $1 and other = $2 or person = $2 and other = $1", both)
            for each in ("relations", "challenges")
        ),
        ("update texts set person = $2 where person = $1", both),
        *((_merge(*each), both) for each in MERGED_BY_ROW),
        *((each, both) for each in (*_MERGE_COUNTS, *_MERGE_PICKS)),
        *((f"delete from {table} where person = $1", (guest,)) for table in ("results", "picked")),
        ("delete from rivals where person = $1 or other = $1", (guest,)),
        *((f"delete from {table} where {column} = $1", (guest,)) for table, column, _ in MERGED_BY_ROW),
        *((f"delete from {table} where person = $1", (guest,)) for table in DROPPED),
        ("delete from people where id = $1", (guest,)),
    ]


def _merge(table: str, column: str, beside: tuple[str, ...]) -> str:
    """Give the guest's rows to the account, unless it has the same."""
    same = " and ".join(f"theirs.{each} = {table}.{each}" for each in beside)
    has_same = f"select 1 from {table} theirs where theirs.{column} = $2 and {same}"
    return f"update {table} set {column} = $2 where {column} = $1 and not exists ({has_same})"
