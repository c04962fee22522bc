"""The services that REST calls use: the shared ones, and besides them streams, analysis, push, ratings and
the operator's token.
"""

from __future__ import annotations

import hmac

import msgspec

from facedown.protocol.errors import BadToken
from facedown.server.accounts.people import People
from facedown.server.accounts.ratings import Ratings
from facedown.server.analysis import Analysis, Question
from facedown.server.http.streams import Streams
from facedown.server.ids import hash_token
from facedown.server.ops.metrics import Metrics
from facedown.server.ops.rate_limits import Limits
from facedown.server.push import PushSender
from facedown.server.settings import Settings
from facedown.server.store.base import Store
from facedown.server.table.tables import Tables


class RestServices:
    """Everything that an endpoint may use."""

    def __init__(
        self,
        *,
        settings: Settings,
        store: Store,
        tables: Tables,
        people: People,
        limits: Limits,
        metrics: Metrics,
        operator: str = "",
    ) -> None:
        self.settings = settings
        self.store = store
        self.tables = tables
        self.people = people
        self.limits = limits
        self.metrics = metrics
        self.streams = Streams(store, tables, metrics, most=settings.streams)
        self.analysis = Analysis(settings.study_seconds, metrics)
        self.push = PushSender(store, tables, metrics, contact=settings.contact)
        self.ratings = Ratings(store)
        self.draining = False
        """Whether the server is shutting down: it is not ready for new clients."""
        self._operator = hash_token(operator) if operator else b""

    def start(self) -> None:
        """Start the background tasks."""
        self.push.start()

    def drain(self) -> None:
        """The server is shutting down: end streams and long polls."""
        self.draining = self.streams.draining = True

    async def close(self) -> None:
        """Stop the background tasks."""
        await self.push.close()
        await self.analysis.close()

    async def analyse(self, question: Question, address: str) -> msgspec.Raw:
        """The answer of an analysis; raises `TooMany` where this address asks for too many new ones."""
        if not self.analysis.knows(question):
            self.limits.analysis(address)
        return await self.analysis.ask(question)

    def check_operator(self, token: str, address: str) -> None:
        """Raise `BadToken` unless this is the operator's token."""
        if self._operator and token and hmac.compare_digest(hash_token(token), self._operator):
            return
        self.limits.wrong_token(address)
        raise BadToken("this call needs the operator's token, which is in the data folder")
