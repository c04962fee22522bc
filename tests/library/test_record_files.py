"""Files of records: one where one is needed, and many, which the library reads as it writes them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import facedown
from facedown.core import registry
from facedown.core.errors import UnreadableRecord
from facedown.files import UnreadableFile
from facedown.library.record_files import one_record
from tests.commands.recorded import finished_game

RECORD = finished_game(registry.names()[0])


@pytest.mark.parametrize("name", ["one.json", "one.jsonl"])
def test_one_record_is_read_whatever_the_file_is_called(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text(RECORD.write() + "\n")

    assert one_record(str(tmp_path / name)) == RECORD


@pytest.mark.parametrize(("records", "sentence"), [(0, "nothing in it"), (2, "several records")])
@pytest.mark.parametrize("name", ["games.json", "games.jsonl"])
def test_none_and_several_are_refused(tmp_path: Path, name: str, records: int, sentence: str) -> None:
    (tmp_path / name).write_text((RECORD.write() + "\n") * records)

    with pytest.raises(UnreadableRecord, match=sentence):
        one_record(str(tmp_path / name))


def test_the_library_reads_what_the_library_writes(tmp_path: Path) -> None:
    games = facedown.play_many("ecard", ["uniform", "uniform"], games=3, seed=1)
    games.write(tmp_path / "b.jsonl")
    facedown.save(RECORD, tmp_path / "a.json")
    (tmp_path / "notes.txt").write_text("no record\n")

    assert list(facedown.records(tmp_path / "b.jsonl")) == list(games)
    assert list(facedown.records(str(tmp_path / "a.json"))) == [RECORD]
    assert list(facedown.records(tmp_path)) == [RECORD, *games]
    rows = list(facedown.decisions(games))
    assert list(facedown.decisions(str(tmp_path / "b.jsonl"))) == rows
    assert list(facedown.decisions([tmp_path / "b.jsonl"])) == rows


@pytest.mark.parametrize(
    "read", [facedown.load, facedown.verify, facedown.review, facedown.replay, facedown.Record.read]
)
def test_many_records_where_one_is_needed_name_the_function_for_many(
    read: Callable[[Any], Any], tmp_path: Path
) -> None:
    path = tmp_path / "games.jsonl"
    path.write_text((RECORD.write() + "\n") * 2)
    given = path.read_text() if read == facedown.Record.read else path

    with pytest.raises(UnreadableRecord, match="this file holds many records: use facedown"):
        read(given)


def test_a_wrong_record_among_many_is_named_by_its_file_and_line(tmp_path: Path) -> None:
    (tmp_path / "games.jsonl").write_text(f'{RECORD.write()}\n\n{{"format": 1}}\n')
    records = facedown.records(tmp_path)

    assert next(records) == RECORD
    with pytest.raises(UnreadableRecord, match=r"^line 3: .*games.jsonl: not a record: the format is 1"):
        next(records)


@pytest.mark.parametrize("path", ["no/such/file", "no\0name", 5, None, "empty"])
def test_what_is_no_file_of_records_is_refused_at_once(path: Any, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()

    with pytest.raises(UnreadableFile, match="cannot read"):
        facedown.records(tmp_path / path if path == "empty" else path)
