"""`facedown play`, driven by typed lines: whole games, leaving, records, and what is refused."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import threading
from pathlib import Path
from typing import Any

import pytest

from facedown.bots.find import bots_of
from facedown.bots.house import usual_bots
from facedown.bots.memories import Memories, UnreadableMemory
from facedown.core import registry
from facedown.core.chance import seed_of
from facedown.core.record import Record
from facedown.core.replay import replay, verify
from facedown.protocol.rest import PersonSeat, TableOrder
from tests.cli.command import command, environment, failed_in_one_sentence, run
from tests.cli.conftest import Here
from tests.client.players import pick_when_due, signed_in, take_seat
from tests.commands.script import Script, script
from tests.server.running import Server

OF_GAMES = pytest.mark.parametrize("game", registry.names())
OF_PRESETS = pytest.mark.parametrize(
    ("game", "preset"),
    [(game, preset.name) for game in registry.names() for preset in registry.get(game).rules.presets],
)
NAMES = ("Ann", "Bo", "Cy", "Di", "Ed", "Flo", "Gus")


def against_machines(game: str, rules: str = "", seed: str = "play", seats: int | None = None) -> Script:
    """Seat 1 is a person, all others are machines."""
    count = seats or registry.get(game).meta.least_seats
    return script(game, rules, ("You", *machine_names(game, count)), seed, (1,))


def machine_names(game: str, seats: int) -> list[str]:
    """What all but one are called: by what they are, each a different one."""
    return [name.capitalize() for name in usual_bots(game, seats - 1)]


def read_verified(path: Path) -> Record:
    """The record in a file, which holds in every part."""
    record = Record.read(path.read_bytes())
    assert all(finding.holds is not False for finding in verify(record))
    return record


# --- whole games -----------------------------------------------------------------------------------------


@OF_PRESETS
def test_a_whole_game_against_machines(here: Here, tmp_path: Path, game: str, preset: str) -> None:
    played = against_machines(game, preset)
    file = tmp_path / "game.json"

    ran = here("play", game, "--rules", preset, "--seed", "play", "--record", str(file), stdin=played.stdin)

    assert (ran.status, ran.err) == (0, ""), ran.out[-2000:]
    assert read_verified(file) == played.record
    assert "pass it to --seed to deal the same game again" in " ".join(ran.out.split())
    assert max(map(len, ran.out.splitlines())) <= 110 + len(str(file))


@OF_PRESETS
def test_a_whole_game_on_one_device(here: Here, tmp_path: Path, game: str, preset: str) -> None:
    names = NAMES[: registry.get(game).meta.most_seats]
    played = script(game, preset, names, "hot", tuple(range(1, len(names) + 1)))
    file = tmp_path / "game.json"
    table = ["--rules", preset, "--seats", str(len(names)), "--seed", "hot", "--record", str(file)]

    ran = here("play", game, "--hotseat", "--names", ",".join(names), *table, stdin=played.stdin)

    assert (ran.status, ran.err) == (0, ""), ran.out[-2000:]
    assert read_verified(file) == played.record


@OF_GAMES
def test_every_number_of_seats_and_every_seat_can_be_taken(here: Here, tmp_path: Path, game: str) -> None:
    meta = registry.get(game).meta
    file = tmp_path / "game.json"
    for seats in range(meta.least_seats, meta.most_seats + 1):
        names = (*machine_names(game, seats), "Me")
        played = script(game, "", names, "last", (seats,))
        table = ["--seats", str(seats), "--seat", str(seats), "--names", "Me", "--seed", "last"]

        ran = here("play", game, *table, "--record", str(file), stdin=played.stdin)

        assert (ran.status, ran.err) == (0, "")
        assert read_verified(file) == played.record


def test_the_seat_is_drawn_unless_it_is_chosen_or_follows_a_seed(
    here: Here, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("secrets.randbelow", lambda seats: seats - 1)

    def side(*options: str) -> str:
        out = here("play", "ecard", "--rules", "classic", *options, stdin=b"quit\n").out
        return "Emperor" if "you on the Emperor side" in out else "Slave"

    assert side() == "Slave"
    assert side("--seat", "1") == side("--seed", "play") == "Emperor"


def test_a_card_is_placed_by_its_japanese_name_in_latin_letters(here: Here) -> None:
    ran = here("play", "ecard", "--plain", "--seed", "oak", stdin=b"koutei\nresign\nyes\n")

    assert ran.status == 0
    assert "you showed the Emperor" in ran.out


@OF_GAMES
def test_without_a_seed_every_game_is_another_and_names_its_seed_at_the_end(
    here: Here, tmp_path: Path, game: str
) -> None:
    seeds = set()
    for name in ("one.json", "two.json"):
        out = here("play", game, "--record", str(tmp_path / name), stdin=b"resign\nyes\n").out
        text = out.partition("Dealt from the seed ")[2].partition(":")[0]
        seeds.add(text)
        assert out.index(text) > out.index("resigned")
        assert read_verified(tmp_path / name).seed == seed_of(text).hex()
    assert len(seeds) == 2


# --- leaving ---------------------------------------------------------------------------------------------


@OF_GAMES
@pytest.mark.parametrize("word", ["quit", "exit", " QUIT "])
def test_leaving_keeps_the_game_so_far_and_its_seed_secret(
    here: Here, tmp_path: Path, game: str, word: str
) -> None:
    played = against_machines(game)
    file = tmp_path / "game.json"
    lines = [*played.lines[:2], word]

    ran = here(
        "play",
        game,
        "--seed",
        "play",
        "--record",
        str(file),
        stdin="".join(f"{line}\n" for line in lines).encode(),
    )

    assert (ran.status, ran.err) == (0, "")
    record = read_verified(file)
    assert record.picks == played.record.picks[:2]
    assert (record.seed, record.result) == (None, None)
    assert "seed" not in ran.out


@OF_GAMES
def test_an_input_that_ends_too_early_is_reported_and_the_game_kept(
    here: Here, tmp_path: Path, game: str
) -> None:
    played = against_machines(game)
    file = tmp_path / "game.json"

    ran = here("play", game, "--seed", "play", "--record", str(file), stdin=f"{played.lines[0]}\n".encode())

    assert failed_in_one_sentence(ran, "input_ended")
    assert "decision 2" in ran.err
    assert "The game so far (1 decision) is saved" in ran.out
    assert read_verified(file).picks == played.record.picks[:1]


@pytest.mark.parametrize(
    ("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)]
)
def test_a_game_that_is_interrupted_is_kept(tmp_path: Path, number: int, status: int) -> None:
    game = registry.names()[0]
    played = against_machines(game)
    file = tmp_path / "game.json"
    arguments = ["play", game, "--seed", "play", "--record", str(file)]
    process = subprocess.Popen(
        command(*arguments),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
    )
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(f"{played.lines[0]}\nlog\n".encode())
    process.stdin.flush()
    while b"> log" not in process.stdout.readline():
        pass

    process.send_signal(number)
    _, err = process.communicate()

    assert process.returncode == status
    assert b"Traceback" not in err
    assert read_verified(file).picks == played.record.picks[:1]


def test_ctrl_d_at_a_terminal_leaves_politely() -> None:
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        command("play", registry.names()[0]),
        stdin=theirs,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
    )
    os.write(ours, b"\x04")

    out, err = process.communicate()

    os.close(ours)
    os.close(theirs)
    assert (process.returncode, err) == (0, b"")
    assert out.endswith(b"You have left the table.\n")


# --- what is refused -------------------------------------------------------------------------------------


@OF_GAMES
def test_a_pick_that_cannot_be_is_refused_and_nothing_changes(here: Here, tmp_path: Path, game: str) -> None:
    played = against_machines(game)
    file = tmp_path / "game.json"
    wrong = "".join(f"{each}\n" for each in ("nonsense", "x" * 5000, "\x1b[2J", "ж"))
    lines = wrong.join(["", *(f"{line}\n" for line in played.lines)])

    ran = here("play", game, "--seed", "play", "--record", str(file), stdin=lines.encode())

    assert (ran.status, ran.err) == (0, "")
    assert read_verified(file) == played.record
    assert ran.out.count("Refused: ") == 4 * len(played.lines)
    assert "\x1b" not in ran.out


@OF_GAMES
def test_a_pipe_full_of_nonsense_is_given_up(here: Here, tmp_path: Path, game: str) -> None:
    file = tmp_path / "game.json"

    ran = here("play", game, "--record", str(file), stdin=b"\xff nonsense\n" * 100_000)

    assert failed_in_one_sentence(ran, "unreadable_pick")
    assert ran.out.count("Refused: ") == 10
    assert read_verified(file).picks == ()


@OF_GAMES
def test_an_input_that_never_ends_ends_after_the_game(here: Here, game: str) -> None:
    played = against_machines(game, "")
    for line, most in ((b"c\n", 10), (b"table\n", 100)):
        ran = here("play", game, "--seed", "play", stdin=played.stdin + line * 100_000)
        assert (ran.status, ran.err) == (0, "")
        assert ran.out.count("Enter to leave") == most
        endless = here("play", game, stdin=line * 100_000) if most == 100 else None
        assert endless is None or failed_in_one_sentence(endless, "unreadable_pick")


# --- records ---------------------------------------------------------------------------------------------


def test_a_record_is_written_whole_over_an_older_one_and_through_a_link(here: Here, tmp_path: Path) -> None:
    game = registry.names()[0]
    old = tmp_path / "old.json"
    old.write_text("an older game")
    (tmp_path / "link.json").symlink_to(old)

    here("play", game, "--record", str(tmp_path / "link.json"), stdin=b"resign\nyes\n")

    assert replay(read_verified(old)).outcome is not None
    assert (tmp_path / "link.json").is_symlink()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link.json", "old.json"]


def test_a_record_that_cannot_be_written_is_not_lost() -> None:
    ran = run("play", registry.names()[0], "--record", "/dev/full", stdin=b"resign\nyes\n")

    assert failed_in_one_sentence(ran, "unwritable_file")
    assert "no space left" in ran.err
    record = Record.read(ran.out.splitlines()[-1])
    assert replay(record).outcome is not None


def test_a_target_that_is_no_file_is_written_to_and_not_replaced() -> None:
    ran = run("play", registry.names()[0], "--record", "/dev/stderr", stdin=b"quit\n")

    assert ran.status == 0
    assert json.loads(ran.err)["picks"] == []


# --- named machines, and what they may keep --------------------------------------------------------------

CITIZENS = b"C\n" * 36
"""Everything typed in a game of `classic`: a Citizen can be placed at every play."""
EVERY_BOT = [(game, bot) for game in registry.names() for bot in bots_of(game)]


def test_a_game_against_a_machine_that_remembers(here: Here, tmp_path: Path) -> None:
    notes = tmp_path / "notes.json"
    for games in (1, 2):
        ran = here(
            "play", "ecard", "--against", "reader", "--memory", str(notes), "--seed", "a", stdin=CITIZENS
        )
        assert ran.status == 0
        found = json.loads(notes.read_text())["notes"]
        assert [list(found), len(found["ecard/reader"])] == [["ecard/reader"], games]


def test_without_a_memory_nothing_is_kept(
    here: Here, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert here("play", "ecard", "--against", "sage", "--seed", "a", stdin=CITIZENS).status == 0
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("game", "bot"), EVERY_BOT)
def test_every_machine_takes_the_seat_it_is_given(here: Here, game: str, bot: str) -> None:
    ran = here("play", game, "--against", bot, "--seed", "a", stdin=b"resign\nyes\n")
    assert ran.status == 0
    assert "resign" in ran.out.lower()


def test_an_error_names_the_extra_that_a_machine_needs(here: Here, monkeypatch: pytest.MonkeyPatch) -> None:
    part: Any = registry.part("davenport", "bots")
    monkeypatch.setattr(part, "BOTS", tuple(bot for bot in part.BOTS if bot.name != "expert"))

    refused = here("play", "davenport", "--against", "expert")
    assert failed_in_one_sentence(refused, "bot_needs_extra")
    assert "expert needs the extra `expert`: " in refused.err
    assert "expert       Not here: it needs the extra `expert`." in here("bots", "davenport").out


@pytest.mark.parametrize(
    "text", ["", "nonsense", "[]", "{}", '{"format": "facedown/memory/1", "notes": {"a": 1}}']
)
def test_a_file_that_is_no_memory_is_refused_and_left_alone(here: Here, tmp_path: Path, text: str) -> None:
    file = tmp_path / "notes.json"
    file.write_text(text)
    assert failed_in_one_sentence(here("play", "ecard", "--memory", str(file)), "unreadable_memory")
    assert file.read_text() == text


def test_memories_survive_being_written() -> None:
    memories = Memories()
    for game in range(12):
        memories.of("ecard", "reader").add({"game": game})
    memories.of("ecard", "sage")
    again = Memories.read(memories.write())
    assert again.notes() == {"ecard/reader": [{"game": game} for game in range(2, 12)]}
    with pytest.raises(UnreadableMemory):
        Memories.read("{")


# --- tables on a server ----------------------------------------------------------------------------------

GAME = registry.names()[-1]


@pytest.fixture(autouse=True)
def _own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


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
