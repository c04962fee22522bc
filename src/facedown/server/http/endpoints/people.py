"""The caller's account: finished games and ratings, muted people, push; export and erasure."""

from __future__ import annotations

from typing import Any, Final

from facedown.bots.find import bots_of
from facedown.core import registry
from facedown.core.errors import NotNow, UnknownGame, Unsupported
from facedown.protocol.accounts import (
    OwnRank,
    PushKey,
    PushSubscription,
    RankedMachine,
    RankedPlayer,
    Standings,
    StandingsQuery,
)
from facedown.protocol.errors import BadMessage, NotFound, SwitchedOff, TooMany, UnknownTable
from facedown.protocol.export import PersonalData
from facedown.protocol.moderation import NewRelation, NewReport, RelationInfo, RelationList
from facedown.server.accounts.finished_games import machine_ladder, machine_player
from facedown.server.http.endpoint import Call, Endpoints, Reply, json_response, without_cookie
from facedown.server.store.base import Store
from facedown.server.store.failures import StoreFailed
from facedown.server.store.standings import OwnStanding, RankedPerson
from facedown.server.store.values import (
    Relation,
    Subscription,
)
from facedown.sim.ratings import PROVISIONAL_ERROR

ENDPOINTS: Final = Endpoints("people", needs="session")
_ME: Final = "/api/v1/people/me"
_RELATIONS: Final = f"{_ME}/relations"
_SUBSCRIPTION: Final = "/api/v1/push/subscription"
_SHOWN: Final = 100


# --- the account -----------------------------------------------------------------------------------------


@ENDPOINTS.get(f"{_ME}/data", when_closed=True, refuses=(TooMany,))
async def personal_data(call: Call[None, None]) -> Reply[PersonalData]:
    """Everything that the server holds about the caller, as one file."""
    data = await call.services.forgetting.export(call.require_session())
    return json_response(data, 200, {"Content-Disposition": 'attachment; filename="facedown-data.json"'})


@ENDPOINTS.delete(_ME, when_closed=True, refuses=(NotNow, StoreFailed))
async def erase_caller(call: Call[None, None]) -> Reply[None]:
    """Erase the caller: sessions, names, messages. Games that others played stay, without the name."""
    person = call.require_session().id
    await call.services.check_erasable(person)
    await call.services.forgetting.erase(person, call.language)
    await call.services.tables.relations.forget(person)
    return without_cookie(secure=call.services.settings.is_secure)


# --- standings -------------------------------------------------------------------------------------------


@ENDPOINTS.get("/api/v1/standings/{game}", needs="anyone", refuses=(SwitchedOff, UnknownGame))
async def standings(call: Call[None, StandingsQuery]) -> Standings:
    """Who has the most points in a game, of the people with a kept account; and where the caller stands.

    Games against machines count on a ladder of their own, which lists the machines, too."""
    call.services.check_switches("ratings", "public_lists")
    store, name = call.services.store, registry.get(call.part("game")).name
    is_of_machines = call.query.ladder == "machines"
    game = machine_ladder(name) if is_of_machines else name
    await call.services.ratings.fold_latest()
    me = "" if call.person is None else call.person.id
    own = await store.ladders.own_standings(me) if me else []
    mine = next((each for each in own if each.game == game), None)
    around = await store.ladders.around(game, me, mine.points) if mine is not None and mine.listed else []
    return Standings(
        game=name,
        people=await store.ladders.people_listed(game),
        top=tuple(_ranked_player(each, me) for each in await store.ladders.top(game)),
        around=tuple(_ranked_player(each, me) for each in around),
        own=None if mine is None else _own_rank(mine),
        machines=await _machines(store, name) if is_of_machines else (),
        friends=await _friends(store, name, me) if me and not is_of_machines else (),
    )


async def _friends(store: Store, game: str, me: str) -> tuple[RankedPlayer, ...]:
    found = await store.profiles.friends_standings(game, me)
    return tuple(RankedPlayer(*each[1:], you=each.person == me) for each in found)


async def _machines(store: Store, game: str) -> tuple[RankedMachine, ...]:
    players = {machine_player(name): name for name in bots_of(game)}
    found = await store.ladders.of_players(machine_ladder(game), list(players))
    return tuple(
        RankedMachine(
            players[each.person], each.points, each.error, each.games, each.error > PROVISIONAL_ERROR
        )
        for each in found
    )


def _ranked_player(person: RankedPerson, me: str) -> RankedPlayer:
    return RankedPlayer(
        person.handle, person.rank, person.points, person.error, person.games, person.person == me
    )


def _own_rank(mine: OwnStanding) -> OwnRank:
    rank = mine.rank if mine.listed else None
    return OwnRank(mine.points, mine.error, mine.games, mine.error > PROVISIONAL_ERROR, rank)


# --- other people ----------------------------------------------------------------------------------------


@ENDPOINTS.get(_RELATIONS)
async def list_relations(call: Call[None, None]) -> RelationList:
    """The people whom the caller has muted or blocked."""
    found = call.services.tables.relations.of(call.require_session().id)
    return RelationList(tuple(_relation_info(each) for each in found))


def _relation_info(relation: Relation) -> RelationInfo:
    return RelationInfo(relation.id, relation.kind, relation.name, relation.at)


@ENDPOINTS.post(_RELATIONS, status=201, refuses=(UnknownTable, TooMany, StoreFailed))
async def add_relation(call: Call[NewRelation, None]) -> RelationInfo:
    """Mute or block the person on a seat, or the sender of a message."""
    me, wanted = call.require_session(), call.body
    call.services.limits.report(me.id, call.address)
    person, name, _ = await person_meant(call, wanted)
    return _relation_info(await call.services.tables.relations.add(me.id, person, wanted.kind, name))


@ENDPOINTS.delete(f"{_RELATIONS}/{{number}}", refuses=(NotFound, StoreFailed))
async def drop_relation(call: Call[None, None]) -> None:
    """Unmute or unblock a person."""
    await call.services.tables.relations.drop(call.require_session().id, call.number())


async def person_meant(call: Call[Any, Any], wanted: NewRelation | NewReport) -> tuple[str, str, str]:
    """The person who is meant, their name, and their message, which the caller must be able to see."""
    if (wanted.seat is None) == (wanted.message is None):
        raise BadMessage("either `seat` or `message` says who is meant")
    table = await call.services.table(wanted.table)
    me = call.require_session().id
    seats = table.seats_of(me)
    if not seats and not table.may_watch(me):
        raise UnknownTable("there is no table with this id, or you may not see it")
    if wanted.message is not None:
        person, name, text = table.sender_of(wanted.message, seats[0] if seats else 0)
    else:
        person, name = table.person_on(wanted.seat or 0)
        text = ""
    if not person or person == me:
        raise BadMessage("this is yourself, or a machine")
    return person, name, text


# --- push ------------------------------------------------------------------------------------------------


@ENDPOINTS.get("/api/v1/push/key", needs="anyone", refuses=(Unsupported,))
async def push_key(call: Call[None, None]) -> PushKey:
    """The server's public key (VAPID), with which browsers subscribe."""
    return PushKey(await call.services.push.key())


@ENDPOINTS.put(_SUBSCRIPTION, refuses=(Unsupported, StoreFailed))
async def subscribe(call: Call[PushSubscription, None]) -> None:
    """Subscribe a browser: it is notified of the caller's turns while the caller is away."""
    person = call.require_session().id
    await call.services.push.key()
    call.services.push.checked(call.body.endpoint)
    keys = call.body.keys
    where = Subscription(call.body.endpoint, keys.p256dh, keys.auth)
    session = await call.services.accounts.session(call.token)
    await call.services.store.subscribe(person, where, session.id)


@ENDPOINTS.delete(_SUBSCRIPTION, refuses=(StoreFailed,))
async def unsubscribe(call: Call[None, None]) -> None:
    """Unsubscribe all browsers of the caller."""
    await call.services.store.unsubscribe(call.require_session().id)
