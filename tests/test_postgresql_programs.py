"""PostgreSQL's programs are found wherever the first `initdb` of the path is."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests import postgresql


@pytest.fixture
def first_in_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that is searched before all others."""
    postgresql.programs()  # the test is skipped if there are none
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    return tmp_path


def test_a_link_to_initdb_leads_to_the_folder_of_all_programs(first_in_path: Path) -> None:
    real = postgresql.programs()
    (first_in_path / "initdb").symlink_to(real / "initdb")
    assert postgresql.programs.__wrapped__() == real


def test_an_initdb_without_the_other_programs_is_passed_over(first_in_path: Path) -> None:
    (first_in_path / "initdb").touch(mode=0o755)
    found = postgresql.programs.__wrapped__()
    assert found != first_in_path
    assert {"initdb", "pg_basebackup", "pg_ctl", "postgres", "psql"} <= {
        each.name for each in found.iterdir()
    }
