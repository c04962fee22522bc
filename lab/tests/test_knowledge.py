"""The page of what is known: it is what its command makes, and what was measured says how."""

from __future__ import annotations

import re

from lab.scripts.knowledge import PAGE, PICTURES, made
from lab.scripts.knowledge_measured import COMMANDS, command_of, cross_table, read_measured


def test_the_page_and_its_pictures_are_what_the_command_makes() -> None:
    files = made(read_measured())

    assert {path.parent for path in files} == {PAGE.parent, PICTURES}
    stale = [path.name for path, text in files.items() if path.read_text(encoding="utf-8") != text]
    assert stale == [], "python -m lab.scripts.knowledge rewrites them"


def test_no_line_is_broken_in_a_figure() -> None:
    page = made(read_measured())[PAGE]

    assert "44.45\N{NO-BREAK SPACE}%" in page
    assert not re.search(r"\d\s[±%]|±\s\d", page.replace("\N{NO-BREAK SPACE}", "_"))


def test_every_measurement_names_its_command_machine_and_date() -> None:
    kept = read_measured()

    assert set(kept) == set(COMMANDS)
    for name in COMMANDS:
        assert kept[name]["command"] == command_of(name)
        assert kept[name]["machine"]
        assert re.fullmatch(r"\d{4}-\d\d-\d\d", kept[name]["date"])


def test_a_cross_table_says_how_far_the_first_strong_machine_is_ahead() -> None:
    def bout(hero: str, field: str, value: float) -> dict[str, object]:
        score = {"value": value, "low": value - 0.03, "high": value + 0.03}
        return {"hero": hero, "field": field, "score": score}

    bouts = [bout("random", "careful", 0.42), bout("random", "expert", 0.4), bout("careful", "expert", 0.45)]

    assert cross_table(
        {"bots": ["random", "careful", "expert"], "seats": 2, "pairings": bouts}
    ).splitlines() == [
        "| score of …, against … | random | careful | expert |",
        "|---|---|---|---|",
        "| random | – | 42.0 ± 3.0 % | 40.0 ± 3.0 % |",
        "| careful | 58.0 ± 3.0 % | – | 45.0 ± 3.0 % |",
        "| expert | 60.0 ± 3.0 % | 55.0 ± 3.0 % | – |",
        "| expert less careful | 2.0 ± 4.2 % | – | – |",
    ]
