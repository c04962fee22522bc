"""A bot on a server: it accepts challenges, plays its seats, and reconnects politely.

Follows the stream of the bot's events; every game has a thread and a connection of its own.
"""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable
from typing import Any, Final

from facedown.bots.find import UnknownBot
from facedown.client.blocking import BlockingTable
from facedown.client.errors import ServerLost, ServerRefused
from facedown.client.rest import RestClient, SeatKey
from facedown.core import registry
from facedown.core.errors import FacedownError
from facedown.sim.bot_specs import BotLike, read_bot

MOST_GAMES: Final = 8
"""Games that a bot plays at once; further challenges wait."""
_FIRST_PAUSE_S: Final = 1.0
_LONGEST_PAUSE_S: Final = 60.0
_FINAL: Final = (401, 403, 404)
"""What no waiting mends: a token that is not valid, a scope that is missing, a server without this stream."""


class BotServer:
    """Lets a bot play wherever it is challenged or has a seat."""

    def __init__(
        self, server: RestClient, bot: BotLike, report: Callable[[str], None], games: int | None = None
    ) -> None:
        """`report` gets a line for what happens; after that many `games` it ends."""
        self._server = server
        self._bot = bot
        self._report = report
        self._left = games
        self._playing: set[str] = set()
        """Tables at which this program plays, or will once the token of its seat has come."""
        self._waiting: dict[str, dict[str, Any]] = {}
        """Challenges that came while enough games were being played."""
        self._lock = threading.Lock()
        self._done = threading.Event()

    def run(self) -> None:
        """Follow the events until the games are played; raises `ServerRefused` if waiting cannot mend it."""
        since: int | None = None
        pause = _FIRST_PAUSE_S
        while not self._done.is_set():
            try:
                for event in self._server.events(since):
                    since, pause = event["v"], _FIRST_PAUSE_S
                    if event["t"] == "end" and event["why"] in ("replaced", "too_many"):
                        raise ServerRefused(event["why"], f"the server has ended the stream: {event['why']}")
                    self._follow(event)
                    if self._done.is_set():
                        return
            except ServerLost as lost:
                self._report(f"{lost}; again in {pause:.0f} s")
            except ServerRefused as refused:
                if refused.status in _FINAL or refused.code in ("replaced", "too_many"):
                    raise
                self._report(f"{refused}; again in {pause:.0f} s")
            self._done.wait(pause * random.uniform(0.7, 1.3))  # not all bots at once
            pause = min(2 * pause, _LONGEST_PAUSE_S)

    # --- events --------------------------------------------------------------------------------------

    def _follow(self, event: dict[str, Any]) -> None:
        kind = event["t"]
        if kind == "state":
            for each in (*event["games"], *event["challenges"]):
                self._follow(each)
        elif kind == "challenge":
            self._accept(event)
        elif kind == "challenge_over":
            self._waiting.pop(event["table"], None)
        elif kind == "game" and event["state"] in ("open", "opening", "playing"):
            self._take_up(event["table"], event["seat"])

    def _accept(self, challenge: dict[str, Any]) -> None:
        """Take the seat of a challenge, or decline it if this bot does not play the game."""
        table, seat = challenge["table"], challenge["seat"]
        try:
            read_bot(registry.get(challenge["game"]), self._bot)
        except (FacedownError, UnknownBot) as error:
            self._report(f"declined {challenge['name']}: {error}")
            self._server.decline(table)
            return
        with self._lock:
            if len(self._playing) >= MOST_GAMES:
                self._waiting[table] = challenge
                return
            self._playing.add(table)
        entropy, commit = SeatKey.promise(table, seat)
        try:
            token = self._server.join(table, seat, commit).token
        except FacedownError as error:
            self._playing.discard(table)
            if not isinstance(error, ServerRefused):
                raise
            self._report(f"could not accept {challenge['name']}: {error}")
            return
        self._report(f"accepted {challenge['name']}: {challenge['game']} {table}")
        self._start(SeatKey(self._server.address, table, seat, token, entropy))

    def _take_up(self, table: str, seat: int) -> None:
        """Go on with a game that another run of this program has begun."""
        with self._lock:
            if table in self._playing:
                return
            self._playing.add(table)
        try:
            token = self._server.resume(table, seat).token
        except FacedownError as error:
            self._playing.discard(table)
            if not isinstance(error, ServerRefused):
                raise
            self._report(f"could not go on at {table}: {error}")
            return
        self._report(f"goes on at {table}")
        self._start(SeatKey(self._server.address, table, seat, token, ""))

    # --- games ---------------------------------------------------------------------------------------

    def _start(self, key: SeatKey) -> None:
        threading.Thread(target=self._play, args=(key,), name=f"game {key.table}", daemon=True).start()

    def _play(self, key: SeatKey) -> None:
        table = BlockingTable(self._server, key.table, key)
        try:
            table.open()
            try:
                outcome = table.play(self._bot)
                self._report(f"over at {key.table}: {outcome}")
            except FacedownError as error:
                self._report(f"resigns at {key.table}: {error}")
                table.resign()
            finally:
                table.close()
        except FacedownError as error:
            self._report(f"lost {key.table}: {error}")
            time.sleep(_FIRST_PAUSE_S)  # the next state names the seat again
        finally:
            self._finish(key.table)

    def _finish(self, table: str) -> None:
        with self._lock:
            self._playing.discard(table)
            if self._left is not None:
                self._left -= 1
                if self._left <= 0:
                    self._done.set()
            waiting = self._waiting.pop(next(iter(self._waiting), ""), None)
        if waiting is not None:
            self._accept(waiting)
