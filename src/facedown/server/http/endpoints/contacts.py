"""People who know each other: following, recent opponents, challenges; notices."""

from __future__ import annotations

from typing import Any, Final

from facedown.core.errors import IllegalSeats, UnknownGame, UnreadableRules
from facedown.protocol.errors import (
    BadMessage,
    CannotFollow,
    ChallengeWaits,
    NoChallenge,
    NotFound,
    TooMany,
    UnknownTable,
)
from facedown.protocol.friends import (
    ChallengeTable,
    ContactSettings,
    FollowedPerson,
    FriendList,
    NewChallenge,
    NewContactSettings,
    NewFollow,
    NoticeList,
    ReadNotices,
)
from facedown.server.http.endpoint import Call, Endpoints
from facedown.server.store.failures import StoreFailed

ENDPOINTS: Final = Endpoints("contacts", needs="session")
_FRIENDS: Final = "/api/v1/people/me/friends"
_SETTINGS: Final = "/api/v1/people/me/contact"
_CHALLENGES: Final = "/api/v1/challenges"
_NOTICES: Final = "/api/v1/notices"


# --- people ----------------------------------------------------------------------------------------------


@ENDPOINTS.get(_FRIENDS, area="contacts")
async def list_friends(call: Call[None, None]) -> FriendList:
    """The people whom the caller follows, and recent opponents, with the score of the two."""
    return await call.services.friends.list_people(call.require_session().id)


@ENDPOINTS.post(_FRIENDS, status=201, refuses=(CannotFollow, NotFound, UnknownTable, TooMany, StoreFailed))
async def follow(call: Call[NewFollow, None]) -> FollowedPerson:
    """Follow a person. Two who follow each other are friends; the other is not notified."""
    me = call.require_session().id
    call.services.limits.follow(me)
    return await call.services.friends.follow(me, await _person_meant(call, call.body))


@ENDPOINTS.delete(f"{_FRIENDS}/{{number}}", refuses=(NotFound, StoreFailed))
async def unfollow(call: Call[None, None]) -> None:
    """Follow a person no longer."""
    await call.services.store.contacts.unfollow(call.require_session().id, call.number())


async def _person_meant(call: Call[Any, Any], wanted: NewFollow | NewChallenge) -> str:
    """The person with a handle, or on a seat of a table that the caller may see."""
    if (wanted.handle is None) == (wanted.table is None) or (wanted.table is None) != (wanted.seat is None):
        raise BadMessage("either `handle`, or `table` and `seat`, says who is meant")
    if wanted.handle is not None:
        return await call.services.friends.by_handle(wanted.handle)
    table = await call.services.table(wanted.table or "")
    me = call.require_session().id
    if not table.seats_of(me) and not table.may_watch(me):
        raise UnknownTable("there is no table with this id, or you may not see it")
    person, _ = table.person_on(wanted.seat or 0)
    return person


@ENDPOINTS.patch(_SETTINGS, refuses=(StoreFailed,))
async def change_contact_settings(call: Call[NewContactSettings, None]) -> ContactSettings:
    """Change how other people reach the caller."""
    rows, me, wanted = call.services.store.contacts, call.require_session().id, call.body
    here = None if wanted.here is None else int(wanted.here)
    await rows.change_contact(me, here=here, challenges=wanted.challenges or None)
    return await call.services.friends.settings(me)


# --- challenges ------------------------------------------------------------------------------------------


@ENDPOINTS.post(
    _CHALLENGES,
    status=201,
    refuses=(
        *(NoChallenge, ChallengeWaits, NotFound, UnknownTable, UnknownGame, UnreadableRules),
        *(IllegalSeats, TooMany, StoreFailed),
    ),
)
async def challenge(call: Call[NewChallenge, None]) -> ChallengeTable:
    """Challenge a person to a game of two: they are notified, and accept by joining the table."""
    me, friends, wanted = call.require_session(), call.services.friends, call.body
    call.services.limits.challenge(me.id, call.address)
    if wanted.follow is not None:
        other = await friends.followed_person(me.id, wanted.follow)
    else:
        other = await _person_meant(call, wanted)
    is_guest = await call.services.store.accounts.account(me.id) is None
    if is_guest and not await call.services.store.contacts.follows(other, me.id):
        call.services.limits.challenge_of_guest(call.address, other)
    made = await friends.challenge(me, other, wanted)
    call.services.streams.note_challenge(other)
    return made


@ENDPOINTS.delete(f"{_CHALLENGES}/{{table}}", area="contacts", refuses=(NotFound, StoreFailed))
async def end_challenge(call: Call[None, None]) -> None:
    """Decline a challenge, or withdraw one's own: its table is closed."""
    me = call.require_session().id
    await call.services.friends.end_challenge(call.part("table"), me)
    call.services.streams.note_challenge(me)


# --- notices ---------------------------------------------------------------------------------------------


@ENDPOINTS.get(_NOTICES, area="contacts", when_closed=True)
async def list_notices(call: Call[None, None]) -> NoticeList:
    """The caller's notices: turns, challenges, games that ended. An open page asks again every half minute,
    by which friends see that the caller is here, if both allow it."""
    person = call.require_session().id
    if call.kind == "browser":
        call.services.here.note(person)
    return await call.services.notices.of(person, call.language)


@ENDPOINTS.put(f"{_NOTICES}/read", area="contacts", when_closed=True, refuses=(StoreFailed,))
async def read_notices(call: Call[ReadNotices, None]) -> None:
    """Mark the notices up to a time as read."""
    await call.services.notices.mark_read(call.require_session().id, call.body.at)
