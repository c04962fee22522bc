"""Decisions as rows: every column is correct, and both file formats hold the same."""

from __future__ import annotations

import csv
import dataclasses
from pathlib import Path
from typing import Any

import pytest

import facedown
from facedown.library.decisions import write_rows
from tests.cli.command import run

RECORDS = Path(__file__).parents[1] / "records"


def games(game: str, bots: list[Any], number: int = 3) -> Any:
    return facedown.play_many(game, bots, games=number, seed="rows")


def test_there_is_a_row_for_every_pick_of_every_seat() -> None:
    for played, rows in (
        (record, list(facedown.decisions(record))) for record in games("davenport", ["careful"] * 3)
    ):
        picks = [
            (decision, seat, pick)
            for decision, joint in enumerate(played.picks, 1)
            for seat, pick in enumerate(joint, 1)
            if pick is not None
        ]
        assert [(row["decision"], row["seat"], row["pick"]) for row in rows] == picks
        assert all(str(row["pick"]) in str(row["legal"]).split() for row in rows)
        assert {row["name"] for row in rows} == set(played.seats)
        assert sum({int(row["seat"] or 0): float(row["points"] or 0) for row in rows}.values()) == 1


def test_the_view_is_what_the_seat_saw_when_it_picked() -> None:
    record = facedown.play("ecard", ["sage", "reader"], "decisive", seed=1).record()
    match = facedown.new("ecard", "decisive", seed=1)
    for row in facedown.decisions(record, encoding=True):
        while match.decision < int(row["decision"] or 0):
            match.decide(record.picks[match.decision - 1])
        seen = [value for name, value in row.items() if name.startswith("view.")]
        assert seen == match.game.encode(match.view(int(row["seat"] or 0)))


def test_many_games_are_written_as_a_table(tmp_path: Path) -> None:
    played = facedown.play_many("ecard", ["sage", "habit"], games=3, seed=1)
    played.write(tmp_path / "d.csv")

    with open(tmp_path / "d.csv", encoding="utf-8") as file:
        assert len(list(csv.DictReader(file))) == len(list(facedown.decisions(played)))


def test_a_resignation_and_an_unfinished_game_have_rows_too() -> None:
    match = facedown.new("ecard", seed=1)
    match.decide(("C", "C"))
    assert [row["points"] for row in facedown.decisions(match)] == [None, None]
    match.resign(2)
    *_, last = facedown.decisions(match)
    assert (last["pick"], last["legal"], last["game_ended"], last["points"]) == (
        "resign",
        "",
        "resignation",
        0,
    )


@pytest.mark.parametrize("wrong", [17, [17]])
def test_a_text_that_is_no_record_is_refused_in_one_sentence(wrong: Any) -> None:
    with pytest.raises(facedown.FacedownError, match=r"17 (are no records|is no record)") as no:
        list(facedown.decisions(wrong))
    assert no.value.code == "bad_argument"


def test_records_of_two_games_do_not_go_into_one_table() -> None:
    played = [*games("ecard", ["sage", "habit"], 1), *games("davenport", ["careful"] * 2, 1)]
    with pytest.raises(facedown.Unsupported, match="record 2 does not go with those before it"):
        list(facedown.decisions(played))


def test_the_command_writes_a_table_or_names_the_reason(tmp_path: Path) -> None:
    lines = (RECORDS / "ecard.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)[:2]
    (tmp_path / "two.jsonl").write_text("".join(lines), encoding="utf-8")
    (tmp_path / "bad.jsonl").write_text(lines[0] + '{"game": 1}\n', encoding="utf-8")
    source, target = str(tmp_path / "two.jsonl"), tmp_path / "two.csv"

    done = run("export", source, str(target), "--encoding")
    assert (done.status, done.err) == (0, "")
    assert "decisions are in" in done.out
    assert target.read_text(encoding="utf-8").count("\n") > 10
    for words, code in (
        ((source, str(tmp_path / "two.xlsx")), "bad_argument"),
        ((str(tmp_path / "bad.jsonl"), str(tmp_path / "bad.csv")), "unreadable_record: line 2"),
        ((source, str(tmp_path / "no" / "two.csv")), "unwritable_file"),
    ):
        refused = run("export", *words)
        assert refused.status == 2
        assert code in refused.err
    assert not (tmp_path / "bad.csv").exists()


@pytest.mark.parametrize("name", ["=HYPERLINK(1)", "+1", "-1", "@x"])
def test_a_name_is_no_formula_in_a_spreadsheet(tmp_path: Path, name: str) -> None:
    record = facedown.play("ecard", ["sage", "uniform"], "decisive", seed=1).record()
    named = dataclasses.replace(record, seats=(name, "Bob"))
    write_rows(facedown.decisions(named), str(tmp_path / "game.csv"))
    with (tmp_path / "game.csv").open() as file:
        names = {row["name"] for row in csv.DictReader(file)}
    assert names == {f"'{name}", "Bob"}
