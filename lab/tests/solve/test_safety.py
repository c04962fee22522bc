"""The curves of safe exploitation, on a shorter game: what must hold of them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from lab.scripts import knowledge_safety as safety


@pytest.fixture
def shorter(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(safety, "RULES", "short(rounds=2,group=1)")
    for name, value in {
        "REMEMBERED": (0, 40),
        "SHOWN": 40,
        "WEIGHTS": (0.3, 0.7, 1.0),
        "TRUSTED": (1.0, 100.0),
        "SURE": (0.05, 3.2),
        "OUTLAYS": (0.0, 0.05),
    }.items():
        monkeypatch.setattr(safety, name, value)
    safety.tree.cache_clear()
    yield
    safety.tree.cache_clear()


@pytest.mark.usefixtures("shorter")
def test_no_curve_wins_more_than_is_possible_and_sage_risks_its_outlay_alone() -> None:
    curves = safety.curves("pip")

    most = curves["known"][-1].gain
    for name in ("restricted", "biased", "reader", "sage"):
        assert all(point.gain <= most + 1e-3 for point in curves[name]), name
    for point in curves["sage"]:
        assert point.risk <= 100 * point.setting + 1e-3
    gains, risks = ([getattr(point, what) for point in curves["known"]] for what in ("gain", "risk"))
    assert gains == pytest.approx(sorted(gains), abs=1e-3)
    assert risks == pytest.approx(sorted(risks), abs=1e-3)
    bold, shy = curves["reader"]
    assert shy.risk < bold.risk
