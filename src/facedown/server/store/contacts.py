"""Rows of contacts: whom a person follows, whom they have met, challenges, and how they want to be reached.

The statements are the same for SQLite and PostgreSQL.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from facedown.server.clock import DAY_MS
from facedown.server.store.accounts import QUEUE_NOTICE
from facedown.server.store.steps import Many, Steps
from facedown.server.store.values import Append, Notice, Rows

MOST_FOLLOWED: Final = 200
"""How many people one person can follow."""
MOST_SENT: Final = 5
"""Challenges of one person that may wait for an answer."""
MOST_RECEIVED: Final = 20
"""Challenges of strangers that may wait for one person. People whom they follow have places of their own."""
AGAIN_MS: Final = DAY_MS
"""How long a person who declined a challenge gets no other one from the same person."""
MOST_MET: Final = 20
"""How many recent opponents are listed."""

MOST_SUBSCRIPTIONS: Final = 10
"""Browsers of one person that are notified: the newest ones."""

SUBSCRIBE: Final = """insert into subscriptions (endpoint, person, p256dh, auth, session, number)
    values ($1, $2, $3, $4, $5,
        (select coalesce(max(number), 0) + 1 from subscriptions where person = $2))
    on conflict (endpoint) do update set person = excluded.person, p256dh = excluded.p256dh,
        auth = excluded.auth, session = excluded.session, number = excluded.number"""
KEEP_NEWEST: Final = """delete from subscriptions where person = $1 and number not in
    (select number from subscriptions where person = $1 order by number desc limit $2)"""
NOTICE_LOCK: Final = 0x46414349
"""The advisory lock of the server that claims notices."""
UNCLAIMED_NOTICES: Final = """select id, person, table_id, decision, kind from notices
    where coalesce(claimed_until, 0) <= $1 order by id limit $2"""
_CLAIM_NOTICE: Final = "update notices set claimed_until = $2 where id = $1"
_FOLLOW: Final = """insert into relations (person, other, kind, name, at)
    select $1, id, 'follow', name, cast($3 as bigint) from people where id = $2
        and (select count(*) from relations where person = $1 and kind = 'follow') < $4
    on conflict (person, other) do update set name = excluded.name where relations.kind = 'follow'
    returning id"""
_HANDLE: Final = "case when shows & 1 = 1 then handle else '' end"
"""The handle of a person who has a page; empty for all others."""
_FOLLOWED: Final = f"""select r.id, r.other, people.name, coalesce({_HANDLE}, ''), r.at,
        exists (select 1 from relations back
            where back.person = r.other and back.other = r.person and back.kind = 'follow'),
        coalesce(contacts.here, 0), coalesce(won, 0), coalesce(lost, 0), coalesce(games, 0)
    from relations r join people on people.id = r.other
    left join accounts on accounts.person = r.other left join contacts on contacts.person = r.other
    left join rivals on rivals.person = r.person and rivals.other = r.other
    where r.person = $1 and r.kind = 'follow' order by r.at desc, r.id desc"""
_MET: Final = f"""select rivals.other, people.name, coalesce({_HANDLE}, ''), rivals.at, p.table_id, s.seat,
        won, lost, games
    from rivals join played p on p.person = rivals.person and p.at = rivals.at
    join seats s on s.table_id = p.table_id and s.person = rivals.other
    join people on people.id = rivals.other
    left join accounts on accounts.person = rivals.other
    where rivals.person = $1 and not exists (select 1 from relations b
        where b.person = rivals.person and b.other = rivals.other and b.kind = 'block')
    order by rivals.at desc limit $2"""
_SETTINGS: Final = """select here, challenges, read_at from contacts where person = $1"""
_CHANGE: Final = """insert into contacts (person, here, challenges, read_at)
    values ($1, coalesce(cast($2 as int), 0), coalesce(cast($3 as text), 'anyone'), 0)
    on conflict (person) do update set here = coalesce(cast($2 as int), contacts.here),
        challenges = coalesce(cast($3 as text), contacts.challenges)"""
_READ: Final = """insert into contacts (person, here, challenges, read_at) values ($1, 0, 'anyone', $2)
    on conflict (person) do update set read_at = excluded.read_at where excluded.read_at > contacts.read_at"""
_OPEN: Final = """select count(*) from challenges join tables on tables.id = table_id
    where answer = '' and state = 'open' and"""
_MAY_CHALLENGE: Final = f"""select
    exists (select 1 from people where id = $2),
    exists (select 1 from relations where kind = 'block' and person = $2 and other = $1),
    coalesce((select challenges from contacts where person = $2), 'anyone'),
    exists (select 1 from relations where kind = 'follow' and person = $2 and other = $1),
    exists (select 1 from challenges
        where person = $1 and other = $2 and answer = 'declined' and answered_at > $3),
    ({_OPEN} person = $1 and other = $2), ({_OPEN} person = $1),
    ({_OPEN} other = $2 and not exists (select 1 from relations f
        where f.kind = 'follow' and f.person = $2 and f.other = challenges.person))"""
_CHALLENGE: Final = """insert into challenges (table_id, person, other, at, answer, answered_at)
    values ($1, $2, $3, $4, '', 0)"""
_ANSWER: Final = """update challenges set answer = $3, answered_at = $4
    where table_id = $1 and answer = '' and other = $2 returning person"""
_WITHDRAW: Final = """update challenges set answer = 'withdrawn', answered_at = $3
    where table_id = $1 and answer = '' and person = $2 returning other"""
_CHALLENGES: Final = (
    f"select table_id, challenges.at, name, coalesce({_HANDLE}, ''), game, answer, answered_at"
)
_WAITING: Final = f"""{_CHALLENGES}
    from challenges join tables on tables.id = table_id
    join people on people.id = challenges.{{theirs}} left join accounts on accounts.person = people.id
    where challenges.{{own}} = $1 and answer = '' and state = 'open'"""
_RECEIVED: Final = _WAITING.format(own="other", theirs="person")
_UNANSWERED: Final = _WAITING.format(own="person", theirs="other")
_SENT: Final = f"""{_CHALLENGES}
    from challenges join tables on tables.id = table_id
    join people on people.id = other left join accounts on accounts.person = other
    where challenges.person = $1 and answered_at > $2
        and (answer = 'declined' or answer = 'accepted' and state in ('open', 'opening', 'playing'))"""
_FOUND: Final = """select table_id, seat, game, created_at from tickets
    join tables on tables.id = table_id where tickets.person = $1 and by_days = 1 and seat > 0
        and state = 'open' and not exists (select 1 from seats
            where seats.table_id = tickets.table_id and seats.person = tickets.person)"""
_ENDED_AWAY: Final = """select p.table_id, p.seat, p.game, p.at, about from played p
    join seats s on s.table_id = p.table_id and s.seat = p.seat
    join tables on tables.id = p.table_id
    where p.person = $1 and p.at > $2 and s.seen_at < p.at - $3
        and exists (select 1 from seats o where o.table_id = p.table_id and o.person <> p.person)
    order by p.at desc limit 20"""
_OF_PERSON: Final = """select table_id, person, at, answer from challenges
    where person = $1 or other = $1 order by at, table_id"""
AFTER_BLOCK: Final = (
    "delete from relations where person = $1 and other = $2 and kind = 'follow'",
    "update challenges set answer = 'withdrawn' where person = $1 and other = $2 and answer = ''",
)
"""What ends between two people, the first of whom was blocked by the second."""
FORGET: Final = "delete from challenges where at <= $1"
AWAY_MS: Final = 90_000
"""A person who was not seen for this long before a game ended was away."""

ChallengeRefusal: TypeAlias = Literal["gone", "refused", "again", "waiting", "sent", "received"]


class Followed(NamedTuple):
    """A person whom another one follows."""

    id: int
    person: str
    name: str
    handle: str
    at: int
    is_mutual: int
    shows: int
    """Whether they let friends see when they are here."""
    won: int
    lost: int
    games: int


class MetPerson(NamedTuple):
    """A recent opponent, with their seat in the last game, and the games between the two."""

    person: str
    name: str
    handle: str
    at: int
    table: str
    seat: int
    won: int
    lost: int
    games: int


class StoredContact(NamedTuple):
    """How a person wants to be reached, and up to when they have read their notices."""

    here: int = 0
    challenges: str = "anyone"
    read_at: int = 0


class StoredChallenge(NamedTuple):
    """A challenge with the other person's name and handle, and its answer if there is one."""

    table: str
    at: int
    name: str
    handle: str
    game: str
    answer: str
    answered_at: int


class FoundSeat(NamedTuple):
    """A reserved seat at a table that pairing found while the person was away."""

    table: str
    seat: int
    game: str
    at: int


class EndedAway(NamedTuple):
    """A game that ended while the person was away."""

    table: str
    seat: int
    game: str
    at: int
    about: bytes


def save_challenge(
    person: str, other: str, at: int, make: Callable[[], Append]
) -> Steps[ChallengeRefusal | Append]:
    """Save a challenge together with its table; or why it is refused."""
    for exists, blocked, takes, follows, declined, same, sent, received in (
        yield _MAY_CHALLENGE, (person, other, at - AGAIN_MS)
    ):
        if not exists:
            return "gone"
        if blocked or takes == "nobody" or (takes == "followed" and not follows):
            return "refused"
        if declined:
            return "again"
        if same:
            return "waiting"
        if sent >= MOST_SENT:
            return "sent"
        if received >= MOST_RECEIVED and not follows:
            return "received"
    batch = make()
    yield _CHALLENGE, (batch.table, person, other, at)
    yield batch
    return batch


def claim_notices(now: int, lease_ms: int, limit: int) -> Steps[list[tuple[int, Notice]]]:
    """Claim notices that no server is sending."""
    found = yield UNCLAIMED_NOTICES, (now, limit)
    yield Many(_CLAIM_NOTICE, [(number, now + lease_ms) for number, *_ in found])
    return [(number, Notice(*fields)) for number, *fields in found]


class ContactRows(Rows):
    """The contacts of one store."""

    # --- following -------------------------------------------------------------------------------------

    async def follow(self, person: str, other: str, at: int) -> bool:
        """Follow another person; False if they do not exist, are muted or blocked, or there are too many."""
        return bool(await self._execute(_FOLLOW, person, other, at, MOST_FOLLOWED))

    async def unfollow(self, person: str, number: int) -> None:
        delete = "delete from relations where person = $1 and id = $2 and kind = 'follow'"
        await self._execute(delete, person, number)

    async def follows(self, person: str, other: str) -> bool:
        """Whether a person follows another one."""
        query = "select 1 from relations where person = $1 and other = $2 and kind = 'follow'"
        return bool(await self._select(query, person, other))

    async def followed(self, person: str) -> list[Followed]:
        """The people whom a person follows, latest first."""
        return [Followed(*found) for found in await self._select(_FOLLOWED, person)]

    async def met(self, person: str) -> list[MetPerson]:
        """The people with whom a person has played, latest first."""
        return [MetPerson(*found) for found in await self._select(_MET, person, MOST_MET)]

    # --- settings --------------------------------------------------------------------------------------

    async def contact(self, person: str) -> StoredContact:
        found = await self._select(_SETTINGS, person)
        return StoredContact(*found[0]) if found else StoredContact()

    async def change_contact(
        self, person: str, *, here: int | None = None, challenges: str | None = None
    ) -> None:
        """Change what is given; the rest stays, whatever else is changed at the same time."""
        await self._execute(_CHANGE, person, here, challenges)

    async def mark_read(self, person: str, at: int) -> None:
        """Save that a person has read their notices up to this time, unless they have read later ones."""
        await self._execute(_READ, person, at)

    # --- challenges ------------------------------------------------------------------------------------

    async def answer_challenge(self, table: str, person: str, answer: str, at: int) -> str | None:
        """Answer a challenge to this person; the challenger, or None if there is no open one."""
        return _only(await self._execute(_ANSWER, table, person, answer, at))

    async def withdraw_challenge(self, table: str, person: str, at: int) -> str | None:
        """Withdraw a challenge of this person; whom it was for, or None if there is no open one."""
        return _only(await self._execute(_WITHDRAW, table, person, at))

    async def received_challenges(self, person: str) -> list[StoredChallenge]:
        """The challenges that wait for this person's answer."""
        return [StoredChallenge(*found) for found in await self._select(_RECEIVED, person)]

    async def unanswered_challenges(self, person: str) -> list[StoredChallenge]:
        """The challenges of this person that wait for an answer."""
        return [StoredChallenge(*found) for found in await self._select(_UNANSWERED, person)]

    async def answered_challenges(self, person: str, after: int) -> list[StoredChallenge]:
        """The challenges of this person that were declined after that time, or accepted and are played."""
        return [StoredChallenge(*found) for found in await self._select(_SENT, person, after)]

    async def challenges_of(self, person: str) -> list[tuple[str, str, int, str]]:
        """The table, the challenger, the time and the answer of all challenges by and to a person."""
        return [(table, by, at, answer) for table, by, at, answer in await self._select(_OF_PERSON, person)]

    # --- notices ---------------------------------------------------------------------------------------

    async def found_seats(self, person: str) -> list[FoundSeat]:
        return [FoundSeat(*found) for found in await self._select(_FOUND, person)]

    async def ended_away(self, person: str, after: int) -> list[EndedAway]:
        return [EndedAway(*found) for found in await self._select(_ENDED_AWAY, person, after, AWAY_MS)]

    async def queue_notice(self, notice: Notice) -> None:
        """Send a push notification that belongs to no append."""
        await self._execute(QUEUE_NOTICE, notice.person, notice.table, notice.kind)


def _only(rows: Sequence[Any]) -> str | None:
    return rows[0][0] if rows else None
