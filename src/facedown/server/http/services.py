"""The services that REST calls use: the shared ones, streams, analysis, push, ratings, operator's token."""

from __future__ import annotations

import hmac

from facedown.core.errors import NotNow
from facedown.protocol.errors import BadToken, OperatorsOnly, SwitchedOff
from facedown.server.accounts.finished_games import PlayedGames, Ratings
from facedown.server.accounts.handovers import Handovers
from facedown.server.accounts.passkeys import Passkeys
from facedown.server.accounts.tokens import Tokens
from facedown.server.analysis import Analysis, Studies
from facedown.server.contacts.friends import Friends
from facedown.server.contacts.here import PeopleHere
from facedown.server.contacts.notices import Notices
from facedown.server.forgetting import Forgetting
from facedown.server.http.streams import Streams
from facedown.server.ids import hash_token
from facedown.server.moderation import Moderation
from facedown.server.ops.home_network import HomeListener, is_loopback
from facedown.server.ops.hosts import KnownHosts
from facedown.server.ops.proxies import TrustedProxies
from facedown.server.ops.readiness import Readiness
from facedown.server.pairing import Pairing
from facedown.server.public_log import PublicLog
from facedown.server.push import PushSender
from facedown.server.room import Room
from facedown.server.services import Services
from facedown.server.table.table import Table
from facedown.server.tournaments.feed import TournamentFeeds
from facedown.server.tournaments.service import Tournaments
from facedown.server.witnesses import Witnesses


class RestServices:
    """Everything that an endpoint may use."""

    def __init__(
        self,
        services: Services,
        *,
        operator: str = "",
        home: HomeListener | None = None,
        analysis: Analysis | None = None,
        studies: Studies | None = None,
        alone: bool = False,
    ) -> None:
        """`alone`: the server is inside the page of one person."""
        self.settings = settings = services.settings
        self.store = store = services.store
        self.tables = tables = services.tables
        self.people = services.people
        self.accounts = services.accounts
        self.handovers = Handovers(store, services.people, services.accounts)
        self.tokens = Tokens(store)
        self.passkeys = Passkeys(store, services.people)
        self.limits = services.limits
        self.metrics = metrics = services.metrics
        self.streams = Streams(store, tables, metrics, most=settings.streams)
        self.analysis = analysis or Analysis(settings.study_seconds, metrics)
        self.studies = studies or Studies(settings.study_seconds, metrics)
        self.push = PushSender(store, tables, metrics, contact=settings.contact)
        self.forgetting = Forgetting(store, tables)
        self.ratings = Ratings(store, tables.backoff, on=settings.ratings == "on")
        self.played = PlayedGames(store, tables.backoff)
        self.pairing = Pairing(store, tables)
        self.moderation = Moderation(store, tables)
        self.tournaments = Tournaments(store, tables)
        self.standings = TournamentFeeds(self.tournaments)
        self.here = PeopleHere(services.bus, shared=store.shared)
        self.friends = Friends(store, tables, self.played, self.here)
        self.notices = Notices(store, tables, self.friends, self.moderation)
        self.room = Room(store, tables, self.pairing, pairs=settings.pairing == "on")
        self.log = PublicLog(store, tables.signing)
        self.witnesses = Witnesses(self.log, tables.signing, settings.witnesses)
        self.readiness = Readiness(store)
        self.node = services.node
        self.home = home or HomeListener(settings.host)
        self.hosts = KnownHosts(settings.public_url, settings.hosts)
        self._operators = TrustedProxies(settings.operators)
        self._proxies = TrustedProxies(settings.proxies)
        self.alone = alone
        self.draining = False
        """Whether the server is shutting down: it is not ready for new clients."""
        self._operator = hash_token(operator) if operator else b""

    def start(self) -> None:
        self.push.start()
        self.forgetting.start()
        self.ratings.start()
        self.played.start()
        self.room.start()
        if self.settings.tournaments == "on":
            self.tournaments.start()
        self.witnesses.start()

    def drain(self) -> None:
        """The server is shutting down: end streams and long polls."""
        self.draining = self.streams.draining = True
        self.pairing.wake_all()

    async def close(self) -> None:
        await self.tournaments.close()
        await self.witnesses.close()
        await self.played.close()
        await self.ratings.close()
        await self.forgetting.close()
        await self.push.close()
        await self.analysis.close()
        await self.studies.close()

    def check_switches(self, *names: str) -> None:
        """Raise `SwitchedOff` unless the operator lets people use all of these."""
        for name in names:
            if name in self.settings.switched_off:
                raise SwitchedOff(f"the operator of this server has switched {name.replace('_', ' ')} off")

    async def table(self, table: str) -> Table:
        """A table with no write pending; raises `UnknownTable`."""
        found = await self.tables.get(table)
        await found.settle()
        return found

    async def invited_table(self, code: str, address: str) -> Table | None:
        """The table of an invitation; None for a wrong code, which counts as a guess of this address."""
        table = await self.store.table_of_invite(code) if len(code) <= 64 else None
        if table is None:
            self.limits.wrong_token(address)
            return None
        return await self.table(table)

    async def check_erasable(self, person: str) -> None:
        """Raise `NotNow` for a moderator: the operator dismisses them first."""
        if await self.store.cases.is_moderator(person):
            raise NotNow("this person is a moderator here: `facedown admin dismiss ID` comes first")

    def check_monitor(self, token: str, address: str, *, forwarded: bool) -> None:
        """Raise `OperatorsOnly` unless the caller has the operator's token, is at an operator's address or on
        this computer. A proxy's request may come from anywhere: it has to be named and name its client."""
        known = address in self._operators and (not forwarded or bool(self.settings.proxies))
        local = is_loopback(address) and not forwarded and address not in self._proxies
        if not (known or local or self.is_operator(token)):
            raise OperatorsOnly("only the operator of this server may read this")

    def is_operator(self, token: str) -> bool:
        return bool(self._operator and token and hmac.compare_digest(hash_token(token), self._operator))

    def check_operator(self, token: str, address: str) -> None:
        """Raise `BadToken` unless this is the operator's token."""
        if self.is_operator(token):
            return
        self.limits.wrong_token(address)
        raise BadToken("this call needs the operator's token, which is in the data folder")
