"""Where a single record is needed: one, not none and not several."""

from __future__ import annotations

from pathlib import Path

import pytest

from facedown.cli.record_files import one_record
from facedown.core import registry
from facedown.core.errors import UnreadableRecord
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
