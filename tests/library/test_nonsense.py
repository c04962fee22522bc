"""Nonsense in every place of the face: one sentence of the tree of errors, with its code."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import facedown

f: Any = facedown
"""Typed as anything: that is what it is given here."""

CALLS: list[tuple[Callable[[], object], str]] = [
    (lambda: f.game("chess"), "unknown_game"),
    (lambda: f.game(None), "unknown_game"),
    (lambda: f.game(f.Game), "unknown_game"),
    (lambda: f.rules("ecard", "chess"), "unreadable_rules"),
    (lambda: f.rules("ecard", {"tie": "never", "rounds": "many"}), "unreadable_rules"),
    (lambda: f.rules("ecard", {"rounds": [1, 2]}), "unreadable_rules"),
    (lambda: f.rules("ecard", f.rules("davenport")), "unreadable_rules"),
    (lambda: f.new("ecard", seats=5), "illegal_seats"),
    (lambda: f.new("ecard", seats="Ann"), "bad_argument"),
    (lambda: f.new("ecard", seats=("Ann", "Ann")), "bad_argument"),
    (lambda: f.new("ecard", seats=True), "bad_argument"),
    (lambda: f.new("ecard", seed=1.5), "bad_argument"),
    (lambda: f.new("ecard", seed="\ud800"), "bad_argument"),
    (lambda: f.new("ecard").seal(9, "C"), "not_now"),
    (lambda: f.new("ecard").seal(1, "Q"), "illegal_pick"),
    (lambda: f.new("ecard").view(3), "not_allowed"),
    (lambda: f.play("ecard", "sage"), "unknown_bot"),
    (lambda: f.play("ecard", ["sage"]), "illegal_seats"),
    (lambda: f.play("ecard", ["sage", "no_module:Bot"]), "unknown_bot"),
    (lambda: f.play("ecard", ["sage", dict]), "unknown_bot"),
    (lambda: f.play("ecard", ["sage", lambda: None]), "bot_fault"),
    (lambda: f.play("ecard", ["sage", lambda must: None]), "unknown_bot"),
    (lambda: f.play_many("ecard", ["sage", "sage"], games=0), "bad_argument"),
    (lambda: f.play_many("ecard", ["sage", "sage"], games=1, jobs=0), "bad_argument"),
    (lambda: f.play_many("ecard", ["uniform", "uniform"], games=1).share(3), "illegal_seats"),
    (
        lambda: f.play_many("ecard", ["uniform", "uniform"], games=1).write("/no/such/folder/x"),
        "unwritable_file",
    ),
    (lambda: f.arena("ecard", ["sage"], games=1), "illegal_seats"),
    (lambda: f.arena("ecard", ["sage", "uniform"], games=1, seats=3), "bad_argument"),
    (lambda: f.arena("ecard", ["uniform", "uniform"], games=1).share("uniform", "chess"), "illegal_seats"),
    (lambda: f.solve("davenport"), "unsupported"),
    (lambda: f.solve("ecard", "classic").at(round=99, score=(0, 0)), "impossible_state"),
    (lambda: f.solve("ecard", "classic").at(weather="fine"), "unreadable_position"),
    (lambda: f.solve("ecard", "classic").at(round=object(), score=None), "unreadable_position"),
    (lambda: f.review("no_such_file.json"), "unreadable_file"),
    (lambda: f.review(f.new("ecard"), seat=7), "illegal_seats"),
    (lambda: f.replay("\0"), "unreadable_file"),
    (lambda: f.replay(b"{}"), "bad_argument"),
    (lambda: f.replay(f.Record("chess", "", (), (), ())), "unknown_game"),
    (lambda: f.verify({"game": "ecard"}), "bad_argument"),
    (lambda: f.load(__file__), "unreadable_record"),
    (lambda: f.save(f.new("ecard"), "."), "unwritable_file"),
    (lambda: f.connect(None), "bad_argument"),
    (lambda: f.connect("ftp://cards"), "bad_address"),
    (lambda: f.connect("http://127.0.0.1:1", game="ecard", rules="chess"), "unreadable_rules"),
    (lambda: f.connect("http://127.0.0.1:1", game="ecard").__enter__(), "lost_server"),
]


@pytest.mark.parametrize(("call", "code"), CALLS, ids=[str(n) for n in range(len(CALLS))])
def test_nonsense_is_refused_in_one_sentence(
    call: Callable[[], object], code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(facedown.FacedownError) as caught:
        call()

    assert caught.value.code == code
    assert 5 < len(str(caught.value.message)) < 400
    assert "Traceback" not in str(caught.value.message)


def test_a_position_is_given_as_text_or_as_values_and_refused_alike() -> None:
    solved = facedown.solve("ecard", "classic")

    assert solved.at(round=5, score=(6, 5)).value == solved.at("round=5,score=6:5").value
    with pytest.raises(facedown.FacedownError, match="there is no round 99: a game has rounds 1 to 12"):
        solved.at(round=99)
    with pytest.raises(facedown.FacedownError, match="score is missing"):
        solved.at(round=1)


def test_a_broken_record_is_a_finding_that_does_not_hold() -> None:
    match = facedown.play("ecard", ["uniform", "uniform"], seed=1)
    record = match.record()
    lie = f.Record(**{**{n: getattr(record, n) for n in record.__slots__}, "result": {"winner": 7}})

    *before, last = facedown.verify(lie)

    assert all(finding.holds is not False for finding in before)
    assert (last.check, last.holds) == ("not_verified", False)
    assert "claims winner 7" in str(last.say)
