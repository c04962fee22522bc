"""The caller's account: finished games, statistics and ratings."""

from __future__ import annotations

from typing import Final

from facedown.protocol.accounts import Profile
from facedown.server.http.endpoint import AnyEndpoint, Call, Endpoint
from facedown.server.http.listings import past_games, statistics

_SHOWN: Final = 100
_COUNTED: Final = 10_000


async def _me(call: Call[None, None]) -> Profile:
    person = call.require_session()
    games = past_games(await call.services.store.person_games(person.id, _COUNTED))
    ratings = await call.services.ratings.of(person.id, {each.game for each in games})
    return Profile(person.id, person.name, tuple(games[:_SHOWN]), statistics(games, ratings))


ENDPOINTS: Final[tuple[AnyEndpoint, ...]] = (
    Endpoint(
        "GET",
        "/api/v1/people/me",
        "The caller's finished games, latest first, with statistics and ratings.",
        _me,
        Profile,
        needs="session",
        tag="people",
    ),
)
