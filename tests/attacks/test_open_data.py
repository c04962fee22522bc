"""Attacks on open data: finding people or tables in a month that was given away, and changing it."""

from __future__ import annotations

import asyncio
import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

import facedown
from facedown.core.errors import FacedownError, NotVerified, Unreadable
from facedown.proof.signatures import new_signing_key, sign_text
from facedown.server.accounts.open_data import Month
from facedown.server.table.record import finished_record
from tests.server.accounts.test_open_data import OCTOBER, PEOPLE, end_in, play_month, write
from tests.server.table.test_table import running_tables

SEPTEMBER = Month.read("2026-09")


class Given:
    """The same games, given away as those of two months, and what the server knows of them."""

    def __init__(self, folder: Path) -> None:
        self.months = folder / "september", folder / "october"
        self.secrets: set[str] = set()
        asyncio.run(self._write(f"sqlite:{folder}/data"))

    async def _write(self, where: str) -> None:
        async with running_tables(where) as (store, tables):
            for table in await play_month(store, tables):
                state = (await tables.get(table))._state
                whole = json.dumps(finished_record(state).fair.plain())  # type: ignore[union-attr]
                self.secrets |= {table, state.seed.hex(), *re.findall(r"[0-9A-Za-z_-]{20,}", whole)}
                self.secrets |= {str(entry.at) for entry in state.log}
                self.secrets -= {state.setup.key}  # the server's, and the same for all its tables
            self.secrets |= {*PEOPLE, *(f"Name of {person}" for person in PEOPLE)}
            for month, target in zip((SEPTEMBER, OCTOBER), self.months, strict=True):
                await end_in(store, month)
                assert await asyncio.to_thread(write, where, target, month.name) == 0


@pytest.fixture(scope="module")
def given(tmp_path_factory: pytest.TempPathFactory) -> Given:
    return Given(tmp_path_factory.mktemp("given"))


def texts(folder: Path) -> str:
    return "".join(each.read_bytes().decode("utf-8", "replace") for each in sorted(folder.iterdir()))


def test_no_id_time_seed_link_or_name_of_a_table_is_in_it(given: Given) -> None:
    assert len(given.secrets) > 2 * len(PEOPLE)
    for month in given.months:
        whole = texts(month)
        assert [secret for secret in given.secrets if secret in whole] == []
        for line in (month / "games-davenport.jsonl").read_text().splitlines():
            game = json.loads(line)
            assert not {"seed", "fair", "signed", "continues"} & game.keys()
            assert re.fullmatch(r"2026-(09|10)-01", game["day"])


def test_two_months_of_the_same_people_have_no_name_in_common(given: Given) -> None:
    """Nor an order: the games of a day are sorted by ids that say nothing."""
    names = [
        {name for game in facedown.dataset(month).games() for name in (game.record.id, *game.record.seats)}
        for month in given.months
    ]
    assert len(names[0]) == len(names[1]) == len(PEOPLE) + 3
    assert names[0] & names[1] == set()


@pytest.fixture
def month(given: Given, tmp_path: Path) -> Path:
    """A copy of a month, to be changed."""
    return Path(shutil.copytree(given.months[1], tmp_path / "month"))


def change(folder: Path, **values: Any) -> dict[str, Any]:
    """Change the manifest, leaving the signature as it is; None drops a part."""
    manifest = json.loads((folder / "manifest.json").read_text()) | values
    manifest = {name: value for name, value in manifest.items() if value is not None}
    (folder / "manifest.json").write_text(json.dumps(manifest))
    return manifest


def test_a_changed_file_is_found(month: Path) -> None:
    for name in ("games-davenport.jsonl", "decisions-davenport.parquet"):
        kept = (month / name).read_bytes()
        (month / name).write_bytes(kept.replace(b"2026-10-01", b"2026-10-02", 1))
        with pytest.raises(NotVerified, match=name):
            facedown.dataset(month)
        (month / name).unlink()
        with pytest.raises(NotVerified, match=name):
            facedown.dataset(month)
        (month / name).write_bytes(kept)
    facedown.dataset(month)


def test_a_changed_manifest_is_found(month: Path) -> None:
    manifest = change(month)
    for part in ("month", "made_by", "checkpoint", "license"):
        change(month, **{part: manifest[part] + " "})
        with pytest.raises(NotVerified):
            facedown.dataset(month)
        change(month, **manifest)
    change(month, signed=None)
    with pytest.raises(NotVerified, match="not signed"):
        facedown.dataset(month)


def test_a_manifest_signed_by_another_key_is_found_by_those_who_know_the_server(month: Path) -> None:
    real = facedown.dataset(month).signed_by
    manifest = change(month, signed=None)
    forged = sign_text(json.dumps(manifest), new_signing_key(b"Mallory" * 9))
    (month / "manifest.json").write_text(forged)

    with pytest.raises(NotVerified, match="another key than the dataset"):
        facedown.dataset(month)
    with pytest.raises(NotVerified):
        facedown.dataset(month, key=real)


@pytest.mark.parametrize("name", ["../secret.jsonl", "/etc/passwd", "games-../x.jsonl", "manifest.json", ""])
def test_a_manifest_names_no_file_outside_its_folder(month: Path, name: str) -> None:
    change(month, files={name: "0" * 64}, games={})
    with pytest.raises(Unreadable):
        facedown.dataset(month)


@pytest.mark.parametrize("text", ["", "[]", "null", "{}", "[" * 100_000, '{"format": "facedown/dataset/1"}'])
def test_nonsense_is_refused_in_a_sentence(tmp_path: Path, text: str) -> None:
    (tmp_path / "manifest.json").write_text(text)
    with pytest.raises(FacedownError):
        facedown.dataset(tmp_path)
