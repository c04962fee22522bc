"""The page of what is known: it is what its command makes, and what was measured says how."""

from __future__ import annotations

import re

from scripts.knowledge import MEASUREMENTS, PAGE, PICTURES, made, read_measured


def test_the_page_and_its_pictures_are_what_the_command_makes() -> None:
    files = made(read_measured())

    assert {path.parent for path in files} == {PAGE.parent, PICTURES}
    stale = [path.name for path, text in files.items() if path.read_text(encoding="utf-8") != text]
    assert stale == [], "python -m scripts.knowledge writes them anew"


def test_every_measurement_names_its_command_machine_and_date() -> None:
    kept = read_measured()

    assert set(kept) == set(MEASUREMENTS)
    for name, command in MEASUREMENTS.items():
        assert kept[name]["command"] == f"facedown {' '.join(command)}"
        assert kept[name]["machine"]
        assert re.fullmatch(r"\d{4}-\d\d-\d\d", kept[name]["date"])
