"""What the API needs besides the house: streams, long work, push, ratings, and the operator's token."""

from __future__ import annotations

import asyncio
import hmac

import msgspec
from starlette.requests import Request

from facedown.protocol.errors import BadToken, TooMany
from facedown.server.accounts.ratings import Ratings
from facedown.server.analysis import Question, Study
from facedown.server.http.streams import Streams
from facedown.server.ids import hash_token
from facedown.server.ops.limits import Buckets, Rate, neighbourhood
from facedown.server.push import Push
from facedown.server.services import House


class Desk:
    """Where requests are answered."""

    def __init__(self, house: House, operator: str = "") -> None:
        self.house = house
        self.streams = Streams(house)
        self.study = Study(house.settings.study_seconds, house.metrics)
        self.push = Push(house)
        self.ratings = Ratings(house.store)
        self._operator = hash_token(operator) if operator else b""
        self._studies = Buckets(Rate(house.settings.studies, 60))

    def start(self) -> None:
        """Begin with what goes on by itself."""
        self.push.start()

    async def close(self) -> None:
        """Stop what goes on by itself."""
        await self.push.close()
        await self.study.close()

    async def found(self, question: Question, address: str) -> msgspec.Raw:
        """The answer to a question that may take long; raises `TooMany` for who asks too much."""
        if not self.study.knows(question):
            wait = self._studies.take(neighbourhood(address), asyncio.get_running_loop().time())
            if wait:
                raise TooMany("too many verdicts and reviews asked for", again=int(wait * 1000) + 1)
        return await self.study.ask(question)

    def check_operator(self, token: str, address: str) -> None:
        """Raise unless this is the operator's token."""
        if self._operator and token and hmac.compare_digest(hash_token(token), self._operator):
            return
        self.house.limits.guess(address)
        raise BadToken("this is for the operator, whose token lies in the data folder")

    def link(self, request: Request, path: str) -> str:
        """An address of ours, as people type it."""
        base = self.house.settings.public_url or f"{request.url.scheme}://{request.headers.get('host', '')}"
        return base + path
