"""Tables on a real server, from the full screen and line by line: clocks, talk, the next game, getting up."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from textual.pilot import Pilot

from facedown.client import BlockingTable, RestClient
from facedown.core import registry
from facedown.core.links import spoken_words
from facedown.protocol.messages import Clock
from facedown.terminal.lines.console import LeaveTable
from facedown.terminal.lines.table import LineTable
from facedown.terminal.moments.stage import StageBuilder
from facedown.terminal.screens.chat_page import ChatPage
from facedown.terminal.screens.table_page import TablePage
from facedown.terminal.tables.credentials import find_seat_key
from facedown.terminal.tables.join import create_table
from facedown.terminal.tables.remote import OnlineTable
from facedown.terminal.words import Words
from tests.client.players import take_seat
from tests.server.running import Server
from tests.terminal.pilot import app_of, at, press, screen_text
from tests.terminal.remote_table import OnlinePair, Typed, until, until_there


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    server = Server(tmp_path_factory.mktemp("company") / "data").start()
    yield server
    server.close()


@pytest.fixture(autouse=True)
def _own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


# --- the full screen -------------------------------------------------------------------------------------


def test_the_clocks_of_seats_that_must_act_count_down(running: Server) -> None:
    pair = OnlinePair(running, clock=Clock("decision", seconds=100))

    async def look(pilot: Pilot[str]) -> None:
        await until_there(lambda: re.search(r"to place \d+ s", screen_text(pilot)))
        seen = {screen_text(pilot)}
        for _ in range(2):
            await until_there(lambda: screen_text(pilot) not in seen)
            seen.add(screen_text(pilot))
        left = sorted(int(page.partition("to place ")[2].partition(" s")[0]) for page in seen)
        assert left[0] < left[-1] < 101
        pair.bos.seal(pair.bos.mirror.legal[0])
        await until_there(lambda: "Bo: face down" in screen_text(pilot))
        assert screen_text(pilot).count("to place") == 1, "only whom the table waits for has a clock"

    at(app_of(pair.table), look)
    pair.close()


def test_the_first_reveal_shows_the_table_as_it_was_before(running: Server) -> None:
    pair = OnlinePair(running)
    pair.table.close()
    pair.table = pair.join()
    builder = StageBuilder(pair.table, Words())
    before = pair.table.history(2)[-1]
    for table, pick in ((pair.bos, "C"), (pair.table.connection, "C")):
        table.seal(pick)
    until(lambda: pair.table.decision == 2)

    after = pair.table.history(2)[-1]
    stage = builder.at_reveal(2, before, after, turned=False)

    assert stage is not None
    assert "play 1 of" in stage.scene.heading
    assert [chair.cards for chair in stage.scene.chairs] == [4, 4], "a card of each is on the table"
    pair.close()


@pytest.mark.parametrize("game", registry.names())
def test_a_card_of_every_game_is_sealed_by_its_keys(running: Server, game: str) -> None:
    seats = [None, *["uniform"] * (registry.get(game).meta.least_seats - 1)]
    table = create_table(running.base, registry.get(game), "", seats, Words(), print)
    until(lambda: table.started)

    async def play(pilot: Pilot[str]) -> None:
        await until_there(lambda: table.may_seal == (1,))
        await press(pilot, "1", "enter")
        await until_there(lambda: table.decision > 1)

    at(app_of(table), play)
    table.close()


def test_people_talk(running: Server) -> None:
    pair = OnlinePair(running)

    async def talk(pilot: Pilot[str]) -> None:
        pair.bos.say("good game\x1b[2J so far")
        await until_there(lambda: "t talk 1" in screen_text(pilot))
        assert "Bo: good game" in screen_text(pilot)
        await press(pilot, "t")
        assert isinstance(pilot.app.screen, ChatPage)
        assert "Bo: good game" in screen_text(pilot)
        assert "\x1b" not in screen_text(pilot)
        await press(pilot, *"Ja qr?", "left", "left", "left", "left", ",", "end", "backspace", "!", "enter")
        await until_there(lambda: "Ann: Ja, qr!" in screen_text(pilot))
        await press(pilot, *"good luck", "enter")
        await until_there(lambda: "Ann: Good luck" in screen_text(pilot))
        await until_there(lambda: pair.bos.mirror.info.said[-1].preset == "good_luck")
        assert pair.bos.mirror.info.said[-2].text == "Ja, qr!"
        await press(pilot, "escape")
        assert isinstance(pilot.app.screen, TablePage)
        assert "t talk 1" not in screen_text(pilot)
        assert pair.table.placed_pick(2) is None, "what is written there is no key of the table"

    at(app_of(pair.table), talk)
    pair.close()


def test_the_menu_mutes_a_person(running: Server) -> None:
    pair = OnlinePair(running)

    async def play(pilot: Pilot[str]) -> None:
        await press(pilot, "escape", "down", "down", "enter")
        assert "Mute Bo" in screen_text(pilot)
        pilot.app.post_message(_key("enter"))
        await until_there(lambda: "You no longer see what Bo says." in screen_text(pilot))
        pair.bos.say("not to be heard")
        await until_there(lambda: pair.bos.mirror.info.said)
        assert "not to be heard" not in screen_text(pilot)

    at(app_of(pair.table), play)
    pair.close()


def test_a_rematch_goes_on_at_the_next_table_whichever_player_asks(running: Server) -> None:
    pair = OnlinePair(running)

    async def play(pilot: Pilot[str]) -> None:
        pair.bos.resign()
        await until_there(lambda: "n rematch" in screen_text(pilot))
        following = pair.bos.rematch()
        bos = take_seat(pair.bo, following, 2)
        await until_there(lambda: "next game is ready" in screen_text(pilot))
        await press(pilot, "n")
        await until_there(lambda: "Enter seal" in screen_text(pilot))
        page = pilot.app.screen
        assert isinstance(page, TablePage)
        assert page.table.people == (1,), "everybody sits one seat further"
        assert page.table.names == ("Ann", "Bo")
        await press(pilot, "home", "enter")
        await until_there(
            lambda: (
                bos.mirror.info.turn is not None and 1 in {each.seat for each in bos.mirror.info.turn.sealed}
            )
        )
        page.table.close()
        bos.close()

    at(app_of(pair.table), play)
    pair.close()


def test_getting_up_before_the_game_frees_the_seat_and_forgets_its_key(running: Server) -> None:
    pair = OnlinePair(running, begun=False)
    code = pair.link.rpartition("/")[2]
    assert find_seat_key(running.base, code) is not None

    async def leave(pilot: Pilot[str]) -> None:
        assert "Waiting for players" in screen_text(pilot)
        await press(pilot, "escape")
        assert "Resign" not in screen_text(pilot)
        await press(pilot, "down", "down", "enter")
        assert "Give up your seat?" in screen_text(pilot)
        pilot.app.post_message(_key("down"))
        pilot.app.post_message(_key("enter"))
        await until_there(lambda: pair.table.come_back == "")

    at(app_of(pair.table), leave)
    assert "Ann" not in [seat.name for seat in pair.bo.invited(code).seats]
    assert find_seat_key(running.base, code) is None
    pair.close()
    back = pair.join()
    assert back.people
    back.close()


def test_a_seat_that_another_screen_plays_now_is_reported_in_japanese(running: Server) -> None:
    pair = OnlinePair(running, language="ja")

    async def look(pilot: Pilot[str]) -> None:
        mine = pair.table.connection
        second = BlockingTable(RestClient(running.base), mine.id, mine.table.key)
        second.open()
        await until_there(lambda: "別の画面" in screen_text(pilot))
        second.close()

    at(app_of(pair.table), look)
    pair.close()


# --- line by line ----------------------------------------------------------------------------------------


def test_line_by_line_messages_arrive_while_the_player_types(running: Server) -> None:
    pair = OnlinePair(running, clock=Clock("decision", seconds=900))
    typed = Typed()
    typed.console.typed = True

    async def play() -> None:
        lines = LineTable(typed.console, pair.table)
        game = asyncio.create_task(asyncio.to_thread(lines.play))
        await typed.until("> ")
        assert re.search(r"Ann: \d+ min left\.", typed.screen_text)
        pair.bos.say("take your time")
        await typed.until("Bo: take your time")
        typed.type("say Thanks", "talk", "clock", "?")
        await typed.until("Ann: Thanks")
        await typed.until("among themselves")
        await typed.until("rematch")
        await typed.until("one history")
        dealt = pair.bos.table.witness.chain.dealt
        assert dealt is not None
        assert f"six words: {spoken_words(dealt)}." in " ".join(typed.screen_text.split())
        typed.type(pair.table.legal(2)[0])
        await typed.until("Waiting for Bo.")
        typed.type("say your turn")
        await until_there(lambda: pair.bos.mirror.info.said[-1].text == "your turn")
        pair.bos.resign()
        await game
        after = asyncio.create_task(asyncio.to_thread(lines.answer_questions))
        await typed.until("say, rematch >")
        following = pair.bos.rematch()
        await typed.until("`rematch` joins it")
        typed.type("rematch")
        found = await after
        assert isinstance(found, OnlineTable)
        assert found.connection.id == following
        found.close()

    typed.at(play)
    pair.close()
    typed.stream.close()


def test_line_by_line_a_pick_that_comes_too_late_is_not_placed(running: Server) -> None:
    pair = OnlinePair(running, clock=Clock("decision", seconds=2))
    typed = Typed()

    async def play() -> None:
        game = asyncio.create_task(asyncio.to_thread(LineTable(typed.console, pair.table).play))
        await typed.until("the table has moved on, and nothing was placed")
        typed.type("leave", "yes")
        with pytest.raises(LeaveTable):
            await game

    typed.at(play)
    until(lambda: pair.bos.mirror.info.seats[1].left)
    pair.close()
    typed.stream.close()


def test_a_table_that_is_closed_for_good_is_left(running: Server) -> None:
    pair = OnlinePair(running, begun=False)
    pair.table.connection.leave()
    typed = Typed()
    pair.table.connection.table.failure = "this seat is free again"

    with pytest.raises(LeaveTable):
        LineTable(typed.console, pair.table).play()

    assert "The table was closed: this seat is free again" in typed.screen_text
    pair.close()
    typed.end()
    typed.stream.close()


def _key(name: str):  # type: ignore[no-untyped-def]
    from textual.events import Key

    return Key(name, None)
