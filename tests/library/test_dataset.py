"""The sample of open data: games of machines, which say so, and what `facedown.dataset` gives of them.

`python -m tests.library.test_dataset` writes it again.
"""

from __future__ import annotations

import shutil
from itertools import permutations
from pathlib import Path

import pytest

import facedown
from facedown.core.errors import NotVerified
from facedown.library.arguments import BadArgument
from facedown.library.dataset import DatasetWriter
from facedown.server.store.crowds import BANDS

SAMPLE = Path(__file__).parents[2] / "examples" / "sample-dataset"
MACHINES = ("pip", "habit", "reader", "sage")


def write_sample(folder: Path) -> None:
    writer = DatasetWriter(folder, "sample", "machines")
    for bots in permutations(MACHINES, 2):
        for record in facedown.play_many("ecard", bots, "short", games=4, seed=f"sample {bots}"):
            writer.add(record, "2026-10-01", (BANDS[0], BANDS[0]))
    writer.finish(parquet=False)


def test_the_sample_is_what_machines_play(tmp_path: Path) -> None:
    write_sample(tmp_path)

    assert {each.name: each.read_text() for each in SAMPLE.iterdir()} == {
        each.name: each.read_text() for each in tmp_path.iterdir()
    }


def test_the_sample_is_read_with_its_games_and_decisions() -> None:
    sample = facedown.dataset(str(SAMPLE))

    assert str(sample) == "sample, games of machines: 48 of ecard"
    assert (sample.signed_by, sample.counts) == (None, {"ecard": 48})
    games = list(sample.games())
    assert games == list(sample.games("ecard"))
    assert {name for game in games for name in game.record.seats} == set(MACHINES)
    rows = list(sample.decisions("ecard"))
    assert [row["id"] for row in rows] == [
        row["id"] for row in facedown.decisions(str(SAMPLE / "games-ecard.jsonl"))
    ]
    assert {(row["day"], row["band"]) for row in rows} == {("2026-10-01", BANDS[0])}


def test_games_of_people_have_to_be_signed_and_those_of_machines_by_the_key_that_is_asked_for(
    tmp_path: Path,
) -> None:
    with pytest.raises(NotVerified, match="not signed"):
        facedown.dataset(SAMPLE, key="0" * 64)
    copy = Path(shutil.copytree(SAMPLE, tmp_path / "copy"))
    manifest = (copy / "manifest.json").read_text()
    (copy / "manifest.json").write_text(manifest.replace('"machines"', '"people"'))
    with pytest.raises(NotVerified, match="not signed"):
        facedown.dataset(copy)
    with pytest.raises(BadArgument, match="there is ecard"):
        list(facedown.dataset(SAMPLE).games("chess"))


if __name__ == "__main__":
    shutil.rmtree(SAMPLE, ignore_errors=True)
    SAMPLE.mkdir()
    write_sample(SAMPLE)
