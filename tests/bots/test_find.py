"""Finding bots: by the name they have, and by one that they had before."""

from __future__ import annotations

import json

import pytest

from facedown.bots.find import UnknownBot, bots_of, current_name, find_bot
from facedown.bots.memories import Memories


def test_a_bot_is_found_by_the_name_that_it_had_before() -> None:
    assert find_bot("ecard", "master") is find_bot("ecard", "sage")
    assert current_name("ecard", "master") == "sage"
    assert "master" not in bots_of("ecard")


def test_names_that_no_bot_ever_had_stay_as_they_are() -> None:
    assert current_name("ecard", "nobody") == "nobody"
    assert current_name("davenport", "master") == "master"
    with pytest.raises(UnknownBot, match=r"no bot 'master'"):
        find_bot("davenport", "master")


def test_what_was_noted_under_a_former_name_is_found_and_comes_first() -> None:
    notes = {"ecard/sage": ["late"], "ecard/master": ["early"], "elsewhere/master": ["kept"]}

    memories = Memories.read(json.dumps({"format": "facedown/memory/1", "notes": notes}))

    assert list(memories.of("ecard", "sage")) == ["early", "late"]
    assert memories.notes() == {"ecard/sage": ["early", "late"], "elsewhere/master": ["kept"]}
