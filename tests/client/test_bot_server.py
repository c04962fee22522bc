"""A bot on a server: one player for each seat, whatever order the news of it comes in."""

from __future__ import annotations

import pytest

from facedown.client.bot_server import BotServer
from facedown.client.errors import ServerLost
from facedown.client.rest import RestClient, SeatKey
from facedown.protocol.rest import Joined, Resumed

TABLE = "T" * 26
CHALLENGE = {"t": "challenge", "table": TABLE, "seat": 2, "game": "ecard", "name": "Ann"}
SEATED = {"t": "game", "table": TABLE, "seat": 2, "game": "ecard", "state": "open"}


class Server(RestClient):
    """A server whose stream is read by another thread while it answers."""

    def __init__(self) -> None:
        super().__init__("http://127.0.0.1")
        self.bot: BotServer
        self.resumed: list[str] = []
        self.is_lost = False

    def join(self, table: str, seat: int, commit: str, code: str = "") -> Joined:
        if self.is_lost:
            raise ServerLost("the plug is pulled")
        self.bot._follow(SEATED)
        return Joined(table, seat, "joined")

    def resume(self, table: str, seat: int | None = None) -> Resumed:
        self.resumed.append(table)
        return Resumed(seat or 0, "resumed")


@pytest.fixture
def server() -> Server:
    made = Server()
    made.bot = BotServer(made, "uniform", lambda line: None)
    return made


def started(monkeypatch: pytest.MonkeyPatch) -> list[SeatKey]:
    keys: list[SeatKey] = []
    monkeypatch.setattr(BotServer, "_start", lambda _, key: keys.append(key))
    return keys


def test_a_seat_that_is_named_before_its_token_came_is_not_taken_up_again(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A second player would have no number for the deal, and the deal would come to nothing."""
    keys = started(monkeypatch)
    server.bot._follow(CHALLENGE)
    assert [key.token for key in keys] == ["joined"]
    assert not server.resumed


def test_a_challenge_whose_answer_was_lost_is_taken_up_with_the_next_news(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    keys = started(monkeypatch)
    server.is_lost = True
    with pytest.raises(ServerLost):
        server.bot._follow(CHALLENGE)
    server.bot._follow(SEATED)
    assert [key.token for key in keys] == ["resumed"]
