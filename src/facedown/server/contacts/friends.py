"""Following, recent opponents and challenges: people who know each other, on any server of a store.

A challenge is a table with a reserved seat for each of the two, like one that pairing has found. Joining it
is the answer; it closes on its own if one of them does not come.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from contextlib import suppress
from typing import Final, cast

from facedown.core import registry
from facedown.core.errors import FacedownError
from facedown.core.match import check_seats
from facedown.protocol.errors import (
    BadMessage,
    CannotFollow,
    ChallengeWaits,
    NoChallenge,
    NotFound,
    TooMany,
)
from facedown.protocol.friends import (
    ChallengesFrom,
    ChallengeTable,
    ContactSettings,
    FollowedPerson,
    FriendList,
    NewChallenge,
    Opponent,
)
from facedown.server.accounts.finished_games import PlayedGames
from facedown.server.clock import DAY_MS, HOUR_MS, MINUTE_MS, now
from facedown.server.contacts.here import PeopleHere
from facedown.server.names import fold_handle
from facedown.server.store.base import Store
from facedown.server.store.contacts import ChallengeRefusal, Followed, MetPerson
from facedown.server.store.profiles import Shows
from facedown.server.store.values import Append, Notice, Person
from facedown.server.table.setup import paired_table
from facedown.server.table.tables import Tables

SEATS: Final = 2
OPEN_MS: Final = HOUR_MS
"""How long a challenge to a game by seconds, or without a clock, waits for its answer."""
OPEN_BY_DAYS_MS: Final = 3 * DAY_MS
_REFUSALS: Final[dict[ChallengeRefusal, FacedownError]] = {
    "gone": NoChallenge("this person does not play here any more"),
    "refused": NoChallenge("this person takes no challenges from you"),
    "again": ChallengeWaits("this person has declined a challenge of yours: wait a day before the next one"),
    "waiting": ChallengeWaits("your challenge to this person waits for an answer"),
    "sent": TooMany("too many of your challenges wait for an answer: withdraw one", again=MINUTE_MS),
    "received": TooMany("too many challenges wait for this person already", again=MINUTE_MS),
}
_dice: Final = random.SystemRandom()


class Friends:
    """The contacts of people, on one store."""

    def __init__(self, store: Store, tables: Tables, played: PlayedGames, here: PeopleHere) -> None:
        self._store = store
        self._rows = store.contacts
        self._tables = tables
        self._played = played
        self._here = here

    # --- following -------------------------------------------------------------------------------------

    async def by_handle(self, handle: str) -> str:
        """The person with a page at this handle; raises `NotFound`. An account without a page
        is treated as none: it can be followed and challenged by a seat at a table where they met."""
        page = await self._store.profiles.by_handle(fold_handle(handle))
        if page is None or not page.has(Shows.PAGE):
            raise NotFound("nobody here has this handle")
        return page.person

    async def follow(self, person: str, other: str) -> FollowedPerson:
        """Follow another person; raises `BadMessage` or `CannotFollow` if that is not possible."""
        if person == other:
            raise BadMessage("this is yourself")
        if any(each.other == other for each in self._tables.relations.of(person)):
            raise CannotFollow("you have muted or blocked this person: undo that first")
        if not await self._rows.follow(person, other, now()):
            raise CannotFollow("this person does not play here any more, or you follow too many people")
        followed = [each for each in await self._rows.followed(person) if each.person == other]
        return _followed_person(followed[0], other in await self.friends_here(person, followed))

    async def followed_person(self, person: str, number: int) -> str:
        """The person whom another one follows under this id; raises `NotFound`."""
        for each in await self._rows.followed(person):
            if each.id == number:
                return each.person
        raise NotFound("you do not follow this person")

    async def list_people(self, person: str) -> FriendList:
        """Whom a person follows, and whom they played with lately."""
        await self._played.fold_latest()
        followed = await self._rows.followed(person)
        here = await self.friends_here(person, followed)
        follows = {each.person: each.id for each in followed}
        shown = sorted(followed, key=lambda each: (each.person not in here, not each.is_mutual))
        return FriendList(
            followed=tuple(_followed_person(each, each.person in here) for each in shown),
            opponents=tuple(
                _opponent(each, follows.get(each.person, 0)) for each in await self._rows.met(person)
            ),
            settings=await self.settings(person),
        )

    async def settings(self, person: str) -> ContactSettings:
        """How other people reach a person."""
        contact = await self._rows.contact(person)
        return ContactSettings(bool(contact.here), cast("ChallengesFrom", contact.challenges))

    async def friends_here(self, person: str, followed: Sequence[Followed]) -> dict[str, int]:
        """Those of the followed people who are here, and since when; if both allow it."""
        friends = [each.person for each in followed if each.is_mutual and each.shows]
        if not friends or not (await self._rows.contact(person)).here:
            return {}
        return await self._here.find(friends)

    # --- challenges ------------------------------------------------------------------------------------

    async def challenge(self, person: Person, other: str, wanted: NewChallenge) -> ChallengeTable:
        """Challenge another person to a game of two; raises `NoChallenge` and others if that is refused."""
        if person.id == other:
            raise BadMessage("this is yourself")
        if self._tables.relations.has_blocked(person.id, other):
            raise NoChallenge("you have blocked this person: undo that first")
        game = registry.get(wanted.game)
        check_seats(game, SEATS)
        rules = str(game.rules.read(wanted.rules))
        them = await self._store.person(other)
        if them is None:
            raise _REFUSALS["gone"]
        people = [(person.id, person.name), (other, them.name)]
        _dice.shuffle(people)  # neither chooses a seat
        lasts = OPEN_BY_DAYS_MS if wanted.clock.kind == "correspondence" else OPEN_MS

        def make() -> Append:
            new = paired_table(game.name, rules, wanted.clock, people, lasts, challenge=True)
            return self._tables.to_append(new, [other], "challenge")

        saved = await self._store.challenge(person.id, other, make)
        if not isinstance(saved, Append):
            raise _REFUSALS[saved]
        seat = 1 + [who for who, _ in people].index(person.id)
        return ChallengeTable(saved.table, seat)

    async def note_joined(self, table: str, person: str) -> None:
        """A person sat down on a seat that was reserved: perhaps that accepts a challenge."""
        challenger = await self._rows.answer_challenge(table, person, "accepted", now())
        if challenger is not None:
            await self._rows.queue_notice(Notice(challenger, table, 0, "accepted"))

    async def end_challenge(self, table: str, person: str) -> None:
        """Decline a challenge to this person, or withdraw one of theirs; raises `NotFound`."""
        challenger = await self._rows.answer_challenge(table, person, "declined", now())
        if challenger is None and await self._rows.withdraw_challenge(table, person, now()) is None:
            raise NotFound("there is no such challenge, or it was answered already")
        with suppress(FacedownError):  # it closes on its own
            await (await self._tables.get(table)).close("the challenge was declined or withdrawn")


def _followed_person(each: Followed, here: bool) -> FollowedPerson:
    return FollowedPerson(each.id, each.name, each.handle, bool(each.is_mutual), here, *each[7:])


def _opponent(met: MetPerson, follow: int) -> Opponent:
    return Opponent(
        name=met.name,
        handle=met.handle,
        table=met.table,
        seat=met.seat,
        at=met.at,
        follow=follow,
        won=met.won,
        lost=met.lost,
        games=met.games,
    )
