"""The ways to a table besides a game's name: resumed, replayed, on a server; and what contradicts them."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from facedown.core import registry
from facedown.protocol.rest import PersonSeat, TableOrder
from tests.cli.command import failed_in_one_sentence
from tests.cli.conftest import Here
from tests.client.players import pick_when_due, signed_in, take_seat
from tests.server.running import Server

GAME = registry.names()[-1]


@pytest.fixture(autouse=True)
def _own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ([], "usage"),
        (["--resume"], "usage"),
        (["--resume", "--join", "http://x/i/a"], "usage"),
        ([GAME, "--join", "http://x/i/a"], "usage"),
        (["--create", "http://x"], "usage"),
        (["--join", "http://127.0.0.1:9"], "usage"),
        (["--join", "ftp://x/i/a"], "bad_address"),
        (["--join", "http://127.0.0.1:9/i/a"], "lost_server"),
        (["--watch", "http://127.0.0.1:9/i/a"], "lost_server"),
        ([GAME, "--create", "http://127.0.0.1:9"], "lost_server"),
        ([GAME, "--language", "xx"], "usage"),
        ([GAME, "--clock", "5"], "usage"),
        (["--join", "http://x/i/a", "--clock", "5"], "usage"),
        (["--watch", "http://x/i/a", "--rules", "classic"], "usage"),
        (["--resume", "--against", "uniform"], "usage"),
        ([GAME, "--create", "http://x", "--record", "game.json"], "usage"),
    ],
)
def test_an_address_without_a_table_is_refused_in_one_sentence(
    here: Here, arguments: list[str], code: str
) -> None:
    assert failed_in_one_sentence(here("play", *arguments), code)


def test_a_record_is_narrated(here: Here, tmp_path: Path) -> None:
    file = str(tmp_path / "game.json")
    here("play", GAME, "--record", file, stdin=b"resign\nyes\n")

    ran = here("replay", file)

    assert (ran.status, ran.err) == (0, "")
    assert "resigned" in ran.out


def test_plain_mode_is_translated_into_japanese_and_names_every_card(here: Here) -> None:
    ran = here("play", GAME, "--plain", "--language", "ja", stdin=b"hand\nlog\nwhy\n?\nresign\nyes\n\n")

    assert (ran.status, ran.err) == (0, "")
    assert "投了しました。" in ran.out
    assert "\x1b" not in ran.out


def test_a_review_at_the_end_in_plain(here: Here) -> None:
    ran = here("play", GAME, "--plain", "--seed", "oak", stdin=b"C\nresign\nyes\nreview\n\n")

    assert (ran.status, ran.err) == (0, "")
    assert "Your game" in ran.out


def test_a_shared_device_lists_the_seats_to_review_in_plain_mode(here: Here) -> None:
    typed = b"\nresign\nyes\nreview\nreview 2\n\n"

    ran = here("play", GAME, "--plain", "--hotseat", "--names", "Ann,Bo", stdin=typed)

    assert (ran.status, ran.err) == (0, "")
    assert "Whose review? `review 1` (Ann), `review 2` (Bo)" in ran.out
    assert "Review of Bo" in ran.out


def test_the_same_command_goes_back_to_the_table_that_it_made_until_its_game_is_over(
    here: Here, tmp_path: Path
) -> None:
    server = Server(tmp_path / "data").start()
    create = ("play", GAME, "--create", server.base, "--against", "uniform", "--names", "Ann")
    try:
        first = here(*create, stdin=b"log\n")
        assert failed_in_one_sentence(first, "input_ended"), first
        again = here(*create, stdin=b"log\n")
        assert "Back at the table" in again.out
        over = here(*create, stdin=b"resign\nyes\n\n")
        assert "Ann resigned." in over.out
        new = here(*create, stdin=b"log\n")
        assert "Back at the table" not in new.out
    finally:
        server.close()


def test_a_table_on_a_server_line_by_line(here: Here, tmp_path: Path) -> None:
    server = Server(tmp_path / "data").start()
    try:
        ran = here("play", GAME, "--create", server.base, "--against", "uniform", stdin=b"C\n" * 45)
        assert (ran.status, ran.err) == (0, "")
        assert "The game is over." in ran.out
        assert "Guest" not in ran.out, "a person who gave no name is `you`, as at a table of this machine"
        assert "Refused" not in ran.out, "every line is read for the decision that is open then"

        bo = signed_in(server.base, "Bo")
        made = bo.make(TableOrder(GAME, (PersonSeat(), PersonSeat())))
        other = take_seat(bo, made.table, 1)
        link = f"{server.base}/i/{made.invite}"
        watcher = threading.Thread(target=pick_when_due, args=(other,))
        watcher.start()
        ran = here("play", "--join", link, "--names", "Ann", stdin=b"log\n")
        assert failed_in_one_sentence(ran, "input_ended"), ran
        watcher.join()
        ran = here("play", "--join", link, stdin=b"resign\nyes\n\n")
        assert "Ann resigned." in ran.out
        while other.mirror.info.state != "over":
            other.wait(0.1)
        record = bo.record(made.table)
        assert record.result is not None
        assert record.result["winner"] == 1
        watched = here("play", "--watch", link, stdin=b"log\n\n")
        assert "resigned" in watched.out
        other.close()
    finally:
        server.close()
