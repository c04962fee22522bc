"""The bytes and the order of links: what the vectors say, here and in every other client."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

import pytest

from facedown.core import registry
from facedown.core.links import UnreadableLink, read_link
from tests.core import log_vectors
from tests.core.link_vectors import UNREADABLE, alarm_of, chains, refused, vectors

FOLDER: Final = Path(__file__).parents[1] / "vectors"
VECTORS: Final = json.loads((FOLDER / "links.json").read_text(encoding="utf-8"))
SCENES: Final = chains()


@pytest.mark.parametrize("part", list(VECTORS))
def test_the_vectors_are_what_the_code_computes(part: str) -> None:
    assert json.loads(json.dumps(vectors()[part])) == VECTORS[part]


def test_the_vectors_of_the_log_are_what_the_code_computes() -> None:
    kept = json.loads((FOLDER / "log.json").read_text(encoding="utf-8"))
    assert log_vectors.vectors() == kept
    assert {each["holds"] for each in kept["proofs"]} == {each["holds"] for each in kept["continued"]}


@pytest.mark.parametrize("each", refused(SCENES), ids=lambda each: each[0])
def test_a_link_is_refused_where_it_is_not_allowed(each: tuple[str, str, int, list[Any]]) -> None:
    _, name, after, link = each
    assert alarm_of(SCENES[name], after, link)


@pytest.mark.parametrize("value", UNREADABLE, ids=str)
def test_what_is_no_link_is_not_read(value: Any) -> None:
    with pytest.raises(UnreadableLink):
        read_link(value)


def test_due_lists_follow_from_what_is_public() -> None:
    from facedown.client.decode import read_view

    for each in VECTORS["due"]:
        game = registry.get(each["game"])
        view = read_view(game, {**each["view"], "waiting": []})
        assert [list(wave) for wave in game.due(view)] == each["due"]
