"""A player leaves a table on a server: a machine takes over by consent, and the series keeps its score."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from textual.pilot import Pilot

from facedown.client import BlockingTable
from facedown.client.mirror import TableMirror
from facedown.core import registry
from facedown.protocol.messages import GameResult, Here, Series, Snap
from facedown.protocol.rest import TableOrder
from facedown.protocol.views import NO_VIEW
from facedown.terminal.lines.console import LeaveTable
from facedown.terminal.lines.table import LineTable
from facedown.terminal.tables.absences import absence_sentence, absent_of, series_sentence
from facedown.terminal.tables.remote import OnlineTable
from facedown.terminal.words import Words
from tests.client.infos import seat_info, table_info
from tests.client.players import signed_in, take_seat
from tests.server.running import Server
from tests.terminal.pilot import app_of, at, press, screen_text
from tests.terminal.remote_table import PERSON, OnlinePair, Typed, join, until_there

THREE = next(name for name in registry.names() if registry.get(name).meta.most_seats > 2)


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    server = Server(tmp_path_factory.mktemp("absent") / "data").start()
    yield server
    server.close()


@pytest.fixture(autouse=True)
def _own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


def test_the_only_other_left_and_a_machine_takes_over_by_a_key(running: Server) -> None:
    pair = OnlinePair(running)

    async def look(pilot: Pilot[str]) -> None:
        assert "m machine" not in screen_text(pilot)
        pair.bos.leave()
        await until_there(lambda: "m machine" in screen_text(pilot))
        assert re.search(r"Bo has left \(at \d\d:\d\d\)\.", screen_text(pilot))
        await press(pilot, "m")
        assert "Offer to let a machine play for Bo" in screen_text(pilot)
        await press(pilot, "escape")
        assert not pair.table.connection.mirror.info.seats[0].offer, "looking at it offers nothing"
        await press(pilot, "m", "enter")
        await until_there(lambda: "Everyone agreed" in screen_text(pilot))
        assert "m machine" not in screen_text(pilot)
        assert pair.table.connection.mirror.info.seats[0].replaced_at == 1

    at(app_of(pair.table), look)
    pair.close()


def at_three(running: Server, language: str) -> tuple[OnlineTable, list[BlockingTable]]:
    """Ann at this screen, Bo and Cy elsewhere."""
    bo, cy = signed_in(running.base, "Bo"), signed_in(running.base, "Cy")
    made = bo.make(TableOrder(THREE, (PERSON, PERSON, PERSON)))
    others: list[BlockingTable] = [take_seat(bo, made.table, 1), take_seat(cy, made.table, 2, made.invite)]
    link = f"{running.base}/i/{made.invite}"
    return join(link, language), others


@pytest.mark.parametrize(
    ("language", "left", "asked", "agreed", "returned", "avoided"),
    [
        (
            "en",
            "Cy has left (at ",
            "`agree` lets Careful play for Cy.",
            "Everyone agreed: Careful now plays for Cy",
            "Cy is back and plays again.",
            "You no longer see what Cy says.",
        ),
        (
            "ja",
            "Cyは席を離れました（",
            "`agree` で、慎重がCyの代わりを務めること",
            "これからは慎重がCyの代わり",
            "Cyが戻り、自分でプレイします。",
            "Cyの発言は表示されません。",
        ),
    ],
)
def test_line_by_line_every_player_present_is_asked(
    running: Server, language: str, left: str, asked: str, agreed: str, returned: str, avoided: str
) -> None:
    table, (bos, cys) = at_three(running, language)
    typed = Typed()
    typed.console.typed = True

    async def play() -> None:
        await until_there(lambda: table.started)
        game = asyncio.create_task(asyncio.to_thread(LineTable(typed.console, table, Words(language)).play))
        try:
            await typed.until("> ")
            typed.type("replace", "agree")
            await typed.until("`agree 2`")  # no seat is absent: the answer explains the command
            cys.leave()
            await typed.until(left)
            await typed.until("`replace`")
            bos.replace(2)
            await typed.until(asked)
            typed.type("agree 1", "agree cy")
            await typed.until(agreed)
            assert table.absent == ()
            cys.take_back()
            await typed.until(returned)
            typed.type("mute zoe", "mute cy", "report 2")
            await typed.until("`mute 2`")
            await typed.until(avoided)
            cys.say("not to be heard")
            bos.say("to be heard")
            await until_there(lambda: bool(table.chat_lines) and table.chat_lines[-1].text == "to be heard")
            assert len(table.chat_lines) == 1
        finally:
            typed.type("quit")
        with pytest.raises(LeaveTable):
            await game

    typed.at(play)
    table.close()
    for each in (bos, cys):
        each.close()
    typed.stream.close()


def test_the_score_of_a_series_is_shown_at_its_next_game_and_at_its_end(running: Server) -> None:
    pair = OnlinePair(running)

    async def play(pilot: Pilot[str]) -> None:
        pair.bos.resign()
        await until_there(lambda: "n rematch" in screen_text(pilot))
        assert "Game" not in pair.table.notice
        following = pair.bos.rematch()
        bos = take_seat(pair.bo, following, 2)
        await until_there(lambda: "next game is ready" in screen_text(pilot))
        await press(pilot, "n")
        await until_there(lambda: "Enter seal" in screen_text(pilot))
        bos.resign()
        await until_there(lambda: "Game 2 in this series. Score: Ann 2, Bo 0." in screen_text(pilot))
        bos.close()
        await pilot.app.run_action("app.leave")

    at(app_of(pair.table), play)
    pair.close()


# --- what follows from the messages of the server --------------------------------------------------------


def mirror(*, left: bool = False, here: bool = True) -> TableMirror:
    """A table with this seat 2, ten minutes after it began."""
    table = TableMirror("x", 1)
    table.set_clock(600_000)
    info = table_info(game=THREE, state="playing", seats=(seat_info(1), seat_info(2, left=left, here=here)))
    table.take_snapshot(Snap(1, 600_000, info, NO_VIEW, (), None))
    return table


def test_a_player_who_is_away_for_a_moment_is_not_absent() -> None:
    table = mirror(here=False)
    table.take_presence(Here((1,), ()))
    assert absent_of(table, ("Ann", "Bo"), Words()) == ()
    table.take_presence(Here((1,), (2,)))

    (bo,) = absent_of(table, ("Ann", "Bo"), Words())

    assert absence_sentence(bo, Words()).startswith("Bo is away (since ")
    table.take_presence(Here((1, 2), ()))
    assert absent_of(table, ("Ann", "Bo"), Words()) == ()


def test_a_player_who_left_before_the_hour_was_known_has_left() -> None:
    table = mirror(left=True)
    absent = absent_of(table, ("Ann", "Bo"), Words())
    assert absence_sentence(absent[0], Words("ja")) == "Boが離れました。"


def test_a_series_counts_the_game_that_is_over() -> None:
    def score(result: GameResult | None, names: tuple[str, ...], words: Words, number: int = 3) -> str:
        series = Series(number=number, wins=(1, 0), ties=1, previous="x")
        return series_sentence(table_info(series=series, result=result), names, words)

    won, drawn = GameResult(2, "completed", (), ()), GameResult(None, "completed", (), ())
    assert (
        score(None, ("Ann", "Bo"), Words("ja")) == "この顔ぶれでの第3局。これまでAnn 1勝、Bo 0勝、引き分け1。"
    )
    assert score(won, ("You", "Bo"), Words()) == "Game 3 in this series. Score: you 1, Bo 1, drawn 1."
    assert score(drawn, ("You", "Bo"), Words()) == "Game 3 in this series. Score: you 1, Bo 0, drawn 2."
    assert score(None, ("You", "Bo"), Words(), number=1) == ""
